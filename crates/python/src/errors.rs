//! Complaints about a scenario as a Python exception.

use congestree_scenario::{Checked, Complaint, Complaints, Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pyo3::create_exception!(
    congestree._engine,
    ScenarioError,
    PyValueError,
    "A scenario is wrong. Its text is what a person needs; `complaints` is a list of dicts with file (of the \
     topology, if it is about that), path, line, column, fact and remedy."
);

/// The format of a text, by its name.
pub fn format(name: &str) -> PyResult<Format> {
    match name {
        "toml" => Ok(Format::Toml),
        "json" => Ok(Format::Json),
        _ => Err(PyValueError::new_err(format!("expected the format \"toml\" or \"json\", found {name:?}"))),
    }
}

/// A checked scenario that takes at most this much memory (B), or the exception that describes its errors.
pub fn read(text: &str, format_name: &str, name: &str, memory: Option<u64>) -> PyResult<Checked> {
    congestree_scenario::read_within(text, format(format_name)?, name, memory.unwrap_or(u64::MAX))
        .map_err(scenario_error)
}

/// A checked scenario whose plan is only for estimates, not for a run.
pub fn estimate(text: &str, format_name: &str, name: &str, memory: Option<u64>) -> PyResult<Checked> {
    congestree_scenario::estimate_within(text, format(format_name)?, name, memory.unwrap_or(u64::MAX))
        .map_err(scenario_error)
}

/// The exception for complaints.
pub fn scenario_error(complaints: Complaints) -> PyErr {
    let error = ScenarioError::new_err(complaints.to_string());
    Python::attach(|py| {
        let list: PyResult<Vec<_>> = complaints.list.iter().map(|complaint| as_dict(py, complaint)).collect();
        match list.and_then(|list| error.value(py).setattr("complaints", list)) {
            Ok(()) => error,
            Err(other) => other,
        }
    })
}

fn as_dict<'py>(py: Python<'py>, complaint: &Complaint) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("file", &complaint.file)?;
    dict.set_item("path", &complaint.path)?;
    dict.set_item("line", complaint.line)?;
    dict.set_item("column", complaint.column)?;
    dict.set_item("fact", &complaint.fact)?;
    dict.set_item("remedy", &complaint.remedy)?;
    Ok(dict)
}
