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
//! of a message ends the first of them. A job of which nothing is under way, and which has not finished, never will.

use std::sync::Arc;

use congestree_kernel::Agenda;
use congestree_probes::{Column, MessageFact, Probe, Table};
use congestree_traffic::program::{Action, Program, Progress};
use congestree_traffic::{matching::Mailboxes, rehearsal::described};
use congestree_units::{Bytes, Span, Time};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::flow::NONE;
use crate::outcome::Stop;
use crate::plan::{JobPlan, Plan, SendEnd};
use crate::shape::Shape;

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
    /// Processors, rank by rank: busy until.
    processors: Vec<Time>,
    /// Starts, computations, messages and ends of sends that are still to come.
    pending: u64,
    /// Ranks that have not finished.
    open: u32,
    finished: Time,
}

#[derive(Clone, Copy, Debug)]
struct Rank {
    first_processor: u32,
    /// Repetitions after this one.
    rounds_left: u32,
    /// When it had finished the last of them.
    finished: Time,
    computing: Span,
    messages: u64,
    bytes: u64,
    /// Its copies in the memory of its host follow each other.
    memory_free: Time,
}

/// Messages of a flow on their way, oldest first.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
    /// The first of which not all packets have left.
    leaving: u32,
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
            lines: vec![Line { first: NONE, last: NONE, leaving: NONE }; plan.flows.len()],
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
                    messages: 0,
                    bytes: 0,
                    memory_free: Time::START,
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
            plan: plan.clone(),
        }
    }
}

impl Job {
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

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
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
            COPIED => ranks.arrived(self, id),
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

    /// Tables of the jobs and their ranks, if there are any.
    pub(crate) fn job_tables(&self, plan: &Plan) -> Vec<Table> {
        self.ranks.as_ref().map_or_else(Vec::new, |ranks| vec![ranks.job_table(), ranks.rank_table(plan)])
    }
}

