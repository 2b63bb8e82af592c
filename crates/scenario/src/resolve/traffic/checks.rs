//! Checks of entries of traffic, by themselves and together with the hosts that they name.

use std::collections::HashMap;

use congestree_fabric::plan::SchemePlan;
use congestree_units::{Bytes, Span};
use congestree_wire::HostId;

use crate::diagnostic::name as name_of;
use crate::resolve::Collector;
use crate::resolve::limits::{LARGEST_MESSAGE, check_rate};
use crate::resolve::network::built::Network;
use crate::resolve::traffic::flows::Destinations;
use crate::resolve::traffic::{finite, incast};
use crate::types::{self, After, Arrivals, Scenario, Traffic};

/// Largest number of messages that one source may generate at once.
const MOST_AT_ONCE: u64 = 20_000_000;

/// Checks whether a source can feed the flows that its pattern and the scheme require.
pub(super) fn check_spread(
    entry: &Traffic,
    to: &Destinations,
    spread: bool,
    path: &str,
    collector: &mut Collector<'_>,
) {
    if spread && matches!(entry.arrivals, Arrivals::Greedy | Arrivals::OnOff(_)) {
        collector.report(
            format!("{path}.arrivals"),
            "a greedy source cannot share itself among many flows (the pattern moves, there is a window, a reaction or \
             isolation, or destinations have queues or lanes of their own)",
            "take arrivals.poisson or arrivals.steady with a load, or a fixed destination",
        );
    } else if to.moves() && !matches!(entry.arrivals, Arrivals::Steady(_)) {
        let fact = "messages to a moving hot host are made when the host can send them";
        collector.report(format!("{path}.arrivals"), fact, "take arrivals.steady with a load");
    } else if let Arrivals::Gaps(gaps) = &entry.arrivals
        && gaps.after == After::Done
        && (spread || entry.is_finite())
    {
        collector.report(
            format!("{path}.arrivals.gaps.after"),
            "messages of a source go by several flows here, and gaps wait for none of them",
            "write after = \"made\", or give every source one destination",
        );
    }
}

/// Checks whether the flows of an entry can have a rate of their own.
pub(super) fn check_own_rate(entry: &Traffic, scheme: &SchemePlan, path: &str, collector: &mut Collector<'_>) {
    if scheme.react.needs().shared && entry.rate.is_some() {
        let fact = "flows that share a throttle by service level cannot have rates of their own";
        collector.report(format!("{path}.rate"), fact, "leave it out, or take scheme.react.cct.per = \"qp\"");
    }
}

/// Checks of the entries by themselves.
pub(in crate::resolve) fn check(scenario: &Scenario, collector: &mut Collector<'_>) {
    if scenario.traffic.len() > usize::from(u16::MAX) {
        collector.report(
            "traffic",
            "there are more entries than there can be traffic classes (65535)",
            "join some of them",
        );
    }
    let mut classes: HashMap<String, usize> = HashMap::new();
    for (i, entry) in scenario.traffic.iter().enumerate() {
        let path = format!("traffic.{i}");
        if let Some(first) = classes.insert(entry.class_name(i), i) {
            let fact = format!("traffic.{first} has the name {} already", name_of(&entry.class_name(i)));
            collector.report(format!("{path}.name"), fact, "give every entry a name of its own");
        }
        if entry.name.as_ref().is_some_and(|name| name.trim().is_empty() || name.contains(['\n', '\r'])) {
            let fact = "a name is one line of text in tables, plots and sentences";
            collector.report(format!("{path}.name"), fact, "give it letters and no line breaks, or leave it out");
        }
        check_entry(scenario, entry, &path, collector);
    }
}

fn check_entry(scenario: &Scenario, entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    let at = |key: &str| format!("{path}.{key}");
    if let Some(lane) = entry.lane.filter(|&lane| lane >= scenario.links.lanes) {
        let lanes = scenario.links.lanes;
        let fact = format!("there is no lane {lane}: links have {lanes}, counted from 0");
        collector.report(at("lane"), fact, format!("make links.lanes at least {}", lane + 1));
    }
    check_rate(entry.rate, &at("rate"), collector);
    check_sizes(entry, path, collector);
    finite::check_entry(entry, path, collector);
    check_arrivals(entry, path, collector);
    if let Some(stop) = entry.stop.filter(|&stop| stop <= entry.start) {
        let fact = format!("it stops at {stop}, before it has started at {}", entry.start);
        collector.report(at("stop"), fact, "let it stop later, or start earlier");
    }
}

