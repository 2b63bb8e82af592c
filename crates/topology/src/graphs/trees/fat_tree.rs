//! The non-blocking fat tree of equal switches: two layers (leaves and spines) or three (edge, aggregation, core).
//!
//! With switches of radix r and L layers there are 2 (r/2)^L hosts. Two layers: r leaves, each with r/2 hosts and r/2
//! links up, and r/2 spines, each with one link to every leaf; radix 36 gives the 648-port tree of 54 crossbars. Three
//! layers: r pods, each with r/2 edge and r/2 aggregation switches linked to each other, and (r/2)² core switches, each
//! with one link to every pod; radix 12 gives 432 hosts on 180 switches (Al-Fares, Loukissas, Vahdat 2008).
//!
//! | what | two layers | three layers |
//! |------|------------|--------------|
//! | hosts | `h0` …; host h is on leaf ⌊h / (r/2)⌋ | likewise on an edge switch |
//! | switches | `leaf0` …, then `spine0` … | `edge0_0` … (pod, number), then `agg0_0` …, then `core0` … |
//! | ports at the bottom | r/2 hosts, then the spines in order | r/2 hosts, then the aggregation switches of the pod |
//! | ports in the middle | | the edge switches of the pod, then cores: of aggregation switch a, a (r/2) … |
//! | ports at the top | the leaves in order | the pods in order |

use std::sync::Arc;

use crate::graphs::limits::{self, MAX_RADIX};
use crate::graphs::topology::{Size, Topology};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Fat tree of switches with `radix` ports, in two layers or three. Two: radix leaves with radix/2 hosts each, radix/2
/// spines, one link between every leaf and every spine. Three: radix pods of radix/2 edge and radix/2 aggregation
/// switches, and (radix/2)² core switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FatTree {
    /// Ports of every switch; even. In two layers there are radix²/2 hosts: 36 gives 648; in three radix³/4: 12 gives 432.
    #[schemars(range(min = 2, max = 256))]
    pub radix: u32,
    /// Layers of switches: 2 or 3.
    #[serde(default = "two")]
    #[schemars(range(min = 2, max = 3))]
    pub layers: u32,
}

fn two() -> u32 {
    2
}

impl FatTree {
    /// The tree of two layers.
    pub fn new(radix: u32) -> Self {
        Self { radix, layers: 2 }
    }

    /// Hosts of a leaf, which is also the number of its links up.
    pub fn half(&self) -> u32 {
        self.radix / 2
    }

    /// Number of hosts.
    pub fn hosts(&self) -> u32 {
        2 * self.half().pow(self.layers)
    }

    /// Number of switches with hosts.
    pub fn leaves(&self) -> u32 {
        2 * self.half().pow(self.layers - 1)
    }

    /// Number of all switches.
    pub fn switches(&self) -> u32 {
        self.leaves() * (self.layers - 1) + self.leaves() / 2
    }
}

impl Topology for FatTree {
    fn check(&self) -> Vec<Diagnostic> {
        let radix = self.radix;
        let mut diagnostics = limits::at_least("radix", radix, 2);
        if radix % 2 == 1 {
            diagnostics.push(Diagnostic::new(
                "radix",
                format!("`radix` is {radix}, so a leaf cannot have as many links up as hosts"),
                format!("make it even, such as {}", radix.saturating_add(1)),
            ));
        }
        if radix > MAX_RADIX {
            diagnostics.push(Diagnostic::new(
                "radix",
                format!("`radix` is {radix}; no switch has more than {MAX_RADIX} ports here"),
                format!("make it at most {MAX_RADIX}, or take a k-ary-n-tree of more levels"),
            ));
        }
        if !(2..=3).contains(&self.layers) {
            diagnostics.push(Diagnostic::new(
                "layers",
                format!("`layers` is {}", self.layers),
                "make it 2 or 3, or take a k-ary-n-tree of more levels",
            ));
        }
        if diagnostics.is_empty() {
            diagnostics.extend(limits::regular_size("radix", Some(self.hosts().into()), Some(self.switches().into())));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let (hosts, layers) = (u64::from(self.hosts()), u64::from(self.layers));
        Size { hosts, switches: self.switches().into(), links: layers * hosts }
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let half = self.half();
        if self.layers == 2 {
            for leaf in 0..self.leaves() {
                graph.add_switch(format!("leaf{leaf}"));
            }
            for spine in 0..half {
                graph.add_switch(format!("spine{spine}"));
            }
        } else {
            for kind in ["edge", "agg"] {
                for index in 0..self.leaves() {
                    graph.add_switch(format!("{kind}{}_{}", index / half, index % half));
                }
            }
            for core in 0..half * half {
                graph.add_switch(format!("core{core}"));
            }
        }
        for host in 0..self.hosts() {
            let node = graph.add_host(format!("h{host}"));
            graph.connect(node, Node::Switch(host / half), wire);
        }
        let leaves = self.leaves();
        for leaf in 0..leaves {
            let first = if self.layers == 2 { leaves } else { leaves + leaf / half * half };
            for up in 0..half {
                graph.connect(Node::Switch(leaf), Node::Switch(first + up), wire);
            }
        }
        if self.layers == 3 {
            for aggregation in 0..leaves {
                for up in 0..half {
                    let core = 2 * leaves + aggregation % half * half + up;
                    graph.connect(Node::Switch(leaves + aggregation), Node::Switch(core), wire);
                }
            }
        }
        graph
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(*self))
    }

