//! Ports as the graph wires them: the port at the other end, the rate and delay, and where the queues of an input
//! begin.

use congestree_topology::{Node, Port, Ports};
use congestree_units::{Rate, Span};
use congestree_wire::{HostId, IndexVec, PortId, QueueId, SwitchId};

use crate::link::port::{Far, In, Out};
use crate::plan::{Plan, QueueMap, Switching};

/// The ports of a plan: those of hosts first, then those of switches, each switch's in the order of its links.
pub(crate) struct Wiring {
    pub outs: IndexVec<PortId, Out>,
    pub ins: IndexVec<PortId, In>,
    /// Every distinct rate, once; ports refer to theirs by its place.
    pub rates: Vec<Rate>,
    /// Total number of input queues of switches.
    pub queues: usize,
}

impl Wiring {
    pub(crate) fn of(plan: &Plan) -> Self {
        let wired = plan.graph.ports();
        let (base, count) = first_ports(&wired);
        let (outs, ins) = (IndexVec::with_capacity(count), IndexVec::with_capacity(count));
        let mut wiring = Wiring { outs, ins, rates: Vec::new(), queues: 0 };
        for (host, ports) in wired.hosts.iter().enumerate() {
            ports.iter().for_each(|port| wiring.add(plan, &base, port, PortId::from_index(host), ports.len(), None));
        }
        for ((switch, &first), ports) in base.with_ids().zip(&wired.switches) {
            ports.iter().for_each(|port| wiring.add(plan, &base, port, first, ports.len(), Some(switch)));
        }
        let slower = plan.faults.failures.iter().filter_map(|failure| failure.rates);
        slower.flat_map(|(ab, ba)| [ab, ba]).for_each(|rate| {
            place_of(&mut wiring.rates, rate);
        });
        wiring
    }

    /// Adds a port of a node that has `radix` ports, the first of which is `first`; `switch` if the node is one.
    /// `base`: the first port of every switch.
    fn add(
        &mut self,
        plan: &Plan,
        base: &IndexVec<SwitchId, PortId>,
        port: &Port,
        first: PortId,
        radix: usize,
        switch: Option<SwitchId>,
    ) {
        let (far, forwarding) = match (port.peer, plan.switching()) {
            (Node::Host(_), _) => (Far::Host, Span::ZERO),
            (_, Switching::CutThrough) => (Far::CutThrough, plan.switch.forwarding_delay),
            (_, Switching::StoreForward) => (Far::StoreForward, plan.switch.forwarding_delay),
        };
        let peer = match port.peer {
            Node::Host(host) => HostId(host).port(),
            Node::Switch(switch) => base[SwitchId(switch)] + u32::from(port.peer_port),
        };
        let link = &plan.graph.links[port.link as usize];
        let back = if port.at_a { link.ba } else { link.ab };
        let radix = radix as u16;
        self.outs.push(Out {
            head_delay: port.out.delay + forwarding,
            peer,
            base: first,
            rate: place_of(&mut self.rates, port.out.rate),
            radix,
            far,
            lane_turn: plan.lanes - 1,
            ..Out::IDLE
        });
        self.ins.push(In {
            queues: QueueId::from_index(self.queues),
            base: first,
            switch: switch.unwrap_or(SwitchId::NONE),
            sender: peer,
            credit_delay: plan.flow_control.credit_delay.unwrap_or(port.out.delay),
            radix,
            rate: place_of(&mut self.rates, back.rate),
            has_lines: plan.scheme.isolate.as_ref().is_some_and(|rules| rules.queues == 0),
            away: false,
        });
        if switch.is_some() {
            self.queues += match plan.plain_queues() {
                QueueMap::Voq => usize::from(plan.lanes) * usize::from(radix),
                _ => usize::from(plan.lanes),
            };
        }
    }
}

/// The first port of every switch (after those of all hosts), and the total number of ports.
fn first_ports(wired: &Ports) -> (IndexVec<SwitchId, PortId>, usize) {
    let mut next = wired.hosts.len();
    let mut base = IndexVec::default();
    for switch in &wired.switches {
        base.push(PortId::from_index(next));
        next += switch.len();
    }
    (base, next)
}

/// The place of a rate in the table of rates, to which it is added if it is new.
fn place_of(rates: &mut Vec<Rate>, rate: Rate) -> u16 {
    rates.iter().position(|known| *known == rate).unwrap_or_else(|| {
        rates.push(rate);
        rates.len() - 1
    }) as u16
}
