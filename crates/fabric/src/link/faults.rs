//! Links that go down, come up, or carry less while the run goes on.
//!
//! | when | what |
//! | --- | --- |
//! | a link goes down | no port sends on it, in either direction; packets on the wire that the far end has not begun to forward (at a host: that have not arrived completely) are lost, and their room is given back when they would have arrived; frames between neighbours that are on the wire arrive, and those that become due wait until it is up |
//! | it has been down for the *head of queue lifetime* | switches drop what waits for it, and what comes after that, at once |
//! | it comes up | both ends begin with an empty wire, but a sender first ends the packet that it was sending when the link went down, lost or not; the sender knows all room that is free behind the link |
//! | its rate changes | packets that start from then on go at the new rate; the pace of a source depends on the rate at which its last packet started; one that paces in bit/s (DCQCN, say) keeps its rate, if the link allows it |
//! | a subnet manager has new tables | all switches forward by them from that instant on; packets that wait stay where they are |
//!
//! A port that is down counts as busy for ever, so that no other code has to check for it. Faults come before
//! everything else at their instant. With retry on the link (`checked/retry.rs`) the packets that were on the wire
//! are sent again when it is up.

use std::collections::HashMap;

use congestree_topology::EqualCost;
use congestree_units::{Rate, Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec, PacketId, PortId, SwitchId};

use crate::by_packet::ByPacket;
use crate::link::wiring::Wiring;
use crate::plan::{FailurePlan, Plan, TablesPlan};
use crate::switch::routes::forwarding::Forwarding;

/// What happens to a link, or to all switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// A port sends no more.
    Down { port: PortId, failure: u32 },
    /// A port that is down drops what waits for it.
    Discard { port: PortId },
    /// It sends again.
    Up { port: PortId },
    /// A port sends at another rate.
    Rate { port: PortId, rate: u16 },
    /// Packets that arrive at a port were sent at another rate.
    RateIn { port: PortId, rate: u16 },
    /// New forwarding tables take effect.
    Tables { place: usize },
}

/// What a failure has cost (packets).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Packets on the wire when the link went down, both directions.
    pub on_the_wire: u64,
    /// Packets that waited for the link and were dropped, without those of later failures of the same link.
    pub discarded: u64,
}

/// A port whose link is down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Down {
    /// Until when it would have been busy without the failure.
    pub(super) busy_until: Time,
    /// What waits for it is dropped.
    pub(super) discards: bool,
    pub(super) failure: u32,
}

/// Forwarding tables that have not taken effect yet.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) forwarding: Forwarding,
    pub(super) equal_cost: Option<EqualCost>,
    /// By switch: the connected component that it is in; empty if the network is whole.
    pub(super) components: IndexVec<SwitchId, u32>,
}

/// All failures of a network.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// In order of time.
    pub(super) acts: Vec<(Time, Act)>,
    /// The place of the next of them.
    pub(super) next: usize,
    /// By port; empty if nothing fails.
    pub(super) down: IndexVec<PortId, Option<Down>>,
    pub(super) tables: Vec<Option<Tables>>,
    /// One bit a packet: it is lost, though its arrival is still to come.
    lost: Vec<u64>,
    /// Switches that choose between paths leave out ports that are down.
    local: bool,
    /// The ports that are left to a switch (scratch space).
    left: Vec<u16>,
    /// Earlier rates of hosts' ports: port, until when, and the rate.
    pub(super) earlier: Vec<(PortId, Time, u16)>,
    /// Ports whose rate a failure changes, and their rates without it.
    built: HashMap<PortId, u16>,
    /// By failure.
    pub costs: Vec<Cost>,
    /// When a link last went down.
    went_down: Time,
    /// By flow of the plan; empty before that.
    arrivals: IndexVec<FlowId, Arrivals>,
}

/// What has come in of a flow since a link last went down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Arrivals {
    /// Some packet that left its host after that.
    since: bool,
    /// When the last packet came in; zero if none did.
    last: Time,
}

