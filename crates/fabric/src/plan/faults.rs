//! Links that fail in a run, and how routes follow.

use congestree_topology::{EqualCost, Routes};
use congestree_units::{Rate, Span, Time};
use congestree_wire::HostId;

/// What fails, and what is done about it.
#[derive(Clone, Debug, Default)]
pub struct FaultsPlan {
    /// Links, each for some time; no two of the same link at a time.
    pub failures: Vec<FailurePlan>,
    /// Switches that choose leave out ways over links that are down.
    pub local: bool,
    /// New tables, in order of time.
    pub tables: Vec<TablesPlan>,
    /// Switches drop what waits for a link that has been down for so long, and what comes after it.
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
    /// Hosts that nobody else can reach while it lasts, or from when on it does; ids.
    pub cut_off: Vec<HostId>,
}

/// Tables that a subnet manager puts into all switches at an instant.
#[derive(Clone, Debug)]
pub struct TablesPlan {
    /// When.
    pub at: Time,
    /// For each switch, the next link to every host.
    pub routes: Routes,
    /// All shortest ways, if switches choose.
    pub ways: Option<EqualCost>,
}

impl FaultsPlan {
    /// Something fails at all.
    pub fn any(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Packets of a flow may take one way after another.
    pub fn reroutes(&self) -> bool {
        self.local || !self.tables.is_empty()
    }
}
