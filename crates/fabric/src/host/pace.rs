//! When a flow may send its next packet: what its reaction point is told, and the pace that follows from it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::ReactionPoint;
use congestree_schemes::react::{Acked, Feedback, LossSignal, Sent};
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::control::controls::Control;
use crate::control::past_limits::MarkedWhen;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::tune::variants::Variant;

/// What a source is told about its packets.
#[derive(Clone, Copy, Debug)]
pub(super) enum CongestionSignal {
    /// A notification has come in.
    Notified(Feedback),
    /// An ACK has arrived: `packets` have newly arrived at the receiver, and `outstanding` are still on their way.
    Acked { feedback: Feedback, round_trip: Span, packets: u32, outstanding: u32 },
    /// Its transport sends lost packets again.
    Lost(LossSignal),
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Reaction points are told of ACKs.
    #[inline(always)]
    pub(super) fn reacts_to_acks(&self) -> bool {
        self.control.cnp.is_none() && !self.control.throttles.inactive()
    }

    /// The flow whose pace applies to a flow.
    #[inline(always)]
    pub(crate) fn pacer(&self, flow: FlowId) -> FlowId {
        if self.control.shared_throttles { self.ends.cold[flow].pacer } else { flow }
    }

    /// The reaction point of a flow is told something.
    pub(super) fn react(&mut self, flow_id: FlowId, heard: CongestionSignal) {
        let host = self.ends.flows[flow_id].host;
        let pacer = self.pacer(flow_id);
        self.keep_state(pacer, false);
        let telemeters = self.telemeters();
        let Control { throttles, inband, .. } = &mut self.control;
        let reaction = throttles.at_mut(&mut self.ends.flows[pacer].throttle);
        match heard {
            CongestionSignal::Acked { feedback, round_trip, packets, outstanding } => {
                let telemetry = telemeters.then(|| inband.seen());
                reaction.on_ack(self.now, &Acked { feedback, round_trip, packets, outstanding, telemetry });
            }
            CongestionSignal::Notified(feedback) => reaction.on_feedback(self.now, feedback),
            CongestionSignal::Lost(loss) => reaction.on_loss(self.now, loss),
        }
        self.ends.flows[pacer].plain = false;
        self.set_pace(host, flow_id, pacer);
        self.take_window(flow_id);
        self.tell_limit(flow_id);
        if self.control.shared_throttles {
            // It may hold other flows now, or release them.
            self.ask(host.port());
        }
    }

    /// A packet of the flow starts, and its pace continues from here. Returns whether the flow was plain before.
    #[inline]
    pub(crate) fn starts(&mut self, host: HostId, flow_id: FlowId, pacer: FlowId, size: u32) -> bool {
        let paced = &mut self.ends.flows[pacer];
        (paced.last_start, paced.last_size) = (self.now, size);
        let plain = paced.plain;
        if !plain {
            self.keep_state(pacer, true);
        }
        if (plain || self.forget(pacer)) && self.control.free_at_first && !self.control.shared_throttles {
            // If only the link limits it, nothing reads this time earlier.
            self.ends.flows[pacer].next_at = self.now;
            return plain;
        }
        let paced = &mut self.ends.flows[pacer];
        if !paced.plain && paced.throttle != NONE {
            self.control.throttles.at_mut(&mut paced.throttle).on_sent(self.now, Bytes(u64::from(size)));
        }
        self.set_pace(host, flow_id, pacer);
        plain
    }

    /// Sets when the next packet is allowed, from the start and size of the last one.
    #[inline]
    fn set_pace(&mut self, host: HostId, flow_id: FlowId, pacer: FlowId) {
        let paced = &mut self.ends.flows[pacer];
        // The last packet went at the rate the link had when it started, even if that has changed since.
        let rate = self.links.faults.rate_at(host, paced.last_start).unwrap_or(self.links.outs[host.port()].rate);
        let link = &mut self.links.rates[usize::from(rate)];
        let (time, line) = (link.time(paced.last_size), link.rate());
        let last = Sent { start: paced.last_start, time, full: link.full, line };
        paced.next_at = self.control.throttles.at(if paced.plain { NONE } else { paced.throttle }).next_start(last);
        if self.ends.limits_rates
            && !self.ends.flows[flow_id].plain
            && let Some(rate) = self.ends.cold[flow_id].rate_limit
        {
            let paced = &mut self.ends.flows[pacer];
            let at = paced.last_start + rate.time_for(Bytes(u64::from(paced.last_size)));
            paced.next_at = paced.next_at.max(at);
        }
    }

    /// The pace may now allow a flow to send.
    pub(crate) fn pace_allows(&mut self, flow: FlowId) {
        let state = &mut self.ends.cold[flow];
        if state.wake_at == self.now {
            state.wake_at = Time::NEVER;
            self.refresh(flow);
        }
    }

    /// The rate limit of a flow, as R_max/r.
    pub(crate) fn limit_of(&self, flow_id: FlowId) -> f64 {
        let flow = &self.ends.flows[flow_id];
        let full = self.links.rates[usize::from(self.links.outs[flow.host.port()].rate)].full;
        self.control.throttles.at(self.ends.flows[self.pacer(flow_id)].throttle).limit(self.now, full)
    }

    /// The rate limit of the flows of a pacer at a recent instant, before anything is sent at that instant.
    pub(crate) fn limit_at(&self, pacer: FlowId, at: Time, when: MarkedWhen) -> f64 {
        let paced = &self.ends.flows[pacer];
        let rate = self.links.faults.rate_at(paced.host, at).unwrap_or(self.links.outs[paced.host.port()].rate);
        let past = self.control.past_limits.at(pacer, at, when);
        let state = past.unwrap_or_else(|| self.control.throttles.at(paced.throttle));
        state.limit(at, self.links.rates[usize::from(rate)].full)
    }

    /// The reaction point of a pacer is about to change, because a packet is `sent` or a signal has arrived. Keeps
    /// its present state for those that ask for its limit later.
    #[inline]
    pub(crate) fn keep_state(&mut self, pacer: FlowId, sent: bool) {
        if self.probe.wants_events() && (sent || self.border.cut()) {
            let Control { throttles, past_limits, .. } = &mut self.control;
            if !self.border.cut() {
                past_limits.forget_before(self.now);
            }
            past_limits.note(pacer, self.now, sent, throttles.at(self.ends.flows[pacer].throttle));
        }
    }

    /// Tells probes a flow's rate limit, if they want to know.
    #[inline]
    pub(crate) fn tell_limit(&mut self, flow_id: FlowId) {
        if self.probe.wants_limits() && self.reporting_flow(flow_id) == flow_id {
            self.probe.limit(self.now, flow_id.0, self.limit_of(flow_id));
        }
    }
}
