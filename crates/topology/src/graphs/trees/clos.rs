//! The folded Clos network with any number of links down and up at each level: a generalised fat tree with parallel
//! links (PGFT, Zahavi 2011), as in AI clusters. It is oversubscribed if fewer links lead up than down.
//!
//! A leaf has `down[0]` hosts; a switch of level l has `down[l]` switches below it and, except at the top, `up[l]`
//! above it, and to each of these `bundle[l]` parallel links. With m for `down` and w for `up`, level l has w_0 …
//! w_{l-1} · m_{l+1} … m_top switches. Switch number i of level l has the digits i = (those w digits, lowest first;
//! those m digits); its u-th switch above has u instead of the first m digit.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` … |
//! | switches | `leaf0` … (of several planes `nic0` … first), then level by level `s1_0` …, the top `spine0` … |
//! | ports | below (each with its parallel links), then above likewise |
//!
//! **Rails.** With R rails, hosts R k … R k + R - 1 are the adapters of server k, and adapter r of every server of a unit is on
//! leaf r of that unit: a unit is `down[0]` servers and R leaves. Groups `rail0` … are the hosts of a rail.
//!
//! **Planes.** With P planes an adapter has P links, to P networks that are connected only by the adapters. It is
//! modelled as a switch `nic` of one host, whose link has the rate of the P links together.
//!
//! Routes are [D-mod-K](crate::routing::d_mod_k_by_levels()): up by digits of the destination's position below the
//! tree.

