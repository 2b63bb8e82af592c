//! Which network, and which way through it.

use congestree_topology::graphs::{Chain, Custom, FatTree, KAryNTree, SingleSwitch, TestBed, TwoSwitch};
use congestree_topology::routing::Table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A topology and its size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// Two switches A and B with one link between them: the smallest network with a congestion tree and victims.
    TwoSwitch(TwoSwitch),
    /// One switch S with all hosts on it.
    SingleSwitch(SingleSwitch),
    /// Seven hosts on two switches with a link of their own rate between them.
    TestBed(TestBed),
    /// Several levels of switches with k links down and k links up each.
    KAryNTree(KAryNTree),
    /// Three-stage fat tree of switches of one radix.
    FatTree(FatTree),
    /// Switches in a row with hosts on each: the parking lot.
    Chain(Chain),
    /// Any network, written link by link.
    Graph(Custom),
}

/// How switches choose the way to a host; fixed for the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// Up by the digits of the destination, so that flows to different hosts spread evenly. For trees and fat trees.
    DModK,
    /// Fewest hops; among several shortest ways the destination decides, so that flows spread.
    ShortestPath,
    /// Written out: for each switch the name of the next node on the way to each host.
    Table(Table),
}
