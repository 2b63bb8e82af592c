//! Transports that take packets for lost before their ACKs can be back: they send everything twice and more, on a
//! network that loses nothing.

use std::collections::HashSet;

use congestree_fabric::plan::Plan;
use congestree_schemes::bounds::LossTimer;
use congestree_schemes::check::Part;
use congestree_traffic::{Arrivals, FlowMapping, Sizes, TrafficProfile};
use congestree_units::{Bytes, Span};

use super::full_rate::{nearest, to_three_digits};
use super::paths::{Path, and_others};

/// A flow whose ACKs come after a timer has expired.
struct Late<'a> {
    path: &'a Path<'a>,
    /// From the start of a full packet until so many more have been sent that there is an ACK for them.
    gathered: Span,
    /// Until it is in.
    answered: Span,
}

/// A sentence about the flow whose ACKs take longest, if a timer expires before.
pub(super) fn before_answers(plan: &Plan, paths: &[Path<'_>]) -> Option<String> {
    let transport = &plan.scheme.transport;
    let in_fewer = |packets: u32| Bytes(plan.adapter.mtu.0.saturating_mul(u64::from(packets.saturating_sub(1))));
    let timers = transport.loss_timers();
    let gathers = transport.receiver().filter(|receiver| receiver.every > 1 && !timers.is_empty());
    let gathers = gathers.map(|receiver| (receiver, flows_with(plan, |_, most| most > in_fewer(receiver.every))));
    let gathered = |path: &Path<'_>| match &gathers {
        Some((receiver, long)) if long.contains(&path.id.0) => {
            let packet = path.asked().line.time_for(path.view().packet);
            let all = Span(packet.0.saturating_mul(u64::from(receiver.every - 1)));
            receiver.flush.map_or(all, |flush| flush.min(all))
        }
        _ => Span::ZERO,
    };
    timers.into_iter().find_map(|timer| {
        let late = paths.iter().filter_map(|path| {
            let gathered = gathered(path);
            let answered = path.view().round_trip + gathered;
            (answered >= timer.span).then_some(Late { path, gathered, answered })
        });
        let late: Vec<Late<'_>> = late.collect();
        let late = match timer.fewer_than.filter(|_| !late.is_empty()) {
            None => late,
            Some(few) => {
                let short = flows_with(plan, |least, _| least <= in_fewer(few));
                let is_small = |path: &Path<'_>| largest_window(plan, path).is_some_and(|window| window < few);
                let is_few = |path: &Path<'_>| short.contains(&path.id.0) || is_small(path);
                late.into_iter().filter(|late| is_few(late.path)).collect()
            }
        };
        let others = and_others(late.len(), paths.len(), "are repeated");
        let worst = late.into_iter().max_by_key(|late| late.answered)?;
        Some(sentence(&transport.name(), timer, &worst, &others))
    })
}

fn sentence(name: &str, timer: LossTimer, late: &Late<'_>, others: &str) -> String {
    let LossTimer { key, span, fewer_than } = timer;
    let trip = Span(to_three_digits(late.answered.0, nearest));
    let when = fewer_than.map_or(String::new(), |few| format!(" while fewer than {few} are in flight"));
    let (waits, or) = match late.gathered {
        Span::ZERO => (String::new(), String::new()),
        gathered => {
            let every = format!("scheme.transport.{name}.ack_every");
            let gathered = Span(to_three_digits(gathered.0, nearest));
            (
                format!(", {gathered} of which it waits for more to be answered ({every})"),
                format!(", or {every} smaller"),
            )
        }
    };
    format!(
        "{} repeats packets that are not lost{when}: they count as lost after {span} (scheme.transport.{name}.{key}), \
         and the ACK of a full packet takes {trip} on its idle path{waits}{others}. Make scheme.transport.{name}.{key} \
         several times {trip}{or}.",
        late.path.name()
    )
}

/// The largest window of a flow, if it has one. (Rates do not count: a slow flow hears of its last packet before it may
/// send one again.)
fn largest_window(plan: &Plan, path: &Path<'_>) -> Option<u32> {
    let (scheme, view) = (&plan.scheme, path.view());
    let windows = [scheme.react.most_window(view), scheme.transport.most_window(view)];
    windows.into_iter().flatten().map(|window| window.whole()).chain(path.flow.window).min()
}

/// Flows of whose messages the least and the largest payload are so.
fn flows_with(plan: &Plan, are: impl Fn(Bytes, Bytes) -> bool) -> HashSet<u32> {
    let mut found = HashSet::new();
    for source in &plan.sources {
        let (least, most) = payloads(&source.profile);
        if !are(least, most) {
            continue;
        }
        match source.mapping {
            FlowMapping::One(flow) | FlowMapping::Each(flow) => found.extend([flow]),
            FlowMapping::InTurn { base, count } => found.extend(base..base + count),
            FlowMapping::PerDestination { base } => found.extend(base..base + plan.graph.hosts.len() as u32),
        }
    }
    for job in &plan.jobs {
        let sends = job.program.sends().filter(|&(.., bytes)| are(Bytes(bytes), Bytes(bytes)));
        found.extend(sends.map(|(id, ..)| job.flows[id as usize].0));
    }
    found
}

/// The least and the largest payload of a message; without end if it has none, or if none is known.
fn payloads(profile: &TrafficProfile) -> (Bytes, Bytes) {
    let endless = Bytes(u64::MAX);
    let listed = profile.list.iter().map(|message| message.bytes).max();
    match (&profile.arrivals, &profile.message) {
        (Arrivals::Greedy | Arrivals::OnOff { .. }, _) => (endless, endless),
        (_, &Sizes::Fixed(bytes)) => (bytes, bytes),
        (_, Sizes::Listed) => (profile.least_message(), listed.unwrap_or(endless)),
        (_, Sizes::Pareto { .. } | Sizes::Cdf(_)) => (profile.least_message(), endless),
    }
}
