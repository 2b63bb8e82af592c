//! Links that fail: which, when, and the tables that are used then.

use congestree_fabric::plan::{FailurePlan, FaultsPlan};
use congestree_kernel::Rng;
use congestree_schemes::check::{SLOWEST, too_slow};
use congestree_topology::{Graph, Node};
use congestree_units::{Rate, Time};

use crate::diagnostic::{listed, name};
use crate::resolve::network::fault_tables::{tables, tell_cut_off};
use crate::resolve::network::path_choice::has_planes;
use crate::resolve::network::{Network, check_rate};
use crate::resolve::{Collector, scheme_parts};
use crate::shape::nearest::nearest;
use crate::types::{Failure, Faults, Reroute, Scenario};

/// The links that fail in a scenario, and the forwarding tables in use meanwhile.
pub(in crate::resolve) fn plan(scenario: &Scenario, network: &Network, collector: &mut Collector<'_>) -> FaultsPlan {
    let Some(faults) = &scenario.links.faults else { return FaultsPlan::default() };
    let before = collector.diagnostics.len();
    check_company(scenario, collector);
    check_reroute(scenario, faults, collector);
    let mut failures = Vec::new();
    for (entry, failure) in faults.failures.iter().enumerate() {
        let path = format!("links.faults.failures.{entry}");
        check_times(scenario, failure, &path, collector);
        let links = links_of(scenario, &network.graph, failure, entry, &path, collector);
        for link in links {
            let rates = rates_of(&network.graph, failure, link, &path, collector);
            failures
                .push((FailurePlan { link, at: failure.at, until: failure.until, rates, cut_off: Vec::new() }, entry));
        }
    }
    failures.sort_by_key(|(failure, _)| failure.at);
    check_twice(&network.graph, &failures, collector);
    let mut failures: Vec<FailurePlan> = failures.into_iter().map(|(failure, _)| failure).collect();
    if collector.diagnostics.len() > before {
        return FaultsPlan::default();
    }
    let ports = network.graph.ports();
    let ports = if has_planes(scenario) { ports.with_adapters() } else { ports };
    tell_cut_off(&ports, &mut failures);
    let tables = match faults.reroute {
        Reroute::SubnetManager(_) => tables(scenario, network, &ports, faults, &failures, collector),
        Reroute::None | Reroute::Local => Vec::new(),
    };
    FaultsPlan {
        given: true,
        failures,
        local: faults.reroute == Reroute::Local,
        tables,
        lifetime: faults.head_of_queue_lifetime,
    }
}

/// Checks what cannot be combined with failing links.
fn check_company(scenario: &Scenario, collector: &mut Collector<'_>) {
    let path = "links.faults";
    if !scenario.switches.are_plain() {
        let fact = "queues with room of their own, crossbars and matchings know no port that is down";
        let remedy = "leave it out, or take switches.queues = \"voq\" or \"single\" over shared memory, without crossbar and islip";
        collector.report(path, fact, remedy);
    }
    if scheme_parts(&scenario.scheme).isolate.isolates() || scenario.scheme.schedule().regions().is_some() {
        let fact = "isolation and regional control send notices over links, which must not fail";
        collector.report(path, fact, "leave it out, or leave out scheme.isolate and scheme.schedule");
    }
}

/// Checks that routes can change, and that there is another path.
fn check_reroute(scenario: &Scenario, faults: &Faults, collector: &mut Collector<'_>) {
    let path = "links.faults.reroute";
    if faults.reroute == Reroute::None {
        return;
    }
    if !faults.failures.is_empty() && !faults.failures.iter().any(Failure::is_down) {
        let fact = "routes follow links that go down, and here links only become slow";
        return collector.report(path, fact, "leave it out, or leave out rate and keeps of a failure");
    }
    if faults.reroute != Reroute::Local {
        return;
    }
    let route = scenario.scheme.route.as_ref().filter(|route| route.chooses());
    match route.map(|route| route.detours()) {
        Some(0) => {}
        Some(_) => {
            let fact = "with this scheme.route the way of a packet is chosen before it meets the failed link";
            let remedy =
                "take a scheme.route without detours, such as \"least-queue\", or write reroute.subnet-manager";
            collector.report(path, fact, remedy);
        }
        None => {
            let fact = "a switch whose routes are fixed has no other shortest way to take at once";
            collector.report(path, fact, "give scheme.route, such as \"least-queue\", or write reroute.subnet-manager");
        }
    }
}

