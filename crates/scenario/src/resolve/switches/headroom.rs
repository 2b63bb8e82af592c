//! Whether there is room for everything that may still arrive after a pause was requested.

use congestree_fabric::headroom::{Loop, by_switch, loops, shared_sizes};
use congestree_fabric::plan::{Headroom, PfcPlan, Plan, SharedPlan, Threshold};
use congestree_topology::Node;
use congestree_units::{Bytes, Span};

use super::pfc::{AT, written};
use crate::resolve::Collector;
use crate::types::{LossPolicy, Scenario};

/// Whether there is room for everything that may still arrive after a pause was requested.
pub(in crate::resolve) fn check_headroom(scenario: &Scenario, plan: &Plan, collector: &mut Collector<'_>) {
    let (Some(written), Some(pfc)) = (written(scenario), &plan.pfc) else { return };
    let refuse = written.losses == LossPolicy::Refuse && pfc.lossless.contains(&true);
    let (names, loops) = (links(plan), loops(plan));
    let ports: Vec<(&Loop, &str)> = loops.iter().zip(names.iter().map(String::as_str)).collect();
    let (at_hosts, at_switches) = ports.split_at(plan.graph.hosts.len());
    // Hosts pause only if they take packets slowly, or in a storm.
    let hosts_pause = plan.adapter.drain_rate.is_some() || !pfc.storms.is_empty();
    check_quanta(pfc, if hosts_pause { &ports } else { at_switches }, collector);
    if refuse {
        check_receive_buffer(plan, hungriest(at_hosts), collector);
    }
    let Some(worst) = hungriest(at_switches) else { return };
    match &plan.switch.shared_memory {
        Some(shared) => {
            if refuse {
                check_shared_headroom(shared, at_switches, collector);
            }
            if let Some(pool) = shared.headroom_pool.filter(|_| refuse) {
                check_pool(plan, pool, &loops, collector);
            }
            check_shared_size(plan, shared, worst.0, collector);
        }
        None if refuse => check_buffers(scenario, plan, pfc, worst, collector),
        None => {}
    }
}

/// The port that needs the most headroom, and its link.
fn hungriest<'a>(ports: &[(&'a Loop, &'a str)]) -> Option<(&'a Loop, &'a str)> {
    ports.iter().copied().max_by_key(|(port, _)| port.headroom())
}

/// Whether a pause lasts until it can be repeated, at every port; the one that is latest is reported.
fn check_quanta(pfc: &PfcPlan, ports: &[(&Loop, &str)], collector: &mut Collector<'_>) {
    let Some(quanta) = pfc.quanta else { return };
    let late = ports.iter().filter_map(|(port, name)| {
        let half = Span(port.rate.time_for(Bytes(64 * u64::from(quanta))).0 / 2);
        let told = port.told();
        (half < told).then(|| (told.0 - half.0, told, name))
    });
    let Some((_, told, name)) = late.max_by_key(|&(late, ..)| late) else { return };
    let fact =
        format!("a pause of {quanta} quanta over {name} could end before it is told again, which takes up to {told}");
    collector.report(format!("{AT}.pause_duration.quanta.count"), fact, "give more quanta");
}

/// Whether a slow host has room for what may still arrive.
fn check_receive_buffer(plan: &Plan, worst: Option<(&Loop, &str)>, collector: &mut Collector<'_>) {
    if let (Some(room), Some(_), Some((port, name))) = (plan.adapter.receive_units, plan.adapter.drain_rate, worst)
        && u64::from(room) < port.headroom().0
    {
        let fact = format!(
            "a receive buffer of {} has no room for the {} that may come in over {name} {}",
            Bytes(room.into()),
            port.headroom(),
            why(port)
        );
        collector.report("adapters.receive_buffer", fact, format!("make it at least {}", port.headroom()));
    }
}

/// Whether the headroom of every port in shared memory is enough.
fn check_shared_headroom(shared: &SharedPlan, ports: &[(&Loop, &str)], collector: &mut Collector<'_>) {
    let given = ports.iter().map(|&(port, name)| (port, name, shared.headroom.of(port)));
    let short = given.filter(|(port, _, given)| *given < port.headroom().0);
    let Some((port, name, given)) = short.max_by_key(|(port, _, given)| port.headroom().0 - given) else { return };
    let needed = port.headroom();
    let fact = format!(
        "a headroom of {} has no room for the {needed} that may come in over {name} {}",
        Bytes(given),
        why(port)
    );
    let (key, remedy) = match shared.headroom {
        Headroom::Delays(_) => ("headroom_delays", "give more of it, or leave it out".to_owned()),
        _ => ("headroom", format!("make it at least {needed}, or leave it out")),
    };
    collector.report(format!("switches.shared_memory.{key}"), fact, remedy);
}

