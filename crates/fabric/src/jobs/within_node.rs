//! Messages between hosts of a node, over the links inside it (`adapters.node`).
//!
//! A message occupies the link of its sender as soon as that link is free. It occupies the link of its receiver from
//! the same instant on, or from when that link is free; messages get it in the order in which they start, wherever they
//! come from. The message has come in when the delay has passed after that. So its sender knows when it starts and when
//! it has left. Its receiver need not know of it before it is *told*, which is as late as possible, and takes the same
//! time for all messages of a job. Hosts of a node may therefore be in different parts of a network that is cut
//! (`partition/cut.rs`).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::program::Action;
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::jobs::ranks::{COPIED, FINISHES, Job, Ranks, about};
use crate::jobs::under_way::{Leg, UnderWay};
use crate::partition::mail::Letter;
use crate::plan::{JobPlan, Plan, SendEnd};
use crate::tune::variants::Variant;

impl Plan {
    /// Time from the start of a message inside a node until its receiver is told: the same for all jobs, because their
    /// messages share links.
    pub(crate) fn told_inside_after(&self) -> Span {
        self.jobs.iter().filter_map(|job| job.told_inside_after()).min().unwrap_or(Span::ZERO)
    }
}

impl JobPlan {
    /// The messages that take links inside nodes: sending host, receiving host, and size.
    pub(crate) fn inside_nodes(&self) -> impl Iterator<Item = (HostId, HostId, Bytes)> {
        let sends = self.program.sends().filter(|&(id, ..)| self.flows[id as usize] == FlowId::NONE);
        let sends = sends.map(|(_, from, to, _, bytes)| (self.hosts[from as usize], self.hosts[to as usize], bytes));
        sends.filter(|(from, to, _)| from != to).map(|(from, to, bytes)| (from, to, Bytes(bytes)))
    }

    /// Time from the start of a message inside a node until its receiver is told. It ends before the message has come
    /// in. If the sender hears that the message has come in, either at once or one delay later, at least as much time
    /// again is left until then.
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
    /// Sends a message to another host of the node: it uses the sender's link after those that were sent before.
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
        let message = UnderWay::new(job, send, Leg::Data, fabric.now);
        match fabric.border.is_away(host.port()) {
            true => fabric.border.write(Letter::Inside { at, host, message }),
            false => self.expect_inside(fabric, message, at),
        }
    }

    /// A message inside a node will be told to its receiver in this part.
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

    /// The receiver is told of the oldest message inside a node that it does not know from the rank that sends with this
    /// operation: the message uses the receiver's link after those that started before.
    pub(super) fn told_inside<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        send: u32,
    ) {
        let state = &mut self.jobs[job as usize];
        let Some(id) = state.copies.tell(&self.under_way, send) else { return };
        let send = self.under_way[id as usize].send;
        let (Some(node), Action::Send { to, bytes, .. }) =
            (state.plan.node, state.plan.program.operations()[send as usize].action)
        else {
            return;
        };
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
    /// A message inside a node comes from another part, and its receiver in this part will be told.
    pub(crate) fn expect_inside(&mut self, at: Time, message: UnderWay) {
        let Some(mut ranks) = self.ranks.take() else { return };
        ranks.expect_inside(self, message, at);
        self.ranks = Some(ranks);
    }

    /// A rank will hear that one of its sends has ended.
    pub(crate) fn send_ends(&mut self, at: Time, rank: u32, send: u32) {
        self.schedule(at, Event::Rank { rank, about: about(FINISHES, send) });
    }
}

impl Job {
    /// Arranges for the sender of a message to hear that its send has ended, in whichever part the sender is.
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

    /// An event about this send tells `rank` of a message inside a node if that rank sent it; any other rank receives
    /// it.
    pub(super) fn is_told_inside(&self, rank: u32, send: u32) -> bool {
        self.crosses_hosts(send) && self.plan.program.rank_of(send) == rank
    }
}