impl Ranks {
    /// A rank begins, for the first time or once more.
    fn begin<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32) {
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        if state.progress.begin(&program, rank, &mut self.ready) {
            state.ranks[rank as usize].rounds_left = 0;
            self.rank_done(fabric, job, rank);
        }
    }

    /// Starts whatever may start, and what may start then.
    fn go_on<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32) {
        let mut at = 0;
        while at < self.ready.len() {
            let id = self.ready[at];
            at += 1;
            self.start(fabric, job, id);
        }
        self.ready.clear();
        let state = &self.jobs[job as usize];
        if state.pending == 0 && state.open > 0 && fabric.stop.is_none() {
            fabric.stop = Some(Stop::Stuck(self.stuck(state)));
        }
    }

    /// An operation starts.
    fn start<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, id: u32) {
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

    /// A message is sent: over its flow, or through the memory of the host.
    fn send<A: Agenda, P: Probe, S: Shape>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        job: u32,
        rank: u32,
        id: u32,
        bytes: u64,
    ) {
        let now = fabric.now;
        let state = &mut self.jobs[job as usize];
        let own = &mut state.ranks[rank as usize];
        state.pending += 1;
        own.messages += 1;
        own.bytes += bytes;
        let flow = state.plan.flows[id as usize];
        if flow != NONE {
            let announced = state.plan.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
            let (leg, bytes) = if announced { (Leg::Request, 1) } else { (Leg::Data, bytes) };
            let message = self.keep(UnderWay { job, send: id, receive: NONE, leg, made: now, next: NONE });
            return self.push(fabric, flow, message, bytes);
        }
        let memory = state.plan.memory;
        let length = memory.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes(bytes)));
        own.memory_free = own.memory_free.max(now) + length;
        let copied = own.memory_free + memory.delay;
        let global = state.first_rank + rank;
        let message = self.keep(UnderWay { job, send: id, receive: NONE, leg: Leg::Data, made: now, next: NONE });
        if copied == now {
            self.arrived(fabric, message);
        } else {
            fabric.schedule(copied, Event::Rank { rank: global, about: COPIED << KIND | message });
        }
    }

    /// A message joins the others of a flow.
    fn push<A: Agenda, P: Probe, S: Shape>(
        &mut self,
        fabric: &mut Fabric<A, P, S>,
        flow: u32,
        message: u32,
        bytes: u64,
    ) {
        self.under_way[message as usize].next = NONE;
        let line = &mut self.lines[flow as usize];
        match line.last {
            NONE => line.first = message,
            last => self.under_way[last as usize].next = message,
        }
        line.last = message;
        if line.leaving == NONE {
            line.leaving = message;
        }
        fabric.push_bytes(flow, bytes.max(1), fabric.now);
    }

    /// What is on its way for a message has come in.
    fn arrived<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, id: u32) {
        let message = self.under_way[id as usize];
        let state = &mut self.jobs[message.job as usize];
        let send = message.send as usize;
        let Action::Send { to, tag, bytes } = state.plan.program.operations()[send].action else { return };
        if message.leg == Leg::Grant {
            self.under_way[id as usize].leg = Leg::Data;
            let flow = state.plan.flows[send];
            return self.push(fabric, flow, id, bytes);
        }
        state.pending -= 1;
        let from = state.plan.program.rank_of(message.send);
        if message.leg == Leg::Data {
            let (class, made, at) = (state.plan.class, message.made, fabric.now);
            fabric.probe.message(MessageFact { class, from, to, tag, bytes, made, at });
            if state.plan.send_end == SendEnd::Delivered || state.plan.flows[send] == NONE || fabric.transports() {
                self.done(fabric, message.job, from, message.send);
            }
        }
        let state = &mut self.jobs[message.job as usize];
        match message.receive {
            NONE => {
                if let Some(receive) = state.mailboxes.arrive(message.send, from, tag, id) {
                    self.meet(fabric, id, receive);
                }
            }
            receive => self.meet(fabric, id, receive),
        }
    }

    /// A message and the operation that receives it have found each other.
    fn meet<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, id: u32, receive: u32) {
        let message = &mut self.under_way[id as usize];
        let (job, leg, send) = (message.job, message.leg, message.send);
        let state = &mut self.jobs[job as usize];
        if leg == Leg::Request {
            message.leg = Leg::Grant;
            message.receive = receive;
            state.pending += 1;
            let back = state.plan.back[send as usize];
            return self.push(fabric, back, id, 1);
        }
        self.unused.push(id);
        let rank = state.plan.program.rank_of(receive);
        let cpu = state.plan.program.operations()[receive as usize].cpu;
        let end = state.handle(fabric.now, rank, cpu);
        if end == fabric.now {
            return self.done(fabric, job, rank, receive);
        }
        state.pending += 1;
        let rank = state.first_rank + rank;
        fabric.schedule(end, Event::Rank { rank, about: FINISHES << KIND | receive });
    }

    /// An operation has finished.
    fn done<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32, id: u32) {
        let state = &mut self.jobs[job as usize];
        let program = Arc::clone(&state.plan.program);
        if state.progress.finished(&program, rank, id, &mut self.ready) {
            self.rank_done(fabric, job, rank);
        }
    }

    /// A rank has done all of its program: once more, or it has finished.
    fn rank_done<A: Agenda, P: Probe, S: Shape>(&mut self, fabric: &mut Fabric<A, P, S>, job: u32, rank: u32) {
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
                fabric.end = fabric.now;
            }
        }
    }

    fn keep(&mut self, message: UnderWay) -> u32 {
        match self.unused.pop() {
            Some(id) => {
                self.under_way[id as usize] = message;
                id
            }
            None => {
                self.under_way.push(message);
                self.under_way.len() as u32 - 1
            }
        }
    }

    /// Who waits for what in a job that cannot go on.
    fn stuck(&self, job: &Job) -> String {
        const SHOWN: usize = 3;
        let program = &job.plan.program;
        let waits = job.mailboxes.posted().map(|id| {
            let action = program.operations()[id as usize].action;
            format!("rank {} waits for {}", program.rank_of(id), described(action))
        });
        let requests = job.mailboxes.arrived().map(|message| self.under_way[message as usize]);
        let unanswered = requests.filter(|message| message.leg == Leg::Request).map(|message| {
            let action = program.operations()[message.send as usize].action;
            format!("rank {} waits until somebody receives {}", program.rank_of(message.send), described(action))
        });
        let all: Vec<String> = waits.chain(unanswered).collect();
        let more = all.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(", and {more} more wait") } else { String::new() };
        let shown: Vec<String> = all.into_iter().take(SHOWN).collect();
        format!("job {} cannot go on: {}{more}; nothing of it is under way", job.plan.name, shown.join(", "))
    }

    fn job_table(&self) -> Table {
        fn each<T>(jobs: &[Job], pick: impl Fn(&Job) -> T) -> Vec<T> {
            jobs.iter().map(pick).collect()
        }
        let jobs = &self.jobs;
        let sum = |pick: fn(&Rank) -> u64| each(jobs, |job| job.ranks.iter().map(pick).sum::<u64>());
        let slowest = |job: &Job| {
            let last = job.ranks.iter().enumerate().max_by_key(|(rank, own)| (own.finished, std::cmp::Reverse(*rank)));
            last.map_or(0, |(rank, _)| rank as u32)
        };
        Table {
            name: "jobs",
            columns: vec![
                Column::new("job", "", "traffic entry", each(jobs, |job| job.plan.name.clone())),
                Column::new("ranks", "", "processes", each(jobs, |job| job.ranks.len() as u32)),
                Column::new("repeat", "", "times that each rank runs its program", each(jobs, |job| job.plan.repeat)),
                Column::new("messages", "", "messages sent, those in memory too", sum(|rank| rank.messages)),
                Column::new("bytes", "B", "payload of those", sum(|rank| rank.bytes)),
                Column::new("started", "s", "when its ranks began", each(jobs, |job| job.plan.start.as_secs())),
                Column::new(
                    "finished",
                    "s",
                    "when the last of its ranks had finished (nan: not by the end)",
                    each(jobs, |job| seconds(job.finished)),
                ),
                Column::new(
                    "completion",
                    "s",
                    "from its start until the last of its ranks had finished",
                    each(jobs, |job| seconds(job.finished) - job.plan.start.as_secs()),
                ),
                Column::new("slowest", "", "the rank that finished last", each(jobs, slowest)),
            ],
        }
    }

    fn rank_table(&self, plan: &Plan) -> Table {
        let all: Vec<(&Job, u32, &Rank)> = self
            .jobs
            .iter()
            .flat_map(|job| job.ranks.iter().enumerate().map(move |(rank, own)| (job, rank as u32, own)))
            .collect();
        let host = |job: &Job, rank: u32| plan.graph.hosts[job.plan.hosts[rank as usize] as usize].clone();
        Table {
            name: "ranks",
            columns: vec![
                Column::new("job", "", "traffic entry", all.iter().map(|x| x.0.plan.name.clone()).collect::<Vec<_>>()),
                Column::new("rank", "", "number of the process", all.iter().map(|x| x.1).collect::<Vec<u32>>()),
                Column::new("host", "", "where it runs", all.iter().map(|x| host(x.0, x.1)).collect::<Vec<String>>()),
                Column::new(
                    "finished",
                    "s",
                    "when it had finished (nan: not by the end)",
                    all.iter().map(|x| seconds(x.2.finished)).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "completion",
                    "s",
                    "from the start of its job until it had finished",
                    all.iter().map(|x| seconds(x.2.finished) - x.0.plan.start.as_secs()).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "computing",
                    "s",
                    "length of its computations, all processors together",
                    all.iter().map(|x| x.2.computing.as_secs()).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "messages",
                    "",
                    "messages it sent, those in memory too",
                    all.iter().map(|x| x.2.messages).collect::<Vec<u64>>(),
                ),
                Column::new("bytes", "B", "payload of those", all.iter().map(|x| x.2.bytes).collect::<Vec<u64>>()),
            ],
        }
    }
}

fn seconds(at: Time) -> f64 {
    if at == Time::NEVER { f64::NAN } else { at.as_secs() }
}
