//! What reaction points are told besides marks (their place in the network, and the round-trip time of an idle
//! network), the answers of theirs that are not rates (how much may be unacknowledged), and which marks are reported at
//! all.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::ReactionPoint;
use congestree_schemes::react::LinkView;
use congestree_schemes::telemetry::HopRecord;
use congestree_units::{Bytes, Rate, Span};
use congestree_wire::{FlowId, HostId, PacketId, PacketKind, PortId};

use crate::control::controls::Cnp;
use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet of a flow has come in that is marked, or undetermined: decides whether its receiver sends a
    /// notification.
    #[inline]
    pub(crate) fn tells(&mut self, flow: FlowId, cnp: Cnp, marked: bool) -> bool {
        match self.control.pacers.get_mut(flow) {
            Some(pacer) => pacer.tells(self.now, cnp.interval, marked),
            None => true,
        }
    }

    /// Tells all reaction points their place in the network.
    pub(crate) fn place_reactions(&mut self) {
        self.ends.flows.ids().for_each(|flow| self.place_reaction(flow));
    }

    /// Resets the reaction point of a flow, and tells it its place if that matters.
    pub(crate) fn place_reaction(&mut self, flow: FlowId) {
        if self.control.throttles.inactive() {
            return;
        }
        self.keep_state(flow, false);
        self.control.throttles.renew(&mut self.ends.flows[flow].throttle);
        if self.control.throttles.uniform_start() {
            return;
        }
        let (host, destination) = (self.ends.flows[flow].host, self.ends.cold[flow].destination);
        let (round_trip, hops) = if self.control.windowed && destination != HostId::NONE {
            (self.idle_round_trip(host, destination), self.switches_between(host, destination))
        } else {
            (Span::ZERO, 0)
        };
        let line = self.line_of(host);
        let packet = self.rules.adapter.full();
        let place = &mut self.ends.flows[flow].throttle;
        self.control.throttles.at_mut(place).at_link(LinkView { line, packet, round_trip, hops });
        self.take_window(flow);
    }

    /// Sets the window of a flow as its reaction point says, if that has a window.
    #[inline]
    pub(crate) fn take_window(&mut self, flow: FlowId) {
        if self.control.windowed {
            let cold = &mut self.ends.cold[flow];
            let flow = &mut self.ends.flows[flow];
            cold.window = self.control.throttles.at(flow.throttle).window().unwrap_or(cold.window);
            flow.window = cold.window();
        }
    }

    /// The rate of the link of a host, not counting temporary reductions.
    fn line_of(&self, host: HostId) -> Rate {
        let rate = self.links.faults.first_rate(host).unwrap_or(self.links.outs[host.port()].rate);
        self.links.rates[usize::from(rate)].rate()
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A throttled flow is about to send: it stops being throttled if nothing slows it down any more.
    #[inline]
    pub(crate) fn forget(&mut self, flow_id: FlowId) -> bool {
        let flow = &mut self.ends.flows[flow_id];
        if self.control.throttles.forgets(&mut flow.throttle, self.now) {
            flow.plain =
                !self.control.every_packet && (!self.ends.limits_rates || self.ends.cold[flow_id].rate_limit.is_none());
        }
        flow.plain
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet starts on the link of an output, which writes its state into data. An output that measures itself
    /// counts packets of all kinds.
    #[inline(always)]
    pub(crate) fn telemetry_leaves(&mut self, output: PortId, id: PacketId, kind: PacketKind) {
        if kind == PacketKind::Data || self.control.inband.measures() {
            self.write_telemetry(output, id, kind);
        }
    }

    #[inline(never)]
    fn write_telemetry(&mut self, output: PortId, id: PacketId, kind: PacketKind) {
        let first = output.index() * self.lanes();
        let queue = self.switches.occupancy.waiting_at(first..first + self.lanes());
        let queue = u32::try_from(queue).unwrap_or(u32::MAX);
        let out = &self.links.outs[output];
        let rate = self.links.rates[usize::from(out.rate)].rate();
        let hop = HopRecord { at: self.now, bytes: out.bytes, queue, output: output.0, rate };
        let size = Bytes(u64::from(self.packets[id].size));
        match kind {
            PacketKind::Data => self.control.inband.write(id, output, hop, size),
            _ => self.control.inband.count(output, hop, size),
        }
    }
}
