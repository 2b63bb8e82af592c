//! Applications at work: the ranks of every job go through their programs, and what they send becomes messages of flows.
//!
//! A program (`congestree_traffic::program`) says what may start when something has finished. Here it is done:
//!
//! - A *send* puts a message into the flow from its host to the other. It has finished when the last packet has left, or
//!   when the message has been delivered, as the job says. A message has at least one byte.
//! - A *receive* has finished when a message that it wants is in, all of it.
//! - A *computation* occupies a processor of its rank; several of one processor follow each other. So does the overhead of a
//!   send, before its message goes on, and that of a receive, after its message is in, if the job has one.
//!
//! A large message may be announced first (rendezvous): a request goes ahead, the receiver grants it when it has posted
//! the receive, and only then do the data follow. Ranks of one host exchange messages through its memory.
//!
//! Flows deliver in order, so the messages of a flow that are on their way are a list: the packet that carries the end
//! of a message ends the first of them ([`messages`]). Where packets overtake each other each counts for its message, and
//! messages still come in by order. A job of which nothing is under way, and which has not finished, never will.

use std::sync::Arc;

use congestree_kernel::Agenda;
use congestree_probes::{Probe, Table};
use congestree_traffic::matching::Mailboxes;
use congestree_traffic::program::{Action, Program, Progress};
use congestree_units::{Span, Time};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::observe::outcome::Stop;
use crate::plan::{JobPlan, Plan, SendEnd};
use crate::tune::variants::Variant;

mod busy;
mod messages;
mod steps;
mod tables;

use busy::Busy;
use steps::Course;
use tables::seconds;

/// What an event of a rank is about, in its upper two bits; below is an operation or a message.
const KIND: u32 = 30;
const FINISHES: u32 = 0;
const STARTS: u32 = 1;
const COPIED: u32 = 2;
const BEGINS: u32 = 3;

/// All jobs of a run.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    jobs: Vec<Job>,
    /// By rank, all jobs together: its job.
    job_of: Vec<u32>,
    /// By flow.
    lines: Vec<Line>,
    under_way: Vec<UnderWay>,
    unused: Vec<u32>,
    /// Operations of the job in hand that may start.
    ready: Vec<u32>,
    /// Jobs that have not finished.
    open: u32,
    /// The run is over when there are none left.
    end_run: bool,
}

#[derive(Clone, Debug)]
struct Job {
    plan: JobPlan,
    progress: Progress,
    mailboxes: Mailboxes,
    /// The number of its rank 0 among those of all jobs.
    first_rank: u32,
    ranks: Vec<Rank>,
    /// Its named steps, round by round.
    courses: Vec<Course>,
    /// Processors, rank by rank: busy until.
    processors: Vec<Time>,
    /// Starts, computations, messages and ends of sends that are still to come.
    pending: u64,
    /// Ranks that have not finished.
    open: u32,
    finished: Time,
}

#[derive(Clone, Debug)]
struct Rank {
    first_processor: u32,
    /// Repetitions after this one.
    rounds_left: u32,
    /// When it had finished the last of them.
    finished: Time,
    computing: Span,
    busy: Busy,
    messages: u64,
    bytes: u64,
    /// Its copies in the memory of its host follow each other.
    memory_free: Time,
    /// Its links inside its node are busy until then, out and in.
    node_out: Time,
    node_in: Time,
}

/// Messages of a flow on their way, oldest first.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
    /// The first of which not all packets have left.
    leaving: u32,
    /// Number of the packet behind the last that has been given to the flow.
    packets: u32,
}

/// A message from when it is sent until somebody has received it.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    job: u32,
    /// The operation that sends it.
    send: u32,
    /// The operation that has been promised to it.
    receive: u32,
    leg: Leg,
    made: Time,
    /// The message behind it in its flow.
    next: u32,
    /// Packets of it that are not in, and the number of the packet behind its last one; kept where packets overtake each other.
    missing: u32,
    end: u32,
}

