//! Priority flow control: thresholds, memory, and whether there is room for everything that may still arrive after a
//! pause was requested.

use congestree_fabric::plan::{Headroom, PauseWatchdog, PfcPlan, SharedPlan, Storm, Threshold};
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::HostId;

use crate::resolve::Collector;
use crate::resolve::limits::LARGEST_PACKET;
use crate::resolve::network::directory::Directory;
use crate::types::{
    Arbiter, FlowControl, LossPolicy, PauseCounts, PauseDuration, PauseThreshold, Pfc, Queues, ReadPorts, Scenario,
    WatchdogAction,
};

pub(super) const AT: &str = "links.flow_control.pfc";

/// The pauses of a scenario, if it has any.
pub(super) fn written(scenario: &Scenario) -> Option<&Pfc> {
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
    collector: &mut Collector<'_>,
) -> Option<PfcPlan> {
    let pfc = written(scenario)?;
    let lanes = scenario.links.lanes;
    let mut lossless = vec![pfc.lossless.is_none(); usize::from(lanes)];
    for (i, &lane) in pfc.lossless.iter().flatten().enumerate() {
        match lossless.get_mut(usize::from(lane)) {
            Some(true) => {
                let fact = format!("lane {lane} is in the list already");
                collector.report(format!("{AT}.lossless.{i}"), fact, "name every lane once");
            }
            Some(is) => *is = true,
            None => {
                let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
                collector.report(format!("{AT}.lossless.{i}"), fact, "take a lower lane, or raise links.lanes");
            }
        }
    }
    check(scenario, pfc, collector);
    Some(PfcPlan {
        threshold: threshold(scenario, pfc, collector),
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
        storms: storms(pfc, &lossless, directory, collector),
        lossless,
    })
}

/// Checks frames, counting, the length of pauses, and the watchdog.
fn check(scenario: &Scenario, pfc: &Pfc, collector: &mut Collector<'_>) {
    if pfc.frame.0 == 0 || pfc.frame > LARGEST_PACKET {
        let fact = format!("a pause frame of {} cannot be sent", pfc.frame);
        collector.report(format!("{AT}.frame"), fact, "give its size on the wire, such as \"64 B\"");
    }
    if pfc.counts == PauseCounts::Queue {
        let at = format!("{AT}.counts");
        if scenario.switches.queues != Queues::Voq {
            let fact = "a single queue holds packets for all outputs";
            collector.report(&at, fact, "write counts = \"input\", or switches.queues = \"voq\"");
        }
        if scenario.switches.shared_memory.is_some() {
            let fact = "in shared memory what counts is the input port and lane";
            collector.report(&at, fact, "write counts = \"input\", or leave it out");
        }
    }
    if let PauseDuration::Quanta(quanta) = &pfc.pause_duration
        && quanta.count == 0
    {
        let at = format!("{AT}.pause_duration.quanta.count");
        collector.report(
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
                collector.report(
                    format!("{AT}.watchdog.{key}"),
                    "it would never stop looking",
                    "give a time above zero",
                );
            }
        }
        // No headroom is enough for a sender that does not obey.
        let pauses = pfc.lossless.as_ref().is_none_or(|lanes| !lanes.is_empty());
        if watchdog.action == WatchdogAction::Forward && pfc.losses == LossPolicy::Refuse && pauses {
            let fact = "packets that are sent in spite of a pause may find no room";
            let remedy = format!(
                "write {AT}.losses = \"count\" to count such losses, \"stop\" to end the run at the first, or action = \"drop\""
            );
            collector.report(format!("{AT}.watchdog.action"), fact, remedy);
        }
    }
}

