//! Answers at work: when an ACK that answers several packets is sent, and when an ACK that was being prepared is
//! ready.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::react::Feedback;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind};

use crate::control::marking::mark::sent;
use crate::control::telemetry::Written;
use crate::event::{Event, FlowEnd};
use crate::fabric::Fabric;
use crate::host::answers::coalescing::{Coalescing, Earlier};
use crate::host::answers::feedback::met;
use crate::host::packets::Carries;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A data packet has arrived that is to be acknowledged, now or together with others.
    #[inline]
    pub(in crate::host) fn acknowledge(&mut self, packet: &Packet) {
        match self.coalesces() {
            true => self.coalesce(packet),
            false => self.send_ack(packet, Carries::Last),
        }
    }

    /// An ACK starts back to the source of a packet.
    #[inline]
    fn send_ack(&mut self, packet: &Packet, carries: Carries) {
        let lane = self.rules.adapter.ack_lane.unwrap_or_else(|| self.lane_back(packet));
        self.answer(packet, PacketKind::Ack, self.rules.adapter.ack.0 as u32, lane, carries);
    }

    #[inline(never)]
    fn coalesce(&mut self, packet: &Packet) {
        let (flow, now) = (packet.flow, self.now);
        let feedback = if self.reacts_to_acks() { met(packet) } else { Feedback::Clear };
        let waiting = &self.ends.answers.coalescing.flows[flow];
        if waiting.unanswered.differs(feedback) || waiting.last.is_some_and(|last| last.epoch != packet.epoch) {
            self.answer_waiting(flow);
        }
        if self.telemeters() {
            self.control.inband.keep(flow);
        }
        let Coalescing { rule, flows, .. } = &mut self.ends.answers.coalescing;
        let waiting = &mut flows[flow];
        if let (Some(earlier), None) = (&waiting.last, &self.control.cnp) {
            self.probe.answered_together(sent(earlier), earlier.marked(), packet.injected);
        }
        waiting.last = Some(Packet { next: PacketId::NONE, ..*packet });
        if waiting.unanswered.add(now, *rule, feedback) || packet.last {
            return self.answer_waiting(flow);
        }
        let due = waiting.unanswered.due_at();
        if waiting.timer_at.is_none_or(|at| due < at) {
            waiting.timer_at = Some(due);
            self.schedule(due, Event::Timer { flow, end: FlowEnd::Receiver });
        }
    }

    /// One ACK answers all waiting packets of a flow.
    fn answer_waiting(&mut self, flow: FlowId) {
        let waiting = &mut self.ends.answers.coalescing.flows[flow];
        let Some(last) = waiting.last.take() else { return };
        let (packets, _) = waiting.unanswered.take();
        self.send_ack(&Packet { acks: packets as u8, ..last }, Carries::Kept);
    }

    /// A record is about to be reused by another flow: waiting packets of the old flow will be answered in their own
    /// time.
    pub(in crate::host) fn put_by(&mut self, flow: FlowId) {
        let Coalescing { flows, earlier, .. } = &mut self.ends.answers.coalescing;
        if let Some(state) = flows.get_mut(flow)
            && state.last.is_some()
        {
            let carried = self.control.inband.exchange_kept(flow, Written::default());
            earlier.push(Earlier { flow, waiting: std::mem::take(state), carried });
        }
    }

    /// The ACK timer of earlier flows that used this record.
    fn earlier_timer(&mut self, flow: FlowId) {
        let now = self.now;
        let earlier = &mut self.ends.answers.coalescing.earlier;
        let is_due = |one: &Earlier| one.flow == flow && one.waiting.timer_at == Some(now);
        let Some(place) = earlier.iter().position(is_due) else { return };
        let due = earlier[place].waiting.unanswered.due_at();
        if due > now {
            earlier[place].waiting.timer_at = Some(due);
            return self.schedule(due, Event::Timer { flow, end: FlowEnd::Receiver });
        }
        let Earlier { waiting, carried, .. } = earlier.swap_remove(place);
        let later = std::mem::replace(&mut self.ends.answers.coalescing.flows[flow], waiting);
        let kept = self.control.inband.exchange_kept(flow, carried);
        self.answer_waiting(flow);
        self.ends.answers.coalescing.flows[flow] = later;
        self.control.inband.exchange_kept(flow, kept);
    }

    /// The ACK timer: packets of a flow may have waited for long enough.
    pub(crate) fn ack_timer(&mut self, flow: FlowId) {
        self.earlier_timer(flow);
        let waiting = &mut self.ends.answers.coalescing.flows[flow];
        if waiting.timer_at != Some(self.now) {
            return;
        }
        let due = waiting.unanswered.due_at();
        waiting.timer_at = (due != Time::NEVER && due > self.now).then_some(due);
        match waiting.timer_at {
            Some(due) => self.schedule(due, Event::Timer { flow, end: FlowEnd::Receiver }),
            None => self.answer_waiting(flow),
        }
    }

    /// An ACK or NACK of a host: it may leave after the turnaround time of the host.
    #[inline]
    pub(crate) fn turn_around(&mut self, host: HostId, id: PacketId) {
        if !self.turns_around() {
            return self.queue_control(host, id);
        }
        self.ends.answers.turnaround.waiting[host].push(&mut self.packets, id);
        self.schedule(self.now + self.ends.answers.turnaround.time, Event::Answer { host });
    }

    /// The oldest ACK that a host is preparing is ready.
    pub(crate) fn answer_is_ready(&mut self, host: HostId) {
        let waiting = &mut self.ends.answers.turnaround.waiting[host];
        let id = waiting.head;
        if id != PacketId::NONE {
            waiting.pop(&self.packets);
            self.queue_control(host, id);
        }
    }

    /// A control packet of a host waits for the link.
    #[inline]
    pub(crate) fn queue_control(&mut self, host: HostId, id: PacketId) {
        self.ends.hosts[host].control.push(&mut self.packets, id);
        self.ask_host(host);
    }
}
