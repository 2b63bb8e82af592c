//! Regions: what outputs remember of their own samples and of the notices of their neighbours.

use congestree_kernel::Rng;
use congestree_schemes::regional::{
    FlowSampling, Measured, RegionalParams, control::OutputWindows, count::Running, detect, detect::CongestionPoint,
    recognise::Recognised,
};
use congestree_wire::{IndexVec, PacketKind, PortId, QueueId};

use crate::plan::Plan;

/// What all outputs know about their regions. Empty without RCM.
#[derive(Debug, Default)]
pub(crate) struct Regional {
    pub(super) params: RegionalParams,
    /// By port.
    pub(super) outputs: IndexVec<PortId, Region>,
    /// By queue of an input.
    pub(super) queues: IndexVec<QueueId, Queued>,
    /// The contents of notices in flight: the output that each is about, and its harmful flows.
    notices: Vec<(PortId, Vec<u32>)>,
    /// Free places in `notices`.
    free: Vec<u32>,
    /// By port: random numbers, where packets are sampled for their flow.
    pub(super) rng: IndexVec<PortId, Rng>,
}

/// The traffic that came by one input for one output.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queued {
    /// Bytes in the switch.
    pub(super) present: u32,
    /// The part of it that still waits at the input.
    pub(super) length: u32,
    /// The value of `length` at the last sample.
    pub(super) before: u32,
}

/// What an output knows of the region it is in, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    pub(super) point: CongestionPoint,
    pub(super) flows: Recognised,
    pub(super) control: OutputWindows,
    /// What it has sent recently, if that is counted all the time.
    pub(super) running: Running,
    /// Congested outputs downstream of it, with their degree of congestion.
    pub(super) beyond: Vec<(PortId, u8)>,
    /// Number of notices in a row that reported congestion.
    pub(super) repeated: u32,
    /// The inputs whose upstream neighbours have been told, one bit each.
    pub(super) told_inputs: u64,
    /// Number of notices heard so far.
    pub(super) heard: u64,
}

impl Region {
    /// No output downstream has reported congestion: any congestion begins here.
    pub(super) fn is_root(&self) -> bool {
        self.beyond.is_empty()
    }

    /// The highest degree that was reported to it.
    pub(super) fn told_degree(&self) -> u8 {
        self.beyond.iter().map(|&(_, degree)| degree).max().unwrap_or(0)
    }

    /// The degree that counts here and is passed on.
    pub(super) fn degree(&self, params: &RegionalParams) -> u8 {
        match (self.point.degree(), self.told_degree()) {
            (own, 0) => own,
            (0, told) => told,
            (own, told) => detect::passed_on(own, told, params),
        }
    }
}

impl Regional {
    pub(crate) fn new(plan: &Plan, ports: usize, queues: usize) -> Self {
        let Some(params) = &plan.scheme.regional else { return Self::default() };
        Self {
            params: params.clone(),
            outputs: vec![Region::default(); ports].into(),
            queues: vec![Queued::default(); queues].into(),
            rng: (0..if params.flow_sampling == FlowSampling::ByChance { ports as u64 } else { 0 })
                .map(|port| Rng::stream(plan.seed, "harmful flows", port))
                .collect(),
            ..Self::default()
        }
    }