fn threshold(scenario: &Scenario, pfc: &Pfc, collector: &mut Collector<'_>) -> Threshold {
    match &pfc.threshold {
        PauseThreshold::Static(fixed) => {
            if let (Some(xoff), Some(xon)) = (fixed.xoff, fixed.xon)
                && xon > xoff
            {
                let fact = format!("a pause would end at {xon} before it is asked for at {xoff}");
                collector.report(format!("{AT}.threshold.static.xon"), fact, "make it at most xoff");
            }
            let packet = scenario.adapters.full_packet();
            let two = packet + packet;
            let by_default = |xoff: Bytes| Bytes(xoff.0.saturating_sub(two.0));
            Threshold::Static { xoff: fixed.xoff, xon: fixed.xon.or(fixed.xoff.map(by_default)) }
        }
        PauseThreshold::Dynamic(dynamic) => {
            let at = format!("{AT}.threshold.dynamic");
            if scenario.switches.shared_memory.is_none() {
                let fact =
                    "a dynamic threshold is a share of free shared memory, and here every input has memory of its own";
                collector.report(&at, fact, "give [switches.shared_memory], or threshold.static");
            }
            if dynamic.alpha.is_nan() || dynamic.alpha <= 0.0 {
                collector.report(
                    format!("{at}.alpha"),
                    "nobody could use any shared memory",
                    "give a number above zero",
                );
            }
            if dynamic.for_rate == Some(Rate(0)) {
                let fact = "there are no links of this rate, of which others could be multiples";
                collector.report(
                    format!("{at}.for_rate"),
                    fact,
                    "give the rate of the links of hosts, or leave it out",
                );
            }
            Threshold::Dynamic { alpha: dynamic.alpha, for_rate: dynamic.for_rate, offset: dynamic.offset }
        }
    }
}

fn storms(pfc: &Pfc, lossless: &[bool], directory: Option<&Directory>, collector: &mut Collector<'_>) -> Vec<Storm> {
    let mut storms = Vec::new();
    for (i, storm) in pfc.storms.iter().enumerate() {
        let at = format!("{AT}.storms.{i}");
        if !lossless.get(usize::from(storm.lane)).copied().unwrap_or(false) {
            let fact = format!("lane {} is never paused", storm.lane);
            collector.report(format!("{at}.lane"), fact, "take a lane that is lossless");
        }
        let stop = storm.stop.unwrap_or(Time::NEVER);
        if stop <= storm.start {
            collector.report(format!("{at}.stop"), "the storm is over before it begins", "let it stop later");
        }
        let host = directory.and_then(|directory| directory.one(&storm.host, &format!("{at}.host"), collector));
        storms.extend(host.map(|host| Storm { host: HostId(host), lane: storm.lane, start: storm.start, stop }));
    }
    storms
}

/// Memory that all ports of a switch share, and queues at its outputs.
pub(in crate::resolve) fn memory(
    scenario: &Scenario,
    collector: &mut Collector<'_>,
) -> (Option<SharedPlan>, Option<Bytes>) {
    let switches = &scenario.switches;
    let paused = written(scenario).is_some();
    let packet = scenario.adapters.largest_packet();
    if let Some(room) = switches.output_buffer {
        let at = "switches.output_buffer";
        if !paused {
            let fact = "only links that pause their senders go with a crossbar and queues at the outputs";
            collector.report(at, fact, "leave it out, or write links.flow_control = \"pfc\"");
        }
        if switches.queues != Queues::Voq
            || switches.read_ports != ReadPorts::All
            || !matches!(switches.arbiter, Arbiter::RoundRobin)
            || switches.shared_memory.is_some()
        {
            let fact = "the crossbar takes packets from the virtual output queues of the inputs in turn";
            let remedy = "leave out switches.queues, switches.read_ports, switches.arbiter and switches.shared_memory";
            collector.report(at, fact, remedy);
        }
        if room < packet {
            let fact = format!("{room} have no room for a packet of {packet}");
            collector.report(at, fact, "make it larger");
        }
    }
    let Some(shared) = &switches.shared_memory else { return (None, switches.output_buffer) };
    if !paused {
        let fact = "with credits every input must have memory of its own, since credits promise it to one sender";
        collector.report("switches.shared_memory", fact, "leave it out, or write links.flow_control = \"pfc\"");
    }
    if shared.lossy_alpha.is_nan() || shared.lossy_alpha <= 0.0 {
        let at = "switches.shared_memory.lossy_alpha";
        collector.report(at, "a lossy lane could not hold any packet", "give a number above zero");
    }
    if shared.headroom.is_some() && shared.headroom_delays.is_some() {
        let fact = "the headroom is given in bytes already";
        collector.report("switches.shared_memory.headroom_delays", fact, "leave out one of them");
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
