//! The output of a run, as Python objects.

use congestree_fabric::{Column, Table, Values};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// Tables and facts of a run.
#[pyclass(module = "congestree._engine")]
pub struct RunOutput {
    /// Facts about the run, as JSON.
    pub meta: String,
    /// Tables that Python has not requested yet.
    pub tables: Vec<Table>,
    /// All tables as Python objects, once requested.
    pub made: Option<Py<PyDict>>,
}

#[pymethods]
impl RunOutput {
    /// Facts about the run: JSON with the resolved scenario, seed, times, counts and fingerprints.
    fn meta(&self) -> &str {
        &self.meta
    }

    /// All tables: {table: {column: {"values": array or list of str, "unit": str, "meaning": str}}}.
    fn tables(&mut self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        if let Some(made) = &self.made {
            return Ok(made.clone_ref(py));
        }
        let all = PyDict::new(py);
        for table in std::mem::take(&mut self.tables) {
            let name = table.name;
            all.set_item(name, columns(py, table)?)?;
        }
        let made = all.unbind();
        self.made = Some(made.clone_ref(py));
        Ok(made)
    }
}

/// Passes rows of a table to a Python function.
pub(crate) fn give(py: Python<'_>, call: &Py<PyAny>, table: Table) -> PyResult<()> {
    let name = table.name;
    call.call1(py, (name, columns(py, table)?)).map(drop)
}

/// The columns of a table by name.
pub(crate) fn columns(py: Python<'_>, table: Table) -> PyResult<Py<PyDict>> {
    let columns = PyDict::new(py);
    for column in table.columns {
        columns.set_item(column.name, as_dict(py, column)?)?;
    }
    Ok(columns.unbind())
}

/// A column; numbers are passed to NumPy without a copy.
fn as_dict(py: Python<'_>, column: Column) -> PyResult<Bound<'_, PyDict>> {
    let values = match column.values {
        Values::F64(values) => values.into_pyarray(py).into_any(),
        Values::U64(values) => values.into_pyarray(py).into_any(),
        Values::U32(values) => values.into_pyarray(py).into_any(),
        Values::Bool(values) => values.into_pyarray(py).into_any(),
        Values::Text(values) => PyList::new(py, values)?.into_any(),
        Values::Named(named) => match &named.parts[..] {
            [places] => {
                let list: Vec<_> = named.list.iter().map(|name| PyString::new(py, name)).collect();
                PyList::new(py, places.iter().map(|&place| &list[place as usize]))?.into_any()
            }
            _ => PyList::new(py, (0..named.rows()).map(|row| named.name(row)))?.into_any(),
        },
    };
    let dict = PyDict::new(py);
    dict.set_item("values", values)?;
    dict.set_item("unit", column.unit)?;
    dict.set_item("meaning", column.meaning)?;
    Ok(dict)
}
