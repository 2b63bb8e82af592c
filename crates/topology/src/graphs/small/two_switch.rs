//! Two switches and one link between them: the setting of the two HP papers (HPL Fig. 1, ECN Fig. 1).
//!
//! Local and remote sources congest the output of `B` to `B_C`; the victim flow from `A_V` to `B_V` shares only the
//! link between the switches with them.
//!
//! | what | order |
//! |------|-------|
//! | hosts | `B_1` … `B_L`, `A_1` … `A_R`, `A_V`, `B_C`, `B_V` |
//! | switches | `A`, `B`; the last port of each leads to the other |
//! | groups | `local` = `B_1` … `B_L`, `remote` = `A_1` … `A_R` |

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology};
use crate::{Diagnostic, Graph, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two switches A and B with one link between them; local sources, the congested host and the victim's destination
/// are on B, remote sources and the victim's source on A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoSwitch {
    /// Number of local sources, on the switch of the congested host (L): B_1, B_2, ...
    pub local: u32,
    /// Number of remote sources, one switch further away (R): A_1, A_2, ...
    pub remote: u32,
}

impl Topology for TwoSwitch {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if self.local == 0 && self.remote == 0 {
            diagnostics.push(Diagnostic::new(
                "local",
                "there are neither local nor remote sources",
                "make `local` or `remote` at least 1",
            ));
        }
        diagnostics.extend(limits::switch_ports("local", u64::from(self.local) + 3));
        diagnostics.extend(limits::switch_ports("remote", u64::from(self.remote) + 2));
        diagnostics
    }

    fn size(&self) -> Size {
        Size::tree(self.local + self.remote + 3, 2u32)
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let a = graph.add_switch("A");
        let b = graph.add_switch("B");
        let on_b = (1..=self.local).map(|number| (format!("B_{number}"), b));
        let on_a = (1..=self.remote).map(|number| (format!("A_{number}"), a));
        let others = [("A_V".to_owned(), a), ("B_C".to_owned(), b), ("B_V".to_owned(), b)];
        for (name, switch) in on_b.chain(on_a).chain(others) {
            let host = graph.add_host(name);
            graph.connect(host, switch, wire);
        }
        graph.connect(a, b, wire);
        graph.groups = vec![
            ("local".to_owned(), (0..self.local).collect()),
            ("remote".to_owned(), (self.local..self.local + self.remote).collect()),
        ];
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Span};

    #[test]
    fn hosts_stand_in_the_order_of_the_papers_figure() {
        let graph = TwoSwitch { local: 2, remote: 3 }.build(Wire { rate: Rate::from_gbps(8), delay: Span::ZERO });
        assert_eq!(graph.hosts, ["B_1", "B_2", "A_1", "A_2", "A_3", "A_V", "B_C", "B_V"]);
        assert_eq!(graph.switches, ["A", "B"]);
        assert_eq!(graph.groups[0], ("local".to_owned(), vec![0, 1]));
        assert_eq!(graph.groups[1], ("remote".to_owned(), vec![2, 3, 4]));
        assert_eq!(graph.links.len(), 9);
    }
}
