//! RCM at work: outputs look at their queues, send notices to neighbours, and hear notices from them.

use congestree_kernel::Agenda;
use congestree_probes::{Probe, RegionFlow, RegionState};
use congestree_schemes::regional::{detect::Finding, recognise::Recognition};
use congestree_topology::CandidateSet;
use congestree_units::Span;
use congestree_wire::{Packet, PacketId, PacketKind, PortId};

use crate::control::region::regions::Regional;
use crate::fabric::Fabric;
use crate::link::frames::{ControlFrame, Frame};
use crate::link::port::In;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet has joined a queue for an output: it may be time for a sample. Flows that were held may be free again.
    #[inline(never)]
    pub(crate) fn region_joined(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        let held = self.paces_flows(output);
        self.region_samples(input, output, lane, id);
        if held && self.links.outs[output].busy_until <= self.now {
            self.consider(output);
        }
    }

    /// The port that a packet takes instead of the one chosen for it, if a region is to be avoided there.
    pub(crate) fn route_around(&mut self, side: In, id: PacketId, set: CandidateSet, chosen: u16) -> u16 {
        let Packet { flow, kind, .. } = self.packets[id];
        let (label, flow) = (self.region_label(flow), self.reporting_flow(flow));
        let (lanes, occupancy) = (self.lanes(), &self.switches.occupancy);
        let waiting = |output: PortId| occupancy.waiting_at(output.index() * lanes..(output.index() + 1) * lanes);
        let fails = self.fails();
        let mut candidates = self.switches.path_choice.sets.ports(set);
        if fails {
            candidates = self.links.faults.left(side.base, candidates);
        }
        let round = self.control.regional.reroute(side.base, candidates, chosen, label, kind, waiting);
        if round != chosen && self.probe.wants_regions() {
            let output = side.base + u32::from(chosen);
            let rerouted = RegionFlow::Rerouted { harmful: self.control.regional.knows(output, label) };
            self.probe.region_flow(self.now, output.0, flow.0, rerouted);
        }
        round
    }

    /// Bytes in the buffer of an output, if it has one.
    fn held_at_output(&self, output: PortId) -> Option<u32> {
        let lanes = (0..self.lanes() as u8).map(|lane| self.at(output, lane));
        self.buffers_outputs().then(|| lanes.map(|place| self.switches.output_buffers.held[place] as u32).sum())
    }

    /// It may be time to record the packet's flow, and to look for congestion.
    fn region_samples(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        self.recognise_flow(output, id);
        match self.look_for_congestion(input, output, lane, id) {
            Finding::NotNow => return,
            Finding::Congested(_) => {
                let Regional { params, outputs, .. } = &self.control.regional;
                let region = &outputs[output];
                let (degree, paces) = (region.degree(params), params.root_control || !region.is_root());
                if paces {
                    self.pace_region(output, degree, false);
                }
                self.tell_region(output, degree);
            }
            Finding::Calm => self.region_calmed(output),
            Finding::Easing => {}
        }
        self.region_changed(output);
    }

    /// A root may record the flow of a packet as harmful. An output that was told by a root uses the flows that the
    /// root named.
    fn recognise_flow(&mut self, output: PortId, id: PacketId) {
        let (flow, kind) = (self.packets[id].flow, self.packets[id].kind);
        let label = self.region_label(flow);
        let Regional { params, outputs, rng, .. } = &mut self.control.regional;
        let region = &mut outputs[output];
        if kind != PacketKind::Data || !region.is_root() {
            return;
        }
        let drawn = rng.get_mut(output).map(|rng| rng.below(params.flow_sample_every.into()) == 0);
        let Recognition::Written { others } = region.flows.on_packet(label, params, drawn) else { return };
        let paces = params.root_control;
        if self.probe.wants_regions() {
            let flow = self.reporting_flow(flow);
            self.probe.region_flow(self.now, output.0, flow.0, RegionFlow::Sampled);
        }
        if others && paces {
            self.more_harmful(output);
        }
    }

    /// Counts a packet that has joined a queue; returns what a sample of the queues finds, if it is time for a sample.
    fn look_for_congestion(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) -> Finding {
        let side = self.links.ins[input];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        // The queue of the output is its own buffer, or if it has none, all that the inputs hold for it.
        let waiting = self.held_at_output(output).unwrap_or(self.waiting_for(output) as u32);
        let size = self.packets[id].size;
        let Regional { params, outputs, queues, .. } = &mut self.control.regional;
        let queue = &mut queues[queue];
        queue.present += size;
        queue.length += size;
        let found = outputs[output].point.on_packet(waiting, queue.length, queue.before, params);
        if found != Finding::NotNow {
            queue.before = queue.length;
        }
        found
    }

    /// An output no longer finds congestion of its own: a root stops holding flows.
    fn region_calmed(&mut self, output: PortId) {
        self.untell_region(output, false);
        let region = &mut self.control.regional.outputs[output];
        if region.is_root() && region.control.on(self.now) {
            region.control.stop(self.now);
        }
    }

    /// Packets for an output that waited at its inputs, in any lane, cross if no window holds them any more.
    pub(crate) fn let_go(&mut self, output: PortId) {
        if self.buffers_outputs() {
            (0..self.lanes() as u8).for_each(|lane| self.fill_output(output, lane));
        }
    }

    /// Tells probes the state of an output.
    fn region_changed(&mut self, output: PortId) {
        if self.probe.wants_regions() {
            let Regional { params, outputs, .. } = &self.control.regional;
            let region = &outputs[output];
            let (own, told, degree) = (region.point.degree(), region.told_degree(), region.degree(params));
            self.probe.region(self.now, output.0, RegionState { own, told, degree });
        }
    }

    /// A packet has left a queue for an output, onto the link.
    #[inline(never)]
    pub(crate) fn region_left(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        let side = self.links.ins[input];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        if !self.buffers_outputs() {
            self.region_passed(input, output, lane, id);
        }
        let size = self.packets[id].size;
        self.control.regional.queues[queue].present -= size;
        let waiting = self.waiting_for(output);
        let region = &mut self.control.regional.outputs[output];
        if waiting == 0 && region.point.degree() > 0 {
            region.point.on_empty();
            if region.is_root() {
                region.control.stop(self.now);
            }
            self.untell_region(output, true);
            self.region_changed(output);
        }
    }

    /// Tells every switch that has sent something for this output the degree of congestion and the harmful flows.
    fn tell_region(&mut self, output: PortId, degree: u8) {
        let (base, radix) = (self.links.outs[output].base, self.links.outs[output].radix);
        for local in 0..u32::from(radix) {
            let side = self.links.ins[base + local];
            let mut queues = (0..self.lanes() as u8).map(|lane| self.queue(&side, lane, (output - base) as u16));
            if queues.all(|queue| self.control.regional.queues[queue].present == 0) {
                continue;
            }
            self.control.regional.outputs[output].told_inputs |= 1 << local;
            self.tell_of(base + local, output, degree, false);
        }
    }

    /// Tells all neighbours that were told that the congestion is over; `late` if the cause is that a packet starts.
    fn untell_region(&mut self, output: PortId, late: bool) {
        let base = self.links.outs[output].base;
        let told = std::mem::take(&mut self.control.regional.outputs[output].told_inputs);
        for local in (0..64u32).filter(|local| told & (1 << local) != 0) {
            self.tell_of(base + local, output, 0, late);
        }
    }

    /// Tells the switch at the other end of an input.
    fn tell_of(&mut self, input: PortId, output: PortId, degree: u8, late: bool) {
        if self.rules.is_host(self.links.ins[input].sender) {
            return;
        }
        let flows = self.control.regional.outputs[output].flows.flows().to_vec();
        let place = self.control.regional.say(output, flows);
        let bytes = self.control.regional.params.notice.0 as u32;
        let number = (output - self.links.outs[output].base) as u16;
        let notice = ControlFrame::Region { degree, output: number, place };
        let frame = Frame { bytes, after: Span::ZERO, notice };
        if late { self.tell_late(input, frame) } else { self.tell(input, frame) }
    }

    /// An output hears that another output downstream is congested, or no longer is.
    #[inline(never)]
    pub(crate) fn hear_of_region(&mut self, port: PortId, degree: u8, place: u32) {
        let (about, flows) = self.control.regional.take_out(place);
        let Regional { params, outputs, .. } = &mut self.control.regional;
        let region = &mut outputs[port];
        region.heard += 1;
        let known = region.flows.flows().to_vec();
        region.beyond.retain(|&(output, _)| output != about);
        if degree == 0 {
            region.repeated = 0;
            if region.is_root() {
                region.flows.forget();
                region.control.stop(self.now);
            }
        } else {
            if region.is_root() {
                region.flows.forget();
            }
            region.beyond.push((about, degree));
            region.repeated += 1;
            region.flows.add(&flows, params);
            let more = flows.iter().any(|flow| !known.contains(flow));
            let counts = region.degree(params);
            self.pace_region(port, counts, more);
        }
        self.region_changed(port);
        self.let_go(port);
        self.ask(port);
    }
}
