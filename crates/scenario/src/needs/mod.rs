//! The resources of a run: memory and time, estimated before anything large is built.
//!
//! A scenario of a few lines can require more memory than any machine has (a flow between each pair of 20,000 hosts, a
//! sample every picosecond), and the operating system would kill the process without a message. So the size of
//! everything is estimated before it is built, and a scenario beyond the limit gets a diagnostic with the memory that
//! it would need. The numbers of bytes are those of the tables of the fabric, rounded up; `tests/python/test_needs.py`
//! compares the estimate with the memory of real runs.

pub(crate) mod memory;
mod work;

use congestree_fabric::plan::Plan;
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Diagnostics, binary};

/// What to do about the limit, by the name that it has for the reader.
pub(crate) const RAISE_THE_LIMIT: &str = "raise the limit on a machine that has more \
    (--limit-memory of the command, limit_memory in Python, memory in C)";

/// The resources that a run takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunNeeds {
    /// Peak memory (B), for all uses and the process itself, if the network is in one part.
    pub memory: u64,
    /// Memory of each additional part of the network (B), at most: it has the tables of flows, ports and queues of the
    /// whole.
    pub per_part: u64,
    /// Memory by use (B): network, flows, queues, packets, tables, programs.
    pub parts: memory::MemoryByUse,
    /// Data packets that cross a link, counted once per link.
    pub packet_hops: u64,
    /// Time on one core of the machine of the published speed (s). Only the order of magnitude is meaningful.
    pub seconds: f64,
}

impl RunNeeds {
    /// The needs of a plan whose lists of messages have this many written rows.
    pub fn of(plan: &Plan, rows: u64) -> Self {
        let work = work::Work::of(plan);
        let mut parts = memory::MemoryByUse::of(plan, work.packet_hops, work.backlog);
        let per_part = memory::PART.saturating_add(parts.flows).saturating_add(parts.queues);
        let seconds = work::seconds(plan, &work, &parts, rows);
        // Documents exist once, however many parts there are.
        parts.flows = parts.flows.saturating_add(memory::WRITTEN.saturating_mul(rows));
        Self { memory: parts.total(), per_part, parts, packet_hops: work.packet_hops, seconds }
    }

    /// The largest number of parts of the network that fit into this memory (B); one, if not even one fits.
    pub fn parts_within(&self, limit: u64) -> u64 {
        1 + limit.saturating_sub(self.memory) / self.per_part
    }

    /// Reports the scenario of this name if a run in this many parts of the network takes more memory (B) than allowed.
    pub fn fit_in_parts(&self, parts: u64, limit: u64, name: &str) -> Result<(), Diagnostics> {
        let most = self.parts_within(limit);
        if parts <= most {
            return Ok(());
        }
        let memory = self.memory.saturating_add(self.per_part.saturating_mul(parts - 1));
        let (memory, limit) = (binary(memory), binary(limit));
        let diagnostic = Diagnostic {
            file: None,
            path: "run.threads".to_owned(),
            line: None,
            column: None,
            fact: format!("a run in {parts} parts would take about {memory} of memory, and the limit is {limit}"),
            remedy: format!("use at most {most} of these threads, or {RAISE_THE_LIMIT}"),
        };
        Err(Diagnostics { name: name.to_owned(), list: vec![diagnostic] })
    }
}
