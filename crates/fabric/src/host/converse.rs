//! A flow with a transport: groups of packets are sent, acknowledged, and sent again if they are lost.
//!
//! The transport and its receiver (`congestree_schemes::transport`) decide what to do; this file does it. The packets of
//! a message are a group. Messages of a flow follow each other: the next one begins when every packet of the last one
//! has been sent, or, with transports that send block by block, when it is acknowledged. An endless source is an endless
//! group, which is cut when the source stops. Timers cost an event only when they may be due: if one was put off, this is
//! found out when its first event comes.

use congestree_kernel::{Agenda, mix};
use congestree_probes::{Probe, SentPacket, TransportState};
use congestree_schemes::Transport;
use congestree_schemes::react::{Feedback, LossSignal};
use congestree_schemes::transport::{Arrived, Header, HostLink, LossCounts, PathView, TransportPhase};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet};

use crate::control::marking::mark::sent;
use crate::event::{Event, FlowEnd};
use crate::fabric::Fabric;
use crate::host::answers::feedback::met;
use crate::host::connection::ConnectionSender;
use crate::host::flow::{NONE, Supply};
use crate::host::pace::CongestionSignal;
use crate::host::packets::Carries;
use crate::tune::variants::Variant;

mod sending;

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
            if transport.loss_counts().timeouts > before.timeouts {
                self.ends.connections.senders[id].times_out();
            }
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
        if self.chooses_paths() {
            self.note_order(packet);
        }
        let feedback = if self.reacts_to_acks() { met(packet) } else { Feedback::Clear };
        let receiver = &mut self.ends.connections.receivers[id];
        let expected = receiver.answers.expected();
        let receipt = receiver.answers.on_packet(now, &arrived, packet.injected, packet.last, feedback);
        if let Some(injected) = receipt.together {
            let marked = feedback == Feedback::Congested;
            self.probe.answered_together(SentPacket { injected, ..sent(packet) }, marked, packet.injected);
        }
        let receiver = &mut self.ends.connections.receivers[id];
        if receipt.discarded {
            receiver.discarded += 1;
        } else {
            self.count_in(packet);
        }
        if receipt.passed_on > 0 && !receipt.discarded {
            if self.probe.wants_transfers() {
                self.tell_transfers(id, packet.sequence, expected);
            }
            if self.runs_programs() {
                let answers = &self.ends.connections.receivers[id].answers;
                match answers.in_order() {
                    true => self.packets_in(id, answers.expected()),
                    false => self.packet_in_alone(id, packet.sequence),
                }
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
        self.tell_state(id, "ack");
        self.tell_sender(id);
        if packet.marked() || header.marked() {
            self.probe.echoed(now, sent(packet));
        }
        if self.reacts_to_acks() && !self.is_of_earlier_life(packet) {
            self.react(id, self.heard_from(packet, arrived.wrapping_sub(known), on_the_way));
            self.hear_of_loss(id, before);
        }
        self.arm(id, FlowEnd::Sender);
        while self.ends.connections.senders[id].completes_one() {
            self.message_completed(id);
        }
        self.refresh_connection(id);
    }

    /// All packets of the oldest message of a flow have been acknowledged.
    fn message_completed(&mut self, id: FlowId) {
        let now = self.now;
        let flow = &self.ends.flows[id];
        let (pushed, source, follows) = (flow.supply == Supply::Pushed, flow.supplier, self.follows_on(id));
        if !pushed && source != NONE {
            self.ends.sources[source as usize].done(now);
        }
        self.message_done(id, now);
        if !follows {
            self.ends.flows[id].remaining = 0;
            self.next_message(id);
        }
        if pushed && !follows {
            // A steady source may have waited for this; the host will ask it.
            self.ask(self.ends.flows[id].host.port());
        }
        if self.runs_programs() {
            self.message_acknowledged(id);
        }
    }

    /// Whether a flow takes its next message when it has sent the last one, and not when that has been acknowledged:
    /// the transport allows it, and the source does not wait.
    pub(super) fn follows_on(&self, id: FlowId) -> bool {
        let flow = &self.ends.flows[id];
        let waits = || {
            flow.supply == Supply::Pulled && flow.supplier != NONE && self.ends.sources[flow.supplier as usize].waits()
        };
        self.ends.connections.follow_on && !waits()
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
