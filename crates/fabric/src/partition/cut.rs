//! Where a network is cut into parts, and whether it can be cut.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use congestree_topology::{Node, Port};
use congestree_traffic::{Arrivals, Sizes};
use congestree_units::{Bytes, Rate, Span};
use congestree_wire::{FlowId, HostId, IndexVec, SwitchId};

use crate::plan::{CreditUnit, FlowPlan, JobPlan, Plan, SendEnd, Switching};

/// A division of a network into parts.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The part of every port, which is the part of its node.
    pub of_port: Arc<[u16]>,
    /// How many there are.
    pub parts: u16,
    /// The least time that anything takes to get from one part to another.
    pub lookahead: Span,
    /// The least time that a data packet takes over a link into a host.
    pub delivery: Span,
}

/// Why a run cannot be cut: a sentence without its full stop.
pub(crate) type Obstacle = &'static str;

impl Plan {
    /// What prevents a run in several parts, if anything does.
    pub fn obstacle_to_parts(&self) -> Option<Obstacle> {
        let obstacles: [(bool, Obstacle); 3] = [
            (!self.measure.probes.by_owner(), "a probe records the whole network in one order"),
            (
                self.scheme.route.knows_all_queues(),
                "its switches know at once what waits at others (scheme.route with knows = \"global\")",
            ),
            (
                self.joins_apart() && self.told_inside_after() == Span::ZERO,
                "links inside its nodes join hosts at different switches and take no time (adapters.node.delay)",
            ),
        ];
        let found = obstacles.iter().find(|(stands, _)| *stands).map(|&(_, why)| why);
        let found = found.or_else(|| self.doubt_of_delivery().filter(|_| self.senders_hear_of_deliveries()));
        found.or_else(|| match self.graph.switches.len() {
            0 | 1 => Some("it has a single switch"),
            _ if self.lookahead() == Span::ZERO => Some("what crosses a link takes no time"),
            _ => None,
        })
    }

    /// Packets may overtake each other, and some flow has packets that come in at several hosts and are counted as one
    /// series.
    pub(crate) fn wanders(&self) -> bool {
        let accounts = self.sources.iter().filter_map(|source| source.mapping.account().map(FlowId));
        let accounts: HashSet<FlowId> = accounts.collect();
        let wander = |(id, flow): (FlowId, &FlowPlan)| flow.destination.is_none() && !accounts.contains(&id);
        self.reorders() && self.flows.with_ids().any(wander)
    }

    /// Ranks continue when the network has delivered their messages.
    fn senders_hear_of_deliveries(&self) -> bool {
        let over_network = |job: &&Arc<JobPlan>| job.flows.iter().any(|&flow| flow != FlowId::NONE);
        self.jobs.iter().filter(over_network).any(|job| job.send_end == SendEnd::Delivered)
    }

    /// Once the last packet that a message still waits for starts on the link into its host, the message is certain to
    /// be complete when that packet has come in.
    pub(crate) fn foretells_deliveries(&self) -> bool {
        self.doubt_of_delivery().is_none()
    }

    /// Ranks continue when their messages are delivered, and are told of that in advance, as soon as it is certain.
    pub(crate) fn senders_are_foretold(&self) -> bool {
        self.senders_hear_of_deliveries() && self.foretells_deliveries()
    }

    /// Why a delivery is not certain at that point, if it is not.
    fn doubt_of_delivery(&self) -> Option<Obstacle> {
        let overflows = self.flow_control.unit == CreditUnit::Pause && self.adapter.drain_rate.is_some();
        let doubts: [(bool, Obstacle); 3] = [
            (
                self.scheme.transport.repairs(),
                "sends of its jobs end when delivered, which a transport knows when a packet is in (unless \"acknowledged\")",
            ),
            (
                self.checks.any(),
                "sends of its jobs end when delivered, and a packet on a link may not come in (links.errors, links.retry)",
            ),
            (
                overflows,
                "sends of its jobs end when delivered, and receive buffers of hosts may overflow (adapters.drain_rate)",
            ),
        ];
        doubts.iter().find(|(stands, _)| *stands).map(|&(_, why)| why)
    }

    /// Messages of some job use links inside nodes between hosts that may be in different parts.
    fn joins_apart(&self) -> bool {
        let in_nodes = self.jobs.iter().any(|job| job.node.is_some());
        let hosts = if in_nodes { self.graph.ports().hosts } else { Vec::new() };
        let switch = |host: HostId| hosts[host.index()].first().map(|port| port.peer);
        let apart = |job: &Arc<JobPlan>| job.inside_nodes().any(|(from, to, _)| switch(from) != switch(to));
        self.jobs.iter().filter(|job| job.node.is_some()).any(apart)
    }

