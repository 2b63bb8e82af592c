//! Switches in a row with hosts on each: the parking lot.
//!
//! Flows from far away merge again and again with flows from nearer hosts, which makes unfairness visible.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `S1_1` … `S1_m`, `S2_1` … |
//! | switches | `S1` … `Sn`; ports: hosts, then the switch before, then the switch after |

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology};
use crate::{Diagnostic, Graph, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Switches in a row, each with as many hosts ("parking lot").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Number of switches in the row: S1, S2, ...
    #[schemars(range(min = 1))]
    pub switches: u32,
    /// Number of hosts on each switch; those of S1 are S1_1, S1_2, ...
    #[schemars(range(min = 1))]
    pub hosts_per_switch: u32,
}

impl Topology for Chain {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("switches", self.switches, 1);
        let least = if self.switches == 1 { 2 } else { 1 };
        diagnostics.extend(limits::at_least("hosts_per_switch", self.hosts_per_switch, least));
        diagnostics.extend(limits::switch_ports("hosts_per_switch", u64::from(self.hosts_per_switch) + 2));
        let hosts = u64::from(self.switches) * u64::from(self.hosts_per_switch);
        diagnostics.extend(limits::size("switches", Some(hosts), Some(self.switches.into())));
        diagnostics
    }

    fn size(&self) -> Size {
        Size::tree(self.switches * self.hosts_per_switch, self.switches)
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let switches: Vec<_> = (1..=self.switches).map(|number| graph.add_switch(format!("S{number}"))).collect();
        for (position, &switch) in switches.iter().enumerate() {
            for number in 1..=self.hosts_per_switch {
                let host = graph.add_host(format!("S{}_{number}", position + 1));
                graph.connect(host, switch, wire);
            }
        }
        for pair in switches.windows(2) {
            graph.connect(pair[0], pair[1], wire);
        }
        graph
    }
}
