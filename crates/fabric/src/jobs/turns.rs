//! What a rank does when an event of it is due.

use std::sync::Arc;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::program::Action;
use congestree_units::Time;
use congestree_wire::{FlowId, Packet, PacketId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::jobs::ranks::{BEGINS, COPIED, FINISHES, KIND, Ranks, STARTS, about};
use crate::jobs::under_way::Leg;
use crate::observe::outcome::Stop;
use crate::plan::SendEnd;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Every rank begins at the start of its job.
    pub(crate) fn start_jobs(&mut self) {
        let Some(ranks) = &self.ranks else { return };
        for (rank, at) in ranks.beginnings(&self.border) {
            self.schedule(at, Event::Rank { rank, about: about(BEGINS, 0) });
        }
    }

    /// Something that a rank waits for has happened.
    #[inline(never)]
    pub(crate) fn rank_turn(&mut self, rank: u32, about: u32) {
        let Some(mut ranks) = self.ranks.take() else { return };
        let job = ranks.job_of[rank as usize];
        let state = &mut ranks.jobs[job as usize];
        let local = rank - state.first_rank;
        let id = about & ((1 << KIND) - 1);
        match about >> KIND {
            FINISHES => {
                state.pending -= 1;
                ranks.done(self, job, local, id);
            }
            STARTS => {
                state.pending -= 1;
                let program = Arc::clone(&state.plan.program);
                match program.operations()[id as usize].action {
                    Action::Send { bytes, .. } => ranks.send(self, job, local, id, bytes),
                    _ => state.progress.started(&program, id, &mut ranks.ready),
                }
            }
            COPIED if state.is_told_inside(local, id) => ranks.told_inside(self, job, id),
            COPIED => ranks.copied(self, job, id),
            _ => {
                state.pending -= 1;
                ranks.begin(self, job, local);
            }
        }
        ranks.go_on(self, job);
        self.ranks = Some(ranks);
    }

    /// The last packet of a message of this flow starts to leave its host, and will have left at `until`.
    #[inline(never)]
    pub(crate) fn message_out(&mut self, flow: FlowId, until: Time) {
        let Some(ranks) = &mut self.ranks else { return };
        let Some(message) = ranks.close_send(flow, SendEnd::Left).filter(|message| message.leg == Leg::Data) else {
            return;
        };
        let job = &mut ranks.jobs[message.job as usize];
        job.pending += 1;
        let rank = job.first_rank + job.plan.program.rank_of(message.send);
        self.schedule(until, Event::Rank { rank, about: about(FINISHES, message.send) });
    }

    /// A message of this flow has been acknowledged completely.
    #[inline(never)]
    pub(crate) fn message_acknowledged(&mut self, flow: FlowId) {
        let Some(mut ranks) = self.ranks.take() else { return };
        let message = ranks.close_send(flow, SendEnd::Acknowledged);
        if let Some(message) = message.filter(|message| message.leg == Leg::Data) {
            let job = &mut ranks.jobs[message.job as usize];
            job.pending -= 1;
            let rank = job.plan.program.rank_of(message.send);
            ranks.done(self, message.job, rank, message.send);
            ranks.go_on(self, message.job);
        }
        self.ranks = Some(ranks);
    }

    /// A packet starts on the link into its host and will have come in at `at`: it is the last packet of a message, or
    /// any packet where packets may overtake each other. Tells the senders of those messages that are certain to be
    /// complete then.
    #[cold]
    #[inline(never)]
    pub(crate) fn message_comes(&mut self, id: PacketId, at: Time) {
        let Some(mut ranks) = self.ranks.take() else { return };
        let Packet { flow, sequence, .. } = self.packets[id];
        let certain = if self.rules.counts_coming { ranks.certain_messages(flow, sequence) } else { 1 };
        for message in (0..certain).filter_map(|_| ranks.next_coming(flow)).collect::<Vec<_>>() {
            ranks.jobs[message.job as usize].tell_sender(self, message.send, at);
        }
        self.ranks = Some(ranks);
    }

    /// The last packet of a message of this flow has come in.
    #[inline(never)]
    pub(crate) fn message_in(&mut self, flow: FlowId) {
        let Some(mut ranks) = self.ranks.take() else { return };
        if let Some(fifo) = ranks.fifos.get_mut(flow).filter(|fifo| fifo.first != NONE) {
            let id = fifo.first;
            let message = ranks.under_way[id as usize];
            fifo.first = message.next;
            if let Some(next) = ranks.under_way.get(message.next as usize) {
                (fifo.missing, fifo.end) = (next.missing, next.end);
            } else {
                fifo.last = NONE;
            }
            ranks.received(self, id);
        }
        self.ranks = Some(ranks);
    }

    /// A packet has come in that others of its flow may have overtaken. A message counts as received when it is
    /// complete and all messages before it are, because completions of a queue pair come in order.
    #[inline(never)]
    pub(crate) fn packet_in(&mut self, flow: FlowId, sequence: u32) {
        let Some(ranks) = &mut self.ranks else { return };
        for _ in 0..ranks.whole_messages(flow, sequence) {
            self.message_in(flow);
        }
    }

    /// A packet has come in over a transport that delivers in any order: some messages may count as received now.
    #[inline(never)]
    pub(crate) fn packet_in_alone(&mut self, flow: FlowId, sequence: u32) {
        let Some(mut ranks) = self.ranks.take() else { return };
        for id in ranks.whole_alone(flow, sequence) {
            ranks.received(self, id);
        }
        self.ranks = Some(ranks);
    }

    /// All packets of a flow with a transport before this one have come in; some messages may be complete now.
    pub(crate) fn packets_in(&mut self, flow: FlowId, expected: u32) {
        while self.ranks.as_ref().is_some_and(|ranks| ranks.first_is_whole(flow, expected)) {
            self.message_in(flow);
        }
    }
}