    /// How long the news that a flow has finished takes at most to reach every part of the network, however it is cut.
    pub(crate) fn news_takes(&self) -> Span {
        match self.least_crossing(self.fastest()) {
            Span(u64::MAX) => Span::ZERO,
            least => least,
        }
    }

    /// The least time from one part to another: that of a packet, a credit or a frame over any link between switches,
    /// or of a message inside a node; or the time that is left until a message is delivered when its sender is told in
    /// advance.
    pub fn lookahead(&self) -> Span {
        let crossbar = self.switch.crossbar.map_or(Rate(0), |crossbar| crossbar.rate);
        let fastest = if crossbar.0 > self.fastest().0 { crossbar } else { self.fastest() };
        let told = if self.senders_hear_of_deliveries() { self.delivery() } else { Span(u64::MAX) };
        let inside = if self.joins_apart() { self.told_inside_after() } else { Span(u64::MAX) };
        self.least_crossing(fastest).min(told).min(inside)
    }

    /// The lookahead if tails leave buffers no faster than at the given rate, over a link or over a crossbar.
    fn least_crossing(&self, fastest: Rate) -> Span {
        let (data, control) = (self.smallest_data(), self.smallest_control());
        let with_credit = if self.flow_control.control_uses_credits { data.min(control) } else { data };
        let forwarding = self.switch.forwarding_delay;
        // What is dropped in front of a link that is down has no tail that must leave first.
        let tail = if self.faults.any() { Span::ZERO } else { fastest.time_for(with_credit) };
        let mut least = Span(u64::MAX);
        for link in &self.graph.links {
            let (Node::Switch(_), Node::Switch(_)) = (link.a, link.b) else { continue };
            for wire in [link.ab, link.ba] {
                let packet = match self.switch.switching {
                    Switching::CutThrough => Span::ZERO,
                    Switching::StoreForward if self.faults.any() => self.fastest().time_for(data.min(control)),
                    Switching::StoreForward => wire.rate.time_for(data.min(control)),
                };
                least = least.min(wire.delay + forwarding + packet);
                // Room is given back when a tail has left the buffer.
                match self.flow_control.unit {
                    CreditUnit::Slot | CreditUnit::Block(_) => {
                        least = least.min(tail + self.flow_control.credit_delay.unwrap_or(wire.delay));
                    }
                    CreditUnit::Pause | CreditUnit::None => {}
                }
                if self.neighbours_talk() {
                    least = least.min(wire.delay);
                }
            }
        }
        least
    }

    /// The least time that a data packet takes over a link into a host.
    fn delivery(&self) -> Span {
        let (size, fastest) = (self.smallest_data(), if self.faults.any() { self.fastest() } else { Rate(0) });
        let into_hosts = self.graph.links.iter().flat_map(|link| [(link.a, link.ba), (link.b, link.ab)]);
        let into_hosts = into_hosts.filter(|(node, _)| matches!(node, Node::Host(_)));
        into_hosts.map(|(_, wire)| wire.delay + wire.rate.max(fastest).time_for(size)).min().unwrap_or(Span::ZERO)
    }

    /// The rate of the fastest link.
    pub(crate) fn fastest(&self) -> Rate {
        self.graph
            .links
            .iter()
            .flat_map(|link| [link.ab.rate, link.ba.rate])
            .chain(self.faults.failures.iter().filter_map(|fault| fault.rates).flat_map(|(ab, ba)| [ab, ba]))
            .max_by_key(|rate| rate.0)
            .unwrap_or(Rate(1))
    }

    /// The size of the smallest ACK, notification or trimmed packet, if there are any.
    fn smallest_control(&self) -> Bytes {
        let answers = self.scheme.transport.repairs() || self.flows.iter().any(|flow| flow.acked);
        let ack = answers.then_some(self.adapter.ack);
        let trimmed = self.switch.trim.map(|trim| trim.size);
        let cnp = self.scheme.notify.packet().filter(|_| self.scheme.react.needs().marks).map(|cnp| cnp.size);
        ack.into_iter().chain(cnp).chain(trimmed).min().unwrap_or(Bytes(u64::MAX))
    }

    /// The size of the smallest data packet.
    fn smallest_data(&self) -> Bytes {
        let mtu = self.adapter.mtu;
        let payload = |size: Bytes| match size.0 % mtu.0 {
            0 => mtu,
            rest => Bytes(rest),
        };
        let of_sources = self.sources.iter().map(|source| match (&source.profile.arrivals, &source.profile.message) {
            (Arrivals::Greedy | Arrivals::OnOff { .. }, Sizes::Fixed(size)) if size.0 % mtu.0 == 0 => mtu,
            (_, Sizes::Fixed(size)) => payload(*size),
            _ => Bytes(1),
        });
        // Ranks announce messages with one byte.
        let of_jobs = (!self.jobs.is_empty()).then_some(Bytes(1));
        self.adapter.header + of_sources.chain(of_jobs).min().unwrap_or(Bytes(1))
    }
}

