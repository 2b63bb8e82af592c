//! A network in operation: the owners of its state, and how each event is handled.

use std::marker::PhantomData;

use congestree_kernel::{Agenda, Entry};
use congestree_probes::{Probe, Sending};
use congestree_units::Time;
use congestree_wire::{PacketId, PacketKind, Pool, PortId};

use crate::control::controls::Control;
use crate::event::Event;
use crate::host::ends::Ends;
use crate::jobs::ranks::Ranks;
use crate::link::links::Links;
use crate::link::port::Far;
use crate::observe::records::Records;
use crate::partition::border::Border;
use crate::plan::rules::FabricRules;
use crate::switch::round_robin::members_of_word;
use crate::switch::switches::Switches;
use crate::tune::features::Features;
use crate::tune::upcoming::Upcoming;
use crate::tune::variants::Variant;

/// A network in operation: the owners of its state, and the clock that they share. Tables are indexed by ids, with one
/// id type for each kind of object (`congestree_wire::ids`).
pub(crate) struct Fabric<A, P, S> {
    /// What was known about the network at compile time (`variant`), and what this network has (`features`).
    pub variant: PhantomData<S>,
    pub features: Features,
    pub now: Time,
    pub agenda: A,
    pub probe: P,
    /// All packets in flight, whoever holds them.
    pub packets: Pool,
    pub rules: FabricRules,
    pub links: Links,
    pub switches: Switches,
    pub ends: Ends,
    pub control: Control,
    /// Applications with a program, if there are any.
    pub ranks: Option<Box<Ranks>>,
    /// What this part has to tell other parts, if the network is cut.
    pub border: Border,
    pub records: Records,
    /// Ports that decide in the present instant what to send.
    pub deciding: Vec<PortId>,
    /// Data prefetched for events that are due soon, see `tune/prefetch.rs`.
    pub upcoming: Vec<Upcoming>,
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Handles an event that is due: this function is the life of a packet from start to end.
    #[inline(always)]
    pub(crate) fn handle(&mut self, event: Event) {
        match event {
            Event::Fault if self.fails() => self.fault(),
            Event::Fault => {}
            Event::Arrive { input, packet } => self.arrive(input, packet),
            Event::Decide { port } => self.wake(port),
            Event::Deliver { host, packet } => self.deliver(host, packet),
            Event::Notice { port, place } if self.neighbours_talk() => self.hear(port, place),
            Event::Notice { .. } => {}
            Event::Pause { port, lane, due } if self.pauses() => self.pause_due(port, lane, due),
            Event::Pause { .. } => {}
            Event::Link { port, due } if self.checks_frames() || self.tells_credit() => self.on_link(port, due),
            Event::Link { .. } => {}
            Event::Left { output, input, lane, buffer_lane } => self.left(output, input, lane, buffer_lane),
            Event::Tail { input, lane } => self.tail(input, lane),
            Event::Answer { host } if self.turns_around() => self.answer_is_ready(host),
            Event::Answer { .. } => {}
            Event::Timer { flow, end } if self.transports() => self.timer(flow, end),
            Event::Timer { flow, .. } if self.coalesces() => self.ack_timer(flow),
            Event::Timer { .. } => {}
            Event::Grants { host } if self.transports() => self.grant_turn(host),
            Event::Grants { .. } => {}
            Event::Source { source, turn } => self.source_turn(source, turn),
            Event::Rank { rank, about } if self.runs_programs() => self.rank_turn(rank, about),
            Event::Rank { .. } => {}
            Event::Pace { flow } => self.pace_allows(flow),
            Event::Depart { output, packet } if self.has_crossbar() => self.depart(output, packet),
            Event::Depart { .. } => {}
            Event::WarmUp => self.warmed_up(),
            Event::DeadlockCheck => self.check_for_deadlock(),
        }
    }

