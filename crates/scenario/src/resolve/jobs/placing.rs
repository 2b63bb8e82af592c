//! How many ranks a job has, and on which hosts they run.

use std::collections::{HashMap, HashSet};

use congestree_kernel::Rng;
use congestree_traffic::Placement;

use super::Application;
use crate::diagnostic::name as name_of;
use crate::goal::MOST_RANKS;
use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::{self, Job};

/// The number of ranks of a job.
pub(super) fn ranks(
    job: &Job,
    written: Option<u64>,
    hosts: usize,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<u32> {
    let at = format!("{path}.job.ranks");
    if let (Some(written), Some(asked)) = (written, job.ranks)
        && written != u64::from(asked)
    {
        let fact = format!("the program has {written} ranks, not {asked}");
        collector.report(at, fact, "leave it out");
        return None;
    }
    let given = match &job.placement {
        types::Placement::Given(given) => Some(given.hosts.len() as u64),
        _ => None,
    };
    let room = hosts as u64 * u64::from(job.per_host.unwrap_or(1));
    let ranks = job.ranks.map(u64::from).or(written).unwrap_or(given.unwrap_or(room));
    if ranks > MOST_RANKS {
        collector.report(at, format!("there would be {ranks} ranks"), format!("take at most {MOST_RANKS}"));
        return None;
    }
    Some(ranks as u32)
}

/// The host of every rank.
pub(super) fn hosts(
    application: &Application<'_>,
    name: &str,
    job: &Job,
    ranks: u32,
    collector: &mut Collector<'_>,
) -> Option<Vec<u32>> {
    let &Application { scenario, position, from, network, .. } = application;
    let path = format!("traffic.{position}");
    let placement = match &job.placement {
        types::Placement::Linear => Placement::Linear,
        types::Placement::RoundRobin => Placement::RoundRobin,
        types::Placement::Random => Placement::Random,
        types::Placement::ByRail(rails) => {
            if !(from.len() as u32).is_multiple_of(rails.node) {
                let fact = format!("{} hosts do not fill nodes of {}", from.len(), rails.node);
                collector.report(format!("{path}.job.placement.by-rail.node"), fact, "give a divisor of their number");
                return None;
            }
            Placement::ByRail(rails.node)
        }
        types::Placement::Given(given) => {
            let hosts = given_hosts(&given.hosts, ranks, from, network, &path, collector)?;
            return has_room(&hosts, job.per_host, network, &path, collector).then_some(hosts);
        }
    };
    let per_host = job.per_host.unwrap_or(ranks.div_ceil(from.len() as u32).max(1));
    if u64::from(per_host) * (from.len() as u64) < u64::from(ranks) {
        let fact = format!("{ranks} ranks do not fit on {} hosts with at most {per_host} on each", from.len());
        collector.report(format!("{path}.job.per_host"), fact, "allow more on a host, or name more hosts in from");
        return None;
    }
    let mut rng = Rng::stream(scenario.seed, &format!("placement {name}"), 0);
    Some(placement.place(from, ranks, per_host, &mut rng))
}

/// Reports a host that is given more ranks than a job allows on one; returns false then.
fn has_room(hosts: &[u32], most: Option<u32>, network: &Network, path: &str, collector: &mut Collector<'_>) -> bool {
    let mut ranks: HashMap<u32, u32> = HashMap::new();
    for (i, &host) in hosts.iter().enumerate() {
        let count = ranks.entry(host).or_default();
        *count += 1;
        if let Some(most) = most.filter(|&most| *count > most) {
            let name = name_of(&network.graph.hosts[host as usize]);
            let fact = format!("{name} has more ranks than job.per_host allows, which is {most}");
            let remedy = "name another host, or make job.per_host larger";
            collector.report(format!("{path}.job.placement.given.hosts.{i}"), fact, remedy);
            return false;
        }
    }
    true
}

fn given_hosts(
    given: &[String],
    ranks: u32,
    from: &[u32],
    network: &Network,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Vec<u32>> {
    let path = format!("{path}.job.placement.given.hosts");
    if given.len() != ranks as usize {
        let fact = format!("{} hosts are given for {ranks} ranks", given.len());
        collector.report(path, fact, "give one host for each rank");
        return None;
    }
    let allowed: HashSet<u32> = from.iter().copied().collect();
    let mut hosts = Vec::with_capacity(given.len());
    for (i, name) in given.iter().enumerate() {
        let host = network.directory.one(name, &format!("{path}.{i}"), collector)?;
        if !allowed.contains(&host) {
            let fact = format!("{} is not among the hosts of the job", name_of(name));
            collector.report(format!("{path}.{i}"), fact, "name it in from, too");
            return None;
        }
        hosts.push(host);
    }
    Some(hosts)
}
