//! How an output in a region holds harmful flows to their windows.
//!
//! They are held in the virtual output queues of the inputs. Where outputs have buffers of their own, they are held
//! before they cross into these, because there packets stand in a single line, and one that is held would hold all
//! others. A held packet is passed by packets behind it in its queue that are not held, so no flow is reordered.

use congestree_kernel::Agenda;
use congestree_probes::{Probe, RegionFlow, RegionWindow};
use congestree_schemes::regional::{
    Entries,
    control::{ControlWindow, Leaving},
};
use congestree_units::Time;
use congestree_wire::{FlowId, PacketId, PacketKind, PortId};

use crate::fabric::Fabric;
use crate::switch::arbiter::{Decision, NOTHING_STARVED, QueuePosition};
use crate::switch::round_robin::cyclic;
use crate::tune::variants::Variant;

/// Chooses between the two decisions: the one among all flows counts if no other flow can go. If nothing can go, the
/// output waits for whichever can go first.
fn either(others: Decision, all: Decision) -> Decision {
    match (others, all) {
        (
            Decision::Wait { starved: one, blocked, input_free },
            Decision::Wait { starved: other, blocked: all_blocked, input_free: all_free },
        ) => Decision::Wait {
            starved: if one == 0 || other == 0 { one.max(other) } else { one.min(other) },
            blocked: blocked || all_blocked,
            input_free: input_free.min(all_free),
        },
        _ => all,
    }
}