use std::sync::Arc;

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology, numbered_hosts, one};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Wire};
use congestree_units::{Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Levels of switches with as many links down and up as are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clos {
    /// Hosts per leaf; then, for each level above, the number of switches below a switch: [32, 64] is 64 leaves of 32
    /// hosts.
    #[schemars(length(min = 1, max = 8))]
    pub down: Vec<u32>,
    /// For each level but the top, the number of switches above a switch: [8] is 8 spines above every leaf.
    #[schemars(length(max = 7))]
    pub up: Vec<u32>,
    /// Parallel links from a switch to each of those above it, by level. Default: one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 7))]
    pub bundle: Vec<u32>,
    /// Link rates: those of the hosts, then those above each level but the top. Default: the rate of all links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    pub rates: Vec<Rate>,
    /// Propagation delays likewise. Default: the delay of all links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    pub delays: Vec<Span>,
    /// Adapters (rails) per server, each on a leaf of its own. Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub rails: u32,
    /// Parallel networks; every adapter has a link to each. Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub planes: u32,
}

impl Clos {
    fn levels(&self) -> Levels {
        let planes = self.planes > 1;
        let before =
            |first: u32, rest: &[u32]| planes.then_some(first).into_iter().chain(rest.iter().copied()).collect();
        let bundle: Vec<u32> = (0..self.up.len()).map(|level| self.bundle.get(level).copied().unwrap_or(1)).collect();
        let mut levels = Levels {
            down: before(1, &self.down),
            up: before(self.planes, &self.up),
            bundle: before(1, &bundle),
            rails: self.rails,
            servers: self.down[0],
            wide: Vec::new(),
            first: vec![0],
        };
        for level in 0..levels.down.len() {
            levels.wide.push(levels.up[..level].iter().product());
            levels.first.push(levels.first[level] + levels.switches_of(level));
        }
        levels
    }

    /// The properties of links above a level; level 0 is that of hosts.
    fn wires(&self, wire: Wire) -> Vec<Wire> {
        let given = (0..=self.up.len()).map(|level| Wire {
            rate: self.rates.get(level).copied().unwrap_or(wire.rate),
            delay: self.delays.get(level).copied().unwrap_or(wire.delay),
        });
        let mut wires: Vec<Wire> = given.collect();
        if self.planes > 1 {
            let all = Rate(wires[0].rate.0.saturating_mul(self.planes.into()));
            wires.insert(0, Wire { rate: all, delay: Span::ZERO });
        }
        wires
    }

    fn check_lists(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if self.down.is_empty() {
            diagnostics.push(Diagnostic::new("down", "there are no leaves", "give the hosts of a leaf, such as [32]"));
        }
        let above = self.down.len().saturating_sub(1);
        for (field, given, wanted) in [
            ("up", self.up.len(), above),
            ("bundle", self.bundle.len(), above),
            ("rates", self.rates.len(), above + 1),
            ("delays", self.delays.len(), above + 1),
        ] {
            if given != wanted && (given != 0 || field == "up") {
                let fact = format!("`down` has {} levels, and `{field}` {given} numbers", self.down.len());
                diagnostics.push(Diagnostic::new(field, fact, format!("give {wanted} of them")));
            }
        }
        for (field, list) in [("down", &self.down), ("up", &self.up), ("bundle", &self.bundle)] {
            for (place, _) in list.iter().enumerate().filter(|&(_, &count)| count == 0) {
                diagnostics.push(Diagnostic::new(format!("{field}.{place}"), "it is 0", "make it at least 1"));
            }
        }
        for (place, _) in self.rates.iter().enumerate().filter(|&(_, &rate)| rate == Rate(0)) {
            let fact = "links have no rate";
            diagnostics.push(Diagnostic::new(format!("rates.{place}"), fact, "give a rate above zero"));
        }
        diagnostics
    }
}

impl Topology for Clos {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = self.check_lists();
        diagnostics.extend(limits::at_least("rails", self.rails, 1));
        diagnostics.extend(limits::at_least("planes", self.planes, 1));
        if !diagnostics.is_empty() {
            return diagnostics;
        }
        let leaves_of_a_pod = self.down.get(1).copied().unwrap_or(1);
        if !leaves_of_a_pod.is_multiple_of(self.rails) {
            let fact =
                format!("{} rails need as many leaves side by side, and `down` has {leaves_of_a_pod}", self.rails);
            diagnostics.push(Diagnostic::new("rails", fact, "make `down.1` a multiple of it"));
        }
        let product = |list: &[u32]| list.iter().try_fold(1u64, |all, &count| all.checked_mul(count.into()));
        let hosts = product(&self.down);
        let levels = 0..self.down.len();
        let of_level = |level: usize| {
            product(&self.up[..level])?.checked_mul(product(&self.down[level + 1..])?)?.checked_mul(self.planes.into())
        };
        let nics = if self.planes > 1 { hosts } else { Some(0) };
        let switches = levels.clone().try_fold(nics.unwrap_or(0), |all, level| all.checked_add(of_level(level)?));
        diagnostics.extend(limits::regular_size("down", hosts, switches));
        for level in levels {
            let bundle = |level: usize| u64::from(self.bundle.get(level).copied().unwrap_or(1));
            let below = u64::from(self.down[level]) * if level > 0 { bundle(level - 1) } else { 1 };
            let above = self.up.get(level).map_or(0, |&up| u64::from(up) * bundle(level));
            diagnostics.extend(limits::switch_ports(&format!("down.{level}"), below.saturating_add(above)));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let levels = self.levels();
        let hosts = levels.hosts().into();
        let above = (0..levels.up.len()).map(|level| {
            u64::from(levels.switches_of(level)) * u64::from(levels.up[level]) * u64::from(levels.bundle[level])
        });
        let switches = (0..levels.down.len()).map(|level| u64::from(levels.switches_of(level))).sum();
        Size { hosts, switches, links: hosts + above.sum::<u64>() }
    }

    fn build(&self, wire: Wire) -> Graph {
        let (levels, wires) = (self.levels(), self.wires(wire));
        let mut graph = Graph { hosts: numbered_hosts(levels.hosts()), ..Graph::default() };
        for level in 0..levels.down.len() {
            let kind = self.kind(level);
            for index in 0..levels.switches_of(level) {
                graph.add_switch(format!("{kind}{index}"));
            }
        }
        for host in 0..levels.hosts() {
            graph.connect(Node::Host(host), Node::Switch(levels.home(host).0), wires[0]);
        }
        for level in 0..levels.up.len() {
            for index in 0..levels.switches_of(level) {
                for above in 0..levels.up[level] {
                    let ends =
                        [levels.first[level] + index, levels.first[level + 1] + levels.above(level, index, above)];
                    for _ in 0..levels.bundle[level] {
                        graph.connect(Node::Switch(ends[0]), Node::Switch(ends[1]), wires[level + 1]);
                    }
                }
            }
        }
        if self.rails > 1 {
            let of_rail = |rail: u32| (rail..levels.hosts()).step_by(self.rails as usize).collect();
            graph.groups = (0..self.rails).map(|rail| (format!("rail{rail}"), of_rail(rail))).collect();
        }
        graph
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(self.levels()))
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        self.rates.iter().enumerate().map(|(place, &rate)| (format!("rates.{place}"), rate)).collect()
    }

    fn is_d_mod_k(&self) -> bool {
        true
    }

    fn has_host_rates(&self) -> bool {
        !self.rates.is_empty()
    }
}

