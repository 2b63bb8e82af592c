//! Traces as a program: nodes become operations, and collective nodes become the messages of their algorithm.
//!
//! - A computation occupies a processor of its rank for its recorded duration; without one, for the longer of its
//!   operations at the peak rate and its bytes at memory speed (a roofline). Nodes of the host run on a processor of
//!   their own.
//! - A load or store takes its recorded duration, or its bytes at memory speed, on a third processor.
//! - A send is one message; a receive waits for one with the same tag from that rank; those with the same tag match in
//!   order.
//! - A collective node is the part of its rank in the next operation of its process group: the k-th node of a group at
//!   one rank belongs to the k-th at each other. A node without an operation takes its recorded duration, in parallel
//!   with everything else, because its resources are unknown.
//! - A dependency on a node that is not in the trace is ignored: recorders cut them off.
//!
//! Only the operations of a trace and the numbers of its nodes are kept.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use congestree_traffic::program::{Action, Builder, Local, Program, RankOperation, Until};
use congestree_traffic::programs::collectives::{IDLE, Library};
use congestree_traffic::rehearsal::{Rehearsal, described};
use congestree_units::{Bytes, Rate, Span};

use crate::dependencies::DependencyCheck;
use crate::node::{NodeKind, TraceNode};
use crate::{TraceError, pairing, read};

mod collectives;

use collectives::CollectivePart;

/// Longer computations would not fit in the clock; as in GOAL files.
const LONGEST: Span = Span(1_000_000_000_000_000_000);
/// Larger messages could not be sent within a run; as in GOAL files (B).
const LARGEST: u64 = 1_000_000_000_000_000;

/// Which dependencies count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DependencyKinds {
    /// All of them.
    #[default]
    All,
    /// Only those for data: recorders write into the others which call made which.
    Data,
}

/// How traces are executed.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// This number of ranks executes the same trace; `None`: each rank has its own.
    pub ranks: Option<u32>,
    /// Which dependencies count.
    pub order: DependencyKinds,
    /// Ranks of process groups, by their names. Other groups consist of those ranks that use the name.
    pub groups: BTreeMap<String, Vec<u32>>,
    /// How collectives are performed.
    pub library: Library,
    /// Operations per second of computations without a duration.
    pub peak: Option<f64>,
    /// Memory speed for computations, loads and stores without a duration.
    pub memory: Option<Rate>,
    /// The largest number of operations.
    pub most: usize,
}

/// Processors of a rank: of the accelerator, of the host, of memory, and one for collectives without an operation, which
/// take the time that was recorded and must not delay nodes of other kinds. `IDLE` is between them.
const ACCELERATOR: u8 = 0;
const HOST: u8 = 1;
const MEMORY: u8 = 2;
const UNKNOWN: u8 = IDLE + 1;
/// Tags of messages inside collectives begin here; those of traces are smaller.
const INSIDE: u32 = 1 << 31;

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// An error in a trace.
    Trace(TraceError),
    /// Ranks are given for a group that no collective of the traces names.
    UnknownGroup {
        /// Its name.
        name: String,
        /// The names of groups in the traces.
        known: Vec<String>,
    },
}

impl From<TraceError> for NoProgram {
    fn from(error: TraceError) -> Self {
        Self::Trace(error)
    }
}

