//! The seven-host InfiniBand test bed: two switches and a faster link between them.
//!
//! Three hosts are on one switch, four on the other; the trunk runs at twice the rate of the host links, so that it is
//! not itself the bottleneck of two flows.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `H1` … `H3` on `S1`, `H4` … `H7` on `S2` |
//! | switches | `S1`, `S2`; the last port of each leads to the other |

use crate::graphs::topology::{Size, Topology};
use crate::{Diagnostic, Graph, Wire};
use congestree_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seven hosts on two switches: H1 to H3 on S1, H4 to H7 on S2, and a faster link between the switches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestBed {
    /// Rate of the link between the two switches. Default: twice the rate of the other links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trunk_rate: Option<Rate>,
}

impl Topology for TestBed {
    fn check(&self) -> Vec<Diagnostic> {
        match self.trunk_rate {
            Some(Rate(0)) => vec![Diagnostic::new("trunk_rate", "the trunk has no rate", "give a rate above zero")],
            _ => Vec::new(),
        }
    }

    fn size(&self) -> Size {
        Size::tree(7u32, 2u32)
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let switches = [graph.add_switch("S1"), graph.add_switch("S2")];
        for number in 1..=7 {
            let host = graph.add_host(format!("H{number}"));
            graph.connect(host, switches[usize::from(number > 3)], wire);
        }
        let rate = self.trunk_rate.unwrap_or(Rate(wire.rate.0.saturating_mul(2)));
        graph.connect(switches[0], switches[1], Wire { rate, ..wire });
        graph
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        self.trunk_rate.iter().map(|&rate| ("trunk_rate".to_owned(), rate)).collect()
    }
}
