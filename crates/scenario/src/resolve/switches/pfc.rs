//! Priority flow control: thresholds, memory, and whether there is room for everything that may still arrive after a
//! pause was requested.

use congestree_fabric::headroom::{Loop, by_switch, loops, shared_sizes};
use congestree_fabric::plan::{Headroom, PauseWatchdog, PfcPlan, Plan, SharedPlan, Storm, Threshold};
use congestree_topology::Node;
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::HostId;

use crate::resolve::Findings;
use crate::resolve::limits::LARGEST_PACKET;
use crate::resolve::network::directory::Directory;
use crate::types::{
    Arbiter, FlowControl, LossPolicy, PauseCounts, PauseDuration, PauseThreshold, Pfc, Queues, ReadPorts, Scenario,
    WatchdogAction,
};

const AT: &str = "links.flow_control.pfc";

/// The pauses of a scenario, if it has any.
fn written(scenario: &Scenario) -> Option<&Pfc> {
    match &scenario.links.flow_control {
        FlowControl::Pfc(pfc) => Some(pfc),
        _ => None,
    }
}

/// Whether packets of this lane can be dropped, because it is not paused although others are.
pub(in crate::resolve) fn loses(scenario: &Scenario, lane: u8) -> bool {
    written(scenario).and_then(|pfc| pfc.lossless.as_ref()).is_some_and(|lossless| !lossless.contains(&lane))
}

/// Which lanes are paused, and when.
pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    directory: Option<&Directory>,
    findings: &mut Findings<'_>,
) -> Option<PfcPlan> {
    let pfc = written(scenario)?;
    let lanes = scenario.links.lanes;
    let mut lossless = vec![pfc.lossless.is_none(); usize::from(lanes)];
    for (i, &lane) in pfc.lossless.iter().flatten().enumerate() {
        match lossless.get_mut(usize::from(lane)) {
            Some(is) => *is = true,
            None => {
                let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
                findings.complain(format!("{AT}.lossless.{i}"), fact, "take a lower lane, or raise links.lanes");
            }
        }
    }
    check(scenario, pfc, findings);
    Some(PfcPlan {
        threshold: threshold(scenario, pfc, findings),
        per_queue: pfc.counts == PauseCounts::Queue,
        frame: pfc.frame,
        response: pfc.response,
        quanta: match &pfc.pause_duration {
            PauseDuration::UntilXon => None,
            PauseDuration::Quanta(quanta) => Some(quanta.count),
        },
        stop_at_loss: pfc.losses != LossPolicy::Count,
        watchdog: pfc.watchdog.map(|watchdog| PauseWatchdog {
            detect: watchdog.detection_time,
            restore: watchdog.restoration_time,
            drop: watchdog.action == WatchdogAction::Drop,
        }),
        storms: storms(pfc, &lossless, directory, findings),
        lossless,
    })
}

/// Checks frames, counting, the length of pauses, and the watchdog.
fn check(scenario: &Scenario, pfc: &Pfc, findings: &mut Findings<'_>) {
    if pfc.frame.0 == 0 || pfc.frame > LARGEST_PACKET {
        let fact = format!("a pause frame of {} cannot be sent", pfc.frame);
        findings.complain(format!("{AT}.frame"), fact, "give its size on the wire, such as \"64 B\"");
    }
    if pfc.counts == PauseCounts::Queue {
        let at = format!("{AT}.counts");
        if scenario.switches.queues != Queues::Voq {
            let fact = "a single queue holds packets for all outputs";
            findings.complain(&at, fact, "write counts = \"input\", or switches.queues = \"voq\"");
        }
        if scenario.switches.shared_memory.is_some() {
            let fact = "in shared memory what counts is the input port and lane";
            findings.complain(&at, fact, "write counts = \"input\", or leave it out");
        }
    }
    if let PauseDuration::Quanta(quanta) = &pfc.pause_duration
        && quanta.count == 0
    {
        let at = format!("{AT}.pause_duration.quanta.count");
        findings.complain(
            at,
            "a pause of no quanta ends at once",
            "give at least 1, or write pause_duration = \"until-xon\"",
        );
    }
    if let Some(watchdog) = &pfc.watchdog {
        for (key, time) in
            [("detection_time", watchdog.detection_time), ("restoration_time", watchdog.restoration_time)]
        {
            if time == Span::ZERO {
                findings.complain(
                    format!("{AT}.watchdog.{key}"),
                    "it would never stop looking",
                    "give a time above zero",
                );
            }
        }
    }
}