impl UnderWay {
    /// A message that is made now, and that nobody has been promised.
    fn new(job: u32, send: u32, leg: Leg, made: Time) -> Self {
        Self { job, send, receive: NONE, leg, made, next: NONE, missing: 0, end: 0 }
    }
}

/// What is on its way for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    /// Itself.
    Data,
    /// Its announcement.
    Request,
    /// The permission to send it, in the other direction.
    Grant,
    /// Itself, waiting for the links inside its node.
    Inside,
}

impl Ranks {
    /// The jobs of a plan, if it has any.
    pub(crate) fn new(plan: &Plan) -> Option<Box<Self>> {
        if plan.jobs.is_empty() {
            return None;
        }
        let mut jobs = Vec::with_capacity(plan.jobs.len());
        let mut job_of = Vec::new();
        for (id, plan) in plan.jobs.iter().enumerate() {
            jobs.push(Job::new(plan, job_of.len() as u32));
            job_of.resize(job_of.len() + plan.hosts.len(), id as u32);
        }
        Some(Box::new(Self {
            open: jobs.len() as u32,
            jobs,
            job_of,
            lines: vec![Line { first: NONE, last: NONE, leaving: NONE, packets: 0 }; plan.flows.len()],
            under_way: Vec::new(),
            unused: Vec::new(),
            ready: Vec::new(),
            end_run: plan.measure.until_jobs_end,
        }))
    }
}

impl Job {
    fn new(plan: &JobPlan, first_rank: u32) -> Self {
        let program: &Program = &plan.program;
        let mut processors = 0;
        let ranks: Vec<Rank> = (0..program.ranks())
            .map(|rank| {
                let first_processor = processors;
                let highest = program.of_rank(rank).map(|id| program.operations()[id as usize].cpu).max();
                processors += u32::from(highest.unwrap_or(0)) + 1;
                Rank {
                    first_processor,
                    rounds_left: plan.repeat - 1,
                    finished: Time::NEVER,
                    computing: Span::ZERO,
                    busy: Busy::default(),
                    messages: 0,
                    bytes: 0,
                    memory_free: Time::START,
                    node_out: Time::START,
                    node_in: Time::START,
                }
            })
            .collect();
        Self {
            progress: Progress::new(program),
            mailboxes: Mailboxes::new(program),
            first_rank,
            processors: vec![Time::START; processors as usize],
            pending: ranks.len() as u64,
            open: ranks.len() as u32,
            finished: Time::NEVER,
            ranks,
            courses: Self::no_courses(plan),
            plan: plan.clone(),
        }
    }
}

impl Job {
    /// A message goes from one host to another.
    fn crosses_hosts(&self, send: u32) -> bool {
        let Action::Send { to, .. } = self.plan.program.operations()[send as usize].action else { return false };
        let from = self.plan.program.rank_of(send);
        self.plan.hosts[from as usize] != self.plan.hosts[to as usize]
    }

    /// A processor of a rank is busy for a while, from when it is free: until then.
    fn occupy(&mut self, now: Time, rank: u32, cpu: u8, length: Span) -> Time {
        let first = self.ranks[rank as usize].first_processor as usize;
        let processor = &mut self.processors[first + usize::from(cpu)];
        *processor = now.max(*processor) + length;
        *processor
    }

