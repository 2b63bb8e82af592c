//! RCM at work: outputs look at their queues, tell the neighbours that feed them, and hold harmful flows to their windows.
//!
//! What there is to decide is in `congestree_schemes::rcm`; here it is carried out. A congestion point is an output with its
//! virtual output queues. It is looked at when packets join; when congestion is found, it tells the switches behind every
//! input that has something for it, by a frame on the link back: the degree and the harmful flows. Whoever hears it is
//! in the region by that output, and paces those flows there. Hosts are not told: they have DCQCN, or nothing.
//!
//! A root holds nobody: all that it sends goes the crowded way, and the link would only idle.
//!
//! A held packet is passed by those behind it in its queue that are not held, so that no flow loses its order.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::rcm::{
    RcmParams, control::Control, detect, detect::Finding, detect::Point, recognise::Recognised,
};
use congestree_units::{Rate, Span, Time};
use congestree_wire::{Kind, PacketId};

use crate::arbiter::{Choice, next_in};
use crate::fabric::Fabric;
use crate::neighbour::{Frame, Notice};
use crate::plan::Plan;
use crate::shape::Shape;

/// Packets behind a held one that are looked through for one that is not.
const PASSED: usize = 64;

/// What all outputs know of their regions. Empty without RCM.
#[derive(Debug, Default)]
pub(crate) struct Regional {
    /// There is RCM.
    pub on: bool,
    params: RcmParams,
    /// By port.
    outputs: Vec<Region>,
    /// By queue: bytes that wait, and as many at the last look.
    queues: Vec<(u32, u32)>,
    /// What notices on their way say: the output they are about, and its harmful flows.
    told: Vec<(u32, Vec<u32>)>,
    free: Vec<u32>,
}