impl Faults {
    /// The failures of a plan.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let faults = &plan.faults;
        if !faults.any() {
            return Self::default();
        }
        let (switches, hosts) = (plan.graph.switches.len() as u32, plan.graph.hosts.len() as u32);
        let ports = ports_by_channel(plan);
        let slow_ports = faults.failures.iter().filter(|fault| fault.rates.is_some());
        let slow_ports = slow_ports.flat_map(|fault| [0, 1].map(|end| ports[2 * fault.link as usize + end]));
        let built = slow_ports.map(|port| (port, wiring.outs[port].rate)).collect();
        let mut acts = Vec::new();
        for (failure, fault) in faults.failures.iter().enumerate() {
            let ends = [0, 1].map(|end| ports[2 * fault.link as usize + end]);
            match fault.rates {
                Some((ab, ba)) => {
                    let link = &plan.graph.links[fault.link as usize];
                    slow(&mut acts, wiring, fault, ends[0], (ab, link.ab.rate));
                    slow(&mut acts, wiring, fault, ends[1], (ba, link.ba.rate));
                }
                None => ends.iter().for_each(|&port| {
                    cut(
                        &mut acts,
                        fault,
                        Act::Down { port, failure: failure as u32 },
                        port,
                        faults.lifetime,
                        port.0 < hosts,
                    )
                }),
            }
        }
        acts.extend(faults.tables.iter().enumerate().map(|(place, tables)| (tables.at, Act::Tables { place })));
        acts.sort_by_key(|&(at, act)| (at, matches!(act, Act::Tables { .. }), !matches!(act, Act::Up { .. })));
        let tables = |new: &TablesPlan| Tables {
            forwarding: Forwarding::new(&new.routes, switches, hosts),
            equal_cost: new.equal_cost.clone(),
            components: new.components.clone().into(),
        };
        Self {
            acts,
            down: vec![None; wiring.outs.len()].into(),
            tables: faults.tables.iter().map(|new| Some(tables(new))).collect(),
            local: faults.local,
            built,
            costs: vec![Cost::default(); faults.failures.len()],
            ..Self::default()
        }
    }

    /// The rate of a port without failures; `now` is its present one.
    pub(crate) fn built_rate(&self, port: PortId, now: u16) -> u16 {
        self.built.get(&port).copied().unwrap_or(now)
    }

    /// Nothing can be sent by a port.
    pub(crate) fn is_down(&self, port: PortId) -> bool {
        self.down.get(port).is_some_and(Option::is_some)
    }

    /// A port drops what waits for it.
    #[inline]
    pub(crate) fn discards(&self, port: PortId) -> bool {
        self.down[port].is_some_and(|down| down.discards)
    }

    /// The ports among `candidates` that are not down; all if none is left. `base`: the first port of the switch.
    pub(crate) fn left<'a>(&'a mut self, base: PortId, candidates: &'a [u16]) -> &'a [u16] {
        let dead = |port: &u16| self.down[base + u32::from(*port)].is_some();
        if !self.local || !candidates.iter().any(dead) || candidates.iter().all(dead) {
            return candidates;
        }
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend(candidates.iter().copied().filter(|port| !dead(port)));
        self.left = left;
        &self.left
    }

    /// Whether a packet was on a link that went down. Asked once for every packet that comes in.
    #[inline]
    pub(crate) fn has_lost(&mut self, id: PacketId) -> bool {
        let Some(word) = self.lost.get_mut(id.index() / 64) else { return false };
        let bit = 1 << (id.0 % 64);
        let lost = *word & bit != 0;
        *word &= !bit;
        lost
    }

    /// A packet that starts now at a port and would arrive at `at` is lost on the way, because the link goes down
    /// before.
    pub(crate) fn will_lose(&self, port: PortId, at: Time) -> bool {
        let ahead = self.acts[self.next..].iter().take_while(|&&(when, _)| when <= at);
        ahead.into_iter().any(|&(_, act)| matches!(act, Act::Down { port: down, .. } if down == port))
    }

    /// Merges what has failed in a part of a network, which owns these ports.
    pub(crate) fn take_in(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for (port, down) in part.down.with_ids().filter(|&(port, _)| owns(port)) {
            self.down[port] = *down;
        }
        for (sum, cost) in self.costs.iter_mut().zip(&part.costs) {
            sum.on_the_wire += cost.on_the_wire;
            sum.discarded += cost.discarded;
        }
        self.went_down = part.went_down;
        self.arrivals.resize(part.arrivals.len(), Arrivals::default());
        for (all, arrivals) in self.arrivals.iter_mut().zip(&part.arrivals) {
            *all = Arrivals { since: all.since || arrivals.since, last: all.last.max(arrivals.last) };
        }
    }

    /// A link goes down: from now on it is noted what comes in of each flow.
    pub(super) fn watch_arrivals(&mut self, now: Time, flows: usize) {
        self.went_down = now;
        self.arrivals = vec![Arrivals::default(); flows].into();
    }

    /// A data packet of a flow has come in.
    #[inline]
    pub(crate) fn note_arrival(&mut self, now: Time, flow: FlowId, injected: Time) {
        if let Some(arrivals) = self.arrivals.get_mut(flow) {
            *arrivals = Arrivals { since: arrivals.since || injected >= self.went_down, last: now };
        }
    }

    /// Whether a flow that would send has been silent since a link last went down: nothing has come in that left its
    /// host after that, and nothing at all in the second half of the time since.
    pub(crate) fn is_silent(&self, flow: FlowId, now: Time) -> bool {
        let Some(&Arrivals { since, last }) = self.arrivals.get(flow) else { return false };
        let half = self.went_down + Span(now.since(self.went_down).0 / 2);
        !since && last <= half
    }

    /// The rate that the link of a host had at an instant, if it has changed since.
    #[inline]
    pub(crate) fn rate_at(&self, host: HostId, at: Time) -> Option<u16> {
        self.earlier.iter().find(|&&(of, until, _)| of == host.port() && at < until).map(|&(_, _, rate)| rate)
    }

    /// The rate that the link of a host had at first, if it has changed since.
    pub(crate) fn first_rate(&self, host: HostId) -> Option<u16> {
        self.earlier.iter().find(|&&(of, ..)| of == host.port()).map(|&(.., rate)| rate)
    }

    pub(super) fn mark_lost(&mut self, id: PacketId) {
        let word = id.index() / 64;
        if self.lost.len() <= word {
            self.lost.resize(word + 1, 0);
        }
        self.lost[word] |= 1 << (id.0 % 64);
    }

    /// When something happens next.
    pub(super) fn due(&self) -> Option<Time> {
        self.acts.get(self.next).map(|&(at, _)| at)
    }
}

