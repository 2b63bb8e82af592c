//! The ranks of all jobs: where each is in its program, and what is under way between them.

use std::sync::Arc;

use congestree_traffic::matching::Mailboxes;
use congestree_traffic::program::{Action, Program, Progress};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::host::flow::NONE;
use crate::jobs::busy::Busy;
use crate::plan::{JobPlan, Plan};

/// What an event of a rank is about: in its upper two bits what comes about, below the operation or the message.
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
    /// By rank, all jobs together: its job.
    pub(super) job_of: Vec<u32>,
    pub(super) fifos: IndexVec<FlowId, MessageFifo>,
    pub(super) under_way: Vec<UnderWay>,
    pub(super) unused: Vec<u32>,
    /// Operations of the job in hand that may start.
    pub(super) ready: Vec<u32>,
    /// Jobs that have not finished.
    pub(super) open: u32,
    /// The run is over when there are none left.
    pub(super) end_run: bool,
    /// When the last packet that a message waits for starts on the link into its host, it is certain when it will be in: senders whose
    /// sends end with the delivery are told then.
    pub(super) foretold: bool,
    /// Receives whose messages must come over the network and have not been sent; kept where the network is cut.
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
    /// The number of its rank 0 among those of all jobs.
    pub(super) first_rank: u32,
    pub(super) ranks: Vec<Rank>,
    /// Its named steps, round by round.
    pub(super) courses: Vec<Course>,
    /// Processors, rank by rank: busy until.
    processors: Vec<Time>,
    /// Starts, computations, messages and ends of sends that are still to come. A part of a network counts a message that
    /// leaves it when it is sent, and one that comes in when it is in: only the sum over all parts is what it says.
    pub(super) pending: i64,
    /// Ranks that have not finished.
    pub(super) open: u32,
    pub(super) finished: Time,
    /// By operation that sends: the first of its messages that are copied; empty if all go over the network.
    pub(super) copies: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Rank {
    first_processor: u32,
    /// Repetitions after this one.
    pub(super) rounds_left: u32,
    /// When it had finished the last of them.
    pub(super) finished: Time,
    pub(super) computing: Span,
    pub(super) busy: Busy,
    pub(super) messages: u64,
    pub(super) bytes: u64,
    /// Its copies in the memory of its host follow each other.
    pub(super) memory_free: Time,
}

/// The link of a host inside its node, which all ranks there share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeLink {
    /// Messages leave by it until then.
    pub(super) out: Time,
    /// And come in until then.
    pub(super) into: Time,
}

/// Messages of a flow on their way, oldest first, as each of its ends knows them. What a packet asks that comes in is here, so
/// that it looks at no message before the first is whole.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct MessageFifo {
    /// At the receiver: the first and the last that are not in.
    pub(super) first: u32,
    pub(super) last: u32,
    /// At the receiver: the first whose last packet has not started on the link into its host; kept where senders hear of that.
    pub(super) coming: u32,
    /// At the sender: the first and the last whose send has not ended, if it sees the end.
    pub(super) open_first: u32,
    pub(super) open_last: u32,
    /// Packets of the first that are not in; kept where packets overtake each other.
    pub(super) missing: u32,
    /// Number of the packet behind the last one of the first, or behind all that the flow has been given.
    pub(super) end: u32,
}

impl MessageFifo {
    pub(super) const EMPTY: MessageFifo =
        MessageFifo { first: NONE, last: NONE, coming: NONE, open_first: NONE, open_last: NONE, missing: 0, end: 0 };
}

/// A message from when it is sent: at its sender until the send has ended, and at its receiver until somebody has received it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    pub(super) job: u32,
    /// The operation that sends it.
    pub(super) send: u32,
    /// The operation that has been promised to it.
    pub(super) receive: u32,
    pub(super) leg: Leg,
    pub(super) made: Time,
    /// The message behind it in its flow, at the same end.
    pub(super) next: u32,
    /// Packets of it that are not in, and the number of the packet behind its last one; kept where packets overtake each other.
    pub(super) missing: u32,
    pub(super) end: u32,
    /// Packets of it that have not started on the link into their host; kept where that is told, and packets overtake each other.
    pub(super) to_start: u32,
}

impl UnderWay {
    /// A message that is made now, and that nobody has been promised.
    pub(super) fn new(job: u32, send: u32, leg: Leg, made: Time) -> Self {
        Self { job, send, receive: NONE, leg, made, next: NONE, missing: 0, end: 0, to_start: 0 }
    }

    /// What comes next for the same message.
    pub(super) fn on(self, leg: Leg) -> Self {
        Self { leg, next: NONE, ..self }
    }
}

/// What is on its way for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leg {
    /// Itself.
    Data,
    /// Its announcement.
    Request,
    /// The permission to send it, in the other direction.
    Grant,
    /// Itself, inside a node, of which its receiver is not yet told.
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

    /// Fetches what a packet of a flow finds that comes in.
    #[inline]
    pub(crate) fn fetch(&self, flow: FlowId) {
        self.fifos.prefetch(flow);
    }
}

/// A step of a round, as far as it has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// The first rank began.
    pub(super) begun: Time,
    /// The latest rank so far began, and which.
    pub(super) joined: (Time, u32),
    /// The latest rank so far ended, and which.
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
            copies: vec![NONE; if plan.copies() { program.operations().len() } else { 0 }],
            plan: Arc::clone(plan),
        }
    }
}

impl Job {
    /// A message goes from one host to another.
    pub(super) fn crosses_hosts(&self, send: u32) -> bool {
        let Action::Send { to, .. } = self.plan.program.operations()[send as usize].action else { return false };
        let from = self.plan.program.rank_of(send);
        self.plan.hosts[from as usize] != self.plan.hosts[to as usize]
    }

    /// A processor of a rank is busy for a while, from when it is free: until then.
    pub(super) fn occupy(&mut self, now: Time, rank: u32, cpu: u8, length: Span) -> Time {
        let first = self.ranks[rank as usize].first_processor as usize;
        let processor = &mut self.processors[first + usize::from(cpu)];
        *processor = now.max(*processor) + length;
        *processor
    }

    /// A message is handled by a processor, if that takes time: until then.
    pub(super) fn handle(&mut self, now: Time, rank: u32, cpu: u8) -> Time {
        match self.plan.overhead {
            Span::ZERO => now,
            overhead => self.occupy(now, rank, cpu, overhead),
        }
    }
}