/// What an output knows of the region it is in, if any.
#[derive(Clone, Debug, Default)]
struct Region {
    point: Point,
    /// Bytes that wait for it.
    waiting: u32,
    flows: Recognised,
    control: Control,
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
            on: true,
            params: params.clone(),
            outputs: vec![Region::default(); ports],
            queues: vec![(0, 0); queues],
            ..Self::default()
        }
    }

    /// Notices that a port has heard.
    pub(crate) fn heard(&self, port: usize) -> u64 {
        self.outputs.get(port).map_or(0, |region| region.heard)
    }

    /// Other flows look for another way than by this output.
    fn avoided(&self, output: u32) -> bool {
        let region = &self.outputs[output as usize];
        let above = u64::from(region.waiting) > self.params.reroute_above.0;
        self.params.reroute && (above || (region.repeated >= 2 && region.point.degree() > 0))
    }

    /// The way round a region for a packet that is not of a harmful flow: of these ports the least congested (SAR).
    pub(crate) fn way_round(&self, base: u32, several: &[u16], chosen: u16, flow: u32, kind: Kind) -> u16 {
        let output = base + u32::from(chosen);
        let region = &self.outputs[output as usize];
        if kind != Kind::Data || !self.avoided(output) || region.flows.has(flow) {
            return chosen;
        }
        let params = &self.params;
        let degree = |port: &u16| self.outputs[(base + u32::from(*port)) as usize].degree(params);
        let least = several.iter().copied().min_by_key(degree).unwrap_or(chosen);
        if degree(&least) < degree(&chosen) { least } else { chosen }
    }
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    fn port_rate(&self, port: u32) -> Rate {
        self.rates[usize::from(self.outs[port as usize].rate)].rate()
    }

    /// A packet has joined a queue for an output: it may be the time to look.
    #[inline(never)]
    pub(crate) fn region_joined(&mut self, input: u32, output: u32, lane: u8, id: PacketId) {
        let side = self.ins[input as usize];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let packet = &self.packets[id];
        let Regional { params, outputs, queues, .. } = &mut self.regional;
        let region = &mut outputs[output as usize];
        region.waiting += packet.size;
        let (own, before) = &mut queues[queue];
        *own += packet.size;
        if packet.kind == Kind::Data && region.beyond.is_empty() {
            region.flows.on_packet(packet.flow, params.flows, params.flow_sample_every);
        }
        let found = region.point.on_packet(region.waiting, *own, *before, params);
        if found == Finding::NotNow {
            return;
        }
        *before = *own;
        match found {
            Finding::Congested(_) => {
                let degree = region.degree(params);
                if !region.beyond.is_empty() {
                    region.control.on_degree(self.now, degree, region.flows.flows().len());
                }
                self.tell_region(output, lane, degree);
            }
            Finding::Calm => self.untell_region(output),
            Finding::NotNow | Finding::Easing => {}
        }
    }

    /// A packet has left a queue for an output, onto the link.
    #[inline(never)]
    pub(crate) fn region_left(&mut self, input: u32, output: u32, lane: u8, id: PacketId) {
        let side = self.ins[input as usize];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let rate = self.port_rate(output);
        let (size, flow, kind) = (self.packets[id].size, self.packets[id].flow, self.packets[id].kind);
        let Regional { params, outputs, queues, .. } = &mut self.regional;
        queues[queue].0 -= size;
        let region = &mut outputs[output as usize];
        region.waiting -= size;
        if region.control.on() {
            let which = region.flows.flows().iter().position(|&harmful| harmful == flow && kind == Kind::Data);
            region.control.on_sent(self.now, size, which, params.least_window, rate);
        }
        if region.waiting == 0 && region.point.degree() > 0 {
            region.point.on_empty();
            self.untell_region(output);
        }
    }

    /// Tells every switch that has sent something for this output how congested it is, and by whom.
    fn tell_region(&mut self, output: u32, lane: u8, degree: u8) {
        let (base, radix) = (self.outs[output as usize].base, self.outs[output as usize].radix);
        for local in 0..u32::from(radix) {
            let queue = self.queue(&self.ins[(base + local) as usize], lane, (output - base) as u16);
            if self.regional.queues[queue].0 == 0 {
                continue;
            }
            self.regional.outputs[output as usize].told |= 1 << local;
            self.tell_of(base + local, output, degree);
        }
    }

    /// Tells all who were told that it is over.
    fn untell_region(&mut self, output: u32) {
        let base = self.outs[output as usize].base;
        let told = std::mem::take(&mut self.regional.outputs[output as usize].told);
        for local in (0..64u32).filter(|local| told & (1 << local) != 0) {
            self.tell_of(base + local, output, 0);
        }
    }

    /// Tells the switch at the other end of an input.
    fn tell_of(&mut self, input: u32, output: u32, degree: u8) {
        if self.ins[input as usize].sender < self.hosts_len {
            return;
        }
        let flows = self.regional.outputs[output as usize].flows.flows().to_vec();
        let place = match self.regional.free.pop() {
            Some(place) => {
                self.regional.told[place as usize] = (output, flows);
                place
            }
            None => {
                self.regional.told.push((output, flows));
                self.regional.told.len() as u32 - 1
            }
        };
        let bytes = self.regional.params.notice.0 as u32;
        self.tell(input, Frame { bytes, after: Span::ZERO, notice: Notice::Region { degree, place } });
    }

    /// An output hears that another one beyond it is congested, or is no more.
    #[inline(never)]
    pub(crate) fn hear_of_region(&mut self, port: u32, degree: u8, place: u32) {
        let (about, flows) = std::mem::take(&mut self.regional.told[place as usize]);
        self.regional.free.push(place);
        let Regional { params, outputs, .. } = &mut self.regional;
        let region = &mut outputs[port as usize];
        region.heard += 1;
        region.beyond.retain(|&(output, _)| output != about);
        if degree == 0 {
            region.repeated = 0;
            if region.beyond.is_empty() {
                region.flows.forget();
                region.control.stop();
            }
        } else {
            if region.beyond.is_empty() {
                region.flows.forget();
            }
            region.beyond.push((about, degree));
            region.repeated += 1;
            region.flows.add(&flows, params.flows);
            let counts = region.degree(params);
            region.control.on_degree(self.now, counts, region.flows.flows().len());
        }
        self.ask(port);
    }

    /// Harmful flows of this output may be held.
    #[inline]
    pub(crate) fn paces_flows(&self, output: u32) -> bool {
        self.regional.outputs[output as usize].control.on()
    }

    /// Round robin over what is not held: a held packet is passed by the next in its queue that is not.
    #[inline(never)]
    pub(crate) fn next_in_region(&mut self, output: u32, lane: u8) -> Choice {
        let (index, rate, now) = (self.at(output, lane), self.port_rate(output), self.now);
        let held = self.regional.outputs[output as usize].control.allows(now, rate).err();
        let set = self.requests[index * self.words()];
        let base = self.outs[output as usize].base;
        let state = &self.out_lanes[index];
        let Some(first) = next_in(&[set], usize::from(state.turn) + 1) else { return Choice::Nothing };
        let (mut starved, mut input_free) = (u32::MAX, Time::NEVER);
        let mut local = first;
        loop {
            let input = base + local as u32;
            let readable = self.readable_at(input);
            if readable > now {
                input_free = input_free.min(readable);
            } else if let Some((id, before)) = self.first_not_held(output, lane, input, held.is_some()) {
                let units = self.packets[id].units;
                if self.out_lanes[index].fits(units) {
                    return Choice::Send { id, before };
                }
                starved = starved.min(u32::from(units));
            } else if let Some(at) = held {
                input_free = input_free.min(at);
            }
            match next_in(&[set], local + 1) {
                Some(next) if next != first => local = next,
                _ => break,
            }
        }
        let blocked = starved != u32::MAX;
        Choice::Wait { starved: if blocked { starved } else { 0 }, blocked, input_free }
    }

    /// The same where outputs have queues of their own: the first there that is not held.
    #[inline(never)]
    pub(crate) fn next_in_regional_line(&mut self, output: u32, lane: u8) -> Choice {
        let (index, rate) = (self.at(output, lane), self.port_rate(output));
        let held = self.regional.outputs[output as usize].control.allows(self.now, rate).err();
        let line = self.out_lanes[index].line;
        if line.is_empty() {
            return Choice::Nothing;
        }
        let harmful = &self.regional.outputs[output as usize].flows;
        let mut before = None;
        for id in line.iter(&self.packets).take(PASSED) {
            let packet = &self.packets[id];
            if held.is_none() || packet.kind != Kind::Data || !harmful.has(packet.flow) {
                if self.out_lanes[index].fits(packet.units) {
                    return Choice::Send { id, before };
                }
                return Choice::Wait { starved: u32::from(packet.units), blocked: true, input_free: Time::NEVER };
            }
            before = Some(id);
        }
        Choice::Wait { starved: 0, blocked: false, input_free: held.unwrap_or(Time::NEVER) }
    }

    /// The first packet of a queue that is not held, and the one before it.
    fn first_not_held(&self, output: u32, lane: u8, input: u32, held: bool) -> Option<(PacketId, Option<PacketId>)> {
        let side = &self.ins[input as usize];
        let list = self.queues[self.queue(side, lane, (output - side.base) as u16)];
        let harmful = &self.regional.outputs[output as usize].flows;
        let mut before = None;
        for id in list.iter(&self.packets).take(PASSED) {
            let packet = &self.packets[id];
            if !held || packet.kind != Kind::Data || !harmful.has(packet.flow) {
                return Some((id, before));
            }
            before = Some(id);
        }
        None
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
        outputs[10].waiting = 50_000;
        outputs[10].flows.add(&[7], 16);
        assert!(matches!(outputs[10].point.on_packet(50_000, 0, 0, &params), Finding::Congested(_)));
        assert!(matches!(outputs[11].point.on_packet(34_000, 34_000, 34_000, &params), Finding::Congested(_)));
        Regional { on: true, params, outputs, ..Default::default() }
    }

    #[test]
    fn packets_of_other_flows_go_round_by_the_least_congested_way() {
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 8, Kind::Data), 2);
    }

    #[test]
    fn harmful_flows_and_answers_never_move() {
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 7, Kind::Data), 0);
        assert_eq!(regional().way_round(10, &[0, 1, 2], 0, 8, Kind::Ack), 0);
    }

    #[test]
    fn without_a_better_way_nothing_moves() {
        assert_eq!(regional().way_round(10, &[0], 0, 8, Kind::Data), 0);
        assert_eq!(regional().way_round(10, &[1, 2], 2, 8, Kind::Data), 2);
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