/// How many packets behind a held one are searched for one that is not held.
const PASSED: usize = 64;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Harmful flows of this output may be held.
    #[inline(always)]
    pub(crate) fn paces_flows(&self, output: PortId) -> bool {
        self.regions() && self.control.regional.outputs[output].control.on(self.now)
    }

    /// The number by which switches tell flows apart, as in a packet header; it also differs from that of flows that
    /// had the same record earlier.
    #[inline]
    pub(super) fn region_label(&self, flow: FlowId) -> u32 {
        self.flow_number(flow) as u32
    }

    /// Starts pacing flows, for this degree of congestion; `more`: some of them were not known to be harmful before.
    pub(super) fn pace_region(&mut self, output: PortId, degree: u8, more: bool) {
        if self.probe.wants_regions() {
            self.window_changed(output);
        }
        if more {
            self.more_harmful(output);
        }
        if self.begin_counted(output, degree) {
            if self.probe.wants_regions() {
                self.window_changed(output);
            }
            return;
        }
        let waiting = if self.paces_flows(output) { Vec::new() } else { self.harmful_waiting(output) };
        self.control.regional.outputs[output].control.on_degree(self.now, degree, waiting);
    }

    /// A flow was not known to be harmful before: windows that are being measured are measured again, unless flows come
    /// and go with each sample.
    pub(super) fn more_harmful(&mut self, output: PortId) {
        if self.harmful_come_and_go() {
            return;
        }
        if self.control.regional.counts_always() {
            self.control.regional.outputs[output].control.stop(self.now);
        }
        if self.control.regional.outputs[output].control.measures() {
            let waiting = self.harmful_waiting(output);
            self.control.regional.outputs[output].control.on_more_flows(self.now, waiting);
        }
    }

    /// Begins windows with what was counted before, if it was counted and no flow is held yet.
    fn begin_counted(&mut self, output: PortId, degree: u8) -> bool {
        if !self.control.regional.counts_always() {
            return false;
        }
        let over = self.control.regional.params.least_window;
        let region = &mut self.control.regional.outputs[output];
        let flows = &region.flows;
        let counted =
            (!region.control.on(self.now)).then(|| region.running.counted(self.now, over, |flow| flows.has(flow)));
        counted.flatten().map(|counted| region.control.begin(self.now, counted, degree)).is_some()
    }

    /// Every sample is recorded, so the set of harmful flows changes all the time: windows are measured only as long as
    /// necessary, and wait for no flow.
    fn harmful_come_and_go(&self) -> bool {
        self.control.regional.params.flow_entries == Entries::OneASample
    }

    /// The harmful flows that wait at the inputs for an output.
    fn harmful_waiting(&self, output: PortId) -> Vec<u32> {
        if self.harmful_come_and_go() {
            return Vec::new();
        }
        let (base, radix) = (self.links.outs[output].base, self.links.outs[output].radix);
        let queues = PortId::each(base..base + u32::from(radix)).flat_map(|input| {
            let side = self.links.ins[input];
            (0..self.lanes() as u8).map(move |lane| (side, lane))
        });
        let waiting: Vec<u32> = queues
            .flat_map(|(side, lane)| {
                let list = self.switches.queues.get(self.queue(&side, lane, (output - base) as u16));
                list.iter(&self.packets).map(|id| &self.packets[id])
            })
            .filter(|packet| packet.kind == PacketKind::Data)
            .map(|packet| self.region_label(packet.flow))
            .collect();
        let harmful = self.control.regional.outputs[output].flows.flows();
        harmful.iter().copied().filter(|flow| waiting.contains(flow)).collect()
    }

    /// A packet has left a virtual output queue: windows count it.
    #[inline(never)]
    pub(crate) fn region_passed(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        let side = self.links.ins[input];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let (size, flow, kind) = (self.packets[id].size, self.packets[id].flow, self.packets[id].kind);
        self.control.regional.queues[queue].length -= size;
        if self.control.regional.counts_always() {
            let label = (kind == PacketKind::Data).then(|| self.region_label(flow));
            let over = self.control.regional.params.least_window;
            self.control.regional.outputs[output].running.on_sent(self.now, size, label, over);
        }
        if self.probe.wants_regions() {
            self.window_changed(output);
        }
        if self.paces_flows(output) {
            let label = self.region_label(flow);
            let region = &mut self.control.regional.outputs[output];
            let flow_held = (kind == PacketKind::Data && region.flows.has(label)).then_some(label);
            let packet = Leaving { size, flow: flow_held, harmful: region.flows.flows() };
            region.control.on_sent(self.now, packet, self.control.regional.params.least_window);
            if self.probe.wants_regions() {
                if kind == PacketKind::Data {
                    let paced = RegionFlow::Paced { harmful: flow_held.is_some() };
                    self.probe.region_flow(self.now, output.0, self.reporting_flow(flow).0, paced);
                }
                self.window_changed(output);
            }
        }
    }

    /// Tells probes of windows that have begun since an output last had anything to do.
    pub(crate) fn tell_last_windows(&mut self) {
        let outputs: Vec<PortId> = self.links.outs.ids().collect();
        outputs.into_iter().for_each(|output| self.window_changed(output));
    }

    /// Tells probes of the last window of an output that has begun.
    fn window_changed(&mut self, output: PortId) {
        let windows = self.control.regional.params.pacing.by_windows();
        let window = self.control.regional.outputs[output].control.window(self.now);
        if let Some(window) = window.filter(|_| windows) {
            let ControlWindow { number, since, bytes, lasts, harmful, before } = window;
            self.probe.region_window(since, output.0, RegionWindow { number, bytes, lasts, harmful, before });
        }
    }

    /// Round robin over what is not held; harmful packets may have to wait until no other flow can go.
    #[inline(never)]
    pub(crate) fn next_in_region(&mut self, output: PortId, lane: u8) -> Decision {
        let kept_to = self.control.regional.outputs[output].control.allows(self.now).err();
        if self.probe.wants_regions() {
            self.window_changed(output);
        }
        let how = self.control.regional.params.pacing;
        let held = kept_to.filter(|_| how.by_windows());
        if held.is_none() && how.behind_others() {
            let others = self.next_not_held(output, lane, Some(Time::NEVER));
            if matches!(others, Decision::Send { .. }) {
                return others;
            }
            return either(others, self.next_not_held(output, lane, held));
        }
        self.next_not_held(output, lane, held)
    }

    /// Round robin: a packet that is held until a later instant is passed by the next in its queue that is not held.
    fn next_not_held(&self, output: PortId, lane: u8, held: Option<Time>) -> Decision {
        let index = self.at(output, lane);
        let set = self.requests(index)[0];
        let base = self.links.outs[output].base;
        // A packet that crosses into an output buffer does not need credit yet.
        let crosses = self.buffers_outputs();
        let state = &self.links.out_lanes[index];
        if set == 0 {
            return Decision::Nothing;
        }
        let (mut starved, mut input_free) = (NOTHING_STARVED, Time::NEVER);
        for local in cyclic(&[set], usize::from(state.turn) + 1) {
            let input = base + local as u32;
            let readable = self.readable_at(input);
            if readable > self.now {
                input_free = input_free.min(readable);
            } else if let Some((id, before)) = self.first_not_held(output, lane, input, held.is_some()) {
                let units = self.packets[id].units;
                if crosses || self.links.out_lanes[index].fits(units) {
                    return Decision::Send { id, place: before.map_or(QueuePosition::Head, QueuePosition::Behind) };
                }
                starved = starved.min(u32::from(units));
            } else if let Some(at) = held {
                input_free = input_free.min(at);
            }
        }
        Decision::wait(starved, input_free)
    }

    /// The first packet of a queue that is not held, and the one before it.
    fn first_not_held(
        &self,
        output: PortId,
        lane: u8,
        input: PortId,
        held: bool,
    ) -> Option<(PacketId, Option<PacketId>)> {
        let side = &self.links.ins[input];
        let list = self.switches.queues.get(self.queue(side, lane, (output - side.base) as u16));
        let harmful = &self.control.regional.outputs[output].flows;
        let mut before = None;
        for id in list.iter(&self.packets).take(PASSED) {
            let packet = &self.packets[id];
            if !held || packet.kind != PacketKind::Data || !harmful.has(self.region_label(packet.flow)) {
                return Some((id, before));
            }
            before = Some(id);
        }
        None
    }
}
