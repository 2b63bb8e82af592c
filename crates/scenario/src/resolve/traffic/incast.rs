//! Incasts with senders drawn at random: a list of messages that a seed makes.
//!
//! All draws are made here, from one stream an entry, so the engine sees nothing but a list.

use std::collections::BTreeMap;

use congestree_fabric::plan::FlowPlan;
use congestree_kernel::Dice;
use congestree_traffic::Listed;
use congestree_units::{Bytes, Span};

use crate::needs::memory;
use crate::resolve::Findings;
use crate::resolve::limits::LARGEST_MESSAGE;
use crate::resolve::network::built::Network;
use crate::resolve::traffic::finite::add_listed;
use crate::resolve::traffic::flows::{self, Book};
use crate::types::{Incast, Pattern, Scenario, Traffic};

/// What such an entry says by itself.
pub(in crate::resolve) fn check_entry(entry: &Traffic, incast: &Incast, path: &str, findings: &mut Findings<'_>) {
    let said = [
        ("sizes", entry.sizes.is_some(), "all messages of an incast are alike", "give a message"),
        ("stagger", entry.stagger != Span::ZERO, "senders of an incast start together", "leave it out"),
        ("jitter", entry.jitter != Span::ZERO, "senders of an incast start together", "leave it out"),
        (
            "arrivals.incast.every",
            incast.count > 1 && incast.every.is_none_or(|every| every == Span::ZERO),
            "it is not said how long it is from one time to the next",
            "write every = \"1 ms\", or leave out the count",
        ),
        (
            "pattern",
            entry.pattern.as_ref().is_some_and(|pattern| *pattern != Pattern::Uniform),
            "an incast goes to one host each time",
            "name the host in `to`, or write pattern = \"uniform\" for any, drawn each time",
        ),
    ];
    for (key, _, fact, remedy) in said.into_iter().filter(|(_, said, ..)| *said) {
        findings.complain(format!("{path}.{key}"), fact, remedy);
    }
}

/// The sources and flows of incasts from these hosts, to this host or to any.
#[expect(clippy::too_many_arguments, reason = "everything an entry of traffic has to say")]
pub(in crate::resolve) fn add(
    (scenario, entry, incast): (&Scenario, &Traffic, &Incast),
    from: &[u32],
    to: Option<u32>,
    flow: FlowPlan,
    network: &Network,
    path: &str,
    book: &mut Book,
    findings: &mut Findings<'_>,
) {
    let bytes = entry.message.unwrap_or(scenario.adapters.mtu);
    if bytes == Bytes(0) || bytes > LARGEST_MESSAGE {
        return;
    }
    let most = from.len() - usize::from(to.is_none_or(|to| from.contains(&to)));
    if incast.senders as usize > most {
        let fact = format!("{} of {most} hosts cannot be drawn", incast.senders);
        return findings.complain(
            format!("{path}.arrivals.incast.senders"),
            fact,
            "draw fewer, or name more in `from`",
        );
    }
    if incast.count.saturating_mul(u64::from(incast.senders)) > flows::MOST as u64 {
        let fact = format!("there would be more than {} messages", flows::MOST);
        return findings.complain(format!("{path}.arrivals.incast.count"), fact, "make it smaller");
    }
    let messages = incast.count * u64::from(incast.senders);
    if !findings.fits(path, format_args!("{messages} messages"), memory::LISTED * messages) {
        return;
    }
    let mut dice = Dice::stream(scenario.seed, "incast", u64::from(flow.class));
    let mut of_host: BTreeMap<u32, Vec<Listed>> = BTreeMap::new();
    for time in 0..incast.count {
        let to = to.unwrap_or_else(|| dice.below(network.graph.hosts.len() as u64) as u32);
        let after = Span(incast.every.unwrap_or(Span::ZERO).0.saturating_mul(time));
        for host in drawn(from, to, incast.senders as usize, &mut dice) {
            of_host.entry(host).or_default().push(Listed { after, to, bytes });
        }
    }
    add_listed(of_host, entry, flow, path, book, findings);
}

/// So many of these hosts without that one, each set of them alike.
fn drawn(from: &[u32], without: u32, count: usize, dice: &mut Dice) -> Vec<u32> {
    let mut hosts: Vec<u32> = from.iter().copied().filter(|&host| host != without).collect();
    for place in 0..count {
        let other = place + dice.below((hosts.len() - place) as u64) as usize;
        hosts.swap(place, other);
    }
    hosts.truncate(count);
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_drawn_alike_and_never_twice() {
        let (from, mut dice) = ((0..10).collect::<Vec<u32>>(), Dice::stream(1, "incast", 0));
        let mut times = [0; 10];
        for _ in 0..9_000 {
            let mut hosts = drawn(&from, 3, 4, &mut dice);
            hosts.sort_unstable();
            hosts.dedup();
            assert_eq!(hosts.len(), 4);
            hosts.iter().for_each(|&host| times[host as usize] += 1);
        }
        // 4,000 times each, with a deviation of 47.
        assert_eq!(times[3], 0);
        assert!(times.iter().enumerate().all(|(host, &n)| host == 3 || (3_750..4_250).contains(&n)), "{times:?}");
    }
}
