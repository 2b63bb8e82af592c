//! The queues of inputs, the room that each of them has, matchings and crossbars.

use congestree_fabric::plan::{ArbiterPlan, CrossbarPlan, Memory, QueueMap, SchemePlan, SwitchPlan};
use congestree_topology::Graph;
use congestree_units::{Bytes, Rate, Span};

use crate::resolve::Collector;
use crate::resolve::limits::check_rate;
use crate::resolve::network::built::Network;
use crate::resolve::switches::buffers;
use crate::types::{self, Arbiter, LaneArbiter, Matching, Queues, Scenario};

/// More queues than this would not fit in memory.
const MOST: u64 = 40_000_000;

/// Which queue a packet joins.
pub(in crate::resolve) fn map(queues: Queues) -> QueueMap {
    match queues {
        Queues::Voq => QueueMap::Voq,
        Queues::Single => QueueMap::Single,
        Queues::Voqnet(_) => QueueMap::PerDestination,
        Queues::Dbbm(dbbm) => QueueMap::ByDestination { queues: dbbm.queues },
        Queues::Obqa(obqa) => QueueMap::ByOutput { queues: obqa.queues },
    }
}

/// The policy by which queues share a buffer.
pub(in crate::resolve) fn memory(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<Memory> {
    let switches = &scenario.switches;
    match (switches.memory, switches.queues) {
        (types::Memory::Damq(_), Queues::Voqnet(_)) => {
            let fact = "with a queue for each destination every queue has a buffer of its own";
            collector.report("switches.memory", fact, "leave it out, or choose other queues");
        }
        (memory, Queues::Single) if memory != types::Memory::Shared => {
            let fact = "a single queue has the buffer to itself";
            collector.report("switches.memory", fact, "leave it out, or choose other queues");
        }
        _ => {}
    }
    Some(match switches.memory {
        types::Memory::Shared => Memory::Shared,
        types::Memory::Reserved => Memory::Reserved,
        types::Memory::Damq(damq) => {
            let path = "switches.memory.damq";
            let mut part = |room: Option<types::Room>, key: &str, absent| match room {
                Some(types::Room::Packets(0)) => Some(0),
                Some(room) => buffers::units(scenario, room, &format!("{path}.{key}"), collector),
                None => Some(absent),
            };
            let (reserve, limit) = (part(damq.reserve, "reserve", 0), part(damq.limit, "limit", u32::MAX));
            let (reserve, limit) = (reserve?, limit?);
            if limit < reserve {
                collector.report(
                    format!("{path}.limit"),
                    "a queue may not fill what is reserved for it",
                    "make the limit larger than the reserve",
                );
            }
            Memory::Damq { reserve, limit }
        }
    })
}

/// A crossbar with a speed of its own.
pub(in crate::resolve) fn crossbar(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<CrossbarPlan> {
    let switches = &scenario.switches;
    check_rate(switches.crossbar, "switches.crossbar", collector);
    if switches.crossbar.is_none() && switches.output_packets != types::Switches::default().output_packets {
        let fact = "outputs hold packets only behind a crossbar with a speed of its own";
        collector.report("switches.output_packets", fact, "leave it out, or give switches.crossbar");
    }
    Some(CrossbarPlan { rate: switches.crossbar?, output_packets: switches.output_packets })
}

/// The arbiter by which outputs choose among inputs.
pub(in crate::resolve) fn arbiter(
    scenario: &Scenario,
    network: Option<&Network>,
    collector: &mut Collector<'_>,
) -> ArbiterPlan {
    let switches = &scenario.switches;
    match &switches.arbiter {
        Arbiter::RoundRobin => ArbiterPlan::RoundRobin,
        Arbiter::Fifo(fifo) => {
            let all_at_once = switches.read_ports == types::ReadPorts::All && switches.queues == Queues::Voq;
            if fifo.bypass_limit.is_some() && all_at_once {
                let fact = "an input that is read for all outputs at once is never busy, so no packet is bypassed";
                let remedy = "leave it out, or write switches.read_ports = \"one\"";
                collector.report("switches.arbiter.fifo.bypass_limit", fact, remedy);
            }
            ArbiterPlan::Fifo { bypass_limit: fifo.bypass_limit }
        }
        Arbiter::Islip(islip) => ArbiterPlan::Islip {
            rounds: islip.iterations,
            slot: (islip.matching == Matching::Slotted).then(|| slot(scenario, network)),
        },
    }
}

/// The length of slots: a full packet at the rate of the crossbar, or else of the fastest link.
fn slot(scenario: &Scenario, network: Option<&Network>) -> Span {
    let links = network.iter().flat_map(|network| &network.graph.links);
    let fastest = links.flat_map(|link| [link.ab.rate, link.ba.rate]).max();
    let rate = scenario.switches.crossbar.or(fastest).unwrap_or(scenario.links.rate);
    rate.max(Rate(1)).time_for(scenario.adapters.full_packet())
}

/// Checks what cannot be combined with special queues, matchings and crossbars.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    plan: &SwitchPlan,
    scheme: &SchemePlan,
    collector: &mut Collector<'_>,
) {
    let isolates = scheme.isolate.is_some();
    if !plan.has_input_queues(isolates) {
        return;
    }
    let switches = &scenario.switches;
    let key = key_of_input_queues(switches, isolates);
    let promised =
        matches!(scenario.links.flow_control, types::FlowControl::ByteCredits(_) | types::FlowControl::PacketSlots(_));
    // Isolation itself reports that it needs links with flow control.
    let said = isolates && matches!(scenario.links.flow_control, types::FlowControl::None);
    let takes_early = plan.has_queue_credits() || plan.crossbar.is_some();
    if takes_early && !promised && !said {
        let fact = "room in a queue or behind a crossbar is reserved by credits before a packet crosses, and these links have no credits";
        collector.report(key, fact, "leave it out, or choose a flow control with credits");
    }
    let by_bytes = matches!(scenario.links.lane_arbiter, LaneArbiter::Drr(_)) && plan.crossbar.is_some();
    let one_by_one = isolates || matches!(switches.arbiter, Arbiter::Islip(_));
    if !matches!(scenario.links.lane_arbiter, LaneArbiter::RoundRobin) && (by_bytes || one_by_one) {
        let fact = "with it, lanes take turns at a link packet by packet";
        collector.report(key, fact, "leave it out, or write links.lane_arbiter = \"round-robin\"");
    }
    if let Arbiter::Fifo(_) = switches.arbiter {
        let fact = "the FIFO arbiter serves plain input queues only";
        collector.report(key, fact, "leave it out, or write switches.arbiter = \"round-robin\" or \"islip\"");
    }
    let own_room = plan.memory != Memory::Shared || plan.queues == QueueMap::PerDestination;
    if scheme.mark.counts_packets() && own_room {
        let fact =
            "marks go by full buffers, and a buffer whose queues have room of their own is never full as a whole";
        collector.report("scheme.mark", fact, "share the buffer, or mark otherwise");
    }
}

/// The key that gives inputs special queues.
fn key_of_input_queues(switches: &types::Switches, isolates: bool) -> &'static str {
    if !matches!(switches.queues, Queues::Voq | Queues::Single) {
        "switches.queues"
    } else if switches.memory != types::Memory::Shared {
        "switches.memory"
    } else if switches.crossbar.is_some() {
        "switches.crossbar"
    } else if isolates {
        "scheme.isolate"
    } else {
        "switches.arbiter"
    }
}