    /// Stores the content of a notice until it is heard: the output that it is about, and its harmful flows.
    pub(crate) fn say(&mut self, about: PortId, flows: Vec<u32>) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.notices[place as usize] = (about, flows);
                place
            }
            None => {
                self.notices.push((about, flows));
                self.notices.len() as u32 - 1
            }
        }
    }

    /// Takes out the content of a notice, which need not be stored any longer.
    pub(crate) fn take_out(&mut self, place: u32) -> (PortId, Vec<u32>) {
        self.free.push(place);
        std::mem::take(&mut self.notices[place as usize])
    }

    /// Takes over what the outputs of a part of the network know.
    pub(crate) fn take_from(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for (port, region) in part.outputs.with_ids().filter(|&(port, _)| owns(port)) {
            self.outputs[port] = region.clone();
        }
    }

    /// Outputs count all the time what they send.
    pub(crate) fn counts_always(&self) -> bool {
        self.params.windows_measured == Measured::Always
    }

    /// Number of notices that a port has heard.
    pub(crate) fn heard(&self, port: PortId) -> u64 {
        self.outputs.get(port).map_or(0, |region| region.heard)
    }

    /// Flows that are not harmful avoid this output.
    fn avoided(&self, output: PortId, waiting: u64) -> bool {
        let region = &self.outputs[output];
        let above = waiting > self.params.reroute_above.0;
        self.params.reroute && (above || (region.repeated >= 2 && region.point.degree() > 0))
    }

    /// Whether an output knows a flow as harmful.
    pub(crate) fn knows(&self, output: PortId, flow: u32) -> bool {
        self.outputs[output].flows.has(flow)
    }

    /// Routes a packet that is not of a harmful flow around a region: returns the least congested of these ports (SAR).
    /// `waiting` returns the bytes that wait for an output.
    pub(crate) fn reroute(
        &self,
        base: PortId,
        candidates: &[u16],
        chosen: u16,
        flow: u32,
        kind: PacketKind,
        waiting: impl Fn(PortId) -> u64,
    ) -> u16 {
        let output = base + u32::from(chosen);
        let region = &self.outputs[output];
        if kind != PacketKind::Data || !self.avoided(output, waiting(output)) || region.flows.has(flow) {
            return chosen;
        }
        let params = &self.params;
        let degree = |port: &u16| self.outputs[base + u32::from(*port)].degree(params);
        let least = candidates.iter().copied().min_by_key(degree).unwrap_or(chosen);
        if degree(&least) < degree(&chosen) { least } else { chosen }
    }
}

#[cfg(test)]
mod tests {
    use congestree_schemes::regional::detect::Finding;

    use super::*;
    use congestree_units::Bytes;

    /// Outputs 10 to 12 of a switch whose first port is 10; flow 7 is harmful at the first, which is congested.
    fn regional() -> Regional {
        let params =
            RegionalParams { reroute: true, reroute_above: Bytes(1_000), sample_every: 1, ..Default::default() };
        let mut outputs = IndexVec::from(vec![Region::default(); 13]);
        outputs[PortId(10)].flows.add(&[7], &params);
        assert!(matches!(outputs[PortId(10)].point.on_packet(50_000, 0, 0, &params), Finding::Congested(_)));
        assert!(matches!(outputs[PortId(11)].point.on_packet(34_000, 34_000, 34_000, &params), Finding::Congested(_)));
        Regional { params, outputs, ..Default::default() }
    }

    /// The number of bytes that wait for an output: many for the congested one.
    fn waiting(output: PortId) -> u64 {
        if output == PortId(10) { 50_000 } else { 0 }
    }

    #[test]
    fn packets_of_other_flows_avoid_it_by_the_least_congested_path() {
        assert_eq!(regional().reroute(PortId(10), &[0, 1, 2], 0, 8, PacketKind::Data, waiting), 2);
    }

    #[test]
    fn harmful_flows_and_answers_never_move() {
        assert_eq!(regional().reroute(PortId(10), &[0, 1, 2], 0, 7, PacketKind::Data, waiting), 0);
        assert_eq!(regional().reroute(PortId(10), &[0, 1, 2], 0, 8, PacketKind::Ack, waiting), 0);
    }

    #[test]
    fn without_a_better_path_nothing_moves() {
        assert_eq!(regional().reroute(PortId(10), &[0], 0, 8, PacketKind::Data, waiting), 0);
        assert_eq!(regional().reroute(PortId(10), &[1, 2], 2, 8, PacketKind::Data, waiting), 2);
    }

    #[test]
    fn an_output_inside_a_region_weighs_its_own_degree_and_what_it_was_told() {
        let mut region = regional().outputs[PortId(10)].clone();
        let own = region.point.degree();
        region.beyond = vec![(PortId(3), 10), (PortId(4), 40)];
        let params = RegionalParams::default();
        assert_eq!(region.degree(&params), detect::passed_on(own, 40, &params));
        region.point.on_empty();
        assert_eq!(region.degree(&params), 40);
    }
}
