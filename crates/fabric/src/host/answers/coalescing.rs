//! Coalesced ACKs of flows without a transport: which packets an ACK answers, and when it is sent (`adapters.acks`).
//!
//! The rule is that of `congestree_schemes::acks`. An ACK is sent at once for the last packet of a message as well, as
//! adapters do. It answers packets of one life of a flow: those of an earlier one are answered before. Its timer costs an
//! event only when it may be due: one that was put off is found out to be so when its first event comes.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::acks::{AckRule, Unanswered};
use congestree_schemes::react::Feedback;
use congestree_units::{Span, Time};
use congestree_wire::{Kind, Packet, PacketId};

use crate::event::{End, Event};
use crate::fabric::Fabric;
use crate::host::packets::Carries;
use crate::host::receive::met;
use crate::plan::Plan;
use crate::tune::variants::Variant;

/// What waits for its ACK. Empty where every packet has its own.
#[derive(Debug)]
pub(crate) struct Coalescing {
    rule: AckRule,
    /// By flow.
    flows: Vec<Waiting>,
}

/// Packets of one flow.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    unanswered: Unanswered,
    /// The one that came in last.
    last: Option<Packet>,
    /// The event of its timer that is on the agenda; absent if there is none.
    timer_at: Option<Time>,
}

impl Coalescing {
    pub(crate) fn new(plan: &Plan) -> Self {
        let rule = plan.adapter.acks.unwrap_or(AckRule { every: 1, after: Some(Span::ZERO) });
        let flows = if plan.coalesces() { plan.flows.len() } else { 0 };
        Self { rule, flows: vec![Waiting::default(); flows] }
    }

    /// There is a flow more.
    pub(in crate::host) fn grow(&mut self) {
        if !self.flows.is_empty() {
            self.flows.push(Waiting::default());
        }
    }
}

impl Plan {
    /// One ACK answers several packets of flows without a transport.
    pub(crate) fn coalesces(&self) -> bool {
        self.adapter.acks.is_some_and(|acks| acks.every > 1) && self.flows.iter().any(|flow| flow.acked)
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A data packet has come in that is acknowledged: now, or with others.
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
        self.answer(packet, Kind::Ack, self.rules.adapter.ack.0 as u32, self.lane_back(packet), carries);
    }

    #[inline(never)]
    fn coalesce(&mut self, packet: &Packet) {
        let (flow, now) = (packet.flow, self.now);
        let feedback = if self.listens_to_acks() { met(packet) } else { Feedback::Clear };
        let waiting = &self.ends.answers.coalescing.flows[flow as usize];
        if waiting.unanswered.differs(feedback) || waiting.last.is_some_and(|last| last.epoch != packet.epoch) {
            self.answer_waiting(flow);
        }
        if self.telemeters() {
            self.control.inband.keep(flow);
        }
        let Coalescing { rule, flows } = &mut self.ends.answers.coalescing;
        let waiting = &mut flows[flow as usize];
        waiting.last = Some(Packet { next: PacketId::NONE, ..*packet });
        if waiting.unanswered.add(now, *rule, feedback) || packet.last {
            return self.answer_waiting(flow);
        }
        let due = waiting.unanswered.due_at();
        if waiting.timer_at.is_none_or(|at| due < at) {
            waiting.timer_at = Some(due);
            self.schedule(due, Event::Timer { flow, end: End::Receiver });
        }
    }

    /// All packets of a flow that wait are answered by one ACK.
    fn answer_waiting(&mut self, flow: u32) {
        let waiting = &mut self.ends.answers.coalescing.flows[flow as usize];
        let Some(last) = waiting.last.take() else { return };
        let (packets, _) = waiting.unanswered.take();
        self.send_ack(&Packet { acks: packets as u8, ..last }, Carries::Kept);
    }

    /// Packets of a flow may have waited for long enough.
    pub(crate) fn ack_timer(&mut self, flow: u32) {
        let waiting = &mut self.ends.answers.coalescing.flows[flow as usize];
        if waiting.timer_at != Some(self.now) {
            return;
        }
        let due = waiting.unanswered.due_at();
        waiting.timer_at = (due != Time::NEVER && due > self.now).then_some(due);
        match waiting.timer_at {
            Some(due) => self.schedule(due, Event::Timer { flow, end: End::Receiver }),
            None => self.answer_waiting(flow),
        }
    }
}
