//! How many cores a run uses, and into how many parts its network is cut.

use std::collections::HashSet;

use congestree_traffic::Arrivals;
use congestree_units::Span;
use congestree_wire::HostId;

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
/// How much more may happen in a busy window than in the mean of the run: traffic comes in bursts, and the packet-hops
/// of a run are themselves an estimate.
const BUSY: f64 = 2.0;

impl Plan {
    /// Enough happens in a window for a run in parts not to be slower than a run in one part.
    pub fn bears_windows(&self) -> bool {
        self.hops_in_a_window() >= BEARABLE
    }

    /// Roughly the number of packets that cross links of the whole network in a window if all hosts send as fast as
    /// they can.
    fn hops_in_a_window(&self) -> u64 {
        self.hops_from(self.graph.hosts.len())
    }

    /// The same if only so many hosts send.
    fn hops_from(&self, senders: usize) -> u64 {
        let packet = self.fastest().time_for(self.adapter.full()).0.max(1);
        (HOPS * senders as u64).saturating_mul(self.lookahead().0) / packet
    }

    /// Roughly the number of packets that cross links in a busy window of a run of so many packet-hops: no more than
    /// from all hosts that have something to send, and, if it is known how long there is traffic, than a multiple of
    /// the mean.
    fn expected_in_a_window(&self, packet_hops: u64) -> u64 {
        let of_senders = self.hops_from(self.senders());
        match self.traffic_lasts() {
            Some(time) => {
                let mean = packet_hops as f64 * (self.lookahead().0 as f64 / time.0 as f64);
                of_senders.min((BUSY * mean) as u64)
            }
            None => of_senders,
        }
    }

    /// The number of hosts that have something to send.
    fn senders(&self) -> usize {
        let of_sources = self.sources.iter().map(|source| HostId(source.host));
        let of_jobs = self.jobs.iter().flat_map(|job| job.hosts.iter().copied());
        of_sources.chain(of_jobs).collect::<HashSet<HostId>>().len()
    }

    /// How long there is traffic. `None` if that depends on the run, because jobs or a number of messages are over when
    /// the network has carried them.
    fn traffic_lasts(&self) -> Option<Span> {
        let counted = |arrivals: &Arrivals| matches!(arrivals, Arrivals::Messages { .. } | Arrivals::Listed);
        if !self.jobs.is_empty() || self.sources.iter().any(|source| counted(&source.profile.arrivals)) {
            return None;
        }
        let first = self.sources.iter().map(|source| source.start).min()?;
        let last = self.sources.iter().map(|source| source.profile.stop.min(self.measure.duration)).max()?;
        (last > first).then(|| last.since(first))
    }
}

impl Cores {
    /// As many of the available cores as have enough to do in a run of so many packet-hops; one core if that saves
    /// memory.
    pub fn for_size(plan: &Plan, packet_hops: u64, available: usize) -> Self {
        let can = plan.obstacle_to_parts().is_none() && !plan.measure.probes.has_many_rows();
        let worth = || with_enough_to_do(plan.expected_in_a_window(packet_hops), available);
        Self { threads: if can { worth() } else { 1 }, parts: None }
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