fn check_times(scenario: &Scenario, failure: &Failure, path: &str, collector: &mut Collector<'_>) {
    let end = scenario.measure.duration;
    if failure.at >= end {
        let fact = format!("the run ends at {end}, before the link fails");
        collector.report(format!("{path}.at"), fact, "make it earlier, or the run longer");
    }
    let Some(until) = failure.until else { return };
    if until <= failure.at {
        let fact = format!("the link comes back at {until}, and it fails only at {}", failure.at);
        collector.report(format!("{path}.until"), fact, "make it later than at, or leave it out");
    } else if until >= end {
        let fact = format!("the run ends at {end}, before the link comes back");
        collector.report(format!("{path}.until"), fact, "leave it out, or make the run longer");
    }
}

/// The links of an entry.
fn links_of(
    scenario: &Scenario,
    graph: &Graph,
    failure: &Failure,
    entry: usize,
    path: &str,
    collector: &mut Collector<'_>,
) -> Vec<u32> {
    match (&failure.link, failure.share) {
        (Some(ends), None) => {
            if failure.seed.is_some() {
                let fact = "nothing is drawn: the link is named";
                collector.report(format!("{path}.seed"), fact, "leave it out, or give share instead of link");
            }
            let mut links = named(graph, ends, &format!("{path}.link"), collector);
            match failure.number {
                Some(number) if !links.is_empty() => one_of(&links, ends, number, &format!("{path}.number"), collector),
                _ => {
                    links.sort_unstable();
                    links
                }
            }
        }
        (None, Some(share)) => {
            if failure.number.is_some() {
                let fact = "the links that fail are drawn at random (share)";
                collector.report(format!("{path}.number"), fact, "leave it out, or give link instead of share");
            }
            let seed = failure.seed.unwrap_or(scenario.seed);
            drawn(graph, share, Rng::stream(seed, "faults", entry as u64), &format!("{path}.share"), collector)
        }
        (None, None) => {
            collector.report(path, "it is not said which links fail", "give link, such as [\"A\", \"B\"], or share");
            Vec::new()
        }
        (Some(_), Some(_)) => {
            let fact = "the links that fail are both named (link) and drawn at random (share)";
            collector.report(format!("{path}.share"), fact, "give link or share");
            Vec::new()
        }
    }
}

/// All links between two nodes, in the order of the ports of the first.
fn named(graph: &Graph, ends: &[String; 2], path: &str, collector: &mut Collector<'_>) -> Vec<u32> {
    let nodes = ends.each_ref().map(|name| node(graph, name));
    for (place, name_of_node) in ends.iter().enumerate().filter(|&(place, _)| nodes[place].is_none()) {
        let fact = format!("there is no host or switch {}", name(name_of_node));
        let remedy = match nearest(name_of_node, graph.hosts.iter().chain(&graph.switches).map(String::as_str)) {
            Some(near) => format!("did you mean {}?", name(near)),
            None => format!("hosts are {}; switches are {}", listed(&graph.hosts), listed(&graph.switches)),
        };
        collector.report(format!("{path}.{place}"), fact, remedy);
    }
    let [Some(from), Some(to)] = nodes else { return Vec::new() };
    let links = graph.ports().links_between(from, to);
    if links.is_empty() {
        let fact = format!("there is no link between {} and {}", name(&ends[0]), name(&ends[1]));
        collector.report(path, fact, "name two neighbours");
    }
    links
}

/// The node of a name.
fn node(graph: &Graph, name: &str) -> Option<Node> {
    let place = |names: &[String]| names.iter().position(|known| known == name).map(|place| place as u32);
    place(&graph.hosts).map(Node::Host).or_else(|| place(&graph.switches).map(Node::Switch))
}

