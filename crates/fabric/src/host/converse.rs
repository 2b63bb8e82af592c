//! A flow with a transport: groups of packets are sent, acknowledged, and sent again if they are lost.
//!
//! The transport and its receiver (`congestree_schemes::transport`) decide what to do; this file does it. A flow
//! carries one message at a time: the packets of a message are a group, and the next message begins when the last one
//! is acknowledged. An endless source is an endless group, which is cut when the source stops. Timers cost an event
//! only when they may be due: if one was put off, this is found out when its first event comes.

use congestree_kernel::{Agenda, mix};
use congestree_probes::{Probe, TransportState};
use congestree_schemes::Transport;
use congestree_schemes::react::{Feedback, LossSignal};
use congestree_schemes::transport::{Arrived, Header, HostLink, LossCounts, Next, PathView, TransportPhase};
use congestree_units::{Bytes, Time};
use congestree_wire::{FlowId, HostId, Packet, PacketKind};

use crate::event::{Event, FlowEnd};
use crate::fabric::Fabric;
use crate::host::connection::ConnectionSender;
use crate::host::flow::{NONE, Supply};
use crate::host::pace::CongestionSignal;
use crate::host::packets::Carries;
use crate::host::receive::met;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// What the transport of a flow may know about its host's link.
    pub(super) fn link_view(&self, flow: FlowId) -> HostLink {
        let port = self.ends.flows[flow].host.port();
        let line = self.links.rates[usize::from(self.links.outs[port].rate)].rate();
        HostLink { line, packet: self.rules.adapter.mtu + self.rules.adapter.header }
    }

    /// Tells all transports where their flows start and end.
    pub(crate) fn place_connections(&mut self, seed: u64) {
        for id in self.ends.connections.senders.ids() {
            let (host, destination) = (self.ends.flows[id].host, self.ends.cold[id].destination);
            if destination == HostId::NONE || !self.has_headers() {
                continue;
            }
            let path = PathView {
                salt: mix(mix(seed) ^ u64::from(id.0)),
                round_trip: self.idle_round_trip(host, destination),
                header: self.rules.adapter.header,
            };
            self.ends.connections.senders[id].transport.at_path(path);
        }
    }

    /// Updates what a flow with a transport sends next, and when.
    #[inline(never)]
    pub(crate) fn refresh_connection(&mut self, id: FlowId) {
        self.begin_group(id);
        let (next, posted_at) = (self.next_of_connection(id), self.posted_at(id));
        let free_at = self.link_free_at(self.ends.flows[id].host);
        let (flow, cold) = (&self.ends.flows[id], &mut self.ends.cold[id]);
        let at = next.map_or(Time::NEVER, |next| next.at.max(flow.next_at));
        let (host, slot) = (flow.host, flow.slot);
        // As for other flows, a permission before the link is free needs no event.
        let decides = free_at.max(self.ends.hosts[host].inject_at);
        let ready = at <= decides;
        let begins_at = if posted_at > self.now && flow.has_packet(self.now) { posted_at } else { Time::NEVER };
        let wake_at = at.min(begins_at);
        if !ready && wake_at < cold.wake_at {
            cold.wake_at = wake_at;
            self.schedule(wake_at, Event::Pace { flow: id });
        }
        self.set_ready(host, slot, ready);
    }

    /// Gives the transport the next message as soon as it is posted, or cuts an endless group whose source has stopped.
    fn begin_group(&mut self, id: FlowId) {
        let (link, posted_at) = (self.link_view(id), self.posted_at(id));
        let endless = matches!(self.ends.flows[id].supply, Supply::Greedy { .. });
        let more = self.ends.flows[id].has_packet(self.now);
        if endless && !more && self.ends.connections.senders[id].end == u32::MAX {
            let before = self.watched_phase(id);
            let sender = &mut self.ends.connections.senders[id];
            sender.end = sender.transport.on_cut(self.now);
            self.tell_change(id, before, "end");
            if self.has_headers() {
                self.arm(id, FlowEnd::Sender);
            }
        }
        let before = if more { self.watched_phase(id) } else { None };
        let flow = &self.ends.flows[id];
        let sender = &mut self.ends.connections.senders[id];
        if !sender.is_idle() || !more || posted_at > self.now {
            return;
        }
        sender.first = sender.end;
        if !endless {
            sender.started = Time::NEVER;
        }
        sender.before = sender.transport.loss_counts();
        if endless {
            sender.bytes = 0;
            sender.end = u32::MAX;
        } else {
            let packets = u32::try_from(flow.remaining.div_ceil(self.rules.adapter.mtu.0)).unwrap_or(u32::MAX - 1);
            sender.bytes = flow.remaining;
            sender.end = sender.first.saturating_add(packets).min(u32::MAX - 1);
            sender.number += 1;
        }
        self.tell_group(id);
        let sender = &mut self.ends.connections.senders[id];
        let (mtu, header) = (self.rules.adapter.mtu.0, self.rules.adapter.header.0);
        let last = if sender.bytes > 0 { (sender.bytes - 1) % mtu + 1 } else { mtu };
        sender.transport.on_last(Bytes(last + header));
        sender.transport.on_work(self.now, sender.end, link);
        self.tell_change(id, before, "group");
        if self.has_headers() {
            self.arm(id, FlowEnd::Sender);
        }
    }

    /// Bytes on the wire of the flow's next packet.
    #[inline(never)]
    pub(crate) fn connection_size(&self, id: FlowId) -> u32 {
        let sender = &self.ends.connections.senders[id];
        let sequence = sender.due.unwrap_or(sender.first);
        let mtu = self.rules.adapter.mtu.0;
        let payload = if sequence.wrapping_add(1) == sender.end && sender.bytes > 0 {
            sender.bytes - u64::from(sequence - sender.first) * mtu
        } else {
            mtu
        };
        (payload + self.rules.adapter.header.0) as u32
    }

    /// What the transport of a flow sends next, if the window of its reaction point allows it.
    fn next_of_connection(&mut self, id: FlowId) -> Option<Next> {
        let ConnectionSender { transport, due, .. } = &mut self.ends.connections.senders[id];
        let next = transport.next();
        *due = next.map(|next| next.sequence);
        let window = self.ends.cold[id].window;
        next.filter(|next| next.fills || transport.in_flight() < window)
    }

    /// Sends the packet that the transport of a flow wants to send, with this many bytes on the wire.
    #[inline(never)]
    pub(crate) fn send_from_connection(&mut self, host: HostId, id: FlowId, size: u32) {
        let (link, now) = (self.link_view(id), self.now);
        let before = self.watched_phase(id);
        let sharers = self.ends.hosts[host].ready;
        let sender = &mut self.ends.connections.senders[id];
        let Some(sequence) = sender.due else { return };
        debug_assert_eq!(sender.transport.next().map(|next| next.sequence), sender.due, "it has changed unnoticed");
        let label = sender.transport.label(now, link, sharers);
        sender.started = sender.started.min(now);
        sender.transport.on_sent(now, Bytes(u64::from(size)), link);
        self.tell_sender(id);
        let sender = &self.ends.connections.senders[id];
        let (last, endless) = (sequence.wrapping_add(1) == sender.end, sender.bytes == 0);
        self.tell_change(id, before, "sent");
        let packet = self.packet_of(id, PacketKind::Data, size);
        let flow = &mut self.ends.flows[id];
        flow.sent += 1;
        let created = if endless { now } else { flow.created };
        let packet = Packet { input: host.port(), sequence, last, created, ..packet };
        let header = self.has_headers().then(|| label.into());
        let (until, _) = self.put_on_link(host, packet, header);
        self.arm(id, FlowEnd::Sender);
        self.refresh_connection(id);
        self.wake_after(host, until);
    }

    /// Makes sure that an end is called for its timer.
    pub(super) fn arm(&mut self, id: FlowId, end: FlowEnd) {
        let ends = &mut self.ends.connections;
        let (at, scheduled) = match end {
            FlowEnd::Sender => {
                let sender = &mut ends.senders[id];
                (sender.transport.next_timer(), &mut sender.timer_at)
            }
            FlowEnd::Receiver => {
                let receiver = &mut ends.receivers[id];
                (receiver.answers.next_timer(), &mut receiver.timer_at)
            }
        };
        if at < *scheduled {
            *scheduled = at;
            self.schedule(at, Event::Timer { flow: id, end });
        }
    }

    /// A timer may be due, unless it was put off since its event was scheduled.
    #[inline(never)]
    pub(crate) fn timer(&mut self, id: FlowId, end: FlowEnd) {
        match end {
            FlowEnd::Sender => self.sender_timer(id),
            FlowEnd::Receiver => self.receiver_timer(id),
        }
    }

    fn sender_timer(&mut self, id: FlowId) {
        let (link, now) = (self.link_view(id), self.now);
        let ConnectionSender { transport, timer_at, .. } = &mut self.ends.connections.senders[id];
        if *timer_at != now {
            return;
        }
        *timer_at = Time::NEVER;
        if transport.next_timer() <= now {
            let before = transport.loss_counts();
            transport.on_timer(now, link);
            let request = transport.request(now, link);
            self.tell_state(id, "timer");
            self.tell_sender(id);
            self.hear_of_loss(id, before);
            if let Some(header) = request {
                self.send_control(id, header, FlowEnd::Receiver, Carries::Nothing);
            }
        }
        self.arm(id, FlowEnd::Sender);
        self.refresh_connection(id);
    }

    fn receiver_timer(&mut self, id: FlowId) {
        let receiver = &mut self.ends.connections.receivers[id];
        if receiver.timer_at != self.now {
            return;
        }
        receiver.timer_at = Time::NEVER;
        if let Some(answer) = receiver.answers.on_timer(self.now) {
            self.send_control(id, answer, FlowEnd::Sender, Carries::Kept);
        }
        self.arm(id, FlowEnd::Receiver);
    }

    /// A data packet has arrived at the receiving end.
    #[inline(never)]
    pub(crate) fn receive(&mut self, packet: &Packet, header: Header) {
        let (id, now) = (packet.flow, self.now);
        let arrived = Arrived { sequence: packet.sequence, size: packet.size, marked: packet.marked(), header };
        if self.has_headers() {
            self.asks_for_credit(&arrived, id);
        }
        let feedback = if self.listens_to_acks() { met(packet) } else { Feedback::Clear };
        let receiver = &mut self.ends.connections.receivers[id];
        let receipt = receiver.answers.on_packet(now, &arrived, packet.injected, packet.last, feedback);
        if receipt.discarded {
            receiver.discarded += 1;
        } else {
            self.count_in(packet);
        }
        if receipt.passed_on > 0 && !receipt.discarded {
            if self.probe.wants_transfers() {
                self.tell_transfer(id);
            }
            if self.runs_programs() {
                self.packets_in(id, self.ends.connections.receivers[id].answers.expected());
            }
        }
        if let Some(before) = receipt.before {
            self.send_control(id, before, FlowEnd::Sender, Carries::Kept);
        }
        if let Some(answer) = receipt.answer {
            self.send_control(id, answer, FlowEnd::Sender, Carries::Last);
        } else if self.telemeters() {
            self.control.inband.keep(id);
        }
        self.notify(packet);
        self.arm(id, FlowEnd::Receiver);
    }

    /// An answer has arrived at the sending end.
    pub(super) fn hear_answer(&mut self, packet: &Packet, header: &Header) {
        let (id, now) = (packet.flow, self.now);
        let link = self.link_view(id);
        let sender = &mut self.ends.connections.senders[id];
        let (known, before) = (sender.transport.arrived(), sender.transport.loss_counts());
        sender.transport.on_answer(now, header, link);
        let (arrived, on_the_way) = (sender.transport.arrived(), sender.transport.in_flight());
        let done = sender.is_idle();
        self.tell_state(id, "ack");
        self.tell_sender(id);
        if self.listens_to_acks() && !self.is_of_earlier_life(packet) {
            if packet.marked() {
                self.probe.echoed(now, id.0, header.cause);
            }
            self.react(id, self.heard_from(packet, arrived.wrapping_sub(known), on_the_way));
            self.hear_of_loss(id, before);
        }
        self.arm(id, FlowEnd::Sender);
        if done && self.ends.connections.senders[id].bytes > 0 {
            self.ends.connections.senders[id].bytes = 0;
            self.ends.flows[id].remaining = 0;
            let flow = &self.ends.flows[id];
            if flow.supply != Supply::Pushed && flow.supplier != NONE {
                self.ends.sources[flow.supplier as usize].done(now);
            }
            self.message_done(id, now);
            self.next_message(id);
            if self.ends.flows[id].supply == Supply::Pushed {
                // A steady source may have waited for this; the host will ask it.
                self.ask(self.ends.flows[id].host.port());
            }
            if self.runs_programs() {
                self.message_acknowledged(id);
            }
        }
        self.refresh_connection(id);
    }

    /// Whether the packet that an answer is about was sent before its flow began anew: then its congestion signals do
    /// not count any more.
    fn is_of_earlier_life(&self, answer: &Packet) -> bool {
        let begins_anew = matches!(self.ends.flows[answer.flow].supply, Supply::Greedy { .. })
            && !self.ends.persistent
            && !self.control.shared_throttles;
        begins_anew && answer.injected < self.ends.connections.senders[answer.flow].started
    }

    /// The flow begins anew: feedback counts for packets sent from now on, and not for earlier ones.
    pub(in crate::host) fn begin_life(&mut self, id: FlowId) {
        if self.transports() {
            self.ends.connections.senders[id].started = Time::NEVER;
        }
    }

    /// Tells the reaction point of a flow if its transport has noticed a loss since the counts `before`.
    fn hear_of_loss(&mut self, id: FlowId, before: LossCounts) {
        let now = self.ends.connections.senders[id].transport.loss_counts();
        if self.control.throttles.inactive() || (now.losses, now.timeouts) == (before.losses, before.timeouts) {
            return;
        }
        let loss = if now.timeouts > before.timeouts { LossSignal::Timeout } else { LossSignal::Told };
        self.react(id, CongestionSignal::Lost(loss));
    }

    /// The phase of a sender, if a probe wants to know.
    fn watched_phase(&self, id: FlowId) -> Option<TransportPhase> {
        self.probe.wants_transport().then(|| self.ends.connections.senders[id].transport.gauges().phase)
    }

    /// Tells probes the state of a sender if its phase has changed.
    fn tell_change(&mut self, id: FlowId, before: Option<TransportPhase>, event: &'static str) {
        if before.is_some() && before != self.watched_phase(id) {
            self.tell_state(id, event);
        }
    }

    /// Tells probes the state of a sender.
    fn tell_state(&mut self, id: FlowId, event: &'static str) {
        if !self.probe.wants_transport() {
            return;
        }
        let gauges = self.ends.connections.senders[id].transport.gauges();
        self.probe.transport(TransportState {
            at: self.now,
            flow: id.0,
            event,
            phase: gauges.phase.name(),
            rate: gauges.rate,
            window: gauges.window,
            measured: gauges.measured,
            predicted: gauges.predicted,
        });
    }
}