impl Clos {
    /// The name prefix of the switches of a level.
    fn kind(&self, level: usize) -> String {
        let planes = usize::from(self.planes > 1);
        match level {
            0 if planes == 1 => "nic".into(),
            level if level == planes => "leaf".into(),
            level if level + 1 == self.down.len() + planes => "spine".into(),
            level => format!("s{}_", level - planes),
        }
    }
}

/// The levels of a tree, with adapters as the lowest if there are several planes.
#[derive(Clone, Debug)]
struct Levels {
    down: Vec<u32>,
    up: Vec<u32>,
    bundle: Vec<u32>,
    rails: u32,
    /// Servers whose adapters of one rail share a leaf.
    servers: u32,
    /// By level: the product of the numbers of switches above, below it.
    wide: Vec<u32>,
    /// By level: the number of its first switch.
    first: Vec<u32>,
}

impl Levels {
    fn hosts(&self) -> u32 {
        self.down.iter().product()
    }

    fn switches_of(&self, level: usize) -> u32 {
        self.wide[level] * self.down[level + 1..].iter().product::<u32>()
    }

    /// The index of the switch above.
    fn above(&self, level: usize, index: u32, above: u32) -> u32 {
        let (wide, digit) = (self.wide[level], self.down[level + 1]);
        let (low, high) = (index % wide, index / wide / digit);
        low + wide * (above + self.up[level] * high)
    }

    /// The level and index of a switch.
    fn place(&self, switch: u32) -> (usize, u32) {
        let higher = self.first[1..self.down.len()].iter();
        let level = higher.take_while(|&&first| first <= switch).count();
        (level, switch - self.first[level])
    }

    /// The position of a host in the order from left to right below the tree: the servers of a unit, rail by rail.
    fn rank(&self, host: u32) -> u32 {
        if self.rails == 1 {
            return host;
        }
        let unit = self.servers * self.rails;
        let inside = host % unit;
        host - inside + inside % self.rails * self.servers + inside / self.rails
    }

    /// Links to a switch above, or below, of a level.
    fn links_down(&self, level: usize) -> u32 {
        if level == 0 { 1 } else { self.bundle[level - 1] }
    }

    fn ports_down(&self, level: usize) -> u32 {
        self.down[level] * self.links_down(level)
    }
}

impl Formula for Levels {
    fn home(&self, host: u32) -> (u32, u16) {
        let rank = self.rank(host);
        (rank / self.down[0], (rank % self.down[0]) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let (level, index) = self.place(switch);
        // Leaves below a switch of this level, and of the level under it.
        let below: u32 = self.down[1..=level].iter().product();
        let ports = if index / self.wide[level] == home / below {
            let (child, links) = (home / (below / self.down[level].max(1)) % self.down[level], self.links_down(level));
            child * links..(child + 1) * links
        } else {
            self.ports_down(level)..self.ports_down(level) + self.up[level] * self.bundle[level]
        };
        candidates.extend(ports.map(|port| port as u16));
    }

    fn pick(&self, switch: u32, host: u32, candidates: &[u16]) -> u16 {
        let (level, _) = self.place(switch);
        let (digit, count) = ((self.rank(host) / self.wide[level]) as usize, candidates.len());
        if u32::from(candidates[0]) < self.ports_down(level) {
            return candidates[digit % count];
        }
        // Ports to different switches come before parallel links.
        let (turn, above, links) = (digit % count, self.up[level] as usize, self.bundle[level] as usize);
        candidates[turn % above * links + turn / above]
    }

    /// Its level.
    fn kind(&self, switch: u32) -> u32 {
        self.place(switch).0 as u32
    }
}
