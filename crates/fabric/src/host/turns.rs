//! Which flow sends next on a host's link: flows in turn, in one lane after another, or by the priorities and quanta
//! of lanes.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PacketKind};

use crate::fabric::Fabric;
use crate::host::adapter::Host;
use crate::host::flow_groups::GroupSet;
use crate::host::messages::message::Generated;
use crate::switch::round_robin::next_in_filled;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Chooses the flow that sends data next; asks sources for messages if no flow can send.
    pub(crate) fn choose_flow(&mut self, host: HostId) -> Turn {
        self.join_turns(host);
        loop {
            match self.next_by_lane(host) {
                turn @ (Turn::Flow(_) | Turn::Later(_)) => return turn,
                turn => match (self.poll(host), turn) {
                    (Generated::Message, _) => {}
                    (Generated::Later(at), Turn::Idle(sooner)) => return Turn::Later(at.min(sooner)),
                    (Generated::Later(at), turn) => {
                        if at != Time::NEVER {
                            self.wake_by(host.port(), at);
                        }
                        return turn;
                    }
                },
            }
        }
    }

    /// Whether anything waits at the host.
    pub(crate) fn has_work(&self, host: HostId) -> bool {
        if self.stages() && self.ends.injection.waits(host) {
            return true;
        }
        if self.neighbours_talk() && self.links.neighbours.waits(host.port()) {
            return true;
        }
        let state = &self.ends.hosts[host];
        !state.control.is_empty() || state.first_polled < state.end_polled || state.ready > 0
    }

    /// Which flow sends data next, among all flows or in the order of the lanes' weights.
    fn next_by_lane(&mut self, host: HostId) -> Turn {
        if self.schedules_lanes() {
            return self.next_by_schedule(host);
        }
        if !self.weighs_lanes() {
            return self.next_flow(host, None);
        }
        let Some(weights) = self.links.lane_weights.take() else { return self.next_flow(host, None) };
        let mut tried = Tried::default();
        for candidate in self.links.lane_turns[host.port()].order(&weights) {
            if let Some(flow) = tried.note(self.next_flow(host, Some(candidate.lane))) {
                let size = self.next_size(flow);
                self.links.lane_turns[host.port()].sends(candidate, size);
                break;
            }
        }
        self.links.lane_weights = Some(weights);
        self.turn_of(host, tried)
    }

    /// Which flow sends data next, by the priorities and quanta of lanes.
    fn next_by_schedule(&mut self, host: HostId) -> Turn {
        self.forget_if_idle(host.port());
        let mut tried = Tried::default();
        for place in 0.. {
            let Some(lane) = self.strict_lane(place) else { break };
            if tried.note(self.next_flow(host, Some(lane))).is_some() {
                return self.turn_of(host, tried);
            }
        }
        if self.shares_lanes() {
            self.try_shares(host, &mut tried);
        }
        self.turn_of(host, tried)
    }

    /// Tries the lanes that share what the strict ones leave.
    fn try_shares(&mut self, host: HostId, tried: &mut Tried) {
        let Some(schedule) = self.links.lane_schedule.take() else { return };
        let mut deficits = std::mem::take(&mut self.links.deficits[host.port()]);
        for place in schedule.strict.len().. {
            let Some(next) = deficits.next(&schedule, place) else { break };
            match self.next_flow(host, Some(next.lane)) {
                Turn::Flow(flow) => {
                    let size = self.next_size(flow);
                    if size <= next.most {
                        deficits.sends(next, size);
                        tried.flow = Some(flow);
                        break;
                    }
                }
                turn => {
                    tried.note(turn);
                    deficits.passes(next);
                }
            }
        }
        self.links.deficits[host.port()] = deficits;
        self.links.lane_schedule = Some(schedule);
    }

    /// What came of trying lanes one after another. A host that flow control holds in one lane is woken when a shared
    /// throttle allows a flow in another.
    fn turn_of(&mut self, host: HostId, tried: Tried) -> Turn {
        let Tried { flow, held, allowed_at } = tried;
        match (flow, held) {
            (Some(flow), _) => Turn::Flow(flow),
            (None, Some(held)) => {
                if matches!(held, Turn::Starved) && allowed_at != Time::NEVER {
                    self.wake_by(host.port(), allowed_at);
                }
                held
            }
            (None, None) => Turn::Idle(allowed_at),
        }
    }

    /// The first flow of a host at or after this place that may send, or else the first of all.
    #[inline(always)]
    pub(crate) fn next_ready(&self, host: &Host, start: usize) -> Option<usize> {
        let set = &self.ends.turns.ready[host.first_word as usize..host.end_word as usize];
        next_in_filled(set, host.filled, start)
    }

    /// Which flow sends data next, in any lane or in one.
    fn next_flow(&mut self, host: HostId, only: Option<u8>) -> Turn {
        let state = self.ends.hosts[host];
        if state.inject_at > self.now && self.has_work(host) {
            return Turn::Later(state.inject_at);
        }
        if state.ready == 0 {
            return Turn::Idle(Time::NEVER);
        }
        // It is nearly always the first one that can go.
        let last = only.map_or(state.turn, |lane| self.ends.turns.by_lane[self.at(host.port(), lane)]);
        let first = match only {
            Some(_) => self.ends.turns.groups.next(host, &state, only, &GroupSet::default(), last as usize + 1),
            None => self.next_ready(&state, last as usize + 1),
        };
        match first.map(|first| (first, self.may_go(host, self.flow_at(&state, first as u32), first))) {
            Some((first, May::Go)) => Turn::Flow(self.flow_at(&state, first as u32)),
            Some((first, not)) => self.next_of_others(host, only, first, not),
            None => Turn::Idle(Time::NEVER),
        }
    }

    /// Which flow sends next when the first one in turn cannot.
    #[inline(never)]
    fn next_of_others(&mut self, host: HostId, only: Option<u8>, first: usize, not: May) -> Turn {
        let state = self.ends.hosts[host];
        let (mut starved, mut allowed_at) = (false, Time::NEVER);
        let (mut slot, mut answer, mut passed) = (first, not, GroupSet::default());
        loop {
            let flow = self.flow_at(&state, slot as u32);
            let held_with_others = match answer {
                May::Go => return Turn::Flow(flow),
                May::Not => false,
                May::Later(at) => {
                    allowed_at = allowed_at.min(at);
                    true
                }
                May::Starve => {
                    starved = true;
                    self.none_fits(host, self.ends.flows[flow].lane)
                }
            };
            let next = if self.groups_flows() {
                if held_with_others {
                    passed.add(self.group_of(flow));
                }
                self.ends.turns.groups.next(host, &state, only, &passed, slot + 1)
            } else if held_with_others {
                break;
            } else {
                self.next_ready(&state, slot + 1)
            };
            match next {
                // Once round: those before the first come last.
                Some(next) if (next < first, next) > (slot < first, slot) => slot = next,
                _ => break,
            }
            answer = self.may_go(host, self.flow_at(&state, slot as u32), slot);
        }
        if !starved {
            return Turn::Idle(allowed_at);
        }
        if allowed_at != Time::NEVER {
            self.wake_by(host.port(), allowed_at);
        }
        self.await_credits(host);
        Turn::Starved
    }

    /// The group of a flow among those of its host.
    #[inline]
    pub(super) fn group_of(&self, flow: FlowId) -> usize {
        self.ends.turns.groups.of(self.ends.flows[flow].lane, self.ends.cold[flow].service)
    }

    /// Whether there is no room in a lane for a packet of any flow of a host. Thousands of flows may be ready, so that
    /// this is worth knowing before all are asked.
    fn none_fits(&mut self, host: HostId, lane: u8) -> bool {
        if self.stages() || self.has_queue_credits() {
            return false;
        }
        let least = self.units_of(self.ends.turns.least_packet, PacketKind::Data);
        if self.fits(host.port(), lane, HostId(0), least) {
            return false;
        }
        // The flow that was asked has set it to what it lacks, or a control packet to less.
        let place = self.at(host.port(), lane);
        let starved = &mut self.links.out_lanes[place].starved;
        *starved = u32::from(least).min(*starved);
        true
    }

    /// Whether the flow at this place of a host, which is ready, may send.
    #[inline(always)]
    fn may_go(&mut self, host: HostId, flow: FlowId, slot: usize) -> May {
        let lane = self.ends.flows[flow].lane;
        if self.control.shared_throttles {
            let next_at = self.ends.flows[self.pacer(flow)].next_at;
            if next_at > self.now {
                return May::Later(next_at);
            }
        }
        let units = self.units_of(self.next_size(flow), PacketKind::Data);
        if self.isolation_stops(host, flow, slot as u32) {
            return May::Not;
        }
        if self.stages() || self.fits(host.port(), lane, self.ends.flows[flow].target, units) {
            return May::Go;
        }
        let place = self.at(host.port(), lane);
        let state = &mut self.links.out_lanes[place];
        if state.starved == 0 || u32::from(units) < state.starved {
            state.starved = u32::from(units);
        }
        May::Starve
    }

    /// A host whose flows lack room is asked again when enough room has come back.
    fn await_credits(&mut self, host: HostId) {
        for lane in 0..self.lanes() {
            let starved = self.links.out_lanes[self.at(host.port(), lane as u8)].starved;
            if starved == 0 {
                continue;
            }
            if self.lanes() > 1 {
                self.probe.waits(self.now, host.0, lane as u8);
            }
            self.await_room(host.port(), lane as u8, starved);
        }
    }
}