/// One of the links between two nodes, by its number.
fn one_of(links: &[u32], ends: &[String; 2], number: u32, path: &str, collector: &mut Collector<'_>) -> Vec<u32> {
    if let Some(&link) = (number as usize).checked_sub(1).and_then(|place| links.get(place)) {
        return vec![link];
    }
    let between = format!("between {} and {}", name(&ends[0]), name(&ends[1]));
    match links.len() {
        1 => collector.report(path, format!("there is only one link {between}"), "leave it out"),
        count => collector.report(
            path,
            format!("there are {count} links {between}, counted from 1"),
            "give one of these numbers, or leave it out if all of them fail",
        ),
    }
    Vec::new()
}

/// A share of the links between switches, at least one if it is not zero.
fn drawn(graph: &Graph, share: f64, mut rng: Rng, path: &str, collector: &mut Collector<'_>) -> Vec<u32> {
    let mut links: Vec<u32> =
        (0..graph.links.len() as u32).filter(|&link| graph.links[link as usize].joins_switches()).collect();
    if links.is_empty() {
        collector.report(path, "there is no link between two switches", "name a link");
        return Vec::new();
    }
    let least = usize::from(share > 0.0);
    let count = ((share * links.len() as f64).round() as usize).clamp(least, links.len());
    for place in 0..count {
        let other = place + rng.below((links.len() - place) as u64) as usize;
        links.swap(place, other);
    }
    links.truncate(count);
    links.sort_unstable();
    links
}

/// The rates of a link during a failure; none if it is down.
fn rates_of(
    graph: &Graph,
    failure: &Failure,
    link: u32,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<(Rate, Rate)> {
    let own = &graph.links[link as usize];
    let (ab, ba) = (own.ab.rate, own.ba.rate);
    match (failure.rate, failure.keeps) {
        (None, None) => None,
        (Some(rate), None) => {
            let path = format!("{path}.rate");
            check_rate(Some(rate), &path, collector);
            if rate > ab || rate > ba {
                let fact = format!("the link has {}, and no failure makes it faster", ab.min(ba));
                collector.report(path, fact, "give a lower rate");
            }
            Some((rate, rate))
        }
        (None, Some(keeps)) => {
            let rate = |rate: Rate| Rate((rate.0 as f64 * keeps).round() as u64);
            if keeps == 0.0 {
                let fact = "a link that keeps nothing of its rate is down";
                collector.report(format!("{path}.keeps"), fact, "leave it out, or give a share above zero");
            } else if too_slow(rate(ab.min(ba))).is_some() {
                let fact = format!("the link would keep {} of its {}", rate(ab.min(ba)), ab.min(ba));
                collector.report(format!("{path}.keeps"), fact, format!("give a share that leaves at least {SLOWEST}"));
            }
            Some((rate(ab), rate(ba)))
        }
        (Some(_), Some(_)) => {
            let fact = "the rate is given twice, by rate and by keeps";
            collector.report(format!("{path}.keeps"), fact, "give rate or keeps");
            None
        }
    }
}

/// Checks that no link fails while it is already down. Failures are in order of time, each with its entry.
fn check_twice(graph: &Graph, failures: &[(FailurePlan, usize)], collector: &mut Collector<'_>) {
    let mut busy: Vec<Option<(Time, usize)>> = vec![None; graph.links.len()];
    for (failure, entry) in failures {
        let last = &mut busy[failure.link as usize];
        let until = failure.until.unwrap_or(Time::NEVER);
        if let Some((end, other)) = *last
            && failure.at < end
        {
            let link = &graph.links[failure.link as usize];
            let (a, b) = (graph.name(link.a), graph.name(link.b));
            let fact = format!("the link between {} and {} has failed already, by failure {other}", name(a), name(b));
            return collector.report(
                format!("links.faults.failures.{entry}"),
                fact,
                "let one end before the other begins",
            );
        }
        *last = Some((until, *entry));
    }
}
