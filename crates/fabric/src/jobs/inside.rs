//! Messages between hosts of a node, over the links inside it (`adapters.node`).
//!
//! A message occupies the link of its sender as soon as that is free, and the link of its receiver from the same instant on, or
//! from when that is free: in the order in which messages start, wherever they come from. It is there some time later, the
//! delay. So its sender knows when it starts and when it has left, and its receiver need not know of it before it is
//! *told*, which is as late as can be, after the same time for all messages of a job. Hosts of a node may therefore be
//! in different parts of a network that is cut (`partition/cut.rs`).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::program::Action;
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::jobs::ranks::{COPIED, FINISHES, Job, Leg, Ranks, UnderWay, about};
use crate::partition::border::Letter;
use crate::plan::{JobPlan, Plan, SendEnd};
use crate::tune::variants::Variant;

impl Plan {
    /// From the start of a message inside a node until its receiver is told: alike for all jobs, whose messages share links.
    pub(crate) fn told_inside_after(&self) -> Span {
        self.jobs.iter().filter_map(|job| job.told_inside_after()).min().unwrap_or(Span::ZERO)
    }
}

impl JobPlan {
    /// The messages that take links inside nodes: from where to where, and how large.
    pub(crate) fn inside_nodes(&self) -> impl Iterator<Item = (HostId, HostId, Bytes)> {
        let sends = self.program.sends().filter(|&(id, ..)| self.flows[id as usize] == FlowId::NONE);
        let sends = sends.map(|(_, from, to, _, bytes)| (self.hosts[from as usize], self.hosts[to as usize], bytes));
        sends.filter(|(from, to, _)| from != to).map(|(from, to, bytes)| (from, to, Bytes(bytes)))
    }

    /// From the start of a message inside a node until its receiver is told: before it is in; and if its sender hears that it
    /// is in, at once or after the delay once more, that is as long again after it at least.
    fn told_inside_after(&self) -> Option<Span> {
        let node = self.node?;
        let least = self.inside_nodes().map(|(.., bytes)| node.rate.time_for(bytes)).min()?;
        let before_it_is_in = Span((node.delay + least).0.saturating_sub(1));
        Some(match self.send_end {
            SendEnd::Left => before_it_is_in,
            SendEnd::Delivered => Span((node.delay + least).0 / 2),
            SendEnd::Acknowledged => before_it_is_in.min(node.delay + Span(least.0 / 2)),
        })
    }
}

impl Ranks {
    /// A message is sent to another host of the node: it has the link of its sender behind those that were sent before.
    pub(super) fn send_inside<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        rank: u32,
        send: u32,
    ) {
        let state = &mut self.jobs[job as usize];
        let (Some(node), Action::Send { to, bytes, .. }) =
            (state.plan.node, state.plan.program.operations()[send as usize].action)
        else {
            return;
        };
        let link = &mut self.inside[state.plan.hosts[rank as usize]];
        let start = link.out.max(fabric.now);
        link.out = start + node.rate.time_for(Bytes(bytes));
        state.pending += 1;
        if state.plan.send_end == SendEnd::Left {
            let rank = state.first_rank + rank;
            fabric.schedule(link.out, Event::Rank { rank, about: about(FINISHES, send) });
        }
        let (at, host) = (start + self.told_inside_after, state.plan.hosts[to as usize]);
        let message = UnderWay::new(job, send, Leg::Inside, fabric.now);
        match fabric.border.is_away(host.port()) {
            true => fabric.border.write(Letter::Inside { at, host, message }),
            false => self.expect_inside(fabric, message, at),
        }
    }

    /// A message inside a node will be told here.
    fn expect_inside<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        message: UnderWay,
        at: Time,
    ) {
        self.copy(message);
        let state = &self.jobs[message.job as usize];
        let rank = state.first_rank + state.plan.program.rank_of(message.send);
        fabric.schedule(at, Event::Rank { rank, about: about(COPIED, message.send) });
    }

    /// A message inside a node is told: it has the link of its receiver behind those that started before.
    pub(super) fn told_inside<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        send: u32,
    ) {
        let mut id = self.jobs[job as usize].copies[send as usize];
        while id != NONE && self.under_way[id as usize].leg != Leg::Inside {
            id = self.under_way[id as usize].next;
        }
        let state = &mut self.jobs[job as usize];
        let (Some(message), Some(node), Action::Send { to, bytes, .. }) = (
            self.under_way.get_mut(id as usize),
            state.plan.node,
            state.plan.program.operations()[send as usize].action,
        ) else {
            return;
        };
        message.leg = Leg::Data;
        let start = Time(fabric.now.0 - self.told_inside_after.0);
        let link = &mut self.inside[state.plan.hosts[to as usize]];
        link.into = link.into.max(start) + node.rate.time_for(Bytes(bytes));
        let at = link.into + node.delay;
        let about = about(COPIED, send);
        fabric.schedule(at, Event::Rank { rank: state.first_rank + to, about });
        match state.plan.send_end {
            SendEnd::Left => {}
            SendEnd::Acknowledged => state.tell_sender(fabric, send, at + node.delay),
            SendEnd::Delivered => state.tell_sender(fabric, send, at),
        }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A message inside a node comes from another part, and will be told here.
    pub(crate) fn expect_inside(&mut self, at: Time, message: UnderWay) {
        let Some(mut ranks) = self.ranks.take() else { return };
        ranks.expect_inside(self, message, at);
        self.ranks = Some(ranks);
    }

    /// A rank will hear that a send of its has ended.
    pub(crate) fn send_ends(&mut self, at: Time, rank: u32, send: u32) {
        self.schedule(at, Event::Rank { rank, about: about(FINISHES, send) });
    }
}

impl Job {
    /// The sender of a message will hear that its send has ended, wherever it is.
    pub(super) fn tell_sender<A: Agenda, P: Probe, S: Variant>(
        &self,
        fabric: &mut Fabric<A, P, S>,
        send: u32,
        at: Time,
    ) {
        let from = self.plan.program.rank_of(send);
        let (host, rank) = (self.plan.hosts[from as usize], self.first_rank + from);
        match fabric.border.is_away(host.port()) {
            true => fabric.border.write(Letter::SendEnds { at, host, rank, send }),
            false => fabric.send_ends(at, rank, send),
        }
    }

    /// The sender of a message is told of it only inside its node; whoever else hears of it receives it.
    pub(super) fn is_told_inside(&self, rank: u32, send: u32) -> bool {
        self.crosses_hosts(send) && self.plan.program.rank_of(send) == rank
    }
}