impl Cut {
    /// Divides a plan into parts of about equal work. Hosts stay with their switches; leaf switches are divided in
    /// order, which keeps pods together, and every other switch joins the part of most of its neighbours that still has
    /// room.
    pub(crate) fn new(plan: &Plan, parts: u16) -> Self {
        let wired = plan.graph.ports();
        let mut division = Division::new(&wired.switches, parts);
        division.divide_leaves(plan.graph.hosts.len().max(1));
        // The other switches, level by level from the leaves.
        let mut left: Vec<SwitchId> =
            division.part_of.ids().filter(|&switch| division.part_of[switch].is_none()).collect();
        while !left.is_empty() {
            left = division.divide_level(&left);
        }
        let part_of: Vec<u16> = division.part_of.iter().map(|part| part.unwrap_or(0)).collect();
        Self::of(plan, parts, &part_of)
    }

    /// The division of a plan that is given by a part for each switch.
    pub(crate) fn of(plan: &Plan, parts: u16, part_of: &[u16]) -> Self {
        let wired = plan.graph.ports();
        let hosts = wired.hosts.iter().map(|ports| match ports.first().map(|port| port.peer) {
            Some(Node::Switch(switch)) => part_of[switch as usize],
            _ => 0,
        });
        let ports =
            wired.switches.iter().zip(part_of).flat_map(|(ports, &part)| std::iter::repeat_n(part, ports.len()));
        let of_port = hosts.chain(ports).collect();
        Self { of_port, parts, lookahead: plan.lookahead(), delivery: plan.delivery() }
    }
}

/// A network while it is being divided. The weight of a switch is its number of ports.
struct Division<'a> {
    switches: &'a [Vec<Port>],
    part_of: IndexVec<SwitchId, Option<u16>>,
    /// By part: the weight of its switches.
    load: Vec<usize>,
    /// The load of each part if all loads were equal.
    share: usize,
}

impl<'a> Division<'a> {
    fn new(switches: &'a [Vec<Port>], parts: u16) -> Self {
        let total: usize = switches.iter().map(Vec::len).sum();
        Self {
            switches,
            part_of: vec![None; switches.len()].into(),
            load: vec![0; usize::from(parts)],
            share: total.div_ceil(usize::from(parts)),
        }
    }

    fn ports(&self, switch: SwitchId) -> &'a [Port] {
        &self.switches[switch.index()]
    }

    fn join(&mut self, switch: SwitchId, part: usize) {
        self.load[part] += self.ports(switch).len();
        self.part_of[switch] = Some(part as u16);
    }

    /// Divides the switches with hosts in their order; `hosts` is their number.
    fn divide_leaves(&mut self, hosts: usize) {
        let mut before = 0;
        for switch in self.part_of.ids().collect::<Vec<_>>() {
            let own = self.ports(switch).iter().filter(|port| matches!(port.peer, Node::Host(_))).count();
            if own > 0 {
                self.join(switch, before * self.load.len() / hosts);
                before += own;
            }
        }
    }

    /// Each of these switches with a neighbour that already has a part joins a part; the others are returned. If none
    /// has such a neighbour, the last switch joins some part, so that fewer are left each time.
    fn divide_level(&mut self, switches: &[SwitchId]) -> Vec<SwitchId> {
        let known = self.part_of.clone();
        let mut left = Vec::new();
        for &switch in switches {
            let neighbours = self.neighbours(switch, &known);
            let is_last_hope = left.len() + 1 == switches.len();
            if is_last_hope || neighbours.iter().any(|&links| links > 0) {
                self.join(switch, self.best_part(switch, &neighbours));
            } else {
                left.push(switch);
            }
        }
        left
    }

    /// By part: the number of links to switches that were in it when the level began.
    fn neighbours(&self, switch: SwitchId, known: &IndexVec<SwitchId, Option<u16>>) -> Vec<u64> {
        let mut links = vec![0; self.load.len()];
        for port in self.ports(switch) {
            if let Node::Switch(peer) = port.peer
                && let Some(part) = known[SwitchId(peer)]
            {
                links[usize::from(part)] += 1;
            }
        }
        links
    }

    /// Among the parts with room, the one with most neighbours; ties go to the part with the least load.
    fn best_part(&self, switch: SwitchId, neighbours: &[u64]) -> usize {
        let weight = self.ports(switch).len();
        let parts = 0..self.load.len();
        let best = parts.max_by_key(|&part| {
            let has_room = self.load[part] + weight <= self.share;
            (has_room, neighbours[part], Reverse(self.load[part]), Reverse(part))
        });
        best.unwrap_or(0)
    }
}
