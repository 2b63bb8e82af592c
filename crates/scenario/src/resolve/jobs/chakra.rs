//! Execution traces of jobs: from the files to a program.

use std::path::PathBuf;

use congestree_traces::{DependencyKinds, Manner, NoProgram};
use congestree_traffic::program::Program as Made;

use crate::diagnostic::{listed, name as name_of};
use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::jobs::library::library;
use crate::resolve::limits::check_rate;
use crate::shape::nearest::nearest;
use crate::types::{self, Job};

/// The program of the traces, for as many ranks as there are of them, or as the job says.
pub(in crate::resolve) fn plan(
    chakra: &types::Chakra,
    job: &Job,
    most: u64,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Made> {
    let path = format!("{path}.program.chakra");
    let traces: Vec<PathBuf> = chakra.traces.iter().map(PathBuf::from).collect();
    let count = traces.len() as u32;
    let ranks = match (job.ranks, count) {
        (Some(ranks), 1) if ranks > 1 => Some(ranks),
        (Some(ranks), _) if ranks != count => {
            let fact = format!("there are {count} traces for {ranks} ranks");
            collector.report(format!("{path}.traces"), fact, "give one for each rank, or a single one for all");
            return None;
        }
        _ => None,
    };
    let library = library(&chakra.library, &path, collector)?;
    let fine = check_rate(chakra.memory_rate, &format!("{path}.memory_rate"), collector);
    let manner = Manner {
        ranks,
        order: match chakra.order {
            types::Dependencies::All => DependencyKinds::All,
            types::Dependencies::Data => DependencyKinds::Data,
        },
        groups: chakra.groups.clone(),
        library,
        peak: chakra.teraflops.map(|tera| tera * 1e12),
        // The trace is read even if the rate is wrong, for what else there is to report.
        memory: chakra.memory_rate.filter(|_| fine),
        most: most.min(collector.reading.memory / memory::OPERATION) as usize,
    };
    let ranks = ranks.unwrap_or(count);
    for (name, members) in &chakra.groups {
        let mut sorted = members.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < members.len() || sorted.last().is_none_or(|&last| last >= ranks) {
            let fact = format!("the group is not a list of different ranks below {ranks}");
            collector.report(format!("{path}.groups.{name}"), fact, "name each of its ranks once");
            return None;
        }
    }
    match congestree_traces::program(&traces, &manner) {
        Ok(program) => Some(program),
        Err(NoProgram::Trace(error)) => {
            let fact = format!("{}: {}", error.place, error.fact);
            collector.report(format!("{path}.traces"), fact, error.remedy);
            None
        }
        Err(NoProgram::UnknownGroup { name, known }) => {
            unknown_group(&name, &known, format!("{path}.groups.{name}"), collector);
            None
        }
    }
}

fn unknown_group(name: &str, known: &[String], path: String, collector: &mut Collector<'_>) {
    let fact = format!("no collective of the traces is one of the group {}", name_of(name));
    let remedy = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {}?", name_of(near)),
        None if known.is_empty() => "leave it out: the traces name no group".to_owned(),
        None => format!("leave it out, or name one of {}", listed(known)),
    };
    collector.report(path, fact, remedy);
}