/// Whether a flow that is ready may send.
#[derive(Clone, Copy)]
enum May {
    /// It may send.
    Go,
    /// Not before this instant, when a shared throttle allows it.
    Later(Time),
    /// There is no room for its packet.
    Starve,
    /// It is held for its destination.
    Not,
}

/// What was found in the lanes that a host has tried.
struct Tried {
    /// The flow that sends.
    flow: Option<FlowId>,
    /// The last lane that had a flow, but could not send.
    held: Option<Turn>,
    /// When a shared throttle allows a flow in some other lane, or never.
    allowed_at: Time,
}

impl Default for Tried {
    fn default() -> Self {
        Self { flow: None, held: None, allowed_at: Time::NEVER }
    }
}

impl Tried {
    /// Notes what was found in one more lane. Returns the flow that sends, if there is one.
    fn note(&mut self, turn: Turn) -> Option<FlowId> {
        match turn {
            Turn::Flow(flow) => self.flow = Some(flow),
            Turn::Idle(at) => self.allowed_at = self.allowed_at.min(at),
            held @ (Turn::Later(_) | Turn::Starved) => self.held = Some(held),
        }
        self.flow
    }
}

/// Which flow sends next.
pub(crate) enum Turn {
    /// This flow's.
    Flow(FlowId),
    /// None before this instant, when the host bus or the next message is ready.
    Later(Time),
    /// Flows are ready, but flow control holds them.
    Starved,
    /// No flow is ready; a shared throttle allows one at this instant, or never.
    Idle(Time),
}
