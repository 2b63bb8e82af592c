//! A host's attachment: flows take turns at the link, control packets go first, and what arrives is counted, drained,
//! and answered with an ACK or a notification.

use congestree_kernel::Agenda;
use congestree_probes::{Delivery, Probe};
use congestree_schemes::ReactionPoint;
use congestree_schemes::react::{Feedback, Sent};
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{Kind, Packet, PacketId};

use crate::arbiter::cyclic;
use crate::event::Event;
use crate::fabric::{Fabric, scramble};
use crate::flow::{NONE, Supply, Window};
use crate::outcome::Stop;
use crate::queue::List;
use crate::shape::Shape;
use crate::sources::Generated;

/// A host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host {
    /// Control packets (ACKs, CNPs) that wait to be sent.
    pub control: List,
    /// Its flows, in `host_flows`.
    pub first_flow: u32,
    /// Its words in `ready`.
    pub first_word: u32,
    /// The end of them.
    pub end_word: u32,
    /// How many of them are set.
    pub ready: u32,
    /// The flow that sent last, by its place among the flows of the host.
    pub turn: u32,
    /// Its steady sources, in `generators`, that make a message when nothing else can be sent.
    pub first_generator: u32,
    /// The end of them.
    pub end_generator: u32,
    /// The host bus allows the next data packet from here on.
    pub inject_at: Time,
    /// What was received so far has been drained by here.
    pub drained_at: Time,
}

