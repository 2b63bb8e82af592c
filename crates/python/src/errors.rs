//! The diagnostics of a scenario as a Python exception.

use congestree_scenario::{Checked, Diagnostic, Diagnostics, Format};
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
pub(crate) fn format(name: &str) -> PyResult<Format> {
    match name {
        "toml" => Ok(Format::Toml),
        "json" => Ok(Format::Json),
        _ => Err(PyValueError::new_err(format!("expected the format \"toml\" or \"json\", found {name:?}"))),
    }
}

/// A checked scenario that takes at most this much memory (B), or the exception that describes its errors.
pub(crate) fn read(text: &str, format_name: &str, name: &str, memory: Option<u64>) -> PyResult<Checked> {
    congestree_scenario::read_within(text, format(format_name)?, name, memory.unwrap_or(u64::MAX))
        .map_err(scenario_error)
}

/// A checked scenario whose plan is only for estimates, not for a run.
pub(crate) fn estimate(text: &str, format_name: &str, name: &str, memory: Option<u64>) -> PyResult<Checked> {
    congestree_scenario::estimate_within(text, format(format_name)?, name, memory.unwrap_or(u64::MAX))
        .map_err(scenario_error)
}

/// The exception that carries these diagnostics.
pub(crate) fn scenario_error(diagnostics: Diagnostics) -> PyErr {
    let error = ScenarioError::new_err(diagnostics.to_string());
    Python::attach(|py| {
        let list: PyResult<Vec<_>> = diagnostics.list.iter().map(|diagnostic| as_dict(py, diagnostic)).collect();
        match list.and_then(|list| error.value(py).setattr("complaints", list)) {
            Ok(()) => error,
            Err(other) => other,
        }
    })
}

fn as_dict<'py>(py: Python<'py>, diagnostic: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("file", &diagnostic.file)?;
    dict.set_item("path", &diagnostic.path)?;
    dict.set_item("line", diagnostic.line)?;
    dict.set_item("column", diagnostic.column)?;
    dict.set_item("fact", &diagnostic.fact)?;
    dict.set_item("remedy", &diagnostic.remedy)?;
    Ok(dict)
}
