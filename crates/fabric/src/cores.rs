//! How many cores a run uses, and into how many parts its network is cut.

use std::collections::HashSet;

use congestree_traffic::{Arrivals, SourcePlan};
use congestree_units::{Span, Time};
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

    /// How long there is traffic, at least. `None` if that depends on the run: jobs, messages that are all made at
    /// once, and those that a caller injects are over when the network has carried them.
    fn traffic_lasts(&self) -> Option<Span> {
        if !self.jobs.is_empty() {
            return None;
        }
        let first = self.sources.iter().map(|source| source.start).min()?;
        let ends = self.sources.iter().map(least_end).collect::<Option<Vec<Time>>>()?;
        let last = ends.into_iter().max()?.min(self.measure.duration);
        (last > first).then(|| last.since(first))
    }
}

/// When the last message of a source is made, or it stops; `None` if that is not known or says nothing.
fn least_end(source: &SourcePlan) -> Option<Time> {
    let after = |span: Span| Time(source.start.0.saturating_add(span.0));
    let end = match source.profile.arrivals {
        Arrivals::Messages { every: Span::ZERO, .. } => return None,
        Arrivals::Messages { count, every, burst } => {
            after(Span(every.0.saturating_mul(count.div_ceil(burst.max(1)).saturating_sub(1))))
        }
        Arrivals::Listed => after(source.profile.list.last()?.after),
        _ => Time::NEVER,
    };
    Some(end.min(source.profile.stop))
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
    use congestree_topology::Wire;
    use congestree_topology::graphs::{Dumbbell, Topology};
    use congestree_traffic::{ListedMessage, TrafficProfile};
    use congestree_units::{Bytes, Rate};

    use super::*;
    use crate::small::star;

    #[test]
    fn threads_are_as_many_as_have_enough_to_do() {
        let of_64 = |hops| with_enough_to_do(hops, 64);
        assert_eq!([0, 999, 1_000, 1_700, 15_000, 1_000_000].map(of_64), [1, 1, 2, 3, 30, 64]);
        assert_eq!(with_enough_to_do(1_000_000, 2), 2);
    }

    /// Cores for so many packet-hops of these arrivals and listed messages, over links that are long.
    fn threads(packet_hops: u64, arrivals: Arrivals, list: &[ListedMessage]) -> usize {
        let pairs: Vec<(u32, u32)> = (0..64).map(|host| (host, (host + 1) % 64)).collect();
        let mut plan = star(64, &pairs);
        plan.graph = Dumbbell { pairs: 32, trunk_rate: None, trunk_delay: None }
            .build(Wire { rate: Rate::from_gbps(8), delay: Span::from_us(50) });
        plan.flow_control.credit_delay = None;
        plan.measure.duration = Time(1_000_000_000_000);
        for source in &mut plan.sources {
            let profile = TrafficProfile { arrivals, list: list.to_vec(), ..(*source.profile).clone() };
            source.profile = profile.into();
        }
        Cores::for_size(&plan, packet_hops, 8).threads
    }

    #[test]
    fn messages_far_apart_give_little_to_do() {
        let every = |every: Span, burst| Arrivals::Messages { count: 4_000, every, burst };
        let listed = |us: u64| ListedMessage { after: Span::from_us(us), to: 0, bytes: Bytes(1_000) };
        let hops = 4 * 64 * 4_000;
        assert_eq!(threads(hops, every(Span::from_us(200), 1), &[]), 1);
        assert_eq!(threads(hops, every(Span::from_us(200), 4_000), &[]), 8, "all come at once");
        assert_eq!(threads(hops, every(Span::ZERO, 1), &[]), 8);
        assert_eq!(threads(hops, Arrivals::Listed, &[listed(0), listed(800_000)]), 1);
        assert_eq!(threads(hops, Arrivals::Listed, &[listed(0)]), 8);
        assert_eq!(threads(hops, Arrivals::Listed, &[]), 8, "messages are injected");
    }
}
