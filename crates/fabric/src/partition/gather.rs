//! One fabric made of the parts of a network, to look at: for its laws, for deadlock, and for the outcome.
//!
//! It is not run any further: only what these three look at is filled in, not the event lists nor what ports and hosts
//! would need to go on.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{HostId, PacketId, PortId};

use crate::fabric::Fabric;
use crate::plan::Plan;
use crate::switch::queues::list::List;
use crate::tune::variants::Variant;

/// The parts as one, with what `probe` has seen.
pub(crate) fn gather<A: Agenda, P: Probe, Q: Probe, S: Variant>(
    plan: &Plan,
    parts: &[&Fabric<A, P, S>],
    probe: Q,
) -> Fabric<A, Q, S> {
    let routes = parts[0].switches.routes.clone();
    let mut whole = Fabric::build_with(plan, probe, routes);
    parts.iter().for_each(|part| whole.take_in(part));
    whole.switches.ways.count_came(Time::NEVER);
    whole
}

/// Parts that are not needed any more as one: the first of them becomes the whole, which saves building it.
pub(crate) fn join<A: Agenda, P: Probe, S: Variant>(parts: Vec<Fabric<A, P, S>>, probe: P) -> Option<Fabric<A, P, S>> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next()?;
    whole.probe = probe;
    let border = std::mem::take(&mut whole.border);
    if let Some(ranks) = &mut whole.ranks {
        ranks.count_all(|host| !border.is_away(host.port()));
    }
    parts.for_each(|part| whole.take_in(&part));
    whole.switches.ways.count_came(Time::NEVER);
    Some(whole)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The port is of this part.
    pub(super) fn owns(&self, port: PortId) -> bool {
        !self.border.is_away(port)
    }

    /// What has become of a part, of which this has nothing so far.
    fn take_in<Q: Probe>(&mut self, part: &Fabric<A, Q, S>) {
        self.now = self.now.max(part.now);
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
        if let (Some(ranks), Some(of_part)) = (&mut self.ranks, &part.ranks) {
            ranks.take_in(of_part, |host| part.owns(host.port()));
        }
    }

    fn take_ports<Q: Probe>(&mut self, part: &Fabric<A, Q, S>) {
        let lanes = self.lanes();
        for port in part.links.outs.ids().filter(|&port| part.owns(port)) {
            self.links.outs[port] = part.links.outs[port].clone();
            self.links.meters[port] = part.links.meters[port];
            for place in port.index() * lanes..(port.index() + 1) * lanes {
                self.links.out_lanes[place] = self.links.notes.copy(&part.links.notes, &part.links.out_lanes[place]);
            }
        }
        let (ins, inputs) = (&self.links.ins, &self.switches.inputs);
        let senders = |queue| ins.get(inputs.owner(queue)).map_or(PortId::NONE, |side| side.sender);
        self.links.own_rooms.take_from(&part.links.own_rooms, lanes, senders, |port| part.owns(port));
        self.links.messages.take_from(&part.links.messages, lanes, |port| part.owns(port));
        self.switches.crossbar.take_from(&part.switches.crossbar, |port| part.owns(port));
        self.control.regional.take_from(&part.control.regional, |port| part.owns(port));
        self.control.flow_isolation.take_from(&part.control.flow_isolation, |port| part.owns(port));
        self.control.isolation.take_from(&part.control.isolation, |port| part.owns(port));
        if self.pauses() {
            self.links.pauses.take_from(&part.links.pauses, &self.links.ins, lanes, |port| part.owns(port));
        }
    }

    fn take_hosts<Q: Probe>(&mut self, part: &Fabric<A, Q, S>) {
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
        self.switches.ways.came.extend_from_slice(&part.switches.ways.came);
        self.switches.output_queues.add_drops(&part.switches.output_queues);
        for (id, order) in part.switches.ways.orders.with_ids() {
            let destination = part.ends.cold[id].destination;
            if destination == HostId::NONE {
                self.switches.ways.orders[id].add(*order);
            } else if part.owns(destination.port()) {
                self.switches.ways.orders[id] = *order;
            }
        }
    }

    /// Packets move to places of their own, and stand in the lists in which they stood.
    fn take_packets<Q: Probe>(&mut self, part: &Fabric<A, Q, S>) {
        let mut place = vec![PacketId::NONE; part.packets.peak()];
        for id in part.live_packets() {
            place[id.index()] = self.packets.add(part.packets[id]);
            if let Some(&state) = part.switches.flow_queues.packet_states.get(id.index()) {
                *self.switches.flow_queues.packet_state_mut(place[id.index()]) = state;
            }
        }
        let move_list = |from: List, packets: &mut congestree_wire::Pool| {
            let mut list = List::EMPTY;
            for id in from.iter(&part.packets) {
                list.push(packets, place[id.index()]);
            }
            list
        };
        for (_, queue, from) in part.switches.inputs.with_owners().filter(|(input, ..)| part.owns(*input)) {
            let list = move_list(from.list, &mut self.packets);
            self.switches.inputs.queues[queue] = from.with(list);
        }
        for (output, from) in part.switches.flow_queues.outputs.with_ids().filter(|&(output, _)| part.owns(output)) {
            self.switches.flow_queues.outputs[output] = from.clone();
        }
        for (queue, from) in part.switches.queues.filled() {
            self.switches.queues.set(queue, move_list(from, &mut self.packets));
        }
    }
}
