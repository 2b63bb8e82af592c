//! RCM at work: outputs look at their queues, tell the neighbours that feed them, and hold harmful flows to their windows.
//!
//! What there is to decide is in `congestree_schemes::rcm`; here it is carried out. A congestion point is an output with its
//! virtual output queues. It is looked at when packets join; when congestion is found, it tells the switches behind every
//! input that has something for it, by a frame on the link back: the degree and the harmful flows. Whoever hears it is
//! in the region by that output, and paces those flows there. Hosts are not told: they have DCQCN, or nothing.
//!
//! A root holds nobody unless `root_control` says so: all that it sends goes the crowded way, and the link would only idle.
//! How packets are held is in `pacing`.

mod pacing;

use congestree_kernel::Agenda;
use congestree_probes::{Probe, RegionFlow, RegionState};
use congestree_schemes::rcm::{
    Measured, RcmParams, control::Control, count::Running, detect, detect::Finding, detect::Point,
    recognise::Recognised,
};
use congestree_units::Span;
use congestree_wire::{Kind, PacketId};

use crate::fabric::Fabric;
use crate::link::frames::{Frame, Notice};
use crate::plan::Plan;
use crate::tune::variants::Variant;

/// What all outputs know of their regions. Empty without RCM.
#[derive(Debug, Default)]
pub(crate) struct Regional {
    params: RcmParams,
    /// By port.
    outputs: Vec<Region>,
    /// By queue of an input.
    queues: Vec<Queued>,
    /// What notices on their way say: the output they are about, and its harmful flows.
    told: Vec<(u32, Vec<u32>)>,
    free: Vec<u32>,
}

/// What came by one input for one output.
#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    /// Bytes in the switch.
    present: u32,
    /// Those of them that still wait at the input.
    length: u32,
    /// As many at the last look.
    before: u32,
}

/// What an output knows of the region it is in, if any.
#[derive(Clone, Debug, Default)]
struct Region {
    point: Point,
    flows: Recognised,
    control: Control,
    /// What it has sent lately, where that is counted all the time.
    running: Running,
    /// Outputs beyond it that are congested, and how much.
    beyond: Vec<(u32, u8)>,
    /// Notices in a row that told of congestion.
    repeated: u32,
    /// The inputs whose neighbours have been told, by bit.
    told: u64,
    /// Notices heard so far.
    heard: u64,
}

impl Region {
    /// The highest degree that it was told.
    fn told_degree(&self) -> u8 {
        self.beyond.iter().map(|&(_, degree)| degree).max().unwrap_or(0)
    }

    /// The degree that counts here and is passed on.
    fn degree(&self, params: &RcmParams) -> u8 {
        match (self.point.degree(), self.told_degree()) {
            (own, 0) => own,
            (0, told) => told,
            (own, told) => detect::passed_on(own, told, params),
        }
    }
}

impl Regional {
    pub(crate) fn new(plan: &Plan, ports: usize, queues: usize) -> Self {
        let Some(params) = &plan.scheme.rcm else { return Self::default() };
        Self {
            params: params.clone(),
            outputs: vec![Region::default(); ports],
            queues: vec![Queued::default(); queues],
            ..Self::default()
        }
    }

    /// Outputs count what they send all the time.
    pub(crate) fn counts_always(&self) -> bool {
        self.params.measured == Measured::Always
    }

    /// Notices that a port has heard.
    pub(crate) fn heard(&self, port: usize) -> u64 {
        self.outputs.get(port).map_or(0, |region| region.heard)
    }

    /// Other flows look for another way than by this output.
    fn avoided(&self, output: u32, waiting: u64) -> bool {
        let region = &self.outputs[output as usize];
        let above = waiting > self.params.reroute_above.0;
        self.params.reroute && (above || (region.repeated >= 2 && region.point.degree() > 0))
    }

    /// An output knows a flow as harmful.
    pub(crate) fn knows(&self, output: u32, flow: u32) -> bool {
        self.outputs[output as usize].flows.has(flow)
    }

