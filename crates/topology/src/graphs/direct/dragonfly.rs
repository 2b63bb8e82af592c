//! The dragonfly (Kim, Dally, Scott, Abts 2008): groups of switches; within a group every switch is linked to every
//! other, and every group is linked to every other.
//!
//! A switch has p hosts, a - 1 links to the others of its group, and h links to other groups. Balanced is a = 2p = 2h. With
//! all a h + 1 groups there is one link between two groups; with fewer there are several.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` …; host h is on switch ⌊h / p⌋ |
//! | switches | `r0_0` … (group, number) |
//! | ports | p hosts, then the others of the group in order, then the global ports; switch r has those from r h on |
//!
//! The minimal path is a link inside the group, a global link, and a link inside the other group, as far as these are
//! needed; if there are several global links, those that need the fewest links are used. Packets change to the next
//! lane with each global link, so that two lanes break all cycles.

use std::sync::Arc;

use crate::graphs::global_links::{Arrangement, GlobalLinks, check_rate};
use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology, numbered_hosts};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Through, Wire};
use congestree_units::{Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Groups of switches, with a link between any two switches of a group and any two groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dragonfly {
    /// Hosts on each switch.
    #[schemars(range(min = 1))]
    pub p: u32,
    /// Switches in each group.
    #[schemars(range(min = 1))]
    pub a: u32,
    /// Links to other groups of each switch.
    #[schemars(range(min = 1))]
    pub h: u32,
    /// Number of groups; this minus one must divide a·h. Default: all that can be linked, a·h + 1.
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

impl Dragonfly {
    fn global(&self) -> GlobalLinks {
        GlobalLinks::of(self.groups, self.a * self.h, self.arrangement)
    }

    /// The port of switch `r` of a group to its switch `other`.
    fn local_port(&self, r: u32, other: u32) -> u16 {
        (self.p + other - u32::from(other > r)) as u16
    }

    /// The port of the switch that has the global port `port` of its group.
    fn global_port(&self, port: u32) -> u16 {
        (self.p + self.a - 1 + port % self.h) as u16
    }
}

impl Topology for Dragonfly {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("p", self.p, 1);
        diagnostics.extend(limits::at_least("a", self.a, 1));
        diagnostics.extend(limits::at_least("h", self.h, 1));
        diagnostics.extend(check_rate(self.global_rate));
        if !diagnostics.is_empty() {
            return diagnostics;
        }
        let [p, a, h] = [self.p, self.a, self.h].map(u64::from);
        diagnostics.extend(limits::switch_ports("p", p + a + h - 1));
        let groups = self.groups.map_or(a * h + 1, u64::from);
        let switches = groups.checked_mul(a);
        diagnostics.extend(limits::regular_size("a", switches.and_then(|count| count.checked_mul(p)), switches));
        if diagnostics.is_empty() {
            diagnostics.extend(GlobalLinks::check(groups as u32, a * h, "a·h"));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let global = self.global();
        let [p, a, groups, ports] = [self.p, self.a, global.groups, global.ports].map(u64::from);
        let links = groups * (a * (a - 1) + ports) / 2;
        Size { hosts: groups * a * p, switches: groups * a, links: groups * a * p + links }
    }

    fn build(&self, wire: Wire) -> Graph {
        let Dragonfly { p, a, h, .. } = *self;
        let global = self.global();
        let mut graph = Graph { hosts: numbered_hosts(global.groups * a * p), ..Graph::default() };
        for group in 0..global.groups {
            for r in 0..a {
                graph.add_switch(format!("r{group}_{r}"));
            }
        }
        let mut link = |a: Node, b: Node, ports: [u16; 2], wire: Wire| {
            graph.connect(a, b, wire);
            graph.numbers.push(ports.map(|port| port + 1));
        };
        for host in 0..global.groups * a * p {
            link(Node::Host(host), Node::Switch(host / p), [0, (host % p) as u16], wire);
        }
        for group in 0..global.groups {
            for r in 0..a {
                for other in r + 1..a {
                    let ports = [self.local_port(r, other), self.local_port(other, r)];
                    link(Node::Switch(group * a + r), Node::Switch(group * a + other), ports, wire);
                }
            }
        }
        let far = Wire { rate: self.global_rate.unwrap_or(wire.rate), delay: self.global_delay.unwrap_or(wire.delay) };
        for ends in global.all() {
            let [here, there] = ends.map(|(group, port)| Node::Switch(group * a + port / h));
            link(here, there, ends.map(|(_, port)| self.global_port(port)), far);
        }
        graph
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(self.clone()))
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        self.global_rate.iter().map(|&rate| ("global_rate".to_owned(), rate)).collect()
    }

    fn has_groups(&self) -> bool {
        true
    }
}

impl Formula for Dragonfly {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.p, (host % self.p) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let Dragonfly { a, h, .. } = *self;
        let [(group, r), (to, end)] = [switch, home].map(|node| (node / a, node % a));
        if group == to {
            return candidates.push(self.local_port(r, end));
        }
        let global = self.global();
        if global.between_two() == 1 {
            // With the largest possible number of groups there is only one path: nothing to compare.
            let first = |port| if port / h == r { self.global_port(port) } else { self.local_port(r, port / h) };
            return candidates.extend(global.leading_to(group, to).map(first));
        }
        // Number of links on the path over each of the global links between the two groups, and the first port of that
        // path.
        let by = |port: u32| {
            let landing = global.other_end(group, port).1 / h;
            let (here, there) = (port / h == r, landing == end);
            let first = if here { self.global_port(port) } else { self.local_port(r, port / h) };
            (1 + u32::from(!here) + u32::from(!there), first)
        };
        let fewest = global.leading_to(group, to).map(|port| by(port).0).min();
        let start = candidates.len();
        candidates.extend(
            global.leading_to(group, to).map(by).filter(|&(links, _)| Some(links) == fewest).map(|(_, port)| port),
        );
        candidates[start..].sort_unstable();
        // Several global links of one switch are reached by the same link.
        let mut kept = start;
        for at in start..candidates.len() {
            if kept == start || candidates[kept - 1] != candidates[at] {
                candidates[kept] = candidates[at];
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }

    fn group(&self, switch: u32) -> u32 {
        switch / self.a
    }

    fn lanes(&self) -> u8 {
        2
    }

    fn lane(&self, through: Through, lane: u8) -> u8 {
        let came_far = u32::from(through.from) >= self.p + self.a - 1;
        if came_far { (lane + 1).min(1) } else { lane }
    }
}
