//! Dragonfly+ (Shpiner and others 2017): groups that are fat trees of two levels, and every group linked to every other.
//!
//! In a group every leaf is linked to every spine; a leaf has p hosts, a spine h links to other groups.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` …; host h is on leaf ⌊h / p⌋ |
//! | switches | `leaf0_0` … (group, number), then `spine0_0` … |
//! | ports of a leaf | p hosts, then the spines of its group |
//! | ports of a spine | the leaves of its group, then the global ports; spine s has those from s h on |
//!
//! The minimal path leads up to a spine that has a link to the other group, over that link, and down. No path leads
//! down and then up, so one lane is enough. The K links between two groups take the hosts there in turn, host h the
//! link at h mod K. They count in rounds: one of each spine, then the second of each that has one, and so on, so that
//! consecutive hosts are reached over different spines.

use std::sync::Arc;

use crate::graphs::global_links::{Arrangement, GlobalLinks, check_rate};
use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology, numbered_hosts};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Wire};
use congestree_units::{Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Groups of leaves and spines, with a link between any leaf and any spine of a group and any two groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyPlus {
    /// Hosts on each leaf.
    #[schemars(range(min = 1))]
    pub p: u32,
    /// Leaves in each group.
    #[schemars(range(min = 1))]
    pub leaves: u32,
    /// Spines in each group. Default: as many as leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub spines: Option<u32>,
    /// Links to other groups of each spine.
    #[schemars(range(min = 1))]
    pub h: u32,
    /// Number of groups; this minus one must divide spines·h. Default: all that can be linked, spines·h + 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub groups: Option<u32>,
    /// How the global ports of a group are assigned to the other groups. Default absolute.
    #[serde(default)]
    pub arrangement: Arrangement,
    /// Rate of links between groups. Default: that of the other links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global_rate: Option<Rate>,
    /// Propagation delay of links between groups. Default: that of the other links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global_delay: Option<Span>,
}

impl DragonflyPlus {
    fn spines(&self) -> u32 {
        self.spines.unwrap_or(self.leaves)
    }

    fn global(&self) -> GlobalLinks {
        GlobalLinks::of(self.groups, self.spines() * self.h, self.arrangement)
    }

    /// Whether spines may have different numbers of links to the same group, but all have one.
    fn spines_differ(&self) -> bool {
        let others = self.global().groups - 1;
        self.h > others && !self.h.is_multiple_of(others)
    }

    /// The number of a spine.
    fn spine(&self, group: u32, number: u32) -> u32 {
        self.global().groups * self.leaves + group * self.spines() + number
    }
}

impl Topology for DragonflyPlus {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("p", self.p, 1);
        diagnostics.extend(limits::at_least("leaves", self.leaves, 1));
        diagnostics.extend(limits::at_least("spines", self.spines(), 1));
        diagnostics.extend(limits::at_least("h", self.h, 1));
        diagnostics.extend(check_rate(self.global_rate));
        if !diagnostics.is_empty() {
            return diagnostics;
        }
        let [p, leaves, spines, h] = [self.p, self.leaves, self.spines(), self.h].map(u64::from);
        diagnostics.extend(limits::switch_ports("p", p + spines));
        diagnostics.extend(limits::switch_ports("h", leaves + h));
        let groups = self.groups.map_or(spines * h + 1, u64::from);
        let hosts = groups.checked_mul(leaves).and_then(|count| count.checked_mul(p));
        diagnostics.extend(limits::regular_size("leaves", hosts, groups.checked_mul(leaves + spines)));
        if diagnostics.is_empty() {
            diagnostics.extend(GlobalLinks::check(groups as u32, spines * h, "spines·h"));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let global = self.global();
        let [p, leaves, spines] = [self.p, self.leaves, self.spines()].map(u64::from);
        let [groups, ports] = [global.groups, global.ports].map(u64::from);
        let hosts = groups * leaves * p;
        Size {
            hosts,
            switches: groups * (leaves + spines),
            links: hosts + groups * (leaves * spines) + groups * ports / 2,
        }
    }

    fn build(&self, wire: Wire) -> Graph {
        let (p, leaves, spines, h) = (self.p, self.leaves, self.spines(), self.h);
        let global = self.global();
        let mut graph = Graph { hosts: numbered_hosts(global.groups * leaves * p), ..Graph::default() };
        for (kind, count) in [("leaf", leaves), ("spine", spines)] {
            for index in 0..global.groups * count {
                graph.add_switch(format!("{kind}{}_{}", index / count, index % count));
            }
        }
        let mut link = |a: Node, b: Node, ports: [u32; 2], wire: Wire| {
            graph.connect(a, b, wire);
            graph.numbers.push(ports.map(|port| port as u16 + 1));
        };
        for host in 0..global.groups * leaves * p {
            link(Node::Host(host), Node::Switch(host / p), [0, host % p], wire);
        }
        for leaf in 0..global.groups * leaves {
            for number in 0..spines {
                let spine = self.spine(leaf / leaves, number);
                link(Node::Switch(leaf), Node::Switch(spine), [p + number, leaf % leaves], wire);
            }
        }
        let far = Wire { rate: self.global_rate.unwrap_or(wire.rate), delay: self.global_delay.unwrap_or(wire.delay) };
        for ends in global.all() {
            let [here, there] = ends.map(|(group, port)| Node::Switch(self.spine(group, port / h)));
            link(here, there, ends.map(|(_, port)| leaves + port % h), far);
        }
        graph
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(self.clone()))
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        self.global_rate.iter().map(|&rate| ("global_rate".to_owned(), rate)).collect()
    }
}

