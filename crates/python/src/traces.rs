//! Execution traces of jobs: their contents.

use std::path::PathBuf;

use congestree_traces::{TraceError, info, pairing};
use pyo3::prelude::*;
use serde_json::json;

/// The contents of traces: JSON with the facts of each, and errors and remarks, as texts with place, fact and remedy.
///
/// `ranks` has the rank of each trace; messages between ranks are compared only if all are known. Ctrl-C stops it.
#[pyfunction]
pub(crate) fn trace_info(py: Python<'_>, paths: Vec<PathBuf>, ranks: Vec<Option<u32>>) -> PyResult<String> {
    let mut facts = Vec::new();
    let (mut errors, mut remarks) = (Vec::new(), Vec::new());
    for path in &paths {
        let mut signal = None;
        let mut go_on = || {
            signal = Python::attach(|py| py.check_signals()).err();
            signal.is_none()
        };
        let (found, wrong, remark) = py.detach(|| info(path, &mut go_on));
        if let Some(signal) = signal {
            return Err(signal);
        }
        facts.push(found.facts(&path.display().to_string()));
        errors.extend(wrong);
        remarks.extend(remark);
    }
    let ranks: Option<Vec<u32>> = ranks.into_iter().collect();
    if let (Some(ranks), true) = (ranks, errors.is_empty() && paths.len() > 1) {
        let traces: Vec<(u32, PathBuf)> = ranks.into_iter().zip(paths).collect();
        errors = py.detach(|| pairing::check(&traces));
    }
    let told = |all: &[TraceError]| all.iter().map(ToString::to_string).collect::<Vec<String>>();
    Ok(json!({ "traces": facts, "troubles": told(&errors), "remarks": told(&remarks) }).to_string())
}
