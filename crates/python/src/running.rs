//! A run that Python observes: progress, signals, and the facts about it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use congestree_fabric::{AgendaKind, Cores, Observer, Outcome, RunProgress, Table};
use congestree_scenario::{Checked, Scenario, undrawn};
use congestree_schemes::react::{Feedback, ReactParams, ReactionPoint};
use congestree_units::{Span, Time};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use serde_json::json;

use crate::errors;
use crate::interruptible::interruptible;
use crate::output::{RunOutput, give};

/// How often signals are checked and the progress is reported.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Runs a scenario. `on_progress(simulated seconds, end, packet-hops)` is called about ten times a second; if it
/// returns `False`, the run stops. A scenario that takes more than `memory` (B) is refused.
///
/// `on_rows(table, columns)` receives rows of long tables during the run, in the form of `RunOutput.tables`; the rest
/// of such a table is among the tables at the end. Without it, all rows are.
///
/// `threads` is the number of cores that work on it; without it the scenario decides, or what happens in the network.
/// `parts` is the number of parts into which the network is cut, if it can be; without it, as many as are useful.
/// Results do not depend on either.
///
/// Ctrl-C stops the engine; the result covers what was done until then and says so in its facts.
#[pyfunction]
#[pyo3(signature = (
    text, format, name = "", on_progress = None, agenda = "auto", on_rows = None, memory = None, threads = None, parts = None
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn run(
    py: Python<'_>,
    text: &str,
    format: &str,
    name: &str,
    on_progress: Option<Py<PyAny>>,
    agenda: &str,
    on_rows: Option<Py<PyAny>>,
    memory: Option<u64>,
    threads: Option<usize>,
    parts: Option<u16>,
) -> PyResult<RunOutput> {
    let agenda = match agenda {
        "auto" => AgendaKind::Auto,
        "wheel" => AgendaKind::Wheel,
        "heap" => AgendaKind::Heap,
        _ => {
            return Err(PyValueError::new_err(format!(
                "expected the agenda \"auto\", \"wheel\" or \"heap\", found {agenda:?}"
            )));
        }
    };
    let [said, form, called] = [text, format, name].map(str::to_owned);
    let checked = interruptible(py, move || errors::read(&said, &form, &called, memory))??;
    let said = threads.or(checked.scenario.run.threads.map(|threads| usize::from(threads.get())));
    let cores = cores(&checked, said, parts, memory.unwrap_or(u64::MAX), name)?;
    let mut watch = Watch { on_progress, last: Instant::now(), halted: false, error: None };
    let begun = Instant::now();
    let mut lost = None;
    let outcome = py.detach(|| {
        let mut take = |table| match &on_rows {
            Some(call) => Python::attach(|py| give(py, call, table)).map_err(|error| lost = Some(error)).is_ok(),
            None => true,
        };
        let take: Option<&mut dyn FnMut(Table) -> bool> = if on_rows.is_some() { Some(&mut take) } else { None };
        let mut observer = Observer { report: &mut |progress| watch.report(progress), take };
        congestree_fabric::run_in_parts(&checked.plan, agenda, cores, &mut observer)
    });
    let wall = begun.elapsed();
    if let Some(error) = lost {
        return Err(error);
    }
    let interrupted = match watch.error {
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => true,
        Some(error) => return Err(error),
        None => false,
    };
    let undrawn = undrawn(&checked.scenario, &checked.plan);
    Ok(output(&checked.scenario, &checked.notes, checked.plan.seed, &undrawn, outcome, wall, interrupted))
}

/// How many cores a run with this memory limit (B) uses, each with a part of the network: as many as were requested, or
/// as many as are worthwhile for what happens in the network.
fn cores(checked: &Checked, threads: Option<usize>, parts: Option<u16>, limit: u64, name: &str) -> PyResult<Cores> {
    if threads.is_none() && parts.is_none() {
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = Cores::for_size(&checked.plan, checked.needs.packet_hops, available);
        let most = usize::try_from(checked.needs.parts_within(limit)).unwrap_or(usize::MAX);
        return Ok(Cores { threads: cores.threads.min(most), ..cores });
    }
    let cores = Cores { threads: threads.unwrap_or(1), parts };
    checked.needs.fit_in_parts(cores.parts_of(&checked.plan).into(), limit, name).map_err(errors::scenario_error)?;
    Ok(cores)
}

/// Observes a run on Python's side.
struct Watch {
    on_progress: Option<Py<PyAny>>,
    last: Instant,
    /// Python has requested a stop.
    halted: bool,
    error: Option<PyErr>,
}

impl Watch {
    /// Called by the engine every few milliseconds; the run stops if it returns false.
    fn report(&mut self, progress: RunProgress) -> bool {
        if self.last.elapsed() < REPORT_EVERY {
            return true;
        }
        self.last = Instant::now();
        let answer = Python::attach(|py| {
            py.check_signals()?;
            match &self.on_progress {
                Some(call) => {
                    let facts = (progress.now.as_secs(), progress.end.as_secs(), progress.packet_hops);
                    Ok(!call.call1(py, facts)?.bind(py).is(PyBool::new(py, false)))
                }
                None => Ok(true),
            }
        });
        match answer {
            Ok(go_on) => self.halted = !go_on,
            Err(error) => self.error = Some(error),
        }
        self.error.is_none() && !self.halted
    }
}

/// The tables of a run, and the manifest's facts about it. `undrawn`: by class, hosts that no incast drew.
pub(crate) fn output(
    scenario: &Scenario,
    notes: &[String],
    seed: u64,
    undrawn: &BTreeMap<String, Vec<String>>,
    outcome: Outcome,
    wall: Duration,
    interrupted: bool,
) -> RunOutput {
    let meta = json!({
        "scenario": scenario,
        "notes": notes,
        "engine_version": env!("CARGO_PKG_VERSION"),
        "seed": seed,
        "undrawn": undrawn,
        "duration_s": outcome.end.as_secs(),
        "wall_s": wall.as_secs_f64(),
        "events": outcome.events,
        "packet_hops": outcome.packet_hops,
        "link_packets": outcome.link_packets,
        "parts": outcome.parts,
        "peak_packets": outcome.peak_packets,
        "peak_flows": outcome.peak_flows,
        "bytes_per_packet": outcome.bytes_per_packet,
        "bytes_per_port": outcome.bytes_per_port,
        "fingerprint": {
            "trajectory": format!("{:016x}", outcome.trajectory),
            "results": format!("{:016x}", outcome.results),
        },
        "stopped": if interrupted { None } else { outcome.stop.as_ref().map(ToString::to_string) },
        "interrupted": interrupted,
    });
    RunOutput { meta: meta.to_string(), tables: outcome.tables, made: None }
}

/// The limit R_max/r of a reaction point after each of a series of ACKs.
pub(crate) fn reaction(part: &str, marked: &[bool]) -> PyResult<Vec<f64>> {
    let params: ReactParams = serde_json::from_str(part).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut source = params.build();
    let limits = marked.iter().map(|&marked| {
        source.on_feedback(Time::START, if marked { Feedback::Congested } else { Feedback::Clear });
        source.limit(Time::START, Span::from_us(1))
    });
    Ok(limits.collect())
}
