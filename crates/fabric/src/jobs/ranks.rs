//! The ranks of all jobs: how far each is in its program, and which messages are in flight between them.

use std::sync::Arc;

use congestree_traffic::matching::Mailboxes;
use congestree_traffic::program::{Action, Program, Progress};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::host::flow::NONE;
use crate::jobs::computing_time::Busy;
use crate::jobs::local_copies::Copies;
use crate::jobs::under_way::UnderWay;
use crate::plan::{JobPlan, Plan};

/// Where the kind of an event of a rank begins in its `about`: the upper two bits hold the kind, the bits below the
/// operation or the message.
pub(super) const KIND: u32 = 30;
pub(super) const FINISHES: u32 = 0;
pub(super) const STARTS: u32 = 1;
pub(super) const COPIED: u32 = 2;
pub(super) const BEGINS: u32 = 3;

/// Packs what an event of a rank is about.
pub(super) const fn about(what: u32, id: u32) -> u32 {
    what << KIND | id
}

/// All jobs of a run.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    pub(super) jobs: Vec<Job>,
    /// By rank, counted through all jobs: its job.
    pub(super) job_of: Vec<u32>,
    pub(super) fifos: IndexVec<FlowId, MessageFifo>,
    pub(super) under_way: Vec<UnderWay>,
    pub(super) unused: Vec<u32>,
    /// Operations that may start, of the job that is being handled.
    pub(super) ready: Vec<u32>,
    /// Jobs that have not finished.
    pub(super) open: u32,
    /// The run ends when all jobs have finished.
    pub(super) end_run: bool,
    /// Once the last packet that a message waits for starts on the link into its host, it is certain when the message
    /// will be delivered. Senders whose sends end with the delivery are then told in advance.
    pub(super) foretold: bool,
    /// Number of receives whose messages must come over the network and have not been sent yet; kept if the network is
    /// cut.
    pub(super) awaited: i64,
    /// The links inside nodes, by host; empty if there are none.
    pub(super) inside: IndexVec<HostId, NodeLink>,
    /// From the start of a message inside a node until its receiver is told.
    pub(super) told_inside_after: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) plan: Arc<JobPlan>,
    pub(super) progress: Progress,
    pub(super) mailboxes: Mailboxes,
    /// The number of its rank 0, counted through all jobs.
    pub(super) first_rank: u32,
    pub(super) ranks: Vec<Rank>,
    /// Its named steps, round by round.
    pub(super) courses: Vec<Course>,
    /// By processor, rank after rank: until when it is busy.
    processors: Vec<Time>,
    /// Starts, computations, messages and ends of sends that are still to come. A part of a cut network adds a message
    /// that leaves it when it is sent, and subtracts one that comes in when it has come in, so only the sum over all
    /// parts has this meaning.
    pub(super) pending: i64,
    /// Ranks that have not finished.
    pub(super) open: u32,
    pub(super) finished: Time,
    /// Messages in flight that do not use the network.
    pub(super) copies: Copies,
}

#[derive(Clone, Debug)]
pub(super) struct Rank {
    first_processor: u32,
    /// Repetitions of the program after the present one.
    pub(super) rounds_left: u32,
    /// When it had finished the last repetition.
    pub(super) finished: Time,
    pub(super) computing: Span,
    pub(super) busy: Busy,
    pub(super) messages: u64,
    pub(super) bytes: u64,
    /// Until when the memory of its host is busy with its copies, which follow each other.
    pub(super) memory_free: Time,
}

/// The link of a host inside its node, which all ranks there share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeLink {
    /// It is busy with outgoing messages until then.
    pub(super) out: Time,
    /// It is busy with incoming messages until then.
    pub(super) into: Time,
}

