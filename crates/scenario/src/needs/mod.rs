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

use crate::complaint::{Complaint, Complaints, binary};

/// What a run takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunNeeds {
    /// Memory at its peak (B), all parts together and what every process takes, in one part of the network.
    pub memory: u64,
    /// What each part of the network more takes (B), at most: it has the tables of flows, ports and queues of the whole.
    pub per_part: u64,
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
        let per_part = memory::PART.saturating_add(parts.flows).saturating_add(parts.queues);
        Self { memory, per_part, parts, packet_hops, seconds: work::seconds(plan, packet_hops, memory) }
    }

    /// Most parts of the network that fit into so much memory (B); one, if not even that does.
    pub fn parts_within(&self, limit: u64) -> u64 {
        1 + limit.saturating_sub(self.memory) / self.per_part
    }

    /// Complains, of the scenario of this name, if a run in so many parts of the network takes more memory (B) than it may.
    pub fn fit_in_parts(&self, parts: u64, limit: u64, name: &str) -> Result<(), Complaints> {
        let most = self.parts_within(limit);
        if parts <= most {
            return Ok(());
        }
        let memory = self.memory.saturating_add(self.per_part.saturating_mul(parts - 1));
        let (memory, limit) = (binary(memory), binary(limit));
        let complaint = Complaint {
            file: None,
            path: "run.threads".to_owned(),
            line: None,
            column: None,
            fact: format!("a run in {parts} parts would take about {memory} of memory, and the limit is {limit}"),
            remedy: format!(
                "use at most {most} of these threads, or raise the limit with --limit-memory on a machine that has more"
            ),
        };
        Err(Complaints { name: name.to_owned(), list: vec![complaint] })
    }
}
