//! Ports as the graph wires them: who is at the other end, at what rate and delay, and where the queues of an input begin.

use congestree_topology::Node;
use congestree_units::{Rate, Span};
use congestree_wire::{HostId, IndexVec, PortId, QueueId, SwitchId};

use crate::link::port::{Far, In, Out};
use crate::plan::{Plan, QueueMap, Switching};

/// The ports of a plan: those of hosts first, then those of switches, each switch's in the order of its links.
pub(crate) struct Wiring {
    pub outs: IndexVec<PortId, Out>,
    pub ins: IndexVec<PortId, In>,
    /// Every rate there is, once; ports name theirs by its place.
    pub rates: Vec<Rate>,
    /// Queues of all inputs of switches.
    pub queues: usize,
}

impl Wiring {
    pub(crate) fn of(plan: &Plan) -> Self {
        let graph = &plan.graph;
        let wired = graph.ports();
        let hosts = graph.hosts.len();
        let mut base: IndexVec<SwitchId, PortId> = IndexVec::default();
        let mut next = PortId::from_index(hosts);
        for switch in &wired.switches {
            base.push(next);
            next = next + switch.len() as u32;
        }
        let global = |node: Node, local: u16| match node {
            Node::Host(host) => HostId(host).port(),
            Node::Switch(switch) => base[SwitchId(switch)] + u32::from(local),
        };
        let mut rates: Vec<Rate> = Vec::new();
        let mut outs = IndexVec::with_capacity(next.index());
        let mut ins = IndexVec::with_capacity(next.index());
        let mut queues = 0;
        let at_hosts = wired.hosts.iter().enumerate().map(|(host, ports)| (PortId::from_index(host), ports, None));
        let at_switches =
            base.with_ids().zip(&wired.switches).map(|((switch, &base), ports)| (base, ports, Some(switch)));
        for (base, ports, switch) in at_hosts.chain(at_switches) {
            for port in ports {
                let (far, extra) = match (port.peer, plan.switching()) {
                    (Node::Host(_), _) => (Far::Host, Span::ZERO),
                    (_, Switching::CutThrough) => (Far::CutThrough, plan.switch.forwarding_delay),
                    (_, Switching::StoreForward) => (Far::StoreForward, plan.switch.forwarding_delay),
                };
                let peer = global(port.peer, port.peer_port);
                let link = &graph.links[port.link as usize];
                let back = if port.at_a { link.ba } else { link.ab };
                let radix = ports.len() as u16;
                let (head_delay, rate) = (port.out.delay + extra, place_of(&mut rates, port.out.rate));
                outs.push(Out { head_delay, peer, base, rate, radix, far, lane_turn: plan.lanes - 1, ..Out::IDLE });
                ins.push(In {
                    queues: QueueId(queues),
                    base,
                    switch: switch.unwrap_or(SwitchId::NONE),
                    sender: peer,
                    credit_delay: plan.flow_control.credit_delay.unwrap_or(port.out.delay),
                    radix,
                    rate: place_of(&mut rates, back.rate),
                    has_lines: plan.scheme.isolate.as_ref().is_some_and(|rules| rules.queues == 0),
                    away: false,
                });
                if switch.is_some() {
                    queues += match plan.switch.plain_queues() {
                        QueueMap::Voq => u32::from(plan.lanes) * u32::from(radix),
                        _ => u32::from(plan.lanes),
                    };
                }
            }
        }
        let slower = plan.faults.failures.iter().filter_map(|failure| failure.rates);
        slower.flat_map(|(ab, ba)| [ab, ba]).for_each(|rate| {
            place_of(&mut rates, rate);
        });
        Wiring { outs, ins, rates, queues: queues as usize }
    }
}

/// The place of a rate in the table of rates, where it is put if it is new.
fn place_of(rates: &mut Vec<Rate>, rate: Rate) -> u16 {
    rates.iter().position(|known| *known == rate).unwrap_or_else(|| {
        rates.push(rate);
        rates.len() - 1
    }) as u16
}
