//! The dumbbell: senders on one switch, receivers on another, and one shared link between them (EFL Fig. 5).
//!
//! | what | order |
//! |------|-------|
//! | hosts | `S_1` … `S_n` on `A`, then `R_1` … `R_n` on `B`; groups `senders` and `receivers` |
//! | switches | `A`, `B`; the last port of each leads to the other |
//!
//! With `pattern.shift.by = n`, sender k sends to receiver k.

use crate::{Diagnostic, Graph, Wire};
use congestree_units::{Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology};

/// Senders on one switch, receivers on another, and one link between them that all share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dumbbell {
    /// Number of senders, and of receivers: S_1, S_2, ... on switch A and R_1, R_2, ... on switch B.
    pub pairs: u32,
    /// Rate of the link between the two switches. Default: that of the other links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trunk_rate: Option<Rate>,
    /// Propagation delay of the link between the two switches. Default: that of the other links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trunk_delay: Option<Span>,
}

impl Topology for Dumbbell {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = limits::at_least("pairs", self.pairs, 1);
        diagnostics.extend(limits::switch_ports("pairs", u64::from(self.pairs) + 1));
        if self.trunk_rate == Some(Rate(0)) {
            diagnostics.push(Diagnostic::new("trunk_rate", "the trunk has no rate", "give a rate above zero"));
        }
        diagnostics
    }

    fn size(&self) -> Size {
        Size::tree(2 * self.pairs, 2u32)
    }

    fn build(&self, wire: Wire) -> Graph {
        let mut graph = Graph::default();
        let switches = [graph.add_switch("A"), graph.add_switch("B")];
        for (name, switch) in [("S", switches[0]), ("R", switches[1])] {
            for number in 1..=self.pairs {
                let host = graph.add_host(format!("{name}_{number}"));
                graph.connect(host, switch, wire);
            }
        }
        let (rate, delay) = (self.trunk_rate.unwrap_or(wire.rate), self.trunk_delay.unwrap_or(wire.delay));
        graph.connect(switches[0], switches[1], Wire { rate, delay });
        graph.groups = vec![
            ("senders".to_owned(), (0..self.pairs).collect()),
            ("receivers".to_owned(), (self.pairs..2 * self.pairs).collect()),
        ];
        graph
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        self.trunk_rate.iter().map(|&rate| ("trunk_rate".to_owned(), rate)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sender_k_is_as_many_hosts_before_receiver_k_as_there_are_pairs() {
        let dumbbell = Dumbbell { pairs: 3, trunk_rate: None, trunk_delay: Some(Span::from_us(48)) };
        let wire = Wire { rate: Rate::from_gbps(10), delay: Span::from_us(1) };
        let graph = dumbbell.build(wire);
        assert_eq!(graph.hosts, ["S_1", "S_2", "S_3", "R_1", "R_2", "R_3"]);
        assert_eq!(graph.groups[1], ("receivers".to_owned(), vec![3, 4, 5]));
        assert_eq!(graph.links.last().map(|link| link.ab), Some(Wire { delay: Span::from_us(48), ..wire }));
        assert!(Dumbbell { pairs: 0, ..dumbbell }.check().len() == 1);
    }
}