fn threshold(scenario: &Scenario, pfc: &Pfc, findings: &mut Findings<'_>) -> Threshold {
    match &pfc.threshold {
        PauseThreshold::Static(fixed) => {
            if let (Some(xoff), Some(xon)) = (fixed.xoff, fixed.xon)
                && xon > xoff
            {
                let fact = format!("a pause would end at {xon} before it is asked for at {xoff}");
                findings.complain(format!("{AT}.threshold.static.xon"), fact, "make it at most xoff");
            }
            let two = Bytes(2 * (scenario.adapters.mtu.0.saturating_add(scenario.adapters.header.0)));
            let by_default = |xoff: Bytes| Bytes(xoff.0.saturating_sub(two.0));
            Threshold::Static { xoff: fixed.xoff, xon: fixed.xon.or(fixed.xoff.map(by_default)) }
        }
        PauseThreshold::Dynamic(dynamic) => {
            let at = format!("{AT}.threshold.dynamic");
            if scenario.switches.shared_memory.is_none() {
                let fact =
                    "a dynamic threshold is a share of free shared memory, and here every input has memory of its own";
                findings.complain(&at, fact, "give [switches.shared_memory], or threshold.static");
            }
            if dynamic.alpha.is_nan() || dynamic.alpha <= 0.0 {
                findings.complain(
                    format!("{at}.alpha"),
                    "nobody could use any shared memory",
                    "give a number above zero",
                );
            }
            if dynamic.for_rate == Some(Rate(0)) {
                let fact = "there are no links of this rate, of which others could be multiples";
                findings.complain(
                    format!("{at}.for_rate"),
                    fact,
                    "give the rate of the links of hosts, or leave it out",
                );
            }
            Threshold::Dynamic { alpha: dynamic.alpha, for_rate: dynamic.for_rate, offset: dynamic.offset }
        }
    }
}

fn storms(pfc: &Pfc, lossless: &[bool], directory: Option<&Directory>, findings: &mut Findings<'_>) -> Vec<Storm> {
    let mut storms = Vec::new();
    for (i, storm) in pfc.storms.iter().enumerate() {
        let at = format!("{AT}.storms.{i}");
        if !lossless.get(usize::from(storm.lane)).copied().unwrap_or(false) {
            let fact = format!("lane {} is never paused", storm.lane);
            findings.complain(format!("{at}.lane"), fact, "take a lane that is lossless");
        }
        let stop = storm.stop.unwrap_or(Time::NEVER);
        if stop <= storm.start {
            findings.complain(format!("{at}.stop"), "the storm is over before it begins", "let it stop later");
        }
        let host = directory.and_then(|directory| directory.one(&storm.host, &format!("{at}.host"), findings));
        storms.extend(host.map(|host| Storm { host: HostId(host), lane: storm.lane, start: storm.start, stop }));
    }
    storms
}

/// Memory that all ports of a switch share, and queues at its outputs.
pub(in crate::resolve) fn memory(
    scenario: &Scenario,
    findings: &mut Findings<'_>,
) -> (Option<SharedPlan>, Option<Bytes>) {
    let switches = &scenario.switches;
    let paused = written(scenario).is_some();
    let packet = Bytes(scenario.adapters.mtu.0.saturating_add(scenario.adapters.header.0).max(scenario.adapters.ack.0));
    if let Some(room) = switches.output_buffer {
        let at = "switches.output_buffer";
        if !paused {
            let fact = "only links that pause their senders go with a crossbar and queues at the outputs";
            findings.complain(at, fact, "leave it out, or write links.flow_control = \"pfc\"");
        }
        if switches.queues != Queues::Voq
            || switches.read_ports != ReadPorts::All
            || !matches!(switches.arbiter, Arbiter::RoundRobin)
            || switches.shared_memory.is_some()
        {
            let fact = "the crossbar takes packets from the virtual output queues of the inputs in turn";
            let remedy = "leave out switches.queues, switches.read_ports, switches.arbiter and switches.shared_memory";
            findings.complain(at, fact, remedy);
        }
        if room < packet {
            let fact = format!("{room} have no room for a packet of {packet}");
            findings.complain(at, fact, "make it larger");
        }
    }
    let Some(shared) = &switches.shared_memory else { return (None, switches.output_buffer) };
    if !paused {
        let fact = "with credits every input must have memory of its own, since credits promise it to one sender";
        findings.complain("switches.shared_memory", fact, "leave it out, or write links.flow_control = \"pfc\"");
    }
    if shared.lossy_alpha.is_nan() || shared.lossy_alpha <= 0.0 {
        let at = "switches.shared_memory.lossy_alpha";
        findings.complain(at, "a lossy lane could not hold any packet", "give a number above zero");
    }
    if shared.headroom.is_some() && shared.headroom_delays.is_some() {
        let fact = "the headroom is given in bytes already";
        findings.complain("switches.shared_memory.headroom_delays", fact, "leave out one of them");
    }
    let plan = SharedPlan {
        size: shared.size,
        reserved: shared.reserved,
        headroom: match (shared.headroom, shared.headroom_delays) {
            (Some(bytes), _) => Headroom::Fixed(bytes),
            (None, Some(times)) => Headroom::Delays(times),
            (None, None) => Headroom::Needed,
        },
        headroom_pool: shared.headroom_pool,
        lossy_alpha: shared.lossy_alpha,
    };
    (Some(plan), switches.output_buffer)
}