/// A congestion notification packet in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cnp {
    /// Bytes on the wire.
    pub size: u32,
    /// Its lane; that of the data if absent.
    pub lane: Option<u8>,
    /// At most one for each flow in so long.
    pub interval: Span,
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// The host may send: a control packet if there is one, otherwise the next flow in turn that can.
    pub(crate) fn inject(&mut self, host: u32) {
        let out = &self.outs[host as usize];
        if out.busy_until > self.now {
            let busy_until = out.busy_until;
            if self.has_work(host) {
                self.wake_by(host, busy_until);
            }
            return;
        }
        if self.neighbours_talk() && self.send_frame(host) {
            return;
        }
        for lane in 0..self.lanes() {
            let place = self.at(host, lane as u8);
            let state = &mut self.out_lanes[place];
            state.starved = 0;
            self.notes.settle(state, self.now);
            if self.elaborate() {
                self.settle_rooms(host, lane as u8);
            }
        }
        let mut blocked = false;
        let head = self.hosts[host as usize].control.head;
        if head != PacketId::NONE {
            let (lane, units, to) = (self.packets[head].lane, self.packets[head].units, self.packets[head].destination);
            if self.fits(host, lane, to, units) {
                self.hosts[host as usize].control.pop(&self.packets);
                let until = self.transmit(host, head);
                if self.has_work(host) {
                    self.wake_by(host, until);
                }
                return;
            }
            self.starve(host, lane, units);
            blocked = true;
        }
        if self.stages() {
            return self.inject_from_memory(host, blocked);
        }
        match self.whose_turn(host) {
            Turn::Flow(flow) => self.send_data(host, flow),
            Turn::Idle(_) => {}
            Turn::Starved => self.note_blocked(host),
            Turn::Later(at) => {
                if at != Time::NEVER {
                    self.wake_by(host, at);
                }
                if blocked { self.note_blocked(host) } else { self.note_unblocked(host) }
            }
        }
    }

    /// Whose turn it is to send data, after asking sources for messages if nobody can.
    pub(crate) fn whose_turn(&mut self, host: u32) -> Turn {
        loop {
            match self.next_by_lane(host) {
                turn @ (Turn::Flow(_) | Turn::Later(_)) => return turn,
                turn => match (self.generate(host), turn) {
                    (Generated::Message, _) => {}
                    (Generated::Later(at), Turn::Idle(sooner)) => return Turn::Later(at.min(sooner)),
                    (Generated::Later(at), turn) => {
                        if at != Time::NEVER {
                            self.wake_by(host, at);
                        }
                        return turn;
                    }
                },
            }
        }
    }

    /// Something waits at the host.
    pub(crate) fn has_work(&self, host: u32) -> bool {
        if self.stages() && self.injection.waits(host) {
            return true;
        }
        if self.neighbours_talk() && self.neighbours.waits(host) {
            return true;
        }
        let state = &self.hosts[host as usize];
        !state.control.is_empty() || state.first_generator < state.end_generator || state.ready > 0
    }

    /// Whose turn it is to send data, among all flows or in the order of the lanes' weights.
    fn next_by_lane(&mut self, host: u32) -> Turn {
        if self.schedules_lanes() {
            return self.next_by_schedule(host);
        }
        let Some(weights) = self.lane_weights.take() else { return self.next_flow(host, None) };
        let mut turn = None;
        let mut allowed_at = Time::NEVER;
        for candidate in self.lane_turns[host as usize].order(&weights) {
            match self.next_flow(host, Some(candidate.lane)) {
                Turn::Flow(flow) => {
                    let size = self.next_size(flow);
                    self.lane_turns[host as usize].sends(candidate, size);
                    turn = Some(Turn::Flow(flow));
                    break;
                }
                Turn::Idle(at) => allowed_at = allowed_at.min(at),
                other => turn = Some(other),
            }
        }
        self.lane_weights = Some(weights);
        if matches!(turn, Some(Turn::Starved)) && allowed_at != Time::NEVER {
            self.wake_by(host, allowed_at);
        }
        turn.unwrap_or(Turn::Idle(allowed_at))
    }

    /// Whose turn it is to send data, by the priorities and quanta of lanes.
    fn next_by_schedule(&mut self, host: u32) -> Turn {
        let Some(schedule) = self.lane_schedule.take() else { return self.next_flow(host, None) };
        let mut deficits = std::mem::take(&mut self.deficits[host as usize]);
        if self.outs[host as usize].busy_until < self.now {
            deficits.forget();
        }
        let mut turn = None;
        let mut allowed_at = Time::NEVER;
        for tried in 0.. {
            let Some(next) = deficits.next(&schedule, tried) else { break };
            match self.next_flow(host, Some(next.lane)) {
                Turn::Flow(flow) => {
                    let size = self.next_size(flow);
                    if size <= next.most {
                        deficits.sends(next, size);
                        turn = Some(Turn::Flow(flow));
                        break;
                    }
                    continue;
                }
                Turn::Idle(at) => allowed_at = allowed_at.min(at),
                other => turn = Some(other),
            }
            deficits.passes(next);
        }
        self.deficits[host as usize] = deficits;
        self.lane_schedule = Some(schedule);
        if matches!(turn, Some(Turn::Starved)) && allowed_at != Time::NEVER {
            self.wake_by(host, allowed_at);
        }
        turn.unwrap_or(Turn::Idle(allowed_at))
    }

    /// Whose turn it is to send data, in any lane or in one.
    fn next_flow(&mut self, host: u32, only: Option<u8>) -> Turn {
        let state = self.hosts[host as usize];
        let set = &self.ready[state.first_word as usize..state.end_word as usize];
        if state.inject_at > self.now && self.has_work(host) {
            return Turn::Later(state.inject_at);
        }
        if state.ready == 0 {
            return Turn::Idle(Time::NEVER);
        }
        let mut starved = false;
        let mut allowed_at = Time::NEVER;
        for slot in cyclic(set, state.turn as usize + 1) {
            let flow = self.host_flows[state.first_flow as usize + slot];
            let lane = self.flows[flow as usize].lane;
            if only.is_some_and(|only| only != lane) {
                continue;
            }
            if self.shared_throttles {
                let next_at = self.flows[self.pacer(flow) as usize].next_at;
                if next_at > self.now {
                    allowed_at = allowed_at.min(next_at);
                    continue;
                }
            }
            let units = self.units_of(self.next_size(flow), Kind::Data);
            if self.isolates() && self.is_stopped(host, self.flows[flow as usize].target) {
                continue;
            }
            if self.stages() || self.fits(host, lane, self.flows[flow as usize].target, units) {
                return Turn::Flow(flow);
            }
            let place = self.at(host, lane);
            let state = &mut self.out_lanes[place];
            if state.starved == 0 || u32::from(units) < state.starved {
                state.starved = u32::from(units);
            }
            starved = true;
        }
        if !starved {
            return Turn::Idle(allowed_at);
        }
        if allowed_at != Time::NEVER {
            self.wake_by(host, allowed_at);
        }
        for lane in 0..self.lanes() {
            let state = &self.out_lanes[self.at(host, lane as u8)];
            if state.starved == 0 {
                continue;
            }
            if self.lanes() > 1 {
                self.probe.waits(self.now, host, lane as u8);
            }
            if let Some(enough) = self.notes.when(state, state.starved) {
                self.wake_by(host, enough);
            }
            if self.elaborate() {
                self.await_room(host, lane as u8);
            }
        }
        Turn::Starved
    }

    /// The lane lacks room for a packet of so many units: wake when it has.
    pub(crate) fn starve(&mut self, host: u32, lane: u8, units: u16) {
        let place = self.at(host, lane);
        let state = &mut self.out_lanes[place];
        state.starved = u32::from(units);
        if let Some(enough) = self.notes.when(state, u32::from(units)) {
            self.wake_by(host, enough);
        }
        if self.elaborate() {
            self.await_room(host, lane);
        }
        if self.lanes() > 1 {
            self.probe.waits(self.now, host, lane);
        }
    }

    /// There is credit for a packet of so many units to `destination`.
    #[inline(always)]
    pub(crate) fn fits(&self, host: u32, lane: u8, destination: u32, units: u16) -> bool {
        let credit = self.out_lanes[self.at(host, lane)].fits(units);
        if self.elaborate() { self.has_room(host, lane, destination, units) } else { credit }
    }

    /// Bytes on the wire of the flow's next packet.
    #[inline]
    pub(crate) fn next_size(&self, flow: u32) -> u32 {
        if self.transports() {
            return self.connection_size(flow);
        }
        let payload = self.flows[flow as usize].remaining.min(self.adapter.mtu.0);
        (payload + self.adapter.header.0) as u32
    }

    /// Credit units that a packet takes.
    #[inline]
    pub(crate) fn units_of(&self, size: u32, kind: Kind) -> u16 {
        if kind != Kind::Data && !self.flow_control.control_uses_credits {
            return 0;
        }
        self.flow_control.units(size)
    }

    /// Sends the next packet of a flow.
    pub(crate) fn send_data(&mut self, host: u32, flow_id: u32) {
        if self.transports() {
            return self.send_from_connection(host, flow_id);
        }
        let size = self.next_size(flow_id);
        let units = self.units_of(size, Kind::Data);
        let (runs_programs, renewed) = (self.runs_programs(), self.has_finite_flows());
        let flow = &mut self.flows[flow_id as usize];
        let greedy = matches!(flow.supply, Supply::Greedy { .. });
        let epoch = if greedy || renewed { self.rests[flow_id as usize].epoch } else { 0 };
        let packet = Packet {
            next: PacketId::NONE,
            flow: flow_id,
            destination: flow.target,
            size,
            input: host,
            sequence: flow.sent as u32,
            units,
            epoch,
            passed: 0,
            lane: flow.lane,
            kind: Kind::Data,
            marked: false,
            matched: false,
            last: runs_programs && flow.remaining <= self.adapter.mtu.0,
            created: if greedy { self.now } else { flow.created },
            injected: self.now,
            ready: self.now,
        };
        flow.sent += 1;
        flow.remaining -= flow.remaining.min(self.adapter.mtu.0);
        let slot = flow.slot;
        if flow.window != Window::None {
            let rest = &mut self.rests[flow_id as usize];
            rest.outstanding += 1;
            flow.window = rest.window();
        }
        let pacer = self.pacer(flow_id);
        self.starts(host, flow_id, pacer, size);
        let id = self.packets.add(packet);
        let place = self.at(host, packet.lane);
        let state = &mut self.out_lanes[place];
        state.starved = 0;
        let until = if self.stages() {
            self.stage(host, id);
            self.now
        } else {
            let until = self.transmit(host, id);
            if self.runs_programs() && packet.last {
                self.message_out(flow_id, until);
            }
            until
        };
        let state = &mut self.hosts[host as usize];
        state.turn = slot;
        if let Some(rate) = self.adapter.injection_rate {
            state.inject_at = self.now + rate.time_for(Bytes(u64::from(size)));
        }
        if self.flows[flow_id as usize].remaining == 0 {
            self.next_message(flow_id);
        }
        self.tell_limit(flow_id);
        self.refresh(flow_id);
        if !self.stages() && self.has_work(host) {
            let state = &self.hosts[host as usize];
            let next = if state.control.is_empty() { until.max(state.inject_at) } else { until };
            self.wake_by(host, next);
        }
    }

    /// Brings up to date whether a flow may send, and when its pace will allow it.
    pub(crate) fn refresh(&mut self, flow_id: u32) {
        if self.transports() {
            return self.refresh_connection(flow_id);
        }
        let now = self.now;
        let flow = &mut self.flows[flow_id as usize];
        let has_packet = flow.has_packet(now);
        let next_at = flow.next_at;
        let (host, slot) = (flow.host, flow.slot);
        // Nobody decides before the link and the host bus are free, so an earlier permission needs no event. Whether a
        // shared throttle allows it is asked when its turn comes.
        let decides = now.max(self.outs[host as usize].busy_until).max(self.hosts[host as usize].inject_at);
        let ready = has_packet && (next_at <= decides || self.shared_throttles);
        if has_packet && !ready {
            let rest = &mut self.rests[flow_id as usize];
            if next_at < rest.wake_at {
                rest.wake_at = next_at;
                self.schedule(next_at, Event::Pace { flow: flow_id });
            }
        }
        self.set_ready(host, slot, ready);
    }

    /// A flow of the host may send, or may not.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, host: u32, slot: u32, ready: bool) {
        let state = &mut self.hosts[host as usize];
        let word = &mut self.ready[state.first_word as usize + slot as usize / 64];
        let bit = 1 << (slot % 64);
        let was = *word & bit != 0;
        if ready {
            *word |= bit;
            state.ready += u32::from(!was);
            self.ask(host);
        } else {
            *word &= !bit;
            state.ready -= u32::from(was);
            if self.outs[host as usize].blocked_since != Time::NEVER {
                self.consider(host);
            }
        }
    }

    /// The pace may allow a flow to send.
    pub(crate) fn pace_allows(&mut self, flow: u32) {
        let state = &mut self.rests[flow as usize];
        if state.wake_at == self.now {
            state.wake_at = Time::NEVER;
            self.refresh(flow);
        }
    }

    /// All of a packet is in.
    #[inline]
    pub(crate) fn deliver(&mut self, host: u32, id: PacketId) {
        let packet = self.packets[id];
        self.packets.remove(id);
        if self.pauses() && !self.take_at_host(host, &packet) {
            return;
        }
        self.drain(host, &packet);
        match (packet.kind, !self.transports()) {
            (Kind::Data, true) => self.deliver_data(host, &packet),
            (Kind::Ack, true) => self.deliver_ack(&packet),
            (Kind::Cnp, _) => self.deliver_notification(&packet),
            (Kind::Data, false) => self.receive(&packet),
            (Kind::Ack, false) => self.receive_ack(&packet),
        }
    }

    /// Room in the receive buffer comes back when the packet has been drained.
    #[inline]
    fn drain(&mut self, host: u32, packet: &Packet) {
        if self.adapter.receive_units.is_none() || packet.units == 0 || self.pauses() {
            return;
        }
        let mut at = self.now;
        if let Some(rate) = self.adapter.drain_rate {
            let state = &mut self.hosts[host as usize];
            at = state.drained_at.max(at) + rate.time_for(Bytes(u64::from(packet.size)));
            state.drained_at = at;
        }
        self.give_back(host, packet.lane, packet.units, at + self.flow_control.credit_delay);
    }

    #[inline]
    fn deliver_data(&mut self, host: u32, packet: &Packet) {
        let loses = self.loses() || self.pauses();
        let receipt = &mut self.receipts[packet.flow as usize];
        if receipt.ordered {
            let may_miss = loses && packet.sequence > receipt.expected;
            if packet.sequence != receipt.expected && !may_miss {
                self.stop = Some(Stop::Law(format!(
                    "packet {} of flow {} arrived where packet {} was due: order within a flow is lost",
                    packet.sequence, packet.flow, receipt.expected
                )));
            }
            receipt.expected = packet.sequence.wrapping_add(1);
        }
        let (acked, source) = (receipt.acked, receipt.source);
        if self.chooses_ways() {
            self.note_order(packet);
        }
        self.count_in(packet);
        if self.has_finite_flows() {
            self.look_for_finish(packet.flow);
        }
        if acked {
            self.answer(host, source, packet, Kind::Ack, self.adapter.ack.0 as u32, packet.lane);
        }
        self.notify(packet);
        if self.runs_programs() && packet.last {
            self.message_in(packet.flow);
        }
    }

    /// The source of a marked packet is told, if notifications are how.
    #[inline]
    pub(crate) fn notify(&mut self, packet: &Packet) {
        if packet.marked
            && let Some(cnp) = self.cnp
            && self.tells(packet.flow, cnp)
        {
            let source = self.receipts[packet.flow as usize].source;
            let lane = cnp.lane.unwrap_or(packet.lane);
            self.answer(packet.destination, source, packet, Kind::Cnp, cnp.size, lane);
        }
    }

    /// A data packet that is of use has come in.
    #[inline(always)]
    pub(crate) fn count_in(&mut self, packet: &Packet) {
        let receipt = &mut self.receipts[packet.flow as usize];
        receipt.packets += 1;
        receipt.bytes += u64::from(packet.size);
        receipt.marked += u32::from(packet.marked);
        let class = receipt.class;
        self.results = self.results.wrapping_add(scramble(
            self.now.0,
            u64::from(packet.flow) << 32 | u64::from(packet.sequence),
            u64::from(packet.marked),
        ));
        let flow = self.told_as(packet.flow);
        self.probe.delivered(Delivery {
            at: self.now,
            flow,
            class,
            sequence: packet.sequence,
            size: packet.size,
            marked: packet.marked,
            created: packet.created,
            injected: packet.injected,
        });
    }

    /// A control packet about a data packet starts back to its source.
    fn answer(&mut self, host: u32, source: u32, packet: &Packet, kind: Kind, size: u32, lane: u8) {
        let answer = Packet {
            next: PacketId::NONE,
            destination: source,
            size,
            input: NONE,
            units: self.units_of(size, kind),
            kind,
            lane,
            ..*packet
        };
        let id = self.packets.add(answer);
        self.hosts[host as usize].control.push(&mut self.packets, id);
        self.ask(host);
    }

    /// A source hears that one of its packets arrived marked.
    fn deliver_notification(&mut self, packet: &Packet) {
        self.probe.echoed(self.now, self.told_as(packet.flow), packet.sequence);
        if self.rests[packet.flow as usize].epoch == packet.epoch || self.shared_throttles {
            self.react(packet.flow, Feedback::Congested, None);
            self.refresh(packet.flow);
        }
    }

    /// The reaction point that a flow goes by hears something; of an ACK also how long it took.
    fn react(&mut self, flow_id: u32, feedback: Feedback, round_trip: Option<Span>) {
        let host = self.flows[flow_id as usize].host;
        let pacer = self.pacer(flow_id);
        let reaction = &mut self.rests[pacer as usize].reaction;
        match round_trip {
            Some(round_trip) => reaction.on_ack(self.now, feedback, round_trip),
            None => reaction.on_feedback(self.now, feedback),
        }
        self.flows[pacer as usize].plain = false;
        self.set_pace(host, flow_id, pacer);
        self.take_window(flow_id);
        self.tell_limit(flow_id);
        if self.shared_throttles {
            // It may hold others now, or let them go.
            self.ask(host);
        }
    }

    /// The flow whose pace a flow goes by.
    #[inline(always)]
    pub(crate) fn pacer(&self, flow: u32) -> u32 {
        if self.shared_throttles { self.rests[flow as usize].pacer } else { flow }
    }

    /// A packet of the flow starts: its pace goes on from here.
    #[inline]
    pub(crate) fn starts(&mut self, host: u32, flow_id: u32, pacer: u32, size: u32) {
        let paced = &mut self.flows[pacer as usize];
        (paced.last_start, paced.last_size) = (self.now, size);
        if !paced.plain {
            self.rests[pacer as usize].reaction.on_sent(self.now, Bytes(u64::from(size)));
        }
        self.set_pace(host, flow_id, pacer);
    }

    /// Sets when the next packet is allowed, from the start and size of the last one.
    #[inline]
    fn set_pace(&mut self, host: u32, flow_id: u32, pacer: u32) {
        let link = &mut self.rates[usize::from(self.outs[host as usize].rate)];
        let paced = &mut self.flows[pacer as usize];
        let last = Sent { start: paced.last_start, time: link.time(paced.last_size), full: link.full };
        let reaction = if paced.plain { &self.fresh_reaction } else { &self.rests[pacer as usize].reaction };
        paced.next_at = reaction.next_start(last);
        if !self.flows[flow_id as usize].plain
            && let Some(rate) = self.rests[flow_id as usize].rate_limit
        {
            let paced = &mut self.flows[pacer as usize];
            let at = paced.last_start + rate.time_for(Bytes(u64::from(paced.last_size)));
            paced.next_at = paced.next_at.max(at);
        }
    }

    /// The rate limit of a flow, as R_max/r.
    pub(crate) fn limit_of(&self, flow_id: u32) -> f64 {
        let flow = &self.flows[flow_id as usize];
        let full = self.rates[usize::from(self.outs[flow.host as usize].rate)].full;
        self.rests[self.pacer(flow_id) as usize].reaction.limit(self.now, full)
    }

    /// Probes that want to know hear of a flow's rate limit.
    #[inline]
    pub(crate) fn tell_limit(&mut self, flow_id: u32) {
        if self.probe.wants_limits() && self.told_as(flow_id) == flow_id {
            self.probe.limit(self.now, flow_id, self.limit_of(flow_id));
        }
    }

    fn deliver_ack(&mut self, packet: &Packet) {
        if packet.marked && self.cnp.is_none() {
            self.probe.echoed(self.now, self.told_as(packet.flow), packet.sequence);
        }
        let rest = &mut self.rests[packet.flow as usize];
        let current = rest.epoch == packet.epoch;
        if current {
            rest.outstanding -= 1;
            self.flows[packet.flow as usize].window = rest.window();
        } else if !self.shared_throttles {
            return;
        }
        if self.cnp.is_none() {
            let feedback = if packet.marked { Feedback::Congested } else { Feedback::Clear };
            self.react(packet.flow, feedback, Some(self.now.since(packet.injected)));
        }
        self.refresh(packet.flow);
    }
}

/// The answer to whose turn it is.
pub(crate) enum Turn {
    /// This flow's.
    Flow(u32),
    /// The host bus or the next message is not ready until then.
    Later(Time),
    /// Flows are ready, but flow control holds them.
    Starved,
    /// No flow is ready; one will be allowed by a shared throttle then, if ever.
    Idle(Time),
}
