//! How many cores a run uses, and into how many parts its network is cut.

use crate::plan::Plan;

/// How many cores a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// Threads that work on the run.
    pub threads: usize,
    /// Parts that the network is cut into. `None`: as many as threads, if windows are long enough to gain anything.
    pub parts: Option<u16>,
}

/// Packet-hops that each part should have in a window for a run in parts to be faster than a run in one part, given
/// enough cores: a window costs as much time as some hundred packet-hops, and no less with more parts.
const WORTH: u64 = 500;
/// Most parts that are made because of the number of threads alone.
const MOST_PARTS: usize = 64;
/// Packet-hops in a window from which on a run in parts is not slower.
const BEARABLE: u64 = 200;
/// Typical number of links on the way of a packet.
const HOPS: u64 = 4;

impl Plan {
    /// Enough happens in a window for a run in parts not to be slower than a run in one part.
    pub fn bears_windows(&self) -> bool {
        self.hops_in_a_window() >= BEARABLE
    }

    /// Roughly the number of packets that cross links of the whole network in a window if all hosts send as fast as
    /// they can.
    fn hops_in_a_window(&self) -> u64 {
        let packet = self.fastest().time_for(self.adapter.full()).0.max(1);
        (HOPS * self.graph.hosts.len() as u64).saturating_mul(self.lookahead().0) / packet
    }
}

impl Cores {
    /// As many of the available cores as have enough to do in a network of this size; one core if that saves memory.
    pub fn for_size(plan: &Plan) -> Self {
        let can = plan.obstacle_to_parts().is_none() && !plan.measure.probes.has_many_rows();
        let there_are = || std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: if can { with_enough_to_do(plan.hops_in_a_window(), there_are()) } else { 1 }, parts: None }
    }

    /// The number of parts that a plan is cut into.
    pub fn parts_of(&self, plan: &Plan) -> u16 {
        let gains = || self.threads > 1 && plan.bears_windows();
        let wanted = self.parts.unwrap_or_else(|| if gains() { self.threads.min(MOST_PARTS) as u16 } else { 1 });
        let parts = wanted.min(u16::try_from(plan.graph.switches.len()).unwrap_or(u16::MAX));
        if parts > 1 && plan.obstacle_to_parts().is_none() { parts } else { 1 }
    }
}

/// Out of `threads`, as many as have enough to do with `hops` packet-hops in a window.
fn with_enough_to_do(hops: u64, threads: usize) -> usize {
    threads.min(usize::try_from(hops / WORTH).unwrap_or(usize::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_as_many_as_have_enough_to_do() {
        let of_64 = |hops| with_enough_to_do(hops, 64);
        assert_eq!([0, 999, 1_000, 1_700, 15_000, 1_000_000].map(of_64), [1, 1, 2, 3, 30, 64]);
        assert_eq!(with_enough_to_do(1_000_000, 2), 2);
    }
}