impl Formula for DragonflyPlus {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.p, (host % self.p) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let (leaves, spines, h) = (self.leaves, self.spines(), self.h);
        let global = self.global();
        let (to, end) = (home / leaves, home % leaves);
        if switch < global.groups * leaves {
            let group = switch / leaves;
            if group == to {
                return candidates.extend((0..spines).map(|number| (self.p + number) as u16));
            }
            // Global ports are numbered spine after spine, so those of one spine are consecutive.
            for port in global.leading_to(group, to) {
                let up = (self.p + port / h) as u16;
                if candidates.last() != Some(&up) {
                    candidates.push(up);
                }
            }
            return;
        }
        let spine = switch - global.groups * leaves;
        let (group, number) = (spine / spines, spine % spines);
        if group == to {
            return candidates.push(end as u16);
        }
        let own = global.leading_to(group, to).filter(|port| port / h == number);
        let start = candidates.len();
        candidates.extend(own.map(|port| (leaves + port % h) as u16));
        if candidates.len() == start {
            // This switch is on no minimal path: a packet that is here nevertheless goes back down.
            candidates.extend((0..leaves).map(|leaf| leaf as u16));
        }
    }

    /// Where spines have different numbers of links to a group, a leaf's port to a spine occurs once for each of them,
    /// in the order in which they are used.
    fn by_rule(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let (global, [group, to]) = (self.global(), [switch, home].map(|leaf| leaf / self.leaves));
        if self.kind(switch) == SPINE || group == to || !self.spines_differ() {
            return self.candidates(switch, home, candidates);
        }
        let mut links = vec![0; self.spines() as usize];
        let mut turns: Vec<(u32, u32)> = Vec::new();
        for port in global.leading_to(group, to) {
            let spine = port / self.h;
            turns.push((links[spine as usize], spine));
            links[spine as usize] += 1;
        }
        turns.sort_unstable();
        candidates.extend(turns.iter().map(|&(_, spine)| (self.p + spine) as u16));
    }

    fn pick(&self, switch: u32, host: u32, candidates: &[u16]) -> u16 {
        let (links, spines) = (self.global().between_two(), self.spines());
        // With at most one link to a group a spine has nothing to choose.
        let turn = if self.kind(switch) == SPINE && links > spines { host % links / spines } else { host };
        candidates[turn as usize % candidates.len()]
    }

    fn kind(&self, switch: u32) -> u32 {
        u32::from(switch >= self.global().groups * self.leaves) * SPINE
    }
}

/// The kind of a spine; a leaf has kind 0.
const SPINE: u32 = 1;
