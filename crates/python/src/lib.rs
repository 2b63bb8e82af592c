//! `congestree._engine`: the interface between Python and the engine. It translates and has no behaviour of its own.
//!
//! Scenarios come in as text, and plans stay inside; results go out as NumPy columns that take over the engine's memory
//! without a copy. The interpreter is free for other threads meanwhile. About ten times a second a run checks for signals
//! (Ctrl-C) and reports its progress; what takes long besides, such as building a network, is `interruptible`.

mod errors;
mod interruptible;
mod live;
mod output;
mod running;
mod traces;

use congestree_scenario::{Diagnostics, Sweep};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::interruptible::interruptible;

/// The engine of congestree: scenarios as text in, tables out.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::errors::ScenarioError;
    #[pymodule_export]
    use crate::live::LiveHandle;
    #[pymodule_export]
    use crate::output::RunOutput;
    #[pymodule_export]
    use crate::running::run;
    #[pymodule_export]
    use crate::traces::trace_info;
    #[pymodule_export]
    use crate::{catalogue, check, expand, goal_of, network, notices, reaction, read_goal, renamed, schema};
}

/// Checks a scenario: JSON with the resolved scenario, facts about it, notes, and the resources of a run. A scenario that
/// would take more than `memory` (B) is refused before it is built, here and in the other functions that read a
/// scenario.
#[pyfunction]
#[pyo3(signature = (text, format, name = "", memory = None))]
fn check(py: Python<'_>, text: &str, format: &str, name: &str, memory: Option<u64>) -> PyResult<String> {
    let [text, format, name] = [text, format, name].map(str::to_owned);
    interruptible(py, move || {
        let checked = errors::estimate(&text, &format, &name, memory)?;
        let cost = congestree_scenario::cost(&checked);
        let (scenario, facts, needs) = (&checked.scenario, &checked.facts, &checked.needs);
        // `needs.parts` says which parts use the memory; this says how many cores can share the work.
        let parts = parts_in_words(&checked.plan);
        let told = serde_json::json!({
            "scenario": scenario, "facts": facts, "cost": cost, "needs": needs, "parts": parts, "notes": checked.notes
        });
        Ok(told.to_string())
    })?
}

/// Whether a run can use several cores, and if not, why: a sentence.
fn parts_in_words(plan: &congestree_fabric::Plan) -> String {
    match plan.obstacle_to_parts() {
        Some(why) => format!("A run uses one core, because {why}."),
        None => format!(
            "A run can use several cores, because nothing crosses a link in less than {} (its lookahead){}.",
            plan.lookahead(),
            if plan.bears_windows() { "" } else { ", but so little happens in that time that it uses one" }
        ),
    }
}

/// The network of a scenario: JSON with hosts, switches, links (ends, port numbers, rates, delays), levels and a credit
/// loop, if there is one. With `routes` also the forwarding tables, if they fit in `memory`.
#[pyfunction]
#[pyo3(signature = (text, format, name = "", memory = None, routes = true))]
fn network(
    py: Python<'_>,
    text: &str,
    format: &str,
    name: &str,
    memory: Option<u64>,
    routes: bool,
) -> PyResult<String> {
    let [text, format, name] = [text, format, name].map(str::to_owned);
    interruptible(py, move || {
        let checked = errors::read(&text, &format, &name, memory)?;
        let mut network = congestree_scenario::network(&checked);
        if routes {
            let tables = congestree_scenario::forwarding_tables(&checked, memory.unwrap_or(u64::MAX));
            network["routes"] = tables.map_err(errors::scenario_error)?;
        }
        Ok(network.to_string())
    })?
}

/// The points of a scenario's sweep: JSON, with `points`, the swept values and the resolved scenario of each, and
/// `refused`, the values of those that are invalid and why, if these are to be left out.
#[pyfunction]
#[pyo3(signature = (text, format, name = "", memory = None, skip_refused = false))]
fn expand(
    py: Python<'_>,
    text: &str,
    format: &str,
    name: &str,
    memory: Option<u64>,
    skip_refused: bool,
) -> PyResult<String> {
    let (format, memory) = (errors::format(format)?, memory.unwrap_or(u64::MAX));
    let [text, name] = [text, name].map(str::to_owned);
    interruptible(py, move || {
        let sweep = match skip_refused {
            true => congestree_scenario::expand_sensible(&text, format, &name, memory),
            false => congestree_scenario::expand_within(&text, format, &name, memory)
                .map(|points| Sweep { points, refused: Vec::new() }),
        };
        let sweep = sweep.map_err(errors::scenario_error)?;
        Ok(serde_json::to_string(&sweep).expect("points are plain values"))
    })?
}

/// The program of an application of a scenario as a GOAL file, and its operations as columns, in which the lengths of
/// computations are exact; `job` is the name of its traffic entry.
#[pyfunction]
fn goal_of(py: Python<'_>, text: &str, format: &str, name: &str, job: &str) -> PyResult<Option<(String, Py<PyDict>)>> {
    use congestree_scenario::goal;
    let [text, format, name, job] = [text, format, name, job].map(str::to_owned);
    let found = interruptible(py, move || {
        let plan = errors::read(&text, &format, &name, None)?.plan;
        let job = plan.jobs.iter().find(|one| one.name == job);
        PyResult::Ok(job.map(|one| (goal::write(&one.program), goal::table(&one.program))))
    })??;
    found.map(|(text, table)| Ok((text, output::columns(py, table)?))).transpose()
}

/// A GOAL file: its operations as columns, and JSON with their totals.
#[pyfunction]
fn read_goal(py: Python<'_>, text: &str, name: &str) -> PyResult<(Py<PyDict>, String)> {
    use congestree_scenario::goal;
    let [text, name] = [text, name].map(str::to_owned);
    let (table, facts) = interruptible(py, move || {
        let program = goal::read_file(&text, &name).map_err(errors::scenario_error)?.program;
        PyResult::Ok((goal::table(&program), goal::facts(&program).to_string()))
    })??;
    Ok((output::columns(py, table)?, facts))
}

/// The JSON Schema of scenario files.
#[pyfunction]
fn schema() -> String {
    congestree_scenario::schema().to_string()
}

/// Older names in a scenario, and what to write instead: texts with place, fact and remedy.
#[pyfunction]
#[pyo3(signature = (text, format, name = ""))]
fn notices(text: &str, format: &str, name: &str) -> PyResult<Vec<String>> {
    let one = |notice| Diagnostics { name: name.to_owned(), list: vec![notice] }.to_string();
    Ok(congestree_scenario::notices(text, errors::format(format)?, name).into_iter().map(one).collect())
}

/// All names that have changed: JSON, a list of `{what, place, old, new, gone_in}`.
#[pyfunction]
fn renamed() -> String {
    serde_json::to_string(congestree_scenario::RENAMED).expect("names are plain values")
}

/// Every name that a scenario can use: JSON, a list of kind, name, summary and parameters.
#[pyfunction]
fn catalogue() -> String {
    congestree_scenario::catalogue().to_string()
}

/// The response of a reaction point to a series of ACKs without a network: its limit R_max/r after each of them.
///
/// `part` is JSON as in a scenario, such as `{"lipd": {"floor": 256}}`; `marked` says which ACKs carry a mark.
#[pyfunction]
fn reaction(part: &str, marked: Vec<bool>) -> PyResult<Vec<f64>> {
    running::reaction(part, &marked)
}
