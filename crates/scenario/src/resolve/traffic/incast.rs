//! Incasts with senders drawn at random: a list of messages generated from a seed.
//!
//! All draws are made here, senders and receivers from one stream per entry and the times of Poisson arrivals from
//! another, so the engine sees only a list. (Poisson arrivals: the incasts of HPCC's figure 11, 2 % of the capacity.)

use std::collections::{BTreeMap, HashMap};

use congestree_kernel::Rng;
use congestree_traffic::ListedMessage;
use congestree_units::{Bytes, Span, Time};

use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::limits::LARGEST_MESSAGE;
use crate::resolve::network::built::Network;
use crate::resolve::traffic::entry::InPlace;
use crate::resolve::traffic::finite::add_listed;
use crate::resolve::traffic::flows::{self, TrafficTables};
use crate::resolve::traffic::messages::wire_bytes;
use crate::types::{Incast, Pattern, Scenario, Traffic};

/// Checks an entry with incasts by itself.
pub(in crate::resolve) fn check_entry(entry: &Traffic, incast: &Incast, path: &str, collector: &mut Collector<'_>) {
    let said = [
        ("sizes", entry.sizes.is_some(), "all messages of an incast are alike", "give a message"),
        ("stagger", entry.stagger != Span::ZERO, "senders of an incast start together", "leave it out"),
        ("jitter", entry.jitter != Span::ZERO, "senders of an incast start together", "leave it out"),
        (
            "arrivals.incast.every",
            incast.count.unwrap_or(1) > 1
                && incast.load.is_none()
                && incast.every.is_none_or(|every| every == Span::ZERO),
            "it is not said how long it is from one time to the next",
            "write every = \"1 ms\", or leave out the count",
        ),
        (
            "arrivals.incast.load",
            incast.load.is_some() && incast.every.is_some(),
            "there are both a load, of Poisson arrivals, and a fixed distance",
            "keep one of them",
        ),
        (
            "pattern",
            entry.pattern.as_ref().is_some_and(|pattern| *pattern != Pattern::Uniform),
            "an incast goes to one host each time",
            "name the host in `to`, or write pattern = \"uniform\" for any, drawn each time",
        ),
    ];
    for (key, _, fact, remedy) in said.into_iter().filter(|(_, said, ..)| *said) {
        collector.report(format!("{path}.{key}"), fact, remedy);
    }
}

/// The sources and flows of incasts from these hosts, to this host or to any.
pub(in crate::resolve) fn add(
    place: &InPlace<'_>,
    incast: &Incast,
    from: &[u32],
    to: Option<u32>,
    tables: &mut TrafficTables,
    collector: &mut Collector<'_>,
) {
    let (&InPlace { scenario, network, entry, path, .. }, class) = (place, u64::from(place.flow().class));
    let bytes = entry.message.unwrap_or(scenario.adapters.mtu);
    if bytes == Bytes(0) || bytes > LARGEST_MESSAGE {
        return;
    }
    let most = from.len() - usize::from(to.is_none_or(|to| from.contains(&to)));
    if incast.senders as usize > most {
        let fact = format!("{} of {most} hosts cannot be drawn", incast.senders);
        return collector.report(format!("{path}.arrivals.incast.senders"), fact, "draw fewer, or name more in `from`");
    }
    let mean_gap = incast.load.map(|load| mean_gap(scenario, entry, load / f64::from(incast.senders), from, network));
    let most_times = flows::MOST as u64 / u64::from(incast.senders);
    let Some(times) = times(scenario, entry, incast, mean_gap, most_times, class) else {
        let key = if incast.load.is_some() { "load" } else { "count" };
        let fact = format!("there would be more than {} messages", flows::MOST);
        return collector.report(format!("{path}.arrivals.incast.{key}"), fact, "make it smaller");
    };
    let messages = times.len() as u64 * u64::from(incast.senders);
    if !collector.fits(path, format_args!("{messages} messages"), memory::LISTED * messages) {
        return;
    }
    let mut rng = Rng::stream(scenario.seed, "incast", class);
    let mut of_host: BTreeMap<u32, Vec<ListedMessage>> = BTreeMap::new();
    let place_of: HashMap<u32, usize> = from.iter().zip(0..).map(|(&host, place)| (host, place)).collect();
    for after in times {
        let to = to.unwrap_or_else(|| rng.below(network.graph.hosts.len() as u64) as u32);
        for host in drawn(from, place_of.get(&to).copied(), incast.senders as usize, &mut rng) {
            of_host.entry(host).or_default().push(ListedMessage { after, to, bytes });
        }
    }
    add_listed(place, of_host, tables, collector);
}

/// Mean time from one incast to the next, if its senders together offer this share of the links of all these hosts.
fn mean_gap(scenario: &Scenario, entry: &Traffic, load: f64, from: &[u32], network: &Network) -> f64 {
    let capacity: f64 = from.iter().map(|&host| network.host_rates[host as usize].0 as f64).sum();
    wire_bytes(scenario, entry) as f64 * 8e12 / (load * capacity.max(1.0))
}

/// When there is an incast, counted from the start of the entry; `None` if there are more than `most`.
fn times(
    scenario: &Scenario,
    entry: &Traffic,
    incast: &Incast,
    mean_gap: Option<f64>,
    most: u64,
    class: u64,
) -> Option<Vec<Span>> {
    let Some(mean_gap) = mean_gap else {
        let (count, every) = (incast.count.unwrap_or(1), incast.every.unwrap_or(Span::ZERO));
        return (count <= most).then(|| (0..count).map(|time| Span(every.0.saturating_mul(time))).collect());
    };
    let end = entry.stop.unwrap_or(Time::NEVER).min(scenario.measure.duration);
    let mut rng = Rng::stream(scenario.seed, "incast times", class);
    let (mut times, mut after) = (Vec::new(), Span::ZERO);
    while (times.len() as u64) < incast.count.unwrap_or(u64::MAX) {
        let gap = rng.exponential(Span((mean_gap + 0.5).clamp(1.0, Time::NEVER.0 as f64 / 4.0) as u64));
        after = Span(after.0.saturating_add(gap.0));
        if entry.start.0.saturating_add(after.0) >= end.0 {
            break;
        }
        if times.len() as u64 == most {
            return None;
        }
        times.push(after);
    }
    Some(times)
}

/// A number of these hosts, without the one at the given place, each set of them equally likely.
///
/// The first places of a list are shuffled of which only the exchanged places are written down: there may be very many
/// incasts of few among very many hosts.
fn drawn(from: &[u32], without: Option<usize>, count: usize, rng: &mut Rng) -> Vec<u32> {
    let candidates = from.len() - usize::from(without.is_some());
    let host = |place: usize| from[place + usize::from(without.is_some_and(|left_out| place >= left_out))];
    let mut moved: HashMap<usize, u32> = HashMap::new();
    (0..count)
        .map(|place| {
            let other = place + rng.below((candidates - place) as u64) as usize;
            let at = |moved: &HashMap<usize, u32>, place| moved.get(&place).copied().unwrap_or_else(|| host(place));
            let (here, there) = (at(&moved, place), at(&moved, other));
            moved.insert(other, here);
            there
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_drawn_alike_and_never_twice() {
        let (from, mut rng) = ((0..10).collect::<Vec<u32>>(), Rng::stream(1, "incast", 0));
        let mut times = [0; 10];
        for _ in 0..9_000 {
            let mut hosts = drawn(&from, Some(3), 4, &mut rng);
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
