//! The three-stage fat tree: leaves and spines of one kind of switch, non-blocking.
//!
//! With switches of radix r there are r leaves, each with r/2 hosts and r/2 links up, and r/2 spines, each with one
//! link to every leaf: r²/2 hosts. Radix 36 gives the 648-port tree of 54 crossbars.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` …; host h is on leaf ⌊h / (r/2)⌋ |
//! | switches | `leaf0` …, then `spine0` … |
//! | ports of a leaf | r/2 hosts, then the spines in order |
//! | ports of a spine | the leaves in order |

use super::limits::{self, MAX_RADIX};
use crate::{Complaint, Graph, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Three-stage fat tree of switches with `radix` ports: radix leaves with radix/2 hosts each, radix/2 spines, one link
/// between every leaf and every spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FatTree {
    /// Ports of every switch; even. There are radix²/2 hosts: 36 gives 648.
    #[schemars(range(min = 2, max = 256))]
    pub radix: u32,
}

impl FatTree {
    /// All that does not make sense.
    pub fn check(&self) -> Vec<Complaint> {
        let radix = self.radix;
        let mut complaints = limits::at_least("radix", radix, 2);
        if radix % 2 == 1 {
            complaints.push(Complaint::new(
                "radix",
                format!("`radix` is {radix}, so a leaf cannot have as many links up as hosts"),
                format!("make it even, such as {}", radix.saturating_add(1)),
            ));
        }
        if radix > MAX_RADIX {
            complaints.push(Complaint::new(
                "radix",
                format!("`radix` is {radix}; no switch has more than {MAX_RADIX} ports here"),
                format!("make it at most {MAX_RADIX}, or take a k-ary-n-tree of more levels"),
            ));
        }
        complaints
    }

    /// Hosts of a leaf, which is also the number of its links up and of the spines.
    pub fn half(&self) -> u32 {
        self.radix / 2
    }

    /// The graph, with all links made of `wire`.
    pub fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let leaves: Vec<_> = (0..self.radix).map(|leaf| graph.add_switch(format!("leaf{leaf}"))).collect();
        let spines: Vec<_> = (0..self.half()).map(|spine| graph.add_switch(format!("spine{spine}"))).collect();
        for host in 0..self.radix * self.half() {
            let node = graph.add_host(format!("h{host}"));
            graph.connect(node, leaves[(host / self.half()) as usize], wire);
        }
        for &leaf in &leaves {
            for &spine in &spines {
                graph.connect(leaf, spine, wire);
            }
        }
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Span};

    #[test]
    fn radix_36_gives_648_hosts_on_54_switches() {
        let graph = FatTree { radix: 36 }.build(Wire { rate: Rate::from_gbps(20), delay: Span::ZERO });
        assert_eq!(graph.hosts.len(), 648);
        assert_eq!(graph.switches.iter().filter(|name| name.starts_with("leaf")).count(), 36);
        assert_eq!(graph.switches.iter().filter(|name| name.starts_with("spine")).count(), 18);
        let ports = graph.ports();
        assert!(ports.switches.iter().all(|own| own.len() == 36));
    }

    #[test]
    fn odd_tiny_and_huge_radices_are_refused() {
        for radix in [0, 1, 7, 258] {
            assert!(!FatTree { radix }.check().is_empty(), "{radix}");
        }
        for radix in [2, 36, 256] {
            assert!(FatTree { radix }.check().is_empty(), "{radix}");
        }
    }
}