/// The program of these traces, one trace per rank in the given order. An error, if it could not run.
pub fn program(traces: &[PathBuf], manner: &Manner) -> Result<Program, NoProgram> {
    let ranks = manner.ranks.unwrap_or(traces.len() as u32);
    let mut making = Making::new(ranks, manner);
    for rank in 0..ranks {
        let shared = traces.len() == 1;
        making.take(rank, &traces[if shared { 0 } else { rank as usize }], shared && ranks > 1)?;
    }
    if traces.len() > 1 {
        let named: Vec<(u32, PathBuf)> = (0..).zip(traces.iter().cloned()).collect();
        if let Some(error) = pairing::check(&named).into_iter().next() {
            return Err(error.into());
        }
    }
    if let Some(name) = manner.groups.keys().find(|&name| !making.parts.contains_key(name)) {
        let known = making.parts.into_keys().filter(|known| !known.is_empty()).collect();
        return Err(NoProgram::UnknownGroup { name: name.clone(), known });
    }
    making.collectives(traces)?;
    let first = traces.first().map(|path| path.display().to_string()).unwrap_or_default();
    let program = making.builder.build().map_err(|cycle| {
        let fact = format!("nodes of rank {} wait for each other in a cycle", cycle.rank);
        TraceError::new(&first, fact, "look at it with `congestree job info`")
    })?;
    let rehearsal = Rehearsal::of(&program);
    match rehearsal.waiting.first() {
        None => Ok(program),
        Some(&id) => {
            let rank = program.rank_of(id);
            let what = described(program.operations()[id as usize].action);
            let place = traces.get(rank as usize).map_or(first, |path| path.display().to_string());
            let fact = format!("rank {rank} would wait for ever for {what}");
            let remedy = "let ranks take part in collectives and messages in one order";
            Err(TraceError::new(place, fact, remedy).into())
        }
    }
}

/// What is wrong with a node, and what to do about it.
type FactAndRemedy = (String, &'static str);

struct Making<'a> {
    manner: &'a Manner,
    ranks: u32,
    builder: Builder,
    /// Tags of messages, by the tags in the traces.
    tags: HashMap<i128, u32>,
    /// By group and rank: its collective nodes, in order.
    parts: BTreeMap<String, BTreeMap<u32, Vec<CollectivePart>>>,
}

impl<'a> Making<'a> {
    fn new(ranks: u32, manner: &'a Manner) -> Self {
        Self { manner, ranks, builder: Builder::new(ranks), tags: HashMap::new(), parts: BTreeMap::new() }
    }

    /// Adds the trace of a rank.
    fn take(&mut self, rank: u32, path: &Path, shared: bool) -> Result<(), TraceError> {
        // By id of the node: the operation for which others wait.
        let mut last: HashMap<u64, Local> = HashMap::new();
        let mut ahead: Vec<(Local, u64)> = Vec::new();
        let mut dependencies = DependencyCheck::default();
        let data_only = self.manner.order == DependencyKinds::Data;
        let (_, error) = read(path, &mut |mut node| {
            if data_only {
                node.ctrl_deps.clear();
            }
            dependencies.take(&node, path)?;
            let known = |dep: u64| last.get(&dep).copied().filter(|_| dep != node.id);
            let after: Vec<Local> = node.deps().filter_map(known).collect();
            let place = |fact: String, remedy: &str| {
                TraceError::new(format!("{}: node {}", path.display(), node.id), fact, remedy)
            };
            if shared && matches!(node.kind, NodeKind::Send | NodeKind::Receive) {
                let fact = "a message in a trace that all ranks share has no sender of its own".to_owned();
                return Err(place(fact, "give one trace a rank"));
            }
            let (begin, end) = self.node(rank, &node, &after).map_err(|(fact, remedy)| place(fact, remedy))?;
            if self.builder.len() > self.manner.most {
                let fact = format!("there are more than {} operations", self.manner.most);
                return Err(place(fact, "run a part of the trace, such as one iteration"));
            }
            ahead.extend(node.deps().filter(|dep| !last.contains_key(dep)).map(|dep| (begin, dep)));
            last.insert(node.id, end);
            Ok(())
        });
        if let Some(error) = error {
            return Err(error);
        }
        // A cycle that needs control dependencies is none if only data counts.
        let (error, of_control) = dependencies.error(path);
        if let Some(error) = error.or(of_control.filter(|_| !data_only)) {
            return Err(error);
        }
        for (begin, dep) in ahead {
            if let Some(&before) = last.get(&dep) {
                self.builder.wait(rank, begin, before, Until::Finished);
            }
        }
        Ok(())
    }

