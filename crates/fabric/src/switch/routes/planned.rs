//! The paths of a plan when nothing else uses them, before anything is built: what a reaction or a transport is told of
//! its path at the start of a run.

use congestree_topology::{Node, Port, Ports};
use congestree_units::{Rate, Span};
use congestree_wire::HostId;

use super::idle_path::{PathLeg, time_over};
use crate::plan::{Plan, Switching};

/// The paths of a plan.
pub struct IdlePaths<'a> {
    plan: &'a Plan,
    ports: Ports,
}

/// A path from host to host, and the way of ACKs back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdlePath {
    /// Rate of the sender's link.
    pub line: Rate,
    /// The slowest link or crossbar on the way there.
    pub slowest: Rate,
    /// Switches on the way there.
    pub switches: u32,
    /// From the start of a full packet until its ACK is in.
    pub round_trip: Span,
}

impl<'a> IdlePaths<'a> {
    /// The paths of this plan.
    pub fn of(plan: &'a Plan) -> Self {
        Self { plan, ports: plan.graph.ports() }
    }

    /// The path between two hosts; `None` if the tables have none.
    pub fn between(&self, from: HostId, to: HostId) -> Option<IdlePath> {
        let adapter = &self.plan.adapter;
        let there = self.ports.path(&self.plan.routes, from.0, to.0)?;
        let back = self.ports.path(&self.plan.routes, to.0, from.0)?;
        let [first, ..] = there[..] else { return None };
        let slowest = self.legs(&there).map(|leg| leg.rate).min()?;
        let (sent, answered) = (time_over(self.legs(&there), adapter.full()), time_over(self.legs(&back), adapter.ack));
        Some(IdlePath {
            line: first.out.rate,
            slowest,
            switches: there.len() as u32 - 1,
            round_trip: sent + adapter.ack_turnaround + answered,
        })
    }

    /// The stages of a path: its links, and crossbars between them if these have a speed of their own.
    fn legs(&self, path: &[Port]) -> impl Iterator<Item = PathLeg> {
        let (switch, whole) = (&self.plan.switch, self.plan.switching() == Switching::StoreForward);
        path.iter().flat_map(move |port| {
            let to_switch = matches!(port.peer, Node::Switch(_));
            let forwarding = if to_switch { switch.forwarding_delay } else { Span::ZERO };
            let head = port.out.delay + forwarding;
            let link = PathLeg { rate: port.out.rate, head, whole: whole && to_switch, beside: 1 };
            let crossbar = switch.crossbar.filter(|_| to_switch);
            let crossing =
                crossbar.map(|crossbar| PathLeg { rate: crossbar.rate, head: Span::ZERO, whole: false, beside: 1 });
            [Some(link), crossing].into_iter().flatten()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::CrossbarPlan;
    use crate::small::{star, started};

    /// What a plan says of its paths is what a fabric says that is built from it.
    fn agrees(plan: &Plan) {
        let (paths, fabric) = (IdlePaths::of(plan), started(plan));
        for (from, to) in [(0, 1), (1, 0), (2, 1)].map(|(from, to)| (HostId(from), HostId(to))) {
            let path = paths.between(from, to).unwrap();
            assert_eq!(path.round_trip, fabric.idle_round_trip(from, to));
            assert_eq!(path.switches, fabric.switches_between(from, to));
            let there = paths.ports.path(&plan.routes, from.0, to.0).unwrap();
            let links = there.iter().map(|port| port.out.rate).min().unwrap();
            assert_eq!(path.slowest, plan.switch.crossbar.map_or(links, |crossbar| crossbar.rate.min(links)));
        }
    }

    #[test]
    fn paths_of_a_plan_take_as_long_as_those_of_its_fabric() {
        let mut plan = star(3, &[(0, 1)]);
        plan.graph.links[1].ab.rate = Rate::from_gbps(4);
        plan.graph.links[2].ba.delay = Span::from_ns(70);
        plan.adapter.ack_turnaround = Span::from_ns(300);
        agrees(&plan);
        assert_eq!(IdlePaths::of(&plan).between(HostId(0), HostId(2)).unwrap().line, Rate::from_gbps(8));
        plan.switch.switching = Switching::StoreForward;
        agrees(&plan);
        plan.switch.crossbar = Some(CrossbarPlan { rate: Rate::from_gbps(3), output_packets: 2 });
        agrees(&plan);
    }
}
