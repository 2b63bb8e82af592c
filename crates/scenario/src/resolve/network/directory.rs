//! Names of hosts and groups, and their meaning.

use std::collections::{HashMap, HashSet};

use congestree_topology::Graph;

use crate::diagnostic::{listed, name as name_of};
use crate::resolve::Collector;
use crate::shape::nearest::nearest;
use crate::types::Hosts;

/// Every name that traffic may use.
pub(in crate::resolve) struct Directory {
    hosts: HashMap<String, u32>,
    groups: HashMap<String, Vec<u32>>,
    /// Names in the order of the topology, for messages.
    names: Vec<String>,
}

/// The name of all hosts together.
const ALL: &str = "all";

impl Directory {
    pub(crate) fn new(graph: &Graph) -> Self {
        let hosts = graph.hosts.iter().enumerate().map(|(id, name)| (name.clone(), id as u32)).collect();
        let mut groups: HashMap<_, _> = graph.groups.iter().cloned().collect();
        groups.insert(ALL.to_owned(), (0..graph.hosts.len() as u32).collect());
        let mut names = vec![ALL.to_owned()];
        names.extend(graph.groups.iter().map(|(name, _)| name.clone()));
        names.extend(graph.hosts.iter().cloned());
        Self { hosts, groups, names }
    }

    /// The hosts that a key names, each once, in the order in which they are named.
    pub(crate) fn several(&self, hosts: &Hosts, path: &str, collector: &mut Collector<'_>) -> Option<Vec<u32>> {
        let (mut found, mut seen, mut good) = (Vec::new(), HashSet::new(), true);
        for (i, name) in hosts.names().iter().enumerate() {
            let place = if matches!(hosts, Hosts::One(_)) { path.to_owned() } else { format!("{path}.{i}") };
            let members = match (self.hosts.get(name), self.groups.get(name)) {
                (Some(host), _) => std::slice::from_ref(host),
                (None, Some(group)) => group.as_slice(),
                (None, None) => {
                    self.unknown(name, place, collector);
                    good = false;
                    continue;
                }
            };
            let before = found.len();
            found.extend(members.iter().copied().filter(|host| seen.insert(*host)));
            if found.len() - before < members.len() {
                let fact = format!("{} names a host that is in this list already", name_of(name));
                collector.report(place, fact, "name every host once");
                good = false;
            } else if members.is_empty() {
                collector.report(place, format!("the group {} is empty", name_of(name)), "put hosts into it");
                good = false;
            }
        }
        good.then_some(found)
    }

    /// The one host that a key names.
    pub(crate) fn one(&self, name: &str, path: &str, collector: &mut Collector<'_>) -> Option<u32> {
        if let Some(&host) = self.hosts.get(name) {
            return Some(host);
        }
        if self.groups.contains_key(name) {
            let fact = format!("{} is a group, and a fixed destination is one host", name_of(name));
            collector.report(path, fact, "name one host, or take a pattern such as hot-spot");
        } else {
            self.unknown(name, path.to_owned(), collector);
        }
        None
    }

    fn unknown(&self, name: &str, path: String, collector: &mut Collector<'_>) {
        // A host of a real fabric is often named together with its adapter: node001 mlx5_0.
        let mut names = self.names.iter().map(String::as_str);
        let longer = names.find(|other| other.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '.'])));
        let remedy = match longer.or_else(|| nearest(name, self.names.iter().map(String::as_str))) {
            Some(near) => format!("did you mean {}?", name_of(near)),
            None => format!("names are {}", listed(&self.names)),
        };
        collector.report(path, format!("there is no host or group {}", name_of(name)), remedy);
    }
}