    /// The operations of a node: the one that waits for others, and the one for which others wait.
    fn node(&mut self, rank: u32, node: &TraceNode, after: &[Local]) -> Result<(Local, Local), FactAndRemedy> {
        let ranks = self.ranks;
        let peer = |name: &str| match node.rank(name) {
            None => Err((format!("it does not say which rank: {name} is missing"), "give it, a rank from 0 on")),
            Some(peer) if peer >= ranks => {
                Err((format!("{name} is {peer}, and there are {ranks} ranks"), "give the traces of all ranks"))
            }
            Some(peer) if peer == rank => {
                Err((format!("rank {rank} sends to itself"), "leave the message out, or correct its rank"))
            }
            Some(peer) => Ok(peer),
        };
        let bytes = node.payload().map_err(|said| {
            (format!("comm_size is {said}, not a number of bytes"), "give a whole number that is not negative")
        })?;
        if bytes > LARGEST {
            return Err((format!("comm_size is {bytes} B, more than 10^15 B"), "comm_size counts bytes"));
        }
        let single = match node.kind {
            NodeKind::Send => {
                let (to, tag) = (peer("comm_dst")?, self.tag(node)?);
                self.builder.send(rank, bytes, to, tag, after)
            }
            NodeKind::Receive => {
                let (from, tag) = (peer("comm_src")?, self.tag(node)?);
                self.builder.receive(rank, bytes, from, tag, after)
            }
            NodeKind::Collective if node.collective().is_some() => return self.part(rank, node, bytes, after),
            NodeKind::Collective | NodeKind::Comp | NodeKind::MemLoad | NodeKind::MemStore => {
                let (time, cpu) = (self.time(node), self.cpu(node));
                if time > LONGEST {
                    return Err(("it takes longer than 11 days".into(), "duration_micros counts microseconds"));
                }
                self.builder.add(rank, RankOperation { action: Action::Compute { time }, cpu, nic: 0 }, after)
            }
            NodeKind::Unknown => {
                let fact = "its type is none of the schema".to_owned();
                return Err((fact, "give it a number from 1 to 7, or a name such as COMP_NODE"));
            }
            NodeKind::Metadata | NodeKind::Invalid => {
                let action = Action::Compute { time: Span::ZERO };
                self.builder.add(rank, RankOperation { action, cpu: IDLE, nic: 0 }, after)
            }
        };
        Ok((single, single))
    }

    fn cpu(&self, node: &TraceNode) -> u8 {
        match node.kind {
            NodeKind::MemLoad | NodeKind::MemStore => MEMORY,
            NodeKind::Collective => UNKNOWN,
            _ if matches!(node.attribute("is_cpu_op"), Some(crate::Attribute::Flag(true))) => HOST,
            _ if node.integer("is_cpu_op").is_some_and(|flag| flag != 0) => HOST,
            _ => ACCELERATOR,
        }
    }

    /// How long a node occupies its processor.
    fn time(&self, node: &TraceNode) -> Span {
        if node.duration_us > 0 {
            return Span(node.duration_us.saturating_mul(Span::from_us(1).0));
        }
        let number = |name| node.integer(name).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        let (work, bytes) = (number("num_ops"), number("tensor_size"));
        let computing = self
            .manner
            .peak
            .filter(|_| node.kind == NodeKind::Comp && work > 0)
            .map_or(Span::ZERO, |peak| Span((work as f64 / peak * 1e12).round() as u64));
        let moving = self.manner.memory.map_or(Span::ZERO, |rate| rate.time_for(Bytes(bytes)));
        computing.max(moving)
    }

    fn tag(&mut self, node: &TraceNode) -> Result<u32, FactAndRemedy> {
        let next = self.tags.len() as u32;
        let tag = *self.tags.entry(node.integer("comm_tag").unwrap_or(0)).or_insert(next);
        if tag >= INSIDE { Err(("there are too many tags".into(), "use tags again")) } else { Ok(tag) }
    }
}
