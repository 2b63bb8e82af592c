//! Flows in queues of their own, stopped hop by hop: who is charged, who is told, and who obeys.
//!
//! A packet that finds its queue too long is charged to the queue of the neighbour that it was sent from; the first such
//! packet stops that queue, and when the last has left, it may go. Switches obey with a queue of an output, hosts with a
//! flow: the queue of a flow at its host is its place there. What is told because a packet starts is told after all
//! that start in this instant (`link/frames.rs`).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::isolate::Notices;
use congestree_schemes::isolate::flow_queues::{Charges, FlowRules, Placed};
use congestree_units::{Bytes, Span};
use congestree_wire::PacketId;

use crate::fabric::Fabric;
use crate::link::frames::{Frame, Notice};
use crate::link::wiring::Wiring;
use crate::observe::outcome::Row;
use crate::plan::Plan;
use crate::switch::queues::by_flow::Tag;
use crate::tune::variants::Variant;

/// Stops and gos. Empty where flows have no queues of their own.
#[derive(Debug, Default)]
pub(crate) struct FlowIsolation {
    rules: Option<FlowRules>,
    /// By input: packets charged to queues of the neighbour.
    charges: Vec<Charges>,
    /// By port: the round trip of a hop, of its switch.
    round_trips: Vec<Span>,
    /// By host: flows that are stopped, a bit for each place.
    held: Vec<Vec<u64>>,
    tally: Tally,
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Times that a flow was given a queue, and that others stood there already.
    assigned: u64,
    shared: u64,
    /// Packets charged to the queues that they came from.
    charged: u64,
    /// Gos and stops told, and notices heard.
    told: [u64; 2],
    heard: u64,
}

impl FlowIsolation {
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let Some(rules) = plan.scheme.flow_queues.clone() else { return Self::default() };
        let ports = wiring.outs.len();
        let of_links: Vec<Span> = (0..ports).map(|port| round_trip(plan, wiring, &rules, port)).collect();
        let of_switch = |port: usize| {
            let base = wiring.ins[port].base as usize;
            let most = of_links[base..base + usize::from(wiring.ins[port].radix)].iter().max().copied();
            rules.hop_round_trip.or(most).unwrap_or(Span::ZERO)
        };
        Self {
            charges: vec![Charges::default(); ports],
            round_trips: (0..ports).map(of_switch).collect(),
            held: vec![Vec::new(); plan.graph.hosts.len()],
            rules: Some(rules),
            tally: Tally::default(),
        }
    }

    /// First packets of flows go before all others.
    pub(crate) fn first_ahead(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.first_ahead)
    }

    /// What a flow is known by, and how long it keeps its queue at the switch of an input.
    pub(crate) fn id_and_sticky(&self, flow: u64, input: u32) -> (u32, Span) {
        let id_and_sticky = |rules: &FlowRules| (rules.id_of(flow), rules.sticky(self.round_trips[input as usize]));
        self.rules.as_ref().map_or((0, Span::ZERO), id_and_sticky)
    }

    /// The flow at a place of a host is stopped.
    #[inline]
    pub(crate) fn holds(&self, host: u32, place: u32) -> bool {
        self.held[host as usize].get(place as usize / 64).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    /// The flow at a place of a host is stopped, or may go.
    fn hold(&mut self, host: u32, place: u32, stop: bool) {
        let words = &mut self.held[host as usize];
        let word = place as usize / 64;
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        let bit = 1 << (place % 64);
        words[word] = if stop { words[word] | bit } else { words[word] & !bit };
    }

    /// Rows of the summary.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let Tally { assigned, shared, charged, told: [gos, stops], heard } = self.tally;
        vec![
            ("flow_queues_given", assigned as f64, "", "times that a flow was given a queue of an output, whole run"),
            ("flow_queues_shared", shared as f64, "", "times that others had packets there already, whole run"),
            (
                "flow_packets_charged",
                charged as f64,
                "",
                "packets that found their queue too long, and were charged to the one they came from, whole run",
            ),
            ("flow_stops", stops as f64, "", "notices to stop a queue, whole run"),
            ("flow_gos", gos as f64, "", "notices to let a queue go, whole run"),
            ("flow_notices_heard", heard as f64, "", "of these, those that the neighbour has heard, whole run"),
        ]
    }
}