    /// The way round a region for a packet that is not of a harmful flow: of these ports the least congested (SAR). `waiting`
    /// tells the bytes that wait for an output.
    pub(crate) fn way_round(
        &self,
        base: u32,
        several: &[u16],
        chosen: u16,
        flow: u32,
        kind: Kind,
        waiting: impl Fn(u32) -> u64,
    ) -> u16 {
        let output = base + u32::from(chosen);
        let region = &self.outputs[output as usize];
        if kind != Kind::Data || !self.avoided(output, waiting(output)) || region.flows.has(flow) {
            return chosen;
        }
        let params = &self.params;
        let degree = |port: &u16| self.outputs[(base + u32::from(*port)) as usize].degree(params);
        let least = several.iter().copied().min_by_key(degree).unwrap_or(chosen);
        if degree(&least) < degree(&chosen) { least } else { chosen }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet has joined a queue for an output: it may be the time to look.
    #[inline(never)]
    pub(crate) fn region_joined(&mut self, input: u32, output: u32, lane: u8, id: PacketId) {
        let side = self.links.ins[input as usize];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let at_output = self.buffers_outputs().then(|| self.switches.output_buffers.held[self.at(output, lane)] as u32);
        let waiting = self.waiting_for(output) as u32;
        let packet = &self.packets[id];
        let flow = self.region_label(packet.flow);
        let Regional { params, outputs, queues, .. } = &mut self.control.regional;
        let region = &mut outputs[output as usize];
        let own = &mut queues[queue];
        own.present += packet.size;
        own.length += packet.size;
        let root = packet.kind == Kind::Data && region.beyond.is_empty();
        let known = region.flows.has(flow);
        let looked = root && region.flows.on_packet(flow, params.flows, params.flow_sample_every);
        let more = looked && !known && params.root_control;
        // The queue of the output is its own memory, or if it has none, what all inputs have for it.
        let found = region.point.on_packet(at_output.unwrap_or(waiting), own.length, own.before, params);
        if found != Finding::NotNow {
            own.before = own.length;
        }
        if looked && self.probe.wants_regions() {
            let flow = self.told_as(self.packets[id].flow);
            self.probe.region_flow(self.now, output, flow, RegionFlow::Looked);
        }
        if more {
            self.more_harmful(output);
        }
        match found {
            Finding::NotNow => return,
            Finding::Congested(_) => {
                let Regional { params, outputs, .. } = &self.control.regional;
                let region = &outputs[output as usize];
                let (degree, paces) = (region.degree(params), params.root_control || !region.beyond.is_empty());
                if paces {
                    self.pace_region(output, degree, false);
                }
                self.tell_region(output, lane, degree);
            }
            Finding::Calm => self.region_calmed(output),
            Finding::Easing => {}
        }
        self.region_changed(output);
    }

    /// An output finds no congestion of its own any more: a root holds nobody.
    fn region_calmed(&mut self, output: u32) {
        self.untell_region(output);
        let region = &mut self.control.regional.outputs[output as usize];
        if region.beyond.is_empty() && region.control.on() {
            region.control.stop();
            self.let_go(output);
            if self.links.outs[output as usize].busy_until <= self.now {
                self.consider(output);
            }
        }
    }

    /// Packets that were held for an output at its inputs may cross: nobody else tells the output of them.
    fn let_go(&mut self, output: u32) {
        if self.buffers_outputs() {
            (0..self.lanes() as u8).for_each(|lane| self.fill_output(output, lane));
        }
    }

    /// Probes hear of the state of an output.
    fn region_changed(&mut self, output: u32) {
        if self.probe.wants_regions() {
            let Regional { params, outputs, .. } = &self.control.regional;
            let region = &outputs[output as usize];
            let (own, told, degree) = (region.point.degree(), region.told_degree(), region.degree(params));
            self.probe.region(self.now, output, RegionState { own, told, degree });
        }
    }

    /// A packet has left a queue for an output, onto the link.
    #[inline(never)]
    pub(crate) fn region_left(&mut self, input: u32, output: u32, lane: u8, id: PacketId) {
        let side = self.links.ins[input as usize];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        if !self.buffers_outputs() {
            self.region_passed(input, output, lane, id);
        }
        let size = self.packets[id].size;
        self.control.regional.queues[queue].present -= size;
        let waiting = self.waiting_for(output);
        let region = &mut self.control.regional.outputs[output as usize];
        if waiting == 0 && region.point.degree() > 0 {
            region.point.on_empty();
            if region.beyond.is_empty() {
                region.control.stop();
            }
            self.untell_region(output);
            self.region_changed(output);
        }
    }

    /// Tells every switch that has sent something for this output how congested it is, and by whom.
    fn tell_region(&mut self, output: u32, lane: u8, degree: u8) {
        let (base, radix) = (self.links.outs[output as usize].base, self.links.outs[output as usize].radix);
        for local in 0..u32::from(radix) {
            let queue = self.queue(&self.links.ins[(base + local) as usize], lane, (output - base) as u16);
            if self.control.regional.queues[queue].present == 0 {
                continue;
            }
            self.control.regional.outputs[output as usize].told |= 1 << local;
            self.tell_of(base + local, output, degree);
        }
    }

    /// Tells all who were told that it is over.
    fn untell_region(&mut self, output: u32) {
        let base = self.links.outs[output as usize].base;
        let told = std::mem::take(&mut self.control.regional.outputs[output as usize].told);
        for local in (0..64u32).filter(|local| told & (1 << local) != 0) {
            self.tell_of(base + local, output, 0);
        }
    }

    /// Tells the switch at the other end of an input.
    fn tell_of(&mut self, input: u32, output: u32, degree: u8) {
        if self.links.ins[input as usize].sender < self.rules.hosts_len {
            return;
        }
        let flows = self.control.regional.outputs[output as usize].flows.flows().to_vec();
        let place = match self.control.regional.free.pop() {
            Some(place) => {
                self.control.regional.told[place as usize] = (output, flows);
                place
            }
            None => {
                self.control.regional.told.push((output, flows));
                self.control.regional.told.len() as u32 - 1
            }
        };
        let bytes = self.control.regional.params.notice.0 as u32;
        self.tell(input, Frame { bytes, after: Span::ZERO, notice: Notice::Region { degree, place } });
    }

    /// An output hears that another one beyond it is congested, or is no more.
    #[inline(never)]
    pub(crate) fn hear_of_region(&mut self, port: u32, degree: u8, place: u32) {
        let (about, flows) = std::mem::take(&mut self.control.regional.told[place as usize]);
        self.control.regional.free.push(place);
        let Regional { params, outputs, .. } = &mut self.control.regional;
        let region = &mut outputs[port as usize];
        region.heard += 1;
        let known = region.flows.flows().to_vec();
        region.beyond.retain(|&(output, _)| output != about);
        if degree == 0 {
            region.repeated = 0;
            if region.beyond.is_empty() {
                region.flows.forget();
                region.control.stop();
                self.let_go(port);
            }
        } else {
            if region.beyond.is_empty() {
                region.flows.forget();
            }
            region.beyond.push((about, degree));
            region.repeated += 1;
            let more = flows.iter().any(|flow| !known.contains(flow));
            region.flows.add(&flows, params.flows);
            let counts = region.degree(params);
            self.pace_region(port, counts, more);
        }
        self.region_changed(port);
        self.ask(port);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Bytes;

    /// Outputs 10 to 12 of a switch whose first port is 10; flow 7 is harmful at the first, which is congested.
    fn regional() -> Regional {
        let params = RcmParams { reroute: true, reroute_above: Bytes(1_000), sample_every: 1, ..Default::default() };
        let mut outputs = vec![Region::default(); 13];
        outputs[10].flows.add(&[7], 16);
        assert!(matches!(outputs[10].point.on_packet(50_000, 0, 0, &params), Finding::Congested(_)));
        assert!(matches!(outputs[11].point.on_packet(34_000, 34_000, 34_000, &params), Finding::Congested(_)));
        Regional { params, outputs, ..Default::default() }
    }

    /// So many bytes wait for the congested output.
    fn waiting(output: u32) -> u64 {
        if output == 10 { 50_000 } else { 0 }
    }

    #[test]
    fn packets_of_other_flows_go_round_by_the_least_congested_way() {
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 8, Kind::Data, waiting), 2);
    }

    #[test]
    fn harmful_flows_and_answers_never_move() {
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 7, Kind::Data, waiting), 0);
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 8, Kind::Ack, waiting), 0);
    }

    #[test]
    fn without_a_better_way_nothing_moves() {
        assert_eq!(regional().way_round(10, &[0], 0, 8, Kind::Data, waiting), 0);
        assert_eq!(regional().way_round(10, &[1, 2], 2, 8, Kind::Data, waiting), 2);
    }

    #[test]
    fn an_output_inside_a_region_weighs_its_own_degree_and_what_it_was_told() {
        let mut region = regional().outputs[10].clone();
        let own = region.point.degree();
        region.beyond = vec![(3, 10), (4, 40)];
        let params = RcmParams::default();
        assert_eq!(region.degree(&params), detect::passed_on(own, 40, &params));
        region.point.on_empty();
        assert_eq!(region.degree(&params), 40);
    }
}