/// Whether there is room for everything that may still arrive after a pause was requested.
pub(in crate::resolve) fn check_headroom(scenario: &Scenario, plan: &Plan, findings: &mut Findings<'_>) {
    let (Some(written), Some(pfc)) = (written(scenario), &plan.pfc) else { return };
    let refuse = written.losses == LossPolicy::Refuse && pfc.lossless.contains(&true);
    let (names, loops) = (links(plan), loops(plan));
    let ports: Vec<(&Loop, &str)> = loops.iter().zip(names.iter().map(String::as_str)).collect();
    let (at_hosts, at_switches) = ports.split_at(plan.graph.hosts.len());
    check_quanta(pfc, hungriest(&ports), findings);
    if refuse {
        check_receive_buffer(plan, hungriest(at_hosts), findings);
    }
    let Some(worst) = hungriest(at_switches) else { return };
    match &plan.switch.shared_memory {
        Some(shared) => {
            if refuse {
                check_shared_headroom(shared, at_switches, findings);
            }
            if let Some(pool) = shared.headroom_pool.filter(|_| refuse) {
                check_pool(plan, pool, &loops, findings);
            }
            check_shared_size(plan, shared, worst.0, findings);
        }
        None if refuse => check_buffers(scenario, plan, pfc, worst, findings),
        None => {}
    }
}

/// The port that needs the most headroom, and its link.
fn hungriest<'a>(ports: &[(&'a Loop, &'a str)]) -> Option<(&'a Loop, &'a str)> {
    ports.iter().copied().max_by_key(|(port, _)| port.headroom())
}

/// Whether a pause lasts until it can be repeated.
fn check_quanta(pfc: &PfcPlan, worst: Option<(&Loop, &str)>, findings: &mut Findings<'_>) {
    let (Some(quanta), Some((port, name))) = (pfc.quanta, worst) else { return };
    let half = Span(port.rate.time_for(Bytes(64 * u64::from(quanta))).0 / 2);
    if half < port.told() {
        let fact = format!(
            "a pause of {quanta} quanta over {name} could end before it is told again, which takes up to {}",
            port.told()
        );
        findings.complain(format!("{AT}.pause_duration.quanta.count"), fact, "give more quanta");
    }
}

/// Whether a slow host has room for what may still arrive.
fn check_receive_buffer(plan: &Plan, worst: Option<(&Loop, &str)>, findings: &mut Findings<'_>) {
    if let (Some(room), Some(_), Some((port, name))) = (plan.adapter.receive_units, plan.adapter.drain_rate, worst)
        && u64::from(room) < port.headroom().0
    {
        let fact = format!(
            "a receive buffer of {} has no room for the {} that may come in over {name} {}",
            Bytes(room.into()),
            port.headroom(),
            why(port)
        );
        findings.complain("adapters.receive_buffer", fact, format!("make it at least {}", port.headroom()));
    }
}

/// Whether the headroom of every port in shared memory is enough.
fn check_shared_headroom(shared: &SharedPlan, ports: &[(&Loop, &str)], findings: &mut Findings<'_>) {
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
    findings.complain(format!("switches.shared_memory.{key}"), fact, remedy);
}

/// Whether memory is left to share besides headroom and reserved memory.
fn check_shared_size(plan: &Plan, shared: &SharedPlan, worst: &Loop, findings: &mut Findings<'_>) {
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
    findings.complain("switches.shared_memory.size", fact, "make it larger, or reserve less");
}

/// Whether inputs have room for what may still arrive, lane by lane; the first without room is reported.
fn check_buffers(
    scenario: &Scenario,
    plan: &Plan,
    pfc: &PfcPlan,
    (port, name): (&Loop, &str),
    findings: &mut Findings<'_>,
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
        let mut remedy = format!("make it at least {}", Bytes(xoff + needed.0));
        if room > needed.0 && xoff > 0 {
            remedy = format!("{remedy}, or xoff at most {}", Bytes(room - needed.0));
        }
        findings.complain(path, fact, remedy);
        return;
    }
}

/// Whether a headroom pool shared by ports is enough for all of them at once.
fn check_pool(plan: &Plan, pool: Bytes, loops: &[Loop], findings: &mut Findings<'_>) {
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
    findings.complain("switches.shared_memory.headroom_pool", fact, remedy);
}

/// What the headroom is for.
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
