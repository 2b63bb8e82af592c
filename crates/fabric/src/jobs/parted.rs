//! The ranks of a network that is cut: each part has the ranks of its hosts, and the states of all parts are put
//! together again.
//!
//! Sender and receiver each have their own record of a message, whether they are in one part or in two. The receiver's
//! part is told in the mail of the window in which the message is sent, and reads that mail before any packet of the
//! message can come in. The sender learns that a message has come in from an ACK or from another message. Where sends
//! end with the delivery itself, the sender's part is told when the last packet starts on the link into the receiving
//! host. If the delivery is not yet certain at that time, jobs are not cut (`partition/cut.rs`).

use congestree_traffic::program::Action;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId};

use crate::jobs::ranks::{Job, Ranks};
use crate::partition::border::Border;
use crate::plan::JobPlan;

impl JobPlan {
    /// Some messages do not use the network: they stay on their host, or in their node.
    pub(super) fn copies(&self) -> bool {
        self.sends_copied().next().is_some()
    }

    /// The messages that do not use the network: sending operation, sending rank and receiving rank of each.
    pub(crate) fn sends_copied(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let sends = self.program.sends().filter(|&(id, ..)| self.flows[id as usize] == FlowId::NONE);
        sends.map(|(id, from, to, ..)| (id, from, to))
    }
}

impl Ranks {
    /// Keeps only the ranks of hosts in this part. Returns whether there are any.
    pub(crate) fn keep_own(&mut self, border: &Border) -> bool {
        let owns = |host: HostId| !border.is_away(host.port());
        self.awaited = 0;
        for job in &mut self.jobs {
            let own = job.own(&owns);
            (job.open, job.pending) = (own, i64::from(own));
            let here = |rank: u32| owns(job.plan.hosts[rank as usize]);
            let operations = job.plan.program.operations();
            let receives = |rank: u32| {
                let of_rank = job.plan.program.of_rank(rank);
                of_rank.filter(|&id| matches!(operations[id as usize].action, Action::Receive { .. })).count() as i64
            };
            let all: i64 = (0..job.ranks.len() as u32).filter(|&rank| here(rank)).map(receives).sum();
            let copied = job.plan.sends_copied().filter(|&(.., to)| here(to)).count() as i64;
            self.awaited += i64::from(job.plan.repeat) * (all - copied);
        }
        self.open = self.jobs.iter().filter(|job| job.open > 0).count() as u32;
        self.open > 0
    }

    /// When each rank of this part begins.
    pub(super) fn beginnings(&self, border: &Border) -> Vec<(u32, Time)> {
        let begins = self.jobs.iter().flat_map(|job| {
            let hosts = job.plan.hosts.iter().enumerate().filter(|&(_, &host)| !border.is_away(host.port()));
            hosts.map(|(rank, _)| (job.first_rank + rank as u32, job.plan.start))
        });
        begins.collect()
    }

    /// Some rank of this part waits for a message over the network that has not been sent yet: no job ends here before
    /// that message has come in.
    pub(crate) fn awaits_more(&self) -> bool {
        self.awaited > 0
    }

    /// From now on the ranks of other parts are counted here, too, as if they were at rest.
    pub(crate) fn count_all(&mut self, border: &Border) {
        let owns = |host: HostId| !border.is_away(host.port());
        for job in &mut self.jobs {
            let others = job.ranks.len() as u32 - job.own(&owns);
            job.open += others;
            job.pending += i64::from(others);
            job.finished = Time::NEVER;
        }
    }

    /// Takes over the state of the ranks of a part; in `self`, which has all ranks of the network, they are still at
    /// rest.
    pub(crate) fn take_in(&mut self, part: &Ranks, owns: impl Fn(HostId) -> bool) {
        for (job, of_part) in self.jobs.iter_mut().zip(&part.jobs) {
            let own = job.own(&owns);
            job.pending += of_part.pending - i64::from(own);
            job.open -= own - of_part.open;
            for (rank, state) in of_part.ranks.iter().enumerate() {
                if owns(job.plan.hosts[rank]) {
                    job.ranks[rank] = state.clone();
                }
            }
            let steps = job.plan.program.steps().list.iter().cycle();
            for ((course, of_part), step) in job.courses.iter_mut().zip(&of_part.courses).zip(steps) {
                course.begun = course.begun.min(of_part.begun);
                course.joined = course.joined.max(of_part.joined);
                course.ended = course.ended.max(of_part.ended);
                course.left -= step.ranks - of_part.left;
            }
            if job.open == 0 {
                job.finished = job.ranks.iter().map(|rank| rank.finished).max().unwrap_or(Time::NEVER);
            }
        }
    }

    /// Some job cannot go on: it has not finished, but nothing of it is in progress in any part.
    pub(crate) fn any_stuck<'a>(parts: impl Iterator<Item = &'a Ranks> + Clone) -> bool {
        let jobs = parts.clone().next().map_or(0, |part| part.jobs.len());
        (0..jobs).any(|job| {
            let pending: i64 = parts.clone().map(|part| part.jobs[job].pending).sum();
            pending == 0 && parts.clone().any(|part| part.jobs[job].open > 0)
        })
    }
}

impl Job {
    /// The number of ranks on these hosts.
    fn own(&self, owns: &impl Fn(HostId) -> bool) -> u32 {
        self.plan.hosts.iter().filter(|&&host| owns(host)).count() as u32
    }
}