/// The messages of a flow that are in flight, oldest first, as each end of the flow knows them. What must be looked up
/// for every packet that comes in is stored here, so that no message record is read before the first message is
/// complete.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct MessageFifo {
    /// At the receiver: the first and the last message that have not come in completely.
    pub(super) first: u32,
    pub(super) last: u32,
    /// At the receiver: the first message whose last packet has not yet started on the link into its host; kept where
    /// senders are told of that.
    pub(super) coming: u32,
    /// At the sender: the first and the last message whose send has not ended, if the sender itself sees the end.
    pub(super) open_first: u32,
    pub(super) open_last: u32,
    /// Packets of the first message that have not come in; kept where packets overtake each other.
    pub(super) missing: u32,
    /// One more than the number of the last packet of the first message, or of the last packet that the flow has been
    /// given.
    pub(super) end: u32,
    /// One more than the highest number of a packet that has come in; kept where messages overtake each other.
    pub(super) seen: u32,
}

impl MessageFifo {
    pub(super) const EMPTY: MessageFifo = MessageFifo {
        first: NONE,
        last: NONE,
        coming: NONE,
        open_first: NONE,
        open_last: NONE,
        missing: 0,
        end: 0,
        seen: 0,
    };
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
        let nodes = plan.jobs.iter().any(|job| job.node.is_some());
        Some(Box::new(Self {
            open: jobs.len() as u32,
            jobs,
            job_of,
            fifos: vec![MessageFifo::EMPTY; plan.flows.len()].into(),
            under_way: Vec::new(),
            unused: Vec::new(),
            ready: Vec::new(),
            end_run: plan.measure.until_jobs_end,
            foretold: plan.foretells_deliveries(),
            awaited: 0,
            inside: if nodes { vec![NodeLink::default(); plan.graph.hosts.len()].into() } else { Vec::new().into() },
            told_inside_after: plan.told_inside_after(),
        }))
    }

    /// Prefetches what a packet of a flow needs when it comes in.
    #[inline]
    pub(crate) fn fetch(&self, flow: FlowId) {
        self.fifos.prefetch(flow);
    }
}

/// How far a step of a round has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// The first rank began.
    pub(super) begun: Time,
    /// When the latest rank so far began, and which rank.
    pub(super) joined: (Time, u32),
    /// When the latest rank so far ended, and which rank.
    pub(super) ended: (Time, u32),
    /// Ranks that have not ended.
    pub(super) left: u32,
}

impl Job {
    fn new(plan: &Arc<JobPlan>, first_rank: u32) -> Self {
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
                }
            })
            .collect();
        Self {
            progress: Progress::new(program),
            mailboxes: Mailboxes::new(program),
            first_rank,
            processors: vec![Time::START; processors as usize],
            pending: ranks.len() as i64,
            open: ranks.len() as u32,
            finished: Time::NEVER,
            ranks,
            courses: Self::no_courses(plan),
            copies: Copies::none(plan),
            plan: Arc::clone(plan),
        }
    }
}

impl Job {
    /// The message of this send goes from one host to another.
    pub(super) fn crosses_hosts(&self, send: u32) -> bool {
        let Action::Send { to, .. } = self.plan.program.operations()[send as usize].action else { return false };
        let from = self.plan.program.rank_of(send);
        self.plan.hosts[from as usize] != self.plan.hosts[to as usize]
    }

    /// Makes a processor of a rank busy for a time, once it is free; returns until when.
    pub(super) fn occupy(&mut self, now: Time, rank: u32, cpu: u8, length: Span) -> Time {
        let first = self.ranks[rank as usize].first_processor as usize;
        let processor = &mut self.processors[first + usize::from(cpu)];
        *processor = now.max(*processor) + length;
        *processor
    }

    /// Makes a processor busy with handling a message, if that takes time; returns until when.
    pub(super) fn handle(&mut self, now: Time, rank: u32, cpu: u8) -> Time {
        match self.plan.overhead {
            Span::ZERO => now,
            overhead => self.occupy(now, rank, cpu, overhead),
        }
    }
}
