//! Transports that take packets for lost before their ACKs can be back: they send everything twice and more, on a
//! network that loses nothing.

use std::collections::HashSet;

use congestree_fabric::plan::Plan;
use congestree_schemes::bounds::LossTimer;
use congestree_schemes::check::Part;
use congestree_traffic::{Arrivals, FlowMapping};
use congestree_units::{Bytes, Span};

use super::full_rate::{nearest, to_three_digits};
use super::paths::{Path, and_others};

/// A sentence about the flow with the longest round trip, if a timer expires before.
pub(super) fn before_answers(plan: &Plan, paths: &[Path<'_>]) -> Option<String> {
    let transport = &plan.scheme.transport;
    transport.loss_timers().into_iter().find_map(|timer| {
        let late: Vec<&Path<'_>> = paths.iter().filter(|path| path.view().round_trip >= timer.span).collect();
        let late = match timer.fewer_than.filter(|_| !late.is_empty()) {
            None => late,
            Some(few) => {
                let short = with_short_messages(plan, few);
                late.into_iter().filter(|path| short.contains(&path.id.0)).collect()
            }
        };
        let others = and_others(late.len(), paths.len(), "are repeated");
        let worst = late.into_iter().max_by_key(|path| path.view().round_trip)?;
        Some(sentence(&transport.name(), timer, worst, &others))
    })
}

fn sentence(name: &str, timer: LossTimer, path: &Path<'_>, others: &str) -> String {
    let LossTimer { key, span, fewer_than } = timer;
    let trip = Span(to_three_digits(path.view().round_trip.0, nearest));
    let when = fewer_than.map_or(String::new(), |few| format!(" while fewer than {few} are in flight"));
    format!(
        "{} repeats packets that are not lost{when}: they count as lost after {span} (scheme.transport.{name}.{key}), \
         and the ACK of a full packet takes {trip} on its idle path{others}. Make scheme.transport.{name}.{key} several \
         times {trip}.",
        path.name()
    )
}

/// Flows with messages of fewer packets than this.
fn with_short_messages(plan: &Plan, few: u32) -> HashSet<u32> {
    let most = Bytes(plan.adapter.mtu.0 * u64::from(few.saturating_sub(1)));
    let mut short = HashSet::new();
    for source in &plan.sources {
        let endless = matches!(source.profile.arrivals, Arrivals::Greedy | Arrivals::OnOff { .. });
        if endless || source.profile.least_message() > most {
            continue;
        }
        match source.mapping {
            FlowMapping::One(flow) | FlowMapping::Each(flow) => short.extend([flow]),
            FlowMapping::InTurn { base, count } => short.extend(base..base + count),
            FlowMapping::PerDestination { base } => short.extend(base..base + plan.graph.hosts.len() as u32),
        }
    }
    for job in &plan.jobs {
        let sends = job.program.sends().filter(|&(.., bytes)| bytes <= most.0);
        short.extend(sends.map(|(id, ..)| job.flows[id as usize].0));
    }
    short
}
