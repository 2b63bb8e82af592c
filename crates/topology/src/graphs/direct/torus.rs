//! The torus (k-ary n-cube): a grid of switches whose rows are rings.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` …; host h is on switch ⌊h / t⌋, t hosts on each |
//! | switches | `s0_0`, `s1_0` …, by coordinates, the first dimension fastest |
//! | ports | t hosts, then for each dimension the neighbour above (+1) and the one below (-1) |
//!
//! In a dimension of two switches there is one link. Packets cross dimension after dimension, in each the shorter way
//! round; if both are equally long, up to even coordinates and down to odd ones. On a ring they change to a second lane
//! when they pass from the last switch to the first or back (the dateline of Dally and Seitz 1987); in the next
//! dimension they begin in lane 0.

use std::sync::Arc;

use crate::graphs::topology::{Size, Topology, one};
use crate::graphs::{grid, limits};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Through, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A grid of switches whose rows are rings: a k-ary n-cube has n dimensions of size k.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Switches in each dimension, such as [8, 8, 4].
    #[schemars(length(min = 1, max = 16))]
    pub dimensions: Vec<u32>,
    /// Hosts on each switch. Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub hosts_per_switch: u32,
}

impl Topology for Torus {
    fn check(&self) -> Vec<Diagnostic> {
        Rows::of(self).check()
    }

    fn size(&self) -> Size {
        Rows::of(self).size()
    }

    fn build(&self, wire: Wire) -> Graph {
        Rows::of(self).build(wire)
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(Rows::of(self)))
    }
}

impl Rows {
    fn of(torus: &Torus) -> Self {
        Rows { dimensions: torus.dimensions.clone(), hosts_per_switch: torus.hosts_per_switch, rings: true }
    }
}

/// A grid whose rows are closed to rings, or open.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub dimensions: Vec<u32>,
    pub hosts_per_switch: u32,
    pub rings: bool,
}

impl Rows {
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = grid::check(&self.dimensions, self.hosts_per_switch);
        if diagnostics.is_empty() {
            // Ports are numbered as if every dimension had both neighbours.
            let ports = u64::from(self.hosts_per_switch) + 2 * self.dimensions.len() as u64;
            diagnostics.extend(limits::switch_ports("hosts_per_switch", ports));
        }
        diagnostics
    }

    pub(super) fn size(&self) -> Size {
        let switches: u64 = self.dimensions.iter().map(|&size| u64::from(size)).product();
        let hosts = switches * u64::from(self.hosts_per_switch);
        let in_a_row = |size: u64| if self.rings && size > 2 { size } else { size - 1 };
        let between = self.dimensions.iter().map(|&size| switches / u64::from(size) * in_a_row(size.into()));
        Size { hosts, switches, links: hosts + between.sum::<u64>() }
    }

    pub(super) fn build(&self, wire: Wire) -> Graph {
        let (dimensions, each) = (&self.dimensions, self.hosts_per_switch);
        let (mut graph, switches) = grid::with_hosts(dimensions, each, wire);
        graph.numbers.extend((0..switches * each).map(|host| [1, (host % each + 1) as u16]));
        for dimension in 0..dimensions.len() {
            let up = (each + 2 * dimension as u32 + 1) as u16;
            for switch in (0..switches).filter(|&switch| self.leads(switch, dimension, true)) {
                let next = (grid::coordinate(dimensions, switch, dimension) + 1) % dimensions[dimension];
                let above = grid::moved(dimensions, switch, dimension, next);
                graph.connect(Node::Switch(switch), Node::Switch(above), wire);
                graph.numbers.push([up, up + 1]);
            }
        }
        graph
    }

    /// Whether a switch has a neighbour above, or below, in a dimension.
    fn leads(&self, switch: u32, dimension: usize, above: bool) -> bool {
        let (size, at) = (self.dimensions[dimension], grid::coordinate(&self.dimensions, switch, dimension));
        (self.rings && size > 2) || if above { at + 1 < size } else { at > 0 }
    }

    /// The port to the neighbour above, or below.
    fn port(&self, switch: u32, dimension: usize, above: bool) -> u16 {
        let mut port = self.hosts_per_switch as u16;
        for earlier in 0..dimension {
            port += [true, false].map(|side| u16::from(self.leads(switch, earlier, side))).iter().sum::<u16>();
        }
        port + u16::from(!above && self.leads(switch, dimension, true))
    }

    /// Whether the shorter way to a coordinate leads up, and whether it leads down.
    fn sides(&self, dimension: usize, at: u32, to: u32) -> (bool, bool) {
        let size = self.dimensions[dimension];
        if !self.rings || size == 2 {
            return (to > at, to < at);
        }
        let up = (to + size - at) % size;
        (2 * up <= size, 2 * up >= size)
    }

    /// The dimension and side that a port leads to; `None` for hosts.
    fn leads_to(&self, switch: u32, port: u16) -> Option<(usize, bool)> {
        if u32::from(port) < self.hosts_per_switch {
            return None;
        }
        let sides = (0..self.dimensions.len()).flat_map(|dimension| [(dimension, true), (dimension, false)]);
        let mut known = sides.filter(|&(dimension, above)| self.leads(switch, dimension, above));
        known.nth(usize::from(port) - self.hosts_per_switch as usize)
    }
}

impl Formula for Rows {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.hosts_per_switch, (host % self.hosts_per_switch) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        for dimension in 0..self.dimensions.len() {
            let [at, to] = [switch, home].map(|node| grid::coordinate(&self.dimensions, node, dimension));
            if at != to {
                let (up, down) = self.sides(dimension, at, to);
                candidates.extend(up.then(|| self.port(switch, dimension, true)));
                candidates.extend(down.then(|| self.port(switch, dimension, false)));
            }
        }
    }

    fn by_rule(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        for dimension in 0..self.dimensions.len() {
            let [at, to] = [switch, home].map(|node| grid::coordinate(&self.dimensions, node, dimension));
            if at != to {
                let above = match self.sides(dimension, at, to) {
                    (true, true) => to.is_multiple_of(2),
                    (up, _) => up,
                };
                return candidates.push(self.port(switch, dimension, above));
            }
        }
    }

    fn lanes(&self) -> u8 {
        // On a ring of four no packet uses more than two links, and of the paths with two links only every other one is
        // used: they do not form a closed cycle round the ring.
        if self.rings && self.dimensions.iter().any(|&size| size > 4) { 2 } else { 1 }
    }

    fn lane(&self, through: Through, lane: u8) -> u8 {
        let Some((dimension, above)) = self.leads_to(through.switch, through.to) else { return lane };
        if self.lanes() == 1 {
            return lane;
        }
        let came = self.leads_to(through.switch, through.from);
        let same_ring = came.is_some_and(|(before, _)| before == dimension);
        let at = grid::coordinate(&self.dimensions, through.switch, dimension);
        let last = if above { self.dimensions[dimension] - 1 } else { 0 };
        let crosses = self.dimensions[dimension] > 2 && at == last;
        if crosses || (same_ring && lane > 0) { 1 } else { 0 }
    }
}
