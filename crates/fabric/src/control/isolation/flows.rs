//! Flows in queues of their own: which packets are charged to which queue, and which queues are stopped.

use congestree_schemes::isolate::Notices;
use congestree_schemes::isolate::flow_queues::{Charges, FlowRules};
use congestree_units::{Bytes, Span};
use congestree_wire::{HostId, IndexVec, PortId};

use crate::link::port::In;
use crate::link::wiring::Wiring;
use crate::observe::outcome::SummaryRow;
use crate::plan::Plan;

/// Stops and gos. Empty if flows have no queues of their own.
#[derive(Debug, Default)]
pub(crate) struct FlowIsolation {
    pub(super) rules: Option<FlowRules>,
    /// By input: packets charged to queues of the upstream neighbour.
    pub(super) charges: IndexVec<PortId, Charges>,
    /// By port: the round-trip time of the hop, for its switch.
    pub(super) round_trips: IndexVec<PortId, Span>,
    /// By host: flows that are stopped, one bit for each place.
    held: IndexVec<HostId, Vec<u64>>,
    pub(super) counts: FlowQueueCounts,
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FlowQueueCounts {
    /// How often a flow was given a queue, and how often other flows stood there already.
    pub(super) assigned: u64,
    pub(super) shared: u64,
    /// Packets charged to the queues that they came from.
    pub(super) charged: u64,
    /// Gos and stops sent, and notices heard.
    pub(super) told: [u64; 2],
    pub(super) heard: u64,
}

impl FlowIsolation {
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let Some(rules) = plan.scheme.flow_queues.clone() else { return Self::default() };
        let ports = wiring.outs.len();
        let of_links: IndexVec<PortId, Span> =
            wiring.outs.ids().map(|port| round_trip(plan, wiring, &rules, port)).collect();
        let of_switch = |port: PortId| {
            let In { base, radix, .. } = wiring.ins[port];
            let most = of_links[base..base + u32::from(radix)].iter().max().copied();
            rules.hop_round_trip.or(most).unwrap_or(Span::ZERO)
        };
        Self {
            charges: vec![Charges::default(); ports].into(),
            round_trips: wiring.outs.ids().map(of_switch).collect(),
            held: vec![Vec::new(); plan.graph.hosts.len()].into(),
            rules: Some(rules),
            counts: FlowQueueCounts::default(),
        }
    }

    /// The first packets of flows go before all others.
    pub(crate) fn first_ahead(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.first_ahead)
    }

    /// The id by which a flow is known, and how long it keeps its queue at the switch of an input.
    pub(crate) fn id_and_sticky(&self, flow: u64, input: PortId) -> (u32, Span) {
        let id_and_sticky = |rules: &FlowRules| (rules.id_of(flow), rules.sticky(self.round_trips[input]));
        self.rules.as_ref().map_or((0, Span::ZERO), id_and_sticky)
    }

    /// The flow at a place of a host is stopped.
    #[inline]
    pub(crate) fn holds(&self, host: HostId, place: u32) -> bool {
        self.held[host].get(place as usize / 64).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    /// The flow at a place of a host is stopped, or may go.
    pub(super) fn hold(&mut self, host: HostId, place: u32, stop: bool) {
        let words = &mut self.held[host];
        let word = place as usize / 64;
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        let bit = 1 << (place % 64);
        words[word] = if stop { words[word] | bit } else { words[word] & !bit };
    }

    /// Takes over what a part of the network has charged at its ports, and its counts.
    pub(crate) fn take_from(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for (port, charges) in part.charges.with_ids().filter(|&(port, _)| owns(port)) {
            self.charges[port] = charges.clone();
        }
        let (sum, more) = (&mut self.counts, &part.counts);
        sum.assigned += more.assigned;
        sum.shared += more.shared;
        sum.charged += more.charged;
        sum.told.iter_mut().zip(more.told).for_each(|(sum, more)| *sum += more);
        sum.heard += more.heard;
    }

    /// Rows of the summary.
    pub(crate) fn rows(&self) -> Vec<SummaryRow> {
        let FlowQueueCounts { assigned, shared, charged, told: [gos, stops], heard } = self.counts;
        vec![
            (
                "flow_queues_given",
                assigned as f64,
                "",
                "times that a flow was assigned a queue of an output, whole run",
            ),
            (
                "flow_queues_shared",
                shared as f64,
                "",
                "times that the assigned queue already held packets of other flows, whole run",
            ),
            (
                "flow_packets_charged",
                charged as f64,
                "",
                "packets that found their queue too long and were charged to the upstream queue they came from, whole run",
            ),
            ("flow_stops", stops as f64, "", "notices to stop a queue, whole run"),
            ("flow_gos", gos as f64, "", "notices that a stopped queue may send again, whole run"),
            (
                "flow_notices_heard",
                heard as f64,
                "",
                "of these notices, those that the neighbour has received, whole run",
            ),
        ]
    }
}

/// The longest time from the start of a packet on the link into a port of a switch until a stop that it causes is
/// obeyed: there and back, with a full packet either way, the delay of the switch, and the notice.
pub(super) fn round_trip(plan: &Plan, wiring: &Wiring, rules: &FlowRules, port: PortId) -> Span {
    let out = &wiring.outs[port];
    if port.index() < plan.graph.hosts.len() {
        return Span::ZERO;
    }
    let (there, back) = (&wiring.outs[out.peer], out);
    let forwarding = plan.switch.forwarding_delay;
    let full = plan.adapter.full();
    let time = |index: u16, bytes: Bytes| wiring.rates[usize::from(index)].time_for(bytes);
    let notice = match rules.notices {
        Notices::InBand(way) => time(back.rate, full) + time(back.rate, way.size),
        Notices::OutOfBand(way) => way.delay,
    };
    there.head_delay + time(there.rate, full) + notice + back.propagation(forwarding)
}

#[cfg(test)]
mod tests {
    use congestree_kernel::HeapAgenda;
    use congestree_probes::Silent;
    use congestree_schemes::IsolateParams;
    use congestree_schemes::isolate::bfc::BfcParams;

    use super::*;
    use crate::fabric::Fabric;
    use crate::small::star;
    use crate::tune::variants::Any;

    #[test]
    fn a_hop_takes_two_packets_two_delays_the_switch_and_the_notice() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.scheme.flow_queues = IsolateParams::Bfc(BfcParams::default()).flow_rules();
        let fabric = Fabric::<HeapAgenda, Silent, Any>::build(&plan, Silent);
        // 10 ns each way, 100 ns in the switch; packets of 1,000 B and a notice of 64 B at 1 B/ns.
        assert_eq!(fabric.control.flow_isolation.round_trips.rows()[3..], [Span::from_ns(2_184); 3]);
    }
}