    /// A message is handled by a processor, if that takes time: until then.
    fn handle(&mut self, now: Time, rank: u32, cpu: u8) -> Time {
        match self.plan.overhead {
            Span::ZERO => now,
            overhead => self.occupy(now, rank, cpu, overhead),
        }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Every rank begins at the start of its job.
    pub(crate) fn start_jobs(&mut self) {
        let Some(ranks) = &self.ranks else { return };
        let begins: Vec<Time> = ranks.job_of.iter().map(|&job| ranks.jobs[job as usize].plan.start).collect();
        for (rank, at) in begins.into_iter().enumerate() {
            self.schedule(at, Event::Rank { rank: rank as u32, about: BEGINS << KIND });
        }
    }

    /// Something that a rank waits for has come about.
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
            COPIED => ranks.copied(self, id),
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
    pub(crate) fn message_out(&mut self, flow: u32, until: Time) {
        let Some(ranks) = &mut self.ranks else { return };
        // Flows that come and go have no place here.
        let Some(line) = ranks.lines.get_mut(flow as usize).filter(|line| line.leaving != NONE) else { return };
        let message = ranks.under_way[line.leaving as usize];
        line.leaving = message.next;
        let job = &mut ranks.jobs[message.job as usize];
        if message.leg == Leg::Data && job.plan.send_end == SendEnd::Left {
            job.pending += 1;
            let rank = job.first_rank + job.plan.program.rank_of(message.send);
            self.schedule(until, Event::Rank { rank, about: FINISHES << KIND | message.send });
        }
    }

    /// The last packet of a message of this flow is in.
    #[inline(never)]
    pub(crate) fn message_in(&mut self, flow: u32) {
        let Some(mut ranks) = self.ranks.take() else { return };
        if let Some(line) = ranks.lines.get_mut(flow as usize).filter(|line| line.first != NONE) {
            let id = line.first;
            let message = ranks.under_way[id as usize];
            line.first = message.next;
            if line.first == NONE {
                line.last = NONE;
            }
            if line.leaving == id {
                // Who repairs losses is not told when a packet leaves for good.
                line.leaving = message.next;
            }
            ranks.arrived(self, id);
            ranks.go_on(self, message.job);
        }
        self.ranks = Some(ranks);
    }

    /// A packet is in that others of its flow may have overtaken. A message is in when it is whole and all before it are,
    /// as completions of a queue pair come in order.
    #[inline(never)]
    pub(crate) fn packet_in(&mut self, flow: u32, sequence: u32) {
        let Some(ranks) = &mut self.ranks else { return };
        for _ in 0..ranks.whole_messages(flow, sequence) {
            self.message_in(flow);
        }
    }

    /// Tables of the jobs and their ranks, if there are any.
    pub(crate) fn job_tables(&self, plan: &Plan) -> Vec<Table> {
        self.ranks.as_ref().map_or_else(Vec::new, |ranks| {
            [ranks.job_table(), ranks.rank_table(plan)].into_iter().chain(ranks.step_table()).collect()
        })
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

    /// Starts whatever may start, and what may start then.
    fn go_on<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32) {
        let mut at = 0;
        while at < self.ready.len() {
            let id = self.ready[at];
            at += 1;
            self.start(fabric, job, id);
        }
        self.ready.clear();
        let state = &self.jobs[job as usize];
        if state.pending == 0 && state.open > 0 && fabric.records.stop.is_none() {
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
                    fabric.schedule(begin, Event::Rank { rank: global, about: STARTS << KIND | id });
                }
                if end == now {
                    self.done(fabric, job, rank, id);
                } else {
                    state.pending += 1;
                    fabric.schedule(end, Event::Rank { rank: global, about: FINISHES << KIND | id });
                }
            }
            Action::Receive { from, tag, .. } => {
                state.progress.started(&program, id, &mut self.ready);
                if let Some(message) = state.mailboxes.post(id, from, tag) {
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
                    fabric.schedule(ready, Event::Rank { rank: global, about: STARTS << KIND | id });
                }
            }
        }
    }

    /// An operation has finished.
    fn done<A: Agenda, P: Probe, S: Variant>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32, id: u32) {
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        state.note_step(fabric.now, rank, id);
        if state.progress.finished(&program, rank, id, &mut self.ready) {
            self.rank_done(fabric, job, rank);
        }
    }

    /// A rank has done all of its program: once more, or it has finished.
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
                fabric.rules.end = fabric.now;
            }
        }
    }
}