/// Checks when the messages of an entry are generated.
fn check_arrivals(entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    let at = |key: &str| format!("{path}.{key}");
    match &entry.arrivals {
        Arrivals::OnOff(periods) => {
            for (key, mean) in [("on", periods.on), ("off", periods.off)] {
                if mean == Span::ZERO {
                    let remedy = if key == "on" { "give a mean above zero" } else { "take arrivals = \"greedy\"" };
                    collector.report(at(&format!("arrivals.on-off.{key}")), "the period has no length", remedy);
                }
            }
        }
        Arrivals::Messages(messages) => {
            let (count, burst) = (messages.count, messages.burst);
            if burst > count {
                let fact = format!(
                    "a burst of {burst} is more than all messages: `count` ({count}) counts messages, not bursts"
                );
                collector.report(at("arrivals.messages.burst"), fact, "make it smaller, or count larger");
            }
            let all = messages.every.is_none_or(|every| every == Span::ZERO);
            let (key, at_once) = if all { ("count", count) } else { ("burst", burst) };
            if at_once > MOST_AT_ONCE {
                let remedy = match key {
                    "count" => "give arrivals.messages.every, or take arrivals = \"greedy\"",
                    _ => "make it smaller",
                };
                let fact = format!("{at_once} messages would be made at once");
                collector.report(at(&format!("arrivals.messages.{key}")), fact, remedy);
            }
        }
        Arrivals::Steady(steady) => match (steady.load, steady.rate) {
            (None, None) => {
                let remedy = "write arrivals.steady = { load = 0.5 } or { rate = \"13.5 Gbit/s\" }";
                collector.report(at("arrivals.steady"), "it is not said how much is sent", remedy);
            }
            (Some(_), Some(_)) => {
                collector.report(at("arrivals.steady.rate"), "there are both a load and a rate", "keep one of them");
            }
            (_, rate) => {
                check_rate(rate, &at("arrivals.steady.rate"), collector);
            }
        },
        Arrivals::Gaps(gaps) if gaps.mean == Span::ZERO => {
            collector.report(at("arrivals.gaps.mean"), "the gaps have no length", "take arrivals = \"greedy\"");
        }
        Arrivals::Incast(incast) => incast::check_entry(entry, incast, path, collector),
        Arrivals::Greedy | Arrivals::Poisson(_) | Arrivals::Gaps(_) | Arrivals::Injected => {}
    }
}

/// Checks the sizes of messages: either fixed or drawn, and within limits.
fn check_sizes(entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    match entry.message {
        Some(Bytes(0)) => {
            collector.report(format!("{path}.message"), "a message has no bytes", "give it at least 1 B");
        }
        Some(size) if size > LARGEST_MESSAGE => {
            let fact = format!("{size} is too large for a message");
            collector.report(format!("{path}.message"), fact, "take arrivals = \"greedy\"");
        }
        _ => {}
    }
    let Some(sizes) = &entry.sizes else { return };
    if entry.message.is_some() {
        let fact = "there are both a fixed size and a distribution of sizes";
        collector.report(format!("{path}.sizes"), fact, "keep either message or sizes");
    }
    if matches!(entry.arrivals, Arrivals::Steady(_)) {
        let fact = "a steady source makes messages that are all alike";
        collector.report(format!("{path}.sizes"), fact, "give a fixed message, or arrivals.poisson with a load");
    }
    let pareto = match sizes {
        types::Sizes::Pareto(pareto) => pareto,
        types::Sizes::Cdf(table) => return finite::check_cdf(table, &format!("{path}.sizes.cdf"), collector),
    };
    let at = |key: &str| format!("{path}.sizes.pareto.{key}");
    if pareto.mean.0 == 0 {
        collector.report(at("mean"), "messages have no bytes", "give a mean of at least 1 B");
    } else if pareto.mean > LARGEST_MESSAGE {
        collector.report(at("mean"), format!("{} is too large for a message", pareto.mean), "make it smaller");
    }
    let smallest = Bytes((pareto.mean.0 as f64 * (pareto.shape - 1.0) / pareto.shape) as u64);
    if let Some(most) = pareto.most.filter(|&most| most <= smallest) {
        let fact = format!("all messages are larger than {most}: the smallest have {smallest}");
        collector.report(at("most"), fact, "make it larger, or give a fixed message");
    }
}

/// Checks of an entry together with the hosts that it names.
pub(super) fn check_sources(
    entry: &Traffic,
    from: &[u32],
    to: &Destinations,
    network: &Network,
    path: &str,
    collector: &mut Collector<'_>,
) {
    if let Some(&host) = from.iter().find(|&&host| to.fixed(HostId(host)) == Some(HostId(host))) {
        let name = name_of(&network.graph.hosts[host as usize]);
        let (key, remedy) = match entry.to {
            Some(_) => ("to", "leave it out of `from`, or send elsewhere"),
            None => ("pattern", "shift by another distance"),
        };
        collector.report(format!("{path}.{key}"), format!("{name} would send to itself"), remedy);
    }
    let last = Span(entry.stagger.0.saturating_mul(from.len() as u64 - 1));
    if let Some(stop) = entry.stop.filter(|&stop| stop > entry.start && stop <= entry.start + last) {
        collector.report(
            format!("{path}.stagger"),
            format!("the last source starts {last} after the first, when all have stopped at {stop}"),
            "make it smaller, or let the traffic stop later",
        );
    }
}
