//! Links that fail during a run, and how routes adapt.

use congestree_topology::{EqualCost, Routes};
use congestree_units::{Rate, Span, Time};
use congestree_wire::HostId;

/// What fails, and how the network reacts.
#[derive(Clone, Debug, Default)]
pub struct FaultsPlan {
    /// There are failures, if only of a share of zero of the links: tables and their columns tell of them.
    pub given: bool,
    /// Failures of links, each with its times; no two failures of the same link overlap.
    pub failures: Vec<FailurePlan>,
    /// Switches that choose their paths leave out those over links that are down.
    pub local: bool,
    /// New tables, in the order of time.
    pub tables: Vec<TablesPlan>,
    /// Switches drop what waits for a link once it has been down for this long, and what arrives for it later.
    pub lifetime: Span,
}

/// A link that fails.
#[derive(Clone, Debug, PartialEq)]
pub struct FailurePlan {
    /// Its place in the graph.
    pub link: u32,
    /// From when on.
    pub at: Time,
    /// Until when; `None`: to the end of the run.
    pub until: Option<Time>,
    /// Its rates in the meantime, from `a` to `b` and back; `None`: it is down.
    pub rates: Option<(Rate, Rate)>,
    /// Hosts that it cuts off from the largest part of the network, without those that are cut off already; ids.
    pub cut_off: Vec<HostId>,
}

/// Tables that a subnet manager loads into all switches at an instant.
#[derive(Clone, Debug)]
pub struct TablesPlan {
    /// When.
    pub at: Time,
    /// For each switch, the next link to every host.
    pub routes: Routes,
    /// All shortest paths, if switches choose.
    pub equal_cost: Option<EqualCost>,
    /// By switch: the connected component of the network that it is in. Empty: it can reach all others.
    pub components: Vec<u32>,
}

impl FaultsPlan {
    /// Something fails during the run, or could with a larger share.
    pub fn any(&self) -> bool {
        self.given || !self.failures.is_empty()
    }

    /// Packets of a flow may take different paths one after the other.
    pub fn reroutes(&self) -> bool {
        self.local || !self.tables.is_empty()
    }
}
