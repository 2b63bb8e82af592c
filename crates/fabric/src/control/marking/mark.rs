//! Congestion marking: asks the markers, and carries out their answers.
//!
//! A marker looks at one of three counts of what a switch holds (`switch/occupancy.rs`). A count of *packets* goes up
//! when a packet becomes routable and down when its tail has left, so that a packet that is being sent or cut through
//! still takes room; this costs one event per packet and hop. The *fill* of a queue is the bytes that wait in it. A
//! marker that uses the sum for its output is told that sum when a packet leaves, and nothing else.

use congestree_kernel::Agenda;
use congestree_probes::{Mark, Probe, SentPacket, Trigger};
use congestree_schemes::Marker;
use congestree_schemes::mark::{Departing, FillView, MarkAction, OutputView, StateChange};
use congestree_units::{Span, Time};
use congestree_wire::{Packet, PacketId, PacketKind, PortId, QueueId, Sign};

use crate::control::isolation::lines::LANE;
use crate::control::marking::filter::MarkingFilter;
use crate::control::marking::markers::{CongestionState, Marking, WaitingPacket};
use crate::control::past_limits::MarkedWhen;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::port::In;
use crate::partition::mail::Letter;
use crate::plan::Switching;
use crate::switch::queues::list::List;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A data packet can be forwarded, or will be after it has been held back for this long: the buffer must be looked
    /// at when its tail has come in, too.
    pub(crate) fn expect_tail(&mut self, side: In, input: PortId, id: PacketId, held_back: Span) {
        let Packet { kind, size, buffer_lane, .. } = self.packets[id];
        if kind != PacketKind::Data {
            return;
        }
        let still_coming = match self.rules.switching {
            Switching::StoreForward => 0,
            Switching::CutThrough => {
                self.links.rates[usize::from(side.rate)].time(size).0.saturating_sub(self.rules.forwarding_delay.0)
            }
        };
        let at = self.now + held_back.max(Span(still_coming));
        self.schedule(at, Event::Tail { input, lane: buffer_lane });
    }

    /// The tail of a packet has come in: is the buffer full now?
    pub(crate) fn tail(&mut self, input: PortId, lane: u8) {
        let place = self.at(input, lane);
        let full_at = self.control.marking.full_at.get(place).copied().unwrap_or(u32::MAX);
        if self.switches.occupancy.inside(place) < full_at {
            return;
        }
        let mut buffered = Vec::new();
        self.each_list_from(input, &mut |list| self.add_data(list, &mut buffered));
        buffered.retain(|w| w.input == input && w.buffer_lane == lane);
        if self.probe.wants_events() {
            let flows: Vec<u32> = buffered.iter().map(|w| self.reporting_flow(self.packets[w.id].flow).0).collect();
            self.probe.full(self.now, self.links.outs[input].peer.0, lane, &mut flows.into_iter());
        }
        let mut outputs: Vec<(PortId, u8)> = buffered.iter().map(|w| (w.output, w.lane)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        for (output, out_lane) in outputs {
            let before = self.due(output, out_lane);
            let view = self.view(output, out_lane);
            let o = self.at(output, out_lane);
            let action = self.control.marking.markers[o].on_full(view);
            self.tell_triggered(action, output, Some(input), out_lane, before);
            let mut scanned = Vec::new();
            let struck = match action {
                MarkAction::MarkBuffer => &buffered,
                MarkAction::MarkWaiting => {
                    self.each_list_for(output, &mut |list| self.add_data(list, &mut scanned));
                    &scanned
                }
                MarkAction::None | MarkAction::Noted => continue,
            };
            for w in struck.iter().filter(|w| (w.output, w.lane) == (output, out_lane)) {
                self.mark(output, w.id, MarkedWhen::TailsComeIn);
            }
        }
    }

    /// A data packet for the output has come in.
    pub(crate) fn marker_sees_arrival(&mut self, output: PortId, lane: u8) {
        let before = self.due(output, lane);
        let view = self.view(output, lane);
        let o = self.at(output, lane);
        let action = self.control.marking.markers[o].on_arrival(view);
        self.tell_triggered(action, output, None, lane, before);
    }

    /// A data packet starts to leave, from a set-aside queue (`isolated`) or not: the marker may mark it.
    #[inline(always)]
    pub(crate) fn mark_departure(&mut self, output: PortId, lane: u8, id: PacketId, isolated: bool) {
        let o = self.at(output, lane);
        let asks = match self.marks_by_waiting() {
            true => self.switches.occupancy.waiting(o) >= u64::from(self.control.marking.asks_from[o]),
            false => self.links.out_lanes[o].filter.asks(),
        };
        if asks {
            self.ask_marker(output, lane, id, isolated);
        }
    }

    /// A packet without data starts to leave, and markers follow all.
    #[inline(never)]
    pub(crate) fn other_departure(&mut self, output: PortId, lane: u8) {
        let (o, view) = (self.at(output, lane), self.departure_view(output, lane));
        self.control.marking.markers[o].on_other_departure(view);
    }

    /// Asks the marker whether the packet is marked.
    fn ask_marker(&mut self, output: PortId, lane: u8, id: PacketId, isolated: bool) {
        let (o, view) = (self.at(output, lane), self.departure_view(output, lane));
        let packet = Departing { size: self.packets[id].size, isolated };
        let Marking { markers, rng, .. } = &mut self.control.marking;
        if markers[o].on_departure(view, packet, || rng[o].unit()) {
            self.mark(output, id, MarkedWhen::OutputsDecide);
        } else if markers[o].is_undetermined(view) {
            let packet = &mut self.packets[id];
            packet.sign = packet.sign.max(Sign::Undetermined);
        }
    }

    /// The queue of an input for `output` has grown or shrunk by a packet.
    #[inline(always)]
    pub(crate) fn fill_changed(&mut self, side: In, output: PortId, lane: u8, change: FillChange) {
        let FillChange { grown, shrunk, units } = change;
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let place = self.at(output, lane);
        if self.has_plain_voqs() {
            // Most queues hold one packet or none, so nothing need be looked up.
            let list = self.switches.queues.get(queue);
            let alone = if grown > 0 { list.head == list.last() } else { list.is_empty() };
            if alone {
                if self.links.out_lanes[place].filter.hears(0, grown + shrunk) {
                    self.tell_fill(output, lane, FillView { before: shrunk, after: grown }, units);
                }
                return;
            }
        }
        self.long_fill_changed(queue, output, lane, change);
    }

    /// A queue that holds, or held, more than one packet has grown or shrunk.
    #[inline(never)]
    fn long_fill_changed(&mut self, queue: QueueId, output: PortId, lane: u8, change: FillChange) {
        let FillChange { grown, shrunk, units } = change;
        let mut before = self.switches.occupancy.fill(queue);
        if grown > 0 && self.has_plain_voqs() {
            let list = self.switches.queues.get(queue);
            let first = &self.packets[list.head];
            if first.next == list.last() {
                before = first.size;
            }
        }
        let after = before + grown - shrunk;
        *self.switches.occupancy.fill_mut(queue) = after;
        if self.links.out_lanes[self.at(output, lane)].filter.hears(before.min(after), before.max(after)) {
            self.tell_fill(output, lane, FillView { before, after }, units);
        }
    }

    /// The bytes that a queue of an input holds for an output.
    pub(super) fn fill_of(&self, side: &In, lane: u8, local: u16) -> u32 {
        let queue = self.queue(side, lane, local);
        if self.has_plain_voqs() {
            let list = self.switches.queues.get(queue);
            if list.is_empty() {
                return 0;
            }
            if list.head == list.last() {
                return self.packets[list.head].size;
            }
        }
        self.switches.occupancy.fill(queue)
    }

    /// Tells the marker the fill.
    fn tell_fill(&mut self, output: PortId, lane: u8, fill: FillView, units: u16) {
        let o = self.at(output, lane);
        let out = &self.links.outs[output];
        let local = (output - out.base) as u16;
        let inputs = &self.links.ins[out.base..out.base + u32::from(out.radix)];
        let mut markers = std::mem::take(&mut self.control.marking.markers);
        let marker = &mut markers[o];
        let shift = marker.on_fill(
            fill,
            || self.could_fit(output, lane, self.control.marking.full_units + units),
            |bytes| inputs.iter().filter(|input| self.fill_of(input, lane, local) > bytes).count() as u16,
        );
        let filter = MarkingFilter::of(marker);
        self.control.marking.markers = markers;
        self.links.out_lanes[o].filter = filter;
        self.shifted(output, lane, shift);
    }

    /// From now on a queue whose root is this output counts as congested, or no longer does.
    pub(crate) fn root_counts(&mut self, output: PortId, counts: bool) {
        if self.marks_by_root() {
            let o = self.at(output, LANE);
            let shift = self.control.marking.markers[o].on_root(counts);
            self.links.out_lanes[o].filter = MarkingFilter::of(&self.control.marking.markers[o]);
            self.shifted(output, LANE, shift);
        }
    }

    /// The congestion state of an output may have changed.
    #[inline]
    pub(super) fn shifted(&mut self, output: PortId, lane: u8, shift: StateChange) {
        let (o, now) = (self.at(output, lane), self.now);
        let times = &mut self.control.marking.states[o];
        match shift {
            StateChange::None => return,
            StateChange::Entered => times.since = now,
            StateChange::Left => *times = CongestionState { total: times.until(now), since: Time::NEVER },
        }
        let credit = if self.probe.wants_events() { self.credit_of(output, lane, None, now) } else { None };
        self.probe.congestion(now, output.0, lane, shift == StateChange::Entered, told(credit));
    }

    /// Marks a packet that waits for this output, or starts to leave by it.
    fn mark(&mut self, output: PortId, id: PacketId, when: MarkedWhen) {
        let packet = &mut self.packets[id];
        if !packet.marked() {
            packet.sign = Sign::Marked;
            self.links.meters[output].marked += 1;
            if self.probe.wants_events() {
                self.tell_mark(output, id, when);
            }
        }
    }

    /// Reports a mark. If the source is in another part, that part is asked for its rate limit and reports the mark
    /// later.
    fn tell_mark(&mut self, output: PortId, id: PacketId, when: MarkedWhen) {
        let Packet { flow, lane, destination, .. } = self.packets[id];
        let (at, number, pacer) = (self.now, self.links.meters[output].marked, self.pacer(flow));
        let source = self.ends.flows[flow].host;
        let limit = if self.border.is_away(source.port()) {
            self.border.write(Letter::LimitAsked { host: source, pacer, at, when, output, number });
            f64::NAN
        } else {
            self.limit_at(pacer, at, when)
        };
        let credit = told(self.credit_of(output, lane, Some(destination), at));
        let (flow, packet) = (self.reporting_flow(flow).0, sent(&self.packets[id]));
        self.probe.marked(Mark { at, output: output.0, lane, number, flow, packet, limit, credit });
    }

    fn view(&self, output: PortId, lane: u8) -> OutputView {
        let present = self.switches.occupancy.leaving(self.at(output, lane));
        OutputView { now: self.now, present, waiting: 0, last_blocked: self.last_blocked(output) }
    }

    /// What a marker may know when a packet leaves.
    #[inline(always)]
    fn departure_view(&self, output: PortId, lane: u8) -> OutputView {
        let o = self.at(output, lane);
        let present = if self.marks_by_packets() { self.switches.occupancy.leaving(o) } else { 0 };
        let waiting = self.waiting_for_marker(o);
        OutputView { now: self.now, present, waiting, last_blocked: self.last_blocked(output) }
    }

    /// Bytes that wait for an output and lane, if markers use them.
    #[inline(always)]
    fn waiting_for_marker(&self, place: usize) -> u64 {
        if self.marks_by_waiting() { self.switches.occupancy.waiting(place) } else { 0 }
    }

    /// When flow control last held an output while a packet waited; now if it does.
    fn last_blocked(&self, output: PortId) -> Option<Time> {
        if self.links.outs[output].blocked_since < self.now {
            Some(self.now)
        } else {
            self.links.meters[output].last_blocked
        }
    }

    fn due(&self, output: PortId, lane: u8) -> u32 {
        self.control.marking.markers[self.at(output, lane)].due()
    }

    fn tell_triggered(&mut self, action: MarkAction, output: PortId, input: Option<PortId>, lane: u8, before: u32) {
        if action == MarkAction::None {
            return;
        }
        let input = input.map(|input| self.links.outs[input].peer.0);
        let (due, present) = (self.due(output, lane), self.switches.occupancy.leaving(self.at(output, lane)));
        self.probe.triggered(Trigger { at: self.now, output: output.0, lane, input, before, due, present });
    }

    /// Adds the data packets of a list of those that wait in a switch, which excludes those being sent.
    fn add_data(&self, list: List, waiting: &mut Vec<WaitingPacket>) {
        for id in list.iter(&self.packets) {
            let Packet { input, port, lane, buffer_lane, kind, .. } = self.packets[id];
            if kind == PacketKind::Data {
                let output = self.links.ins[input].base + u32::from(port);
                waiting.push(WaitingPacket { id, input, output, lane, buffer_lane });
            }
        }
    }
}

/// A queue has grown or shrunk by a packet.
#[derive(Clone, Copy)]
pub(crate) struct FillChange {
    /// Bytes that have joined it.
    grown: u32,
    /// Bytes that have left it.
    shrunk: u32,
    /// Credit units that these bytes take. They count as used, because otherwise an output that sends whenever a credit
    /// comes back would never be without credit.
    units: u16,
}

impl FillChange {
    /// A packet has joined.
    #[inline(always)]
    pub(crate) fn joined(size: u32) -> Self {
        Self { grown: size, shrunk: 0, units: 0 }
    }

    /// A packet starts to leave.
    #[inline(always)]
    pub(crate) fn left(size: u32, units: u16) -> Self {
        Self { grown: 0, shrunk: size, units }
    }
}

/// A packet as probes know it again: a data packet, or an answer that tells of it.
pub(crate) fn sent(packet: &Packet) -> SentPacket {
    SentPacket { flow: packet.flow.0, injected: packet.injected }
}

/// A credit as probes get it: NaN if there is none.
fn told(credit: Option<u64>) -> f64 {
    credit.map_or(f64::NAN, |bytes| bytes as f64)
}
