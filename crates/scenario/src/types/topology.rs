//! Which network, and which way through it.

use congestree_topology::graphs::{Chain, Custom, Dumbbell, FatTree, KAryNTree, SingleSwitch, TestBed, TwoSwitch};
use congestree_topology::routing::{PortLists, Table};
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
    /// Senders on one switch, receivers on another, and one link that all share.
    Dumbbell(Dumbbell),
    /// Several levels of switches with k links down and k links up each.
    KAryNTree(KAryNTree),
    /// Three-stage fat tree of switches of one radix.
    FatTree(FatTree),
    /// Switches in a row with hosts on each: the parking lot.
    Chain(Chain),
    /// Any network, written link by link.
    Graph(Custom),
    /// What the topology file of this name says, relative to the folder of the scenario: its `topology`, and its
    /// `routing` unless the scenario has one itself.
    File(String),
}

/// How switches choose the way to a host; fixed for the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// Up by the digits of the destination, so that flows to different hosts spread evenly. For trees and fat trees,
    /// and for a graph whose switches form levels.
    DModK,
    /// Fewest hops; among several shortest ways the destination decides, so that flows spread.
    ShortestPath,
    /// Written out: for each switch the name of the next node on the way to each host, or the number of the port.
    Table(Table),
    /// Forwarding tables: for each switch a list with one port number for each host, in the order of the hosts; 0 goes
    /// the shortest way.
    Ports(PortLists),
}