    fn is_d_mod_k(&self) -> bool {
        true
    }
}

/// D-mod-K: the digit of the destination chooses the link up, so that a link down carries the traffic of one host only.
impl Formula for FatTree {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.half(), (host % self.half()) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let (half, leaves) = (self.half(), self.leaves());
        let up = half..self.radix;
        let ports = match (self.layers, switch / leaves) {
            (_, 0) => up,
            (2, _) => home..home + 1,
            (_, 1) if (switch - leaves) / half == home / half => home % half..home % half + 1,
            (_, 1) => up,
            _ => home / half..home / half + 1,
        };
        candidates.extend(ports.map(|port| port as u16));
    }

    fn pick(&self, switch: u32, host: u32, candidates: &[u16]) -> u16 {
        match candidates {
            [only] => *only,
            up if self.kind(switch) == 0 => up[(host % self.half()) as usize],
            up => up[(host / self.half() % self.half()) as usize],
        }
    }

    /// Leaves, and all others.
    fn kind(&self, switch: u32) -> u32 {
        u32::from(switch >= self.leaves())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Span};

    const WIRE: Wire = Wire { rate: Rate::from_gbps(20), delay: Span::ZERO };

    #[test]
    fn radix_36_gives_648_hosts_on_54_switches() {
        let graph = FatTree::new(36).build(WIRE);
        assert_eq!(graph.hosts.len(), 648);
        assert_eq!(graph.switches.iter().filter(|name| name.starts_with("leaf")).count(), 36);
        assert_eq!(graph.switches.iter().filter(|name| name.starts_with("spine")).count(), 18);
        let ports = graph.ports();
        assert!(ports.switches.iter().all(|own| own.len() == 36));
    }

    #[test]
    fn radix_12_in_three_layers_gives_432_hosts_on_180_switches() {
        let tree = FatTree { radix: 12, layers: 3 };
        let graph = tree.build(WIRE);
        assert_eq!((graph.hosts.len(), graph.switches.len()), (432, 180));
        assert_eq!((tree.hosts(), tree.switches()), (432, 180));
        let of = |kind: &str| graph.switches.iter().filter(|name| name.starts_with(kind)).count();
        assert_eq!([of("edge"), of("agg"), of("core")], [72, 72, 36]);
        let ports = graph.ports();
        assert!(ports.switches.iter().all(|own| own.len() == 12));
    }

    #[test]
    fn odd_tiny_and_huge_radices_are_refused() {
        for radix in [0, 1, 7, 258] {
            assert!(!FatTree::new(radix).check().is_empty(), "{radix}");
        }
        for radix in [2, 36, 256] {
            assert!(FatTree::new(radix).check().is_empty(), "{radix}");
        }
        for (radix, layers) in [(12, 1), (12, 4), (256, 3)] {
            assert!(!FatTree { radix, layers }.check().is_empty(), "{radix} {layers}");
        }
    }
}
