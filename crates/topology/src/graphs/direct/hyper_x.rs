//! HyperX: a grid of switches in which the switches of every row are all linked to each other (Ahn and others 2009).
//!
//! One dimension is a full mesh; dimensions of size 2 make a hypercube; with as many hosts on a switch as a dimension has
//! switches it is a flattened butterfly.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` …; host h is on switch ⌊h / T⌋, T hosts on each |
//! | switches | `s0_0`, `s1_0` …, by coordinates, the first dimension fastest |
//! | ports | T hosts, then for each dimension the other switches of the row in order, with all links to each |
//!
//! Packets cross dimension after dimension, one link in each, so no cycle of waits is possible. Parallel links of a
//! dimension take in turn the hosts that are reached over them: those whose switch has this coordinate there, in order.

use std::sync::Arc;

use crate::graphs::topology::{Size, Topology, one};
use crate::graphs::{grid, limits};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A grid in which the switches of every row are fully connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HyperX {
    /// Switches in each dimension (S), such as [8, 8].
    #[schemars(length(min = 1, max = 16))]
    pub dimensions: Vec<u32>,
    /// Parallel links between two switches of a row, for each dimension (K). Default: one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trunks: Vec<u32>,
    /// Hosts on each switch (T). Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub hosts_per_switch: u32,
}

impl HyperX {
    fn trunk(&self, dimension: usize) -> u32 {
        self.trunks.get(dimension).copied().unwrap_or(1)
    }

    /// The first port of a dimension.
    fn first_port(&self, dimension: usize) -> u32 {
        let rows = (0..dimension).map(|earlier| self.trunk(earlier) * (self.dimensions[earlier] - 1));
        self.hosts_per_switch + rows.sum::<u32>()
    }

    /// Appends the ports to the switch with this coordinate.
    fn ports(&self, dimension: usize, at: u32, to: u32, candidates: &mut Vec<u16>) {
        let first = self.first_port(dimension) + (to - u32::from(to > at)) * self.trunk(dimension);
        candidates.extend((first..first + self.trunk(dimension)).map(|port| port as u16));
    }

    fn apart(&self, switch: u32, home: u32) -> impl Iterator<Item = (usize, u32, u32)> {
        let both = move |dimension| {
            let [at, to] = [switch, home].map(|node| grid::coordinate(&self.dimensions, node, dimension));
            (dimension, at, to)
        };
        (0..self.dimensions.len()).map(both).filter(|(_, at, to)| at != to)
    }
}

impl Topology for HyperX {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = grid::check(&self.dimensions, self.hosts_per_switch);
        if !self.trunks.is_empty() && self.trunks.len() != self.dimensions.len() {
            let fact = format!("there are {} dimensions, and {} trunks", self.dimensions.len(), self.trunks.len());
            diagnostics.push(Diagnostic::new("trunks", fact, "give one number for each dimension, or leave it out"));
        }
        for place in (0..self.trunks.len()).filter(|&place| self.trunks[place] == 0) {
            let remedy = "make it at least 1";
            diagnostics.push(Diagnostic::new(format!("trunks.{place}"), "no link joins the switches of a row", remedy));
        }
        if diagnostics.is_empty() {
            let sizes = self.dimensions.iter().enumerate();
            let rows = sizes.map(|(place, &size)| u64::from(self.trunk(place)).saturating_mul(u64::from(size) - 1));
            let ports = rows.fold(u64::from(self.hosts_per_switch), u64::saturating_add);
            diagnostics.extend(limits::switch_ports("dimensions", ports));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let switches: u64 = self.dimensions.iter().map(|&size| u64::from(size)).product();
        let hosts = switches * u64::from(self.hosts_per_switch);
        let ends: u64 = (0..self.dimensions.len())
            .map(|place| u64::from(self.trunk(place)) * u64::from(self.dimensions[place] - 1))
            .sum();
        Size { hosts, switches, links: hosts + switches * ends / 2 }
    }

    fn build(&self, wire: Wire) -> Graph {
        let dimensions = &self.dimensions;
        let (mut graph, switches) = grid::with_hosts(dimensions, self.hosts_per_switch, wire);
        for (dimension, &size) in dimensions.iter().enumerate() {
            for switch in 0..switches {
                for to in grid::coordinate(dimensions, switch, dimension) + 1..size {
                    let other = grid::moved(dimensions, switch, dimension, to);
                    for _ in 0..self.trunk(dimension) {
                        graph.connect(Node::Switch(switch), Node::Switch(other), wire);
                    }
                }
            }
        }
        graph
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(self.clone()))
    }
}

impl Formula for HyperX {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.hosts_per_switch, (host % self.hosts_per_switch) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        self.apart(switch, home).for_each(|(dimension, at, to)| self.ports(dimension, at, to, candidates));
    }

    fn by_rule(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        if let Some((dimension, at, to)) = self.apart(switch, home).next() {
            self.ports(dimension, at, to, candidates);
        }
    }

    fn pick(&self, switch: u32, host: u32, candidates: &[u16]) -> u16 {
        let (home, port) = self.home(host);
        let (Some((dimension, ..)), 2..) = (self.apart(switch, home).next(), candidates.len()) else {
            return candidates[0];
        };
        // Earlier coordinates are those of this switch.
        let later = home / grid::place(&self.dimensions, dimension + 1);
        let turn = later * self.hosts_per_switch + u32::from(port);
        candidates[turn as usize % candidates.len()]
    }
}