    /// Puts an event on the agenda.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, at: Time, event: Event) {
        self.agenda.schedule(Entry { at, rank: event.rank() });
    }

    /// Makes sure that a port decides at `at` or earlier.
    #[inline(always)]
    pub(crate) fn wake_by(&mut self, port: PortId, at: Time) {
        let out = &mut self.links.outs[port];
        if at < out.wake_at {
            out.wake_at = at;
            self.schedule(at, Event::Decide { port });
        }
    }

    /// A scheduled decision is due; ignored if an earlier one has replaced it.
    #[inline]
    fn wake(&mut self, port: PortId) {
        let out = &mut self.links.outs[port];
        if out.wake_at != self.now {
            return;
        }
        out.wake_at = Time::NEVER;
        let deciding = out.deciding;
        match self.decides_apart() {
            // Everything else that happens in this instant has already happened.
            true if !deciding => self.act(port),
            _ => self.decide(port),
        }
    }

    /// The port sends what it can.
    #[inline(always)]
    fn act(&mut self, port: PortId) {
        if self.rules.is_host(port) {
            // Messages that are created while the port chooses are candidates for that choice, too.
            self.links.outs[port].deciding = true;
            self.inject(port.host());
            self.links.outs[port].deciding = false;
        } else {
            self.links.outs[port].deciding = false;
            self.forward(port);
        }
    }

    /// The port decides in this instant: at once if nothing else is due in it, which is the usual case.
    #[inline(always)]
    fn decide(&mut self, port: PortId) {
        let alone = self.deciding.is_empty() && !self.has_input_queues() && !self.drops_first();
        if self.rules.is_host(port) || !alone || self.agenda.more_at(self.now) {
            self.consider(port);
        } else {
            self.forward(port);
        }
    }

    /// The port decides in this instant, once everything has arrived.
    #[inline]
    pub(crate) fn consider(&mut self, port: PortId) {
        let out = &mut self.links.outs[port];
        if !out.deciding {
            out.deciding = true;
            self.deciding.push(port);
        }
    }

    /// Something for this output has arrived: it decides now if it is idle, otherwise when it has finished sending.
    #[inline(always)]
    pub(crate) fn ask(&mut self, port: PortId) {
        let busy_until = self.open_at(port);
        if busy_until <= self.now {
            self.decide(port);
        } else {
            self.wake_by(port, busy_until);
        }
    }

    /// Every port that can send in this instant does so. Switches and hosts are independent of each other; inside a
    /// switch whose inputs allow only a limited number of reads at a time, the outputs take turns at being first.
    #[inline(always)]
    pub(crate) fn decide_all(&mut self) {
        if self.talks_late() {
            self.send_frames();
        }
        if self.pauses() {
            self.drop_ignored();
        }
        if self.fails() {
            self.drop_at_dead();
        }
        if self.deciding.len() > 1 && self.limited_reads() {
            let (outs, ins, turns, rules) = (&self.links.outs, &self.links.ins, &self.switches.turns, &self.rules);
            self.deciding.sort_unstable_by_key(|&port| {
                let out = &outs[port];
                let turn = if rules.is_host(port) { 0 } else { turns[ins[port].switch] };
                let local = (port - out.base) as u16;
                (out.base, (local + out.radix - turn) % out.radix)
            });
        }
        let mut place = 0;
        while place < self.deciding.len() {
            self.prefetch_decision(place);
            let port = self.deciding[place];
            place += 1;
            self.act(port);
        }
        self.deciding.clear();
        if self.pauses() {
            self.end_pauses();
        }
        if self.talks_late() {
            self.send_late();
        }
    }

    /// Starts a packet on the link out of `port`: time, credit and counters of the sending side, and the arrival at the
    /// far end. Returns when the tail will have left.
    #[inline(always)]
    pub(crate) fn transmit(&mut self, port: PortId, id: PacketId) -> Time {
        let now = self.now;
        let out = &mut self.links.outs[port];
        let was_blocked = out.blocked_since != Time::NEVER;
        let packet = &mut self.packets[id];
        let time = self.links.rates[usize::from(out.rate)].time(packet.size);
        let until = now + time;
        out.busy_until = until;
        out.packets += 1;
        out.bytes += u64::from(packet.size);
        out.lane_turn = packet.lane;
        let peer = out.peer;
        let away = self.border.is_away(peer);
        if !away {
            packet.heads_for(peer);
        }
        self.records.packet_sent(now, port, packet);
        let head = now + out.head_delay;
        let far = out.far;
        let (lane, is_data) = (packet.lane, packet.kind == PacketKind::Data);
        self.records.packet_hops += u64::from(is_data);
        let (size, units, kind, marked) = (packet.size, packet.units, packet.kind, packet.marked());
        let destination = packet.destination;
        if was_blocked {
            self.note_unblocked(port);
        }
        if self.has_several_lanes() {
            self.packets[id].buffer_lane = lane;
        }
        // A packet that crosses a switch through a crossbar has already taken its credit there.
        if self.holds_senders() && (!self.has_crossbar() || self.rules.is_host(port)) {
            self.take(port, lane, destination, units);
        }
        self.probe.sent(Sending {
            at: now,
            until,
            port: port.0,
            peer: peer.0,
            lane,
            size,
            fecn: is_data && marked,
            becn: kind == PacketKind::Cnp || (kind == PacketKind::Ack && marked),
        });
        match far {
            _ if away => self.leaves_part(port, until, if far == Far::CutThrough { head } else { head + time }, id),
            _ if self.checks_frames() => self.launch(port, id, until),
            Far::CutThrough => self.schedule(head, Event::Arrive { input: peer, packet: id }),
            Far::StoreForward => self.schedule(head + time, Event::Arrive { input: peer, packet: id }),
            Far::Host => self.deliver_at(head + time, peer.host(), id, kind),
        }
        until
    }

    /// The port has a packet to send, and flow control holds it from now on.
    #[inline]
    pub(crate) fn note_blocked(&mut self, port: PortId) {
        let out = &mut self.links.outs[port];
        if out.blocked_since == Time::NEVER {
            out.blocked_since = self.now;
            self.links.blocked[port.index() / 64] |= 1 << (port.0 % 64);
        }
    }

    /// Flow control no longer holds the port.
    #[inline]
    pub(crate) fn note_unblocked(&mut self, port: PortId) {
        let out = &mut self.links.outs[port];
        if out.blocked_since != Time::NEVER {
            let since = std::mem::replace(&mut out.blocked_since, Time::NEVER);
            self.links.blocked[port.index() / 64] &= !(1 << (port.0 % 64));
            let meter = &mut self.links.meters[port];
            meter.blocked = meter.blocked + self.now.since(since);
            // A blockage that begins and ends within the decisions of one instant does not count.
            if since < self.now {
                meter.last_blocked = Some(self.now);
            }
            self.probe.blocked(port.0, since, self.now);
        }
    }

    /// An input of the switch was read, so its outputs that were held by flow control may now be held by something else
    /// as well: they are considered again.
    pub(crate) fn reconsider_blocked(&mut self, base: PortId, radix: u16) {
        let end = base + u32::from(radix);
        for word in base.index() / 64..=(end.index() - 1) / 64 {
            let blocked = members_of_word(word, self.links.blocked[word]).map(PortId::from_index);
            blocked.filter(|port| (base..end).contains(port)).for_each(|port| self.consider(port));
        }
    }
}
