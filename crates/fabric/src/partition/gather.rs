//! Puts the parts of a network together as one fabric, to look at: for its laws, for deadlock, and for the outcome.
//!
//! This fabric is never run: it holds only what these three need, without the event lists and without what ports and
//! hosts would need to continue.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{HostId, PacketId, Pool, PortId};

use crate::control::controls::Control;
use crate::fabric::Fabric;
use crate::host::ends::Ends;
use crate::host::flow::ReceivedTotals;
use crate::jobs::ranks::Ranks;
use crate::link::links::Links;
use crate::observe::records::Records;
use crate::observe::still::Still;
use crate::plan::Plan;
use crate::switch::queues::list::List;
use crate::switch::routes::path_choice::Reordering;
use crate::switch::switches::Switches;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

/// The parts as one fabric, with a probe that has seen all of them.
pub(crate) fn gather<A: Agenda, P: Probe, Q: Probe, S: Variant>(
    plan: &Plan,
    parts: &[&Fabric<A, P, S>],
    probe: Q,
) -> Fabric<A, Q, S> {
    let routes = parts[0].switches.routes.clone();
    let mut whole = Fabric::build_with(plan, probe, routes);
    parts.iter().for_each(|part| whole.take_in(part.still()));
    whole.switches.path_choice.count_came(Time::NEVER);
    whole
}

/// Joins parts that are not needed any more: the first of them becomes the whole, which saves building a new fabric.
pub(crate) fn join<A: Agenda, P: Probe, S: Variant>(parts: Vec<Fabric<A, P, S>>, probe: P) -> Option<Fabric<A, P, S>> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next()?;
    whole.probe = probe;
    let border = std::mem::take(&mut whole.border);
    if let Some(ranks) = &mut whole.ranks {
        ranks.count_all(&border);
    }
    parts.for_each(|part| whole.take_in(part.still()));
    whole.switches.path_choice.count_came(Time::NEVER);
    Some(whole)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Takes over the state of a part that is not yet in this fabric.
    fn take_in(&mut self, part: Still<'_>) {
        self.now = self.now.max(part.now);
        let mut whole = Whole {
            lanes: self.rules.lanes,
            packets: &mut self.packets,
            links: &mut self.links,
            switches: &mut self.switches,
            ends: &mut self.ends,
            control: &mut self.control,
            ranks: self.ranks.as_deref_mut(),
            records: &mut self.records,
        };
        whole.take_in(part);
    }
}

/// The owners of the state of the whole network. Nothing here depends on which engine runs it.
struct Whole<'a> {
    lanes: usize,
    packets: &'a mut Pool,
    links: &'a mut Links,
    switches: &'a mut Switches,
    ends: &'a mut Ends,
    control: &'a mut Control,
    ranks: Option<&'a mut Ranks>,
    records: &'a mut Records,
}