/// Whether memory is left to share besides headroom and reserved memory.
fn check_shared_size(plan: &Plan, shared: &SharedPlan, worst: &Loop, collector: &mut Collector<'_>) {
    let short = shared_sizes(plan).into_iter().position(|size| size.is_none_or(|size| size < plan.largest().0));
    let Some(switch) = short else { return };
    let headroom = match shared.headroom_pool {
        Some(pool) => format!("{pool} for all its ports"),
        None => format!("{} for each lossless lane of each port", Bytes(shared.headroom.of(worst))),
    };
    let fact = format!(
        "the memory of {} leaves no room for a packet to share at switch {}, after headroom of {headroom}, and \
         what is reserved",
        shared.size, plan.graph.switches[switch],
    );
    collector.report("switches.shared_memory.size", fact, "make it larger, or reserve less");
}

/// Whether inputs have room for what may still arrive, lane by lane; the first without room is reported.
fn check_buffers(
    scenario: &Scenario,
    plan: &Plan,
    pfc: &PfcPlan,
    (port, name): (&Loop, &str),
    collector: &mut Collector<'_>,
) {
    let needed = port.headroom();
    for (lane, _) in pfc.lossless.iter().enumerate().filter(|(_, lossless)| **lossless) {
        let room = u64::from(plan.switch.buffer_units[lane]);
        let path = if lane < scenario.switches.lane_buffers.len() {
            format!("switches.lane_buffers.{lane}")
        } else {
            "switches.buffer".to_owned()
        };
        let xoff = match pfc.threshold {
            Threshold::Static { xoff: Some(xoff), .. } => xoff.0,
            _ => 0,
        };
        if xoff.saturating_add(needed.0) <= room {
            continue;
        }
        let after = if xoff > 0 { format!(" above xoff of {}", Bytes(xoff)) } else { String::new() };
        let fact = format!(
            "a buffer of {} has no room{after} for the {needed} that may come in over {name} {}",
            Bytes(room),
            why(port)
        );
        let mut remedy = format!("make it at least {}", Bytes(xoff.saturating_add(needed.0)));
        if room > needed.0 && xoff > 0 {
            remedy = format!("{remedy}, or xoff at most {}", Bytes(room - needed.0));
        }
        collector.report(path, fact, remedy);
        return;
    }
}

/// Whether a headroom pool shared by ports is enough for all of them at once.
fn check_pool(plan: &Plan, pool: Bytes, loops: &[Loop], collector: &mut Collector<'_>) {
    let lossless = plan.pfc.iter().flat_map(|pfc| &pfc.lossless).filter(|lossless| **lossless).count() as u64;
    let needs = by_switch(plan, loops).into_iter().map(|own| own.iter().map(|port| port.headroom().0 * lossless).sum());
    let most = needs.zip(&plan.graph.switches).max_by_key(|(bytes, _): &(u64, _)| *bytes);
    let Some((needed, switch)) = most.filter(|(bytes, _)| *bytes > pool.0) else { return };
    let needed = Bytes(needed);
    let fact = format!(
        "a headroom of {pool} for all ports has no room for the {needed} that may come in over all links of switch \
         {switch} until pauses are obeyed"
    );
    let remedy = format!(
        "make it at least {needed}, leave it out, or write links.flow_control.pfc.losses = \"stop\" to see whether \
         traffic such as this ever needs so much"
    );
    collector.report("switches.shared_memory.headroom_pool", fact, remedy);
}

/// The data that need the headroom of a port, in words.
fn why(port: &Loop) -> String {
    let again = port.replay.map_or(String::new(), |replay| format!(", and from a replay buffer of {replay}"));
    let slow = if port.while_slow > Bytes(0) { ", or while the link carries less" } else { "" };
    format!("({}) in the {} until a pause is obeyed{again}{slow}", port.rate, port.window())
}

/// The incoming link of every port, "from->to", in order of port id.
fn links(plan: &Plan) -> Vec<String> {
    let wired = plan.graph.ports();
    let hosts = wired.hosts.iter().enumerate().map(|(id, ports)| (Node::Host(id as u32), ports));
    let switches = wired.switches.iter().enumerate().map(|(id, ports)| (Node::Switch(id as u32), ports));
    let name = |node: Node| plan.graph.name(node).to_owned();
    let each = hosts.chain(switches).flat_map(|(node, ports)| ports.iter().map(move |port| (node, port.peer)));
    each.map(|(node, peer)| format!("{}->{}", name(peer), name(node))).collect()
}
