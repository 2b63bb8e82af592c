//! Applications: from a program and its placement to ranks on hosts and the flows between them.

pub(in crate::resolve) mod chakra;
pub(in crate::resolve) mod collectives;
pub(in crate::resolve) mod library;
pub(in crate::resolve) mod made;
mod pairs;
pub(in crate::resolve) mod parallel;
mod placing;

use std::sync::Arc;

use congestree_fabric::plan::{FlowPlan, HostMemory, JobPlan, NodeLinks, SchemePlan, SendEnd};
use congestree_traffic::program::{ANY, Action, Program as Made};
use congestree_traffic::{Rehearsal, rehearsal};
use congestree_units::Span;
use congestree_wire::HostId;

use crate::goal::{self, Goal};
use crate::resolve::Collector;
use crate::resolve::jobs::pairs::HostPairs;
use crate::resolve::jobs::placing::{hosts, ranks};
use crate::resolve::limits::check_rate;
use crate::resolve::network::built::Network;
use crate::resolve::switches::pfc;
use crate::resolve::traffic::flows::TrafficTables;
use crate::types::{self, Arrivals, Job, Program, Reroute, Scenario, Traffic};

/// More operations than this are certainly an error, and would not fit in memory.
pub(in crate::resolve) const MOST_OPERATIONS: u64 = 100_000_000;

/// An entry with a program, and what it refers to.
pub(in crate::resolve) struct Application<'a> {
    pub scenario: &'a Scenario,
    /// Position of the entry in `traffic`.
    pub position: usize,
    pub program: &'a Program,
    /// The hosts on which its ranks may run.
    pub from: &'a [u32],
    pub network: &'a Network,
    pub scheme: &'a SchemePlan,
}

/// The job of an entry with a program. Its flows, which all have the properties of `flow`, are added to the tables.
pub(in crate::resolve) fn plan(
    application: &Application<'_>,
    flow: FlowPlan,
    tables: &mut TrafficTables,
    collector: &mut Collector<'_>,
) -> Option<JobPlan> {
    let &Application { scenario, position, program, from, .. } = application;
    let entry = &scenario.traffic[position];
    let path = format!("traffic.{position}");
    let job = entry.job.clone().unwrap_or_default();
    let name = entry.class_name(position);
    check_keys(entry, &path, collector);
    check_rate(job.memory_rate, &format!("{path}.job.memory_rate"), collector);
    let read = match program {
        Program::Text(text) => Some(read_goal(text, &path, collector)?),
        _ => None,
    };
    let traced = match program {
        Program::Chakra(chakra) => Some(chakra::plan(chakra, &job, MOST_OPERATIONS, &path, collector)?),
        _ => None,
    };
    let written = match program {
        Program::Training(training) => Some(parallel::ranks(training)),
        _ => read.as_ref().map(|goal| &goal.program).or(traced.as_ref()).map(|program| program.ranks().into()),
    };
    let ranks = ranks(&job, written, from.len(), &path, collector)?;
    let hosts: Vec<HostId> = hosts(application, &name, &job, ranks, collector)?.into_iter().map(HostId).collect();
    let mut program = match (read, traced) {
        (Some(goal), _) => {
            check_end(&goal, program, &path, collector);
            goal.program
        }
        (_, Some(traced)) => traced,
        _ => made::program(scenario.seed, &name, program, ranks, &path, collector)?,
    };
    slow_down(&mut program, &job, &path, collector)?;
    let node = scenario.adapters.node.as_ref();
    let node = node.map(|node| NodeLinks { hosts: node.hosts, rate: node.rate, delay: node.delay });
    let pairs = HostPairs { hosts: &hosts, rendezvous: job.rendezvous, node };
    let (flows, back) = pairs.lay(&program, flow, tables, &path, collector)?;
    Some(JobPlan {
        name,
        class: flow.class,
        program: Arc::new(program),
        hosts,
        flows,
        back,
        start: entry.start,
        repeat: job.repeat,
        send_end: send_end(application, &job, flow, &path, collector),
        overhead: job.overhead,
        rendezvous: job.rendezvous,
        memory: HostMemory { rate: job.memory_rate, delay: job.memory_delay },
        node,
    })
}

/// The event that ends a send of the job, if its flows have the properties of `flow`.
fn send_end(
    application: &Application<'_>,
    job: &Job,
    flow: FlowPlan,
    path: &str,
    collector: &mut Collector<'_>,
) -> SendEnd {
    let &Application { scenario, scheme, .. } = application;
    let repairs = scheme.transport.repairs();
    let reroutes = scenario.links.faults.as_ref().is_some_and(|faults| faults.reroute != Reroute::None);
    match job.send_end {
        // Data that have left may have to be sent again, so their host keeps them until they are acknowledged.
        types::SendEnd::Left if repairs => SendEnd::Acknowledged,
        types::SendEnd::Left => SendEnd::Left,
        types::SendEnd::Delivered => SendEnd::Delivered,
        types::SendEnd::Acknowledged => {
            let obstacle = match repairs {
                true => None,
                false if !flow.acked => {
                    Some(("nothing acknowledges what its ranks send", "give scheme.transport, or a window"))
                }
                false if scheme.reorders() || reroutes => Some((
                    "ACKs of packets that go by several paths do not say which messages are in",
                    "give scheme.transport, or a route that keeps flows in order",
                )),
                false => None,
            };
            if let Some((fact, remedy)) = obstacle {
                collector.report(format!("{path}.job.send_end"), fact, remedy);
            }
            SendEnd::Acknowledged
        }
    }
}