/// From a packet's start on the link into a port of a switch until a stop that it causes is obeyed, at most: there and
/// back, a full packet either way, the delay of the switch, and the notice.
fn round_trip(plan: &Plan, wiring: &Wiring, rules: &FlowRules, port: usize) -> Span {
    let out = &wiring.outs[port];
    if port < plan.graph.hosts.len() {
        return Span::ZERO;
    }
    let (there, back) = (&wiring.outs[out.peer as usize], out);
    let forwarding = plan.switch.forwarding_delay;
    let full = plan.adapter.full();
    let time = |index: u16, bytes: Bytes| wiring.rates[usize::from(index)].time_for(bytes);
    let notice = match rules.notices {
        Notices::InBand(way) => time(back.rate, full) + time(back.rate, way.size),
        Notices::OutOfBand(way) => way.delay,
    };
    there.head_delay + time(there.rate, full) + notice + back.propagation(forwarding)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A flow's packet leaves its host: from a queue of its own.
    #[inline(never)]
    pub(crate) fn name_queue(&mut self, id: PacketId) {
        let from = self.ends.flows[self.packets[id].flow as usize].slot;
        *self.switches.flow_queues.tag_mut(id) = Tag { from, ..Tag::default() };
    }

    /// A packet has joined a queue for an output: if that is too long now, it is charged to the queue that it came from.
    pub(crate) fn charge(&mut self, input: u32, output: u32, id: PacketId, placed: Placed) {
        let isolation = &mut self.control.flow_isolation;
        isolation.tally.assigned += u64::from(placed.fresh);
        isolation.tally.shared += u64::from(placed.shared);
        let rate = self.links.rates[usize::from(self.links.outs[output as usize].rate)].rate();
        let queues = &mut self.switches.flow_queues;
        let over =
            queues.outputs[output as usize].known.is_over(placed.queue, isolation.round_trips[input as usize], rate);
        let tag = queues.tag_mut(id);
        tag.charged = over;
        if !over {
            return;
        }
        isolation.tally.charged += 1;
        let from = tag.from;
        if isolation.charges[input as usize].charge(from) {
            self.tell_of_queue(input, Notice::Queue { queue: from, stop: true });
        }
    }

    /// A packet has left its queue; from now on it comes from there.
    pub(crate) fn discharge(&mut self, input: u32, id: PacketId) {
        let tag = self.switches.flow_queues.tag_mut(id);
        let (from, charged) = (tag.from, std::mem::take(&mut tag.charged));
        tag.from = tag.queue.into();
        if charged && self.control.flow_isolation.charges[input as usize].discharge(from) {
            self.tell_of_queue(input, Notice::Queue { queue: from, stop: false });
        }
    }

    fn tell_of_queue(&mut self, input: u32, notice: Notice) {
        let Notice::Queue { stop, .. } = notice else { return };
        self.control.flow_isolation.tally.told[usize::from(stop)] += 1;
        match self.control.flow_isolation.rules.as_ref().map(|rules| rules.notices) {
            Some(Notices::OutOfBand(way)) => self.tell_beside(input, way.delay, notice),
            Some(Notices::InBand(way)) => {
                let frame = Frame { bytes: way.size.0 as u32, after: Span::ZERO, notice };
                if stop { self.tell(input, frame) } else { self.tell_late(input, frame) }
            }
            None => {}
        }
    }

    /// A port hears that a queue of its own is stopped, or may go.
    pub(crate) fn hear_of_queue(&mut self, port: u32, queue: u32, stop: bool) {
        self.control.flow_isolation.tally.heard += 1;
        if port < self.rules.hosts_len {
            self.control.flow_isolation.hold(port, queue, stop);
        } else {
            self.switches.flow_queues.outputs[port as usize].known.hear(queue as u16, stop);
        }
        if !stop {
            self.ask(port);
        } else if self.links.blocked[port as usize / 64] & 1 << (port % 64) != 0 {
            // Flow control may not be what holds it any more.
            self.consider(port);
        }
    }

    /// The laws of queues by flow: what an output knows of its queues is what stands in them; what is charged at an input
    /// stands in its switch; every notice is heard or under way; and when the network is empty and every notice heard,
    /// nobody is charged or stopped.
    pub(crate) fn check_flow_isolation(&self) -> Result<(), String> {
        if !self.queues_flows() {
            return Ok(());
        }
        let isolation = &self.control.flow_isolation;
        let mut charged = vec![0u64; isolation.charges.len()];
        for (port, output) in self.switches.flow_queues.outputs.iter().enumerate() {
            output.known.check().map_err(|broken| format!("at output {port} {broken}"))?;
            for (number, list) in output.lists.iter().enumerate() {
                let mut bytes = 0;
                for id in list.iter(&self.packets) {
                    let tag = &self.switches.flow_queues.tags[id.0 as usize];
                    bytes += u64::from(self.packets[id].size);
                    charged[self.packets[id].input as usize] += u64::from(tag.charged);
                }
                if number + 1 < output.lists.len() && bytes != output.known.bytes(number as u16) {
                    let known = output.known.bytes(number as u16);
                    return Err(format!("queue {number} of output {port} holds {bytes} B, and {known} B are known"));
                }
            }
        }
        for (input, charges) in isolation.charges.iter().enumerate() {
            let counted: u64 = charges.counts().iter().map(|&count| u64::from(count)).sum();
            if counted != charged[input] {
                return Err(format!("input {input} counts {counted} charged packets, and {} wait", charged[input]));
            }
        }
        let Tally { told: [gos, stops], heard, .. } = isolation.tally;
        let all_heard = gos + stops == heard;
        if heard > gos + stops || (all_heard && self.packets.live() == 0 && stops != gos) {
            return Err(format!("{stops} stops and {gos} gos were told, and {heard} notices heard"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use congestree_kernel::HeapAgenda;
    use congestree_probes::Silent;
    use congestree_schemes::IsolateParams;
    use congestree_schemes::isolate::bfc::BfcParams;

    use super::*;
    use crate::small::star;
    use crate::tune::variants::Any;

    #[test]
    fn a_hop_takes_two_packets_two_delays_the_switch_and_the_notice() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.scheme.flow_queues = IsolateParams::Bfc(BfcParams::default()).flow_rules();
        let fabric = Fabric::<HeapAgenda, Silent, Any>::build(&plan, Silent);
        // 10 ns each way, 100 ns in the switch; packets of 1,000 B and a notice of 64 B at 1 B/ns.
        assert_eq!(fabric.control.flow_isolation.round_trips[3..], [Span::from_ns(2_184); 3]);
    }
}
