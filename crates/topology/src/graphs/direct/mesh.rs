//! The mesh: a grid of switches whose rows are open at their ends.
//!
//! Hosts, switches and ports are those of the [torus](crate::graphs::Torus) without the links that close its rings.
//! Packets cross dimension after dimension, so no cycle of waits is possible (Dally and Seitz 1987).

use std::sync::Arc;

use crate::graphs::direct::torus::Rows;
use crate::graphs::topology::{Size, Topology, one};
use crate::routing::Formula;
use crate::{Diagnostic, Graph, Wire};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A grid of switches whose rows are open at their ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Switches in each dimension, such as [8, 8].
    #[schemars(length(min = 1, max = 16))]
    pub dimensions: Vec<u32>,
    /// Hosts on each switch. Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub hosts_per_switch: u32,
}

impl Mesh {
    fn rows(&self) -> Rows {
        Rows { dimensions: self.dimensions.clone(), hosts_per_switch: self.hosts_per_switch, rings: false }
    }
}

impl Topology for Mesh {
    fn check(&self) -> Vec<Diagnostic> {
        self.rows().check()
    }

    fn size(&self) -> Size {
        self.rows().size()
    }

    fn build(&self, wire: Wire) -> Graph {
        self.rows().build(wire)
    }

    fn formula(&self) -> Option<Arc<dyn Formula>> {
        Some(Arc::new(self.rows()))
    }
}