/// Checks an entry with a program by itself.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    entry: &Traffic,
    (repairs, lane): (bool, u8),
    path: &str,
    collector: &mut Collector<'_>,
) {
    if entry.program.is_none() && entry.job.is_some() {
        let fact = "it is not said what the ranks of the job do";
        collector.report(format!("{path}.job"), fact, "give program, or leave job out");
    }
    if entry.program.is_some() && !repairs {
        let fact = "a rank would wait for ever for a message of which a packet was lost";
        let lossy_lane = pfc::loses(scenario, lane).then_some("take a lane that is lossless");
        if let Some(instead) = scenario.links.cure_of_losses().or(lossy_lane) {
            collector.report(format!("{path}.program"), fact, format!("give scheme.transport, or {instead}"));
        }
    }
}

/// Checks keys that would repeat what a program already determines.
fn check_keys(entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    let said = [
        ("to", entry.to.is_some()),
        ("pattern", entry.pattern.is_some()),
        ("arrivals", entry.arrivals != Arrivals::default()),
        ("message", entry.message.is_some()),
        ("sizes", entry.sizes.is_some()),
        ("stop", entry.stop.is_some()),
        ("stagger", entry.stagger != Span::ZERO),
        ("jitter", entry.jitter != Span::ZERO),
    ];
    for (key, _) in said.into_iter().filter(|&(_, said)| said) {
        let fact = "the program says who sends what to whom, and when";
        collector.report(format!("{path}.{key}"), fact, "leave either this or program out");
    }
}

/// The program of a GOAL text. Diagnostics point into the file, if the text is that of a file.
fn read_goal(text: &str, path: &str, collector: &mut Collector<'_>) -> Option<Goal> {
    let path = format!("{path}.program.text");
    match goal::read(text) {
        Ok(goal) => Some(goal),
        Err(errors) => {
            for error in errors {
                collector.report_within(&path, text, error.at, error.fact, error.remedy);
            }
            None
        }
    }
}

/// Reports receives that wait forever. If a rank receives from any sender, only the run can show that.
fn check_end(goal: &Goal, program: &Program, path: &str, collector: &mut Collector<'_>) {
    let takes_any = |action: Action| matches!(action, Action::Receive { from, tag, .. } if from == ANY || tag == ANY);
    if goal.program.operations().iter().any(|operation| takes_any(operation.action)) {
        return;
    }
    let rehearsal = Rehearsal::of(&goal.program);
    if rehearsal.unfinished == 0 {
        return;
    }
    let first = rehearsal.waiting.first().copied().unwrap_or(0);
    let action = goal.program.operations()[first as usize].action;
    let unread: Vec<u32> = rehearsal.unread;
    let rank = goal.program.rank_of(first);
    let near = unread.iter().find(|&&send| {
        matches!((goal.program.operations()[send as usize].action, action),
        (Action::Send { to, .. }, Action::Receive { from, .. }) if to == rank && goal.program.rank_of(send) == from)
    });
    let remedy = match near.map(|&send| goal.program.operations()[send as usize].action) {
        Some(Action::Send { tag, .. }) => format!("that rank sends it one with tag {tag}, which it does not receive"),
        _ => "look for a send that is missing, or that waits for what comes after this receive".to_owned(),
    };
    let never = match rehearsal.unfinished {
        1 => "one operation never finishes".to_owned(),
        several => format!("{several} operations never finish"),
    };
    let fact = format!("rank {rank} waits forever for {}, and so {never}", rehearsal::described(action));
    let at = goal.places[first as usize];
    let text = if let Program::Text(text) = program { text.as_str() } else { "" };
    collector.report_within(&format!("{path}.program.text"), text, at, fact, remedy);
}

/// Slows down the computations of stragglers.
fn slow_down(program: &mut Made, job: &Job, path: &str, collector: &mut Collector<'_>) -> Option<()> {
    for (i, straggler) in job.stragglers.iter().enumerate() {
        for &rank in &straggler.ranks {
            if rank >= program.ranks() {
                let fact = format!("there is no rank {rank}: there are {}, counted from 0", program.ranks());
                collector.report(format!("{path}.job.stragglers.{i}.ranks"), fact, "name ranks of the job");
                return None;
            }
            program.slow_down(rank, straggler.factor);
        }
    }
    Some(())
}
