//! The k-ary n-tree: n levels of kⁿ⁻¹ switches with k links down and, below the top, k links up.
//!
//! A host's id is written in base k, with digit 0 the lowest, and so is a switch's index within its level. Host h is on
//! leaf ⌊h/k⌋. Switch w of level l is linked to the k switches of level l+1 whose index differs from w in no digit but
//! digit l; the u-th of them has u there. So the hosts below switch w of level l are those whose digits above l are the
//! digits l and above of w.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `h0` … |
//! | switches | `s0_0` … (the leaves), then `s1_0` …, up to level n-1 |
//! | ports | k down (by digit), then k up (by digit) |

use std::sync::Arc;

use crate::graphs::limits::{self, MAX_RADIX};
use crate::graphs::topology::{Size, Topology};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Node, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// k-ary n-tree: kⁿ hosts, n levels of kⁿ⁻¹ switches with k ports down and k ports up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KAryNTree {
    /// Links down, and links up, of a switch. Half of its ports.
    #[schemars(range(min = 2, max = 128))]
    pub k: u32,
    /// Number of levels of switches.
    #[schemars(range(min = 1))]
    pub n: u32,
}

impl KAryNTree {
    /// Number of hosts, kⁿ.
    pub fn hosts(&self) -> u32 {
        self.k.pow(self.n)
    }

    /// Number of switches of one level, kⁿ⁻¹.
    fn per_level(&self) -> u32 {
        self.k.pow(self.n - 1)
    }

    /// Id of the switch with this index at this level (0 = leaves).
    pub fn switch(&self, level: u32, index: u32) -> u32 {
        level * self.per_level() + index
    }

    /// Digit `place` of `number` in base k.
    pub fn digit(&self, number: u32, place: u32) -> u32 {
        number / self.k.pow(place) % self.k
    }
}

impl Topology for KAryNTree {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("k", self.k, 2);
        diagnostics.extend(limits::at_least("n", self.n, 1));
        if self.k > MAX_RADIX / 2 {
            diagnostics.push(Diagnostic::new(
                "k",
                format!("`k` is {}; a switch has 2k ports, and none has more than {MAX_RADIX} here", self.k),
                format!("make it at most {}", MAX_RADIX / 2),
            ));
        }
        if diagnostics.is_empty() {
            let k = u64::from(self.k);
            let per_level = k.checked_pow(self.n - 1);
            let switches = per_level.and_then(|count| count.checked_mul(self.n.into()));
            diagnostics.extend(limits::regular_size("n", k.checked_pow(self.n), switches));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        let (hosts, levels) = (u64::from(self.hosts()), u64::from(self.n));
        Size { hosts, switches: levels * u64::from(self.per_level()), links: levels * hosts }
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        for level in 0..self.n {
            for index in 0..self.per_level() {
                graph.add_switch(format!("s{level}_{index}"));
            }
        }
        for host in 0..self.hosts() {
            let node = graph.add_host(format!("h{host}"));
            graph.connect(node, Node::Switch(self.switch(0, host / self.k)), wire);
        }
        for level in 0..self.n - 1 {
            let place = self.k.pow(level);
            for index in 0..self.per_level() {
                let without = index - self.digit(index, level) * place;
                for up in 0..self.k {
                    let below = Node::Switch(self.switch(level, index));
                    let above = Node::Switch(self.switch(level + 1, without + up * place));
                    graph.connect(below, above, wire);
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
impl Formula for KAryNTree {
    fn home(&self, host: u32) -> (u32, u16) {
        (host / self.k, (host % self.k) as u16)
    }

    fn candidates(&self, switch: u32, home: u32, candidates: &mut Vec<u16>) {
        let (level, index) = (switch / self.per_level(), switch % self.per_level());
        // Digits of a leaf from `level` on are those of the switches above it.
        let below = self.k.pow(level);
        if home / below == index / below {
            candidates.push(self.digit(home, level - 1) as u16);
        } else {
            candidates.extend((self.k..2 * self.k).map(|port| port as u16));
        }
    }

    fn pick(&self, switch: u32, host: u32, candidates: &[u16]) -> u16 {
        match candidates {
            [down] => *down,
            up => up[self.digit(host, self.kind(switch)) as usize],
        }
    }

    /// Its level.
    fn kind(&self, switch: u32) -> u32 {
        switch / self.per_level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Span};

    fn built(k: u32, n: u32) -> Graph {
        KAryNTree { k, n }.build(Wire { rate: Rate::from_gbps(20), delay: Span::ZERO })
    }

    #[test]
    fn the_trees_of_the_papers_have_the_papers_sizes() {
        for (k, n, hosts, switches) in [(2, 3, 8, 12), (4, 3, 64, 48), (4, 4, 256, 256), (4, 5, 1024, 1280)] {
            let graph = built(k, n);
            assert_eq!((graph.hosts.len(), graph.switches.len()), (hosts, switches));
        }
    }

    #[test]
    fn every_switch_has_k_ports_down_and_below_the_top_k_up() {
        let tree = KAryNTree { k: 3, n: 3 };
        let ports = built(3, 3).ports();
        for level in 0..3 {
            for index in 0..tree.per_level() {
                let own = &ports.switches[tree.switch(level, index) as usize];
                assert_eq!(own.len(), if level == 2 { 3 } else { 6 });
            }
        }
    }

    #[test]
    fn absurd_trees_are_refused() {
        for (k, n) in [(0, 3), (1, 3), (2, 0), (200, 2), (2, 21), (100, 40), (10, 6)] {
            assert!(!KAryNTree { k, n }.check().is_empty(), "{k}-ary {n}-tree");
        }
        assert!(KAryNTree { k: 18, n: 3 }.check().is_empty());
    }
}