/// Checks that every queue has room for a packet, and that there are not too many queues.
pub(in crate::resolve) fn check_room(
    scenario: &Scenario,
    plan: &SwitchPlan,
    isolates: bool,
    network: &Network,
    collector: &mut Collector<'_>,
) {
    if !plan.has_input_queues(isolates) {
        return;
    }
    check_count(scenario, plan, &network.graph, collector);
    let block = match &scenario.links.flow_control {
        types::FlowControl::ByteCredits(credits) => Some(credits.block.0.max(1)),
        _ => None,
    };
    check_queue_buffers(plan, &network.graph, scenario.adapters.full_packet(), block, collector);
}

/// Checks that there are not too many queues by destination.
fn check_count(scenario: &Scenario, plan: &SwitchPlan, graph: &Graph, collector: &mut Collector<'_>) {
    let hosts = graph.hosts.len() as u64;
    let queues = (hosts + graph.switches.len() as u64) * hosts * u64::from(scenario.links.lanes);
    if plan.queues == QueueMap::PerDestination && queues > MOST {
        let fact = format!("a queue for each of {hosts} destinations makes {queues} queues in all");
        collector.report("switches.queues", fact, "make the network smaller, or take \"dbbm\"");
    }
}

/// Checks that at every switch a queue has room for a packet of this size, and that no more is reserved than exists.
/// `block`: of credits, if they count bytes; otherwise they count packets. The first switch without room is reported.
fn check_queue_buffers(
    plan: &SwitchPlan,
    graph: &Graph,
    packet: Bytes,
    block: Option<u64>,
    collector: &mut Collector<'_>,
) {
    let needed = block.map_or(1, |block| packet.0.div_ceil(block));
    let in_words = |units: u64| match block {
        None => format!("{units} {}", if units == 1 { "packet" } else { "packets" }),
        Some(block) => Bytes(units * block).to_string(),
    };
    for (name, ports) in graph.switches.iter().zip(&graph.ports().switches) {
        let radix = ports.len() as u16;
        let queues = match plan.queues {
            QueueMap::Voq => u64::from(radix.saturating_sub(1).max(1)),
            map => u64::from(map.queues(radix)),
        };
        for (lane, &buffer) in plan.buffer_units.iter().enumerate() {
            if let Memory::Damq { reserve, .. } = plan.memory
                && u64::from(reserve) * queues > u64::from(buffer)
            {
                let fact = format!("at {name} {queues} queues reserve more than the buffer of an input has");
                collector.report("switches.memory.damq.reserve", fact, "reserve less, or make switches.buffer larger");
                return;
            }
            let (pool, reserve, limit) = plan.credit_units(lane, radix);
            let most = u64::from(reserve.saturating_add(pool).min(limit));
            if most < needed {
                let fact = format!(
                    "at {name} a queue may have {} of the buffer of an input, and a packet takes {}",
                    in_words(most),
                    in_words(needed)
                );
                collector.report("switches.buffer", fact, "make it larger, or share it between the queues");
                return;
            }
        }
    }
}
