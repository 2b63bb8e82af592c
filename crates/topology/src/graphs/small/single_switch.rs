//! One switch with all hosts on it.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `H1` … `Hn` |
//! | switch | `S`; port i leads to the host with id i |

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology};
use crate::{Diagnostic, Graph, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One switch with all hosts on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SingleSwitch {
    /// Number of hosts, named H1, H2, ...
    #[schemars(range(min = 2))]
    pub hosts: u32,
}

impl Topology for SingleSwitch {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("hosts", self.hosts, 2);
        diagnostics.extend(limits::switch_ports("hosts", self.hosts.into()));
        diagnostics
    }

    fn size(&self) -> Size {
        Size::tree(self.hosts, 1u32)
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let switch = graph.add_switch("S");
        for number in 1..=self.hosts {
            let host = graph.add_host(format!("H{number}"));
            graph.connect(host, switch, wire);
        }
        graph
    }
}
