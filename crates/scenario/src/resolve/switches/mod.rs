//! The organisation of switches.

pub(in crate::resolve) mod buffers;
pub(in crate::resolve) mod fills;
pub(in crate::resolve) mod headroom;
pub(in crate::resolve) mod output_queues;
pub(in crate::resolve) mod pfc;
pub(in crate::resolve) mod queues;
pub(in crate::resolve) mod times;
pub(in crate::resolve) mod trim;

use congestree_fabric::plan::{SwitchPlan, Switching};

use crate::resolve::network::built::Network;
use crate::resolve::{Collector, scheme_parts};
use crate::types::{self, Queues, ReadPorts, Scenario};

pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    network: Option<&Network>,
    collector: &mut Collector<'_>,
) -> Option<SwitchPlan> {
    let switches = &scenario.switches;
    let read_ports = match switches.read_ports {
        ReadPorts::One => Some(1),
        ReadPorts::All => None,
        ReadPorts::Number(count) => Some(count),
    };
    // If flows are set aside, their queues have heads too.
    let isolates = scheme_parts(&scenario.scheme).isolate.rules().is_some();
    if switches.queues == Queues::Single && read_ports != Some(1) && !isolates {
        collector.report(
            "switches.read_ports",
            "a single queue has one head, so one read port is all it can use",
            "write read_ports = \"one\", or queues = \"voq\"",
        );
    }
    check_losses(scenario, collector);
    let (shared, output_buffer) = pfc::memory(scenario, collector);
    let buffer_units = buffer_units(scenario, collector)?;
    Some(SwitchPlan {
        buffer_units,
        output_queue: switches.output_queue,
        output_queue_rate: switches.output_queue_rate,
        trim: trim::plan(scenario, collector),
        random_loss: switches.random_loss,
        shared_memory: shared,
        output_buffer,
        queues: queues::map(switches.queues),
        memory: queues::memory(scenario, collector)?,
        read_ports,
        crossbar: queues::crossbar(scenario, collector),
        arbiter: queues::arbiter(scenario, network, collector),
        switching: match switches.switching {
            types::Switching::CutThrough => Switching::CutThrough,
            types::Switching::StoreAndForward => Switching::StoreForward,
        },
        forwarding_delay: switches.forwarding_delay,
    })
}

/// Checks that queues of outputs have a limit if links have no flow control, and that nothing is dropped otherwise.
fn check_losses(scenario: &Scenario, collector: &mut Collector<'_>) {
    let switches = &scenario.switches;
    let lossy = !scenario.links.have_flow_control();
    let largest = scenario.adapters.largest_packet();
    match switches.output_queue {
        None if lossy => collector.report(
            "switches.output_queue",
            "with links.flow_control = \"none\" nothing limits the queue of an output",
            "say how many bytes may wait before packets are dropped, such as \"1 MB\"",
        ),
        Some(_) if !lossy => collector.report(
            "switches.output_queue",
            "links with flow control never drop a packet",
            "leave it out, or write links.flow_control = \"none\"",
        ),
        // Where it goes by the rate of a link, see `output_queues`.
        Some(size) if size < largest && switches.output_queue_rate.is_none() => collector.report(
            "switches.output_queue",
            format!("{size} have no room for a packet of {largest}, so that all would be dropped"),
            format!("make it at least {largest}"),
        ),
        _ => {}
    }
    if switches.random_loss > 0.0 && !lossy {
        collector.report(
            "switches.random_loss",
            "links with flow control never lose a packet",
            "leave it out, or write links.flow_control = \"none\"",
        );
    }
}

/// Room of an input by lane, in credit units.
fn buffer_units(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<Vec<u32>> {
    let switches = &scenario.switches;
    let common = match switches.queues {
        Queues::Voqnet(voqnet) => {
            let default = types::Switches::default();
            for (key, is_default) in [
                ("switches.buffer", switches.buffer == default.buffer),
                ("switches.lane_buffers", switches.lane_buffers.is_empty()),
            ] {
                if !is_default {
                    let fact = "with a queue for each destination every queue has a buffer of its own";
                    collector.report(key, fact, "leave it out, and give switches.queues.voqnet.buffer");
                }
            }
            buffers::units(scenario, voqnet.buffer, "switches.queues.voqnet.buffer", collector)?
        }
        // A default in the wrong unit does not matter where every lane has a buffer of its own.
        _ if switches.lane_buffers.len() >= usize::from(scenario.links.lanes)
            && switches.buffer == types::Switches::default().buffer =>
        {
            0
        }
        _ => buffers::units(scenario, switches.buffer, "switches.buffer", collector)?,
    };
    let mut buffer_units = vec![common; usize::from(scenario.links.lanes)];
    let shares = pfc::written(scenario).is_some() && switches.shared_memory.is_some();
    if shares && !switches.lane_buffers.is_empty() {
        collector.report("switches.lane_buffers", buffers::ALL_SHARED, "leave it out");
        return Some(buffer_units);
    }
    for (lane, &room) in switches.lane_buffers.iter().enumerate() {
        let path = format!("switches.lane_buffers.{lane}");
        match buffer_units.get_mut(lane) {
            Some(units) => *units = buffers::units(scenario, room, &path, collector)?,
            None => {
                let fact = format!("there is no lane {lane}: links.lanes is {}", scenario.links.lanes);
                collector.report(path, fact, "leave it out, or raise links.lanes");
            }
        }
    }
    Some(buffer_units)
}