impl Ranks {
    /// A rank begins, for the first time or once more.
    fn begin<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32) {
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        if state.progress.begin(&program, rank, &mut self.ready) {
            state.ranks[rank as usize].rounds_left = 0;
            self.rank_done(fabric, job, rank);
        }
    }

    /// A message counts as received: what waits for it goes on.
    fn received<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, id: u32) {
        let job = self.under_way[id as usize].job;
        self.arrived(fabric, id);
        self.go_on(fabric, job);
    }

    /// Starts all operations that may start, and those that may start as a consequence.
    fn go_on<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32) {
        let mut at = 0;
        while at < self.ready.len() {
            let id = self.ready[at];
            at += 1;
            self.start(fabric, job, id);
        }
        self.ready.clear();
        let state = &self.jobs[job as usize];
        if state.pending == 0 && state.open > 0 && !fabric.border.cut() && fabric.records.stop.is_none() {
            fabric.records.stop = Some(Stop::Stuck(self.stuck(state)));
        }
    }

    /// An operation starts.
    fn start<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, id: u32) {
        let now = fabric.now;
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        let operation = program.operations()[id as usize];
        let rank = program.rank_of(id);
        let global = state.first_rank + rank;
        match operation.action {
            Action::Compute { time } => {
                let end = state.occupy(now, rank, operation.cpu, time);
                let begin = end - time;
                let own = &mut state.ranks[rank as usize];
                own.computing = own.computing + time;
                own.busy.add(now, begin, end);
                if begin == now {
                    state.progress.started(&program, id, &mut self.ready);
                } else if program.is_awaited(id) {
                    state.pending += 1;
                    fabric.schedule(begin, Event::Rank { rank: global, about: about(STARTS, id) });
                }
                if end == now {
                    self.done(fabric, job, rank, id);
                } else {
                    state.pending += 1;
                    fabric.schedule(end, Event::Rank { rank: global, about: about(FINISHES, id) });
                }
            }
            Action::Receive { from, tag, .. } => {
                state.progress.started(&program, id, &mut self.ready);
                if let Some(message) = state.mailboxes.post(&program, id, from, tag) {
                    self.meet(fabric, message, id);
                }
            }
            Action::Send { bytes, .. } => {
                state.progress.started(&program, id, &mut self.ready);
                let ready = state.handle(now, rank, operation.cpu);
                if ready == now {
                    self.send(fabric, job, rank, id, bytes);
                } else {
                    state.pending += 1;
                    fabric.schedule(ready, Event::Rank { rank: global, about: about(STARTS, id) });
                }
            }
        }
    }

    /// An operation has finished.
    pub(super) fn done<A: Agenda, P: Probe, S: Variant>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        rank: u32,
        id: u32,
    ) {
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        state.note_step(fabric.now, rank, id);
        if state.progress.finished(&program, rank, id, &mut self.ready) {
            self.rank_done(fabric, job, rank);
        }
    }

    /// A rank has completed its program: it repeats the program, or it has finished.
    fn rank_done<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32) {
        let state = &mut self.jobs[job as usize];
        let own = &mut state.ranks[rank as usize];
        if own.rounds_left > 0 {
            own.rounds_left -= 1;
            return self.begin(fabric, job, rank);
        }
        own.finished = fabric.now;
        state.open -= 1;
        if state.open == 0 {
            state.finished = fabric.now;
            self.open -= 1;
            if self.open == 0 && self.end_run {
                match fabric.border.cut() {
                    true => fabric.border.over_at = fabric.now,
                    false => fabric.rules.end = fabric.now,
                }
            }
        }
    }
}