impl Whole<'_> {
    fn take_in(&mut self, part: Still<'_>) {
        self.records.events += part.records.events;
        self.records.packet_hops += part.records.packet_hops;
        self.records.trajectory = self.records.trajectory.wrapping_add(part.records.trajectory);
        self.records.results = self.records.results.wrapping_add(part.records.results);
        self.take_ports(part);
        self.take_hosts(part);
        self.take_packets(part);
        self.records.before.add(&part.records.before, |port| part.owns(PortId::from_index(port)));
        self.links.checked.take_in(&part.links.checked, |port| part.owns(port));
        self.links.faults.take_in(&part.links.faults, |port| part.owns(port));
        if let (Some(ranks), Some(of_part)) = (&mut self.ranks, part.ranks) {
            ranks.take_in(of_part, |host| part.owns(host.port()));
        }
    }

    fn take_ports(&mut self, part: Still<'_>) {
        let lanes = self.lanes;
        for port in part.links.outs.ids().filter(|&port| part.owns(port)) {
            self.links.outs[port] = part.links.outs[port].clone();
            self.links.meters[port] = part.links.meters[port];
            for place in port.index() * lanes..(port.index() + 1) * lanes {
                self.links.out_lanes[place] =
                    self.links.returning.copy(&part.links.returning, &part.links.out_lanes[place]);
            }
        }
        let (ins, inputs) = (&self.links.ins, &self.switches.inputs);
        let senders = |queue| ins.get(inputs.owner(queue)).map_or(PortId::NONE, |side| side.sender);
        self.links.queue_credits.take_from(&part.links.queue_credits, lanes, senders, |port| part.owns(port));
        self.links.messages.take_from(&part.links.messages, lanes, |port| part.owns(port));
        self.switches.crossbar.take_from(&part.switches.crossbar, |port| part.owns(port));
        self.control.regional.take_from(&part.control.regional, |port| part.owns(port));
        self.control.flow_isolation.take_from(&part.control.flow_isolation, |port| part.owns(port));
        self.control.isolation.take_from(&part.control.isolation, |port| part.owns(port));
        if part.has(Feature::Pauses) {
            self.links.pauses.take_from(&part.links.pauses, &self.links.ins, lanes, |port| part.owns(port));
        }
    }

    fn take_hosts(&mut self, part: Still<'_>) {
        self.take_finite_flows(part);
        for (id, flow) in part.ends.flows.with_ids() {
            if part.owns(flow.host.port()) {
                self.ends.flows[id] = flow.clone();
                self.ends.cold[id] = part.ends.cold[id].clone();
            }
            let (sum, receipt) = (&mut self.ends.receipts[id], part.ends.receipts[id]);
            sum.bytes += receipt.bytes;
            sum.packets += receipt.packets;
            sum.marked += receipt.marked;
        }
        self.ends.connections.take_from(&part.ends.connections, |id, receives| {
            let cold = &part.ends.cold[id];
            part.owns(if receives { cold.destination.port() } else { part.ends.flows[id].host.port() })
        });
        self.switches.path_choice.came.extend_from_slice(&part.switches.path_choice.came);
        self.switches.output_queues.add_drops(&part.switches.output_queues);
        for (id, order) in part.switches.path_choice.orders.with_ids() {
            let destination = part.ends.cold[id].destination;
            if destination == HostId::NONE {
                self.switches.path_choice.orders[id].add(*order);
            } else if part.owns(destination.port()) {
                self.switches.path_choice.orders[id] = *order;
            }
        }
    }

    /// Takes over all finite flows of a part (every part creates the same flows), with what they have done there.
    fn take_finite_flows(&mut self, part: Still<'_>) {
        for id in part.ends.flows.ids().skip(self.ends.flows.len()) {
            self.ends.flows.push(part.ends.flows[id].clone());
            self.ends.cold.push(part.ends.cold[id].clone());
            self.ends.receipts.push(ReceivedTotals::default());
            if !self.switches.path_choice.orders.is_empty() {
                self.switches.path_choice.orders.push(Reordering::default());
            }
        }
        self.ends.finite.take_in(&part.ends.finite);
    }

    /// Gives packets new ids of their own; they keep their order in the lists.
    fn take_packets(&mut self, part: Still<'_>) {
        let mut place = vec![PacketId::NONE; part.packets.peak()];
        for id in part.packets.live_ids() {
            let own = self.packets.add(part.packets[id]);
            place[id.index()] = own;
            if let Some(&state) = part.switches.flow_queues.packet_states.get(id.index()) {
                *self.switches.flow_queues.packet_state_mut(own) = state;
            }
            if let Some(bound) = part.switches.path_choice.detours.bound(id) {
                self.switches.path_choice.detours.note(own, bound);
            }
        }
        let move_list = |from: List, packets: &mut Pool| {
            let mut list = List::EMPTY;
            for id in from.iter(part.packets) {
                list.push(packets, place[id.index()]);
            }
            list
        };
        for (_, queue, from) in part.switches.inputs.with_owners().filter(|(input, ..)| part.owns(*input)) {
            let list = move_list(from.list, self.packets);
            self.switches.inputs.queues[queue] = from.with(list);
        }
        for (output, from) in part.switches.flow_queues.outputs.with_ids().filter(|&(output, _)| part.owns(output)) {
            self.switches.flow_queues.outputs[output] = from.clone();
        }
        for (queue, from) in part.switches.queues.filled() {
            self.switches.queues.set(queue, move_list(from, self.packets));
        }
    }
}