impl ByPacket for Faults {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        let lost = [a, b].map(|id| self.has_lost(id));
        for (id, _) in [b, a].into_iter().zip(lost).filter(|&(_, lost)| lost) {
            self.mark_lost(id);
        }
    }
}

/// By direction of each link: the port that sends.
pub(super) fn ports_by_channel(plan: &Plan) -> Vec<PortId> {
    let wired = plan.graph.ports();
    let mut ports = vec![PortId::NONE; 2 * plan.graph.links.len()];
    for (id, port) in wired.hosts.iter().chain(&wired.switches).flatten().enumerate() {
        ports[port.channel() as usize] = PortId::from_index(id);
    }
    ports
}

/// Adds the acts of a port that is down for a time.
pub(super) fn cut(
    acts: &mut Vec<(Time, Act)>,
    fault: &FailurePlan,
    down: Act,
    port: PortId,
    lifetime: Span,
    of_host: bool,
) {
    let end = fault.until.unwrap_or(Time::NEVER);
    acts.push((fault.at, down));
    let late = Time(fault.at.0.saturating_add(lifetime.0));
    if !of_host && late < end {
        acts.push((late, Act::Discard { port }));
    }
    if end != Time::NEVER {
        acts.push((end, Act::Up { port }));
    }
}

/// Adds the acts of a port that is slow for a time: `rates` then and otherwise. A packet arrives at the rate at which
/// it started.
pub(super) fn slow(
    acts: &mut Vec<(Time, Act)>,
    wiring: &Wiring,
    fault: &FailurePlan,
    port: PortId,
    rates: (Rate, Rate),
) {
    let out = &wiring.outs[port];
    let (peer, after) = (out.peer, out.head_delay);
    let index = |rate: Rate| wiring.rates.iter().position(|&known| known == rate).unwrap_or(0) as u16;
    let times = [(Some(fault.at), rates.0), (fault.until, rates.1)];
    for (at, rate) in times.into_iter().filter_map(|(at, rate)| Some((at?, index(rate)))) {
        acts.push((at, Act::Rate { port, rate }));
        acts.push((at + after, Act::RateIn { port: peer, rate }));
    }
}
