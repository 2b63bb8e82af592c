//! What a run takes of the machine: memory and time, estimated before anything large is built.
//!
//! A scenario of a few lines can ask for more than any machine has (a flow between each pair of 20,000 hosts, a look every
//! picosecond), and the operating system would end the process without a word. So what is about to be built is estimated
//! first, and a scenario beyond the limit gets a complaint with what it would need. The numbers of bytes are those of the
//! tables of the fabric, rounded up; `tests/python/test_needs.py` holds the estimate against what runs have taken.

pub mod memory;
mod work;

use congestree_fabric::plan::Plan;
use serde::Serialize;

/// What a run takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunNeeds {
    /// Memory at its peak (B), all parts together and what every process takes.
    pub memory: u64,
    /// The parts of it (B): network, flows, queues, packets, tables, programs.
    pub parts: memory::MemoryByUse,
    /// Data packets that cross a link, counted once a link.
    pub packet_hops: u64,
    /// Time on one core of the machine of the published speed (s). The order of magnitude is meant.
    pub seconds: f64,
}

impl RunNeeds {
    /// The needs of a plan.
    pub fn of(plan: &Plan) -> Self {
        let parts = memory::MemoryByUse::of(plan);
        let memory = parts.total();
        let packet_hops = work::packet_hops(plan);
        Self { memory, parts, packet_hops, seconds: work::seconds(plan, packet_hops, memory) }
    }
}
