//! A simulation that Python drives step by step.

use congestree_fabric::live::{InjectedMessage, Live as Engine, LiveEvent, Refusal};
use congestree_units::Time;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::output;

/// A live simulation. Times are in ps; hosts and traffic entries are numbers, in the order of the scenario.
#[pyclass(unsendable, name = "Live")]
pub struct LiveHandle {
    /// None once it is closed.
    engine: Option<Engine>,
}

/// A refused call, as a Python exception: fact and remedy, separated by a line break.
fn refused(refusal: &Refusal) -> PyErr {
    PyValueError::new_err(in_lines(refusal))
}

fn in_lines(refusal: &Refusal) -> String {
    format!("{}\n{}", refusal.fact, refusal.remedy)
}

/// Notices with their times, and why it did not go on.
type Drained = (Vec<(u64, &'static str, u64)>, Option<String>);

impl LiveHandle {
    fn engine(&mut self) -> PyResult<&mut Engine> {
        self.engine.as_mut().ok_or_else(|| PyValueError::new_err("the simulation is closed\nopen another one"))
    }
}

#[pymethods]
impl LiveHandle {
    /// Opens the simulation of a scenario.
    #[staticmethod]
    fn open(text: &str, format: &str, name: &str, memory: Option<u64>) -> PyResult<Self> {
        let checked = errors::read(text, format, name, memory)?;
        let engine = Engine::open(checked.plan).map_err(|refusal| refused(&refusal))?;
        Ok(Self { engine: Some(engine) })
    }

    /// Names of hosts and of traffic entries, and the end (ps).
    fn facts(&mut self) -> PyResult<(Vec<String>, Vec<String>, u64)> {
        let engine = self.engine()?;
        Ok((engine.plan().graph.hosts.clone(), engine.plan().classes.clone(), engine.end().0))
    }

    /// The current time (ps).
    fn now(&mut self) -> PyResult<u64> {
        Ok(self.engine()?.now().0)
    }

    /// Messages that are injected and not delivered.
    fn open_messages(&mut self) -> PyResult<usize> {
        Ok(self.engine()?.open_messages())
    }

    /// Injects a message; returns its number.
    fn inject(&mut self, at: u64, rank: u32, class: u16, from: u32, to: u32, bytes: u64) -> PyResult<u64> {
        let message = InjectedMessage { rank, class, from, to, bytes };
        self.engine()?.inject(Time(at), message).map_err(|refusal| refused(&refusal))
    }

    /// Schedules an external event.
    fn schedule(&mut self, at: u64, rank: u32, name: u64) -> PyResult<()> {
        self.engine()?.schedule(Time(at), rank, name).map_err(|refusal| refused(&refusal))
    }

    /// Runs until something has happened, at most until the given time: kinds and numbers.
    fn advance(&mut self, py: Python<'_>, until: u64) -> PyResult<Vec<(&'static str, u64)>> {
        py.check_signals()?;
        let notices = self.engine()?.advance(Time(until)).map_err(|refusal| refused(&refusal))?;
        Ok(notices.into_iter().map(told).collect())
    }

    /// Runs until nothing is left to do: times (ps), kinds and numbers; and the refusal, if it stopped.
    fn drain(&mut self, py: Python<'_>) -> PyResult<Drained> {
        py.check_signals()?;
        let mut all = Vec::new();
        let refusal = self.engine()?.drain(&mut all).err().map(|refusal| in_lines(&refusal));
        Ok((all.into_iter().map(|(at, notice)| (at.0, told(notice).0, told(notice).1)).collect(), refusal))
    }

    /// Takes over the parameters of another scenario.
    fn change(&mut self, text: &str, format: &str, name: &str) -> PyResult<()> {
        let checked = errors::read(text, format, name, None)?;
        self.engine()?.change(&checked.plan).map_err(|refusal| refused(&refusal))
    }

    /// Tables of totals so far, as columns.
    fn observe(&mut self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyDict>)>> {
        let tables = self.engine()?.observe();
        tables.into_iter().map(|table| Ok((table.name.to_owned(), output::columns(py, table)?))).collect()
    }

    /// Fingerprints so far: of transmissions and of deliveries.
    fn fingerprints(&mut self) -> PyResult<(String, String)> {
        let (trajectory, results) = self.engine()?.fingerprints();
        Ok((format!("{trajectory:016x}"), format!("{results:016x}")))
    }

    /// Ends it: returns fingerprints, packet-hops and events.
    fn close(&mut self) -> PyResult<(String, String, u64, u64)> {
        self.engine()?;
        let Some(engine) = self.engine.take() else { return Ok(Default::default()) };
        let outcome = engine.close();
        let (a, b) = (outcome.trajectory, outcome.results);
        Ok((format!("{a:016x}"), format!("{b:016x}"), outcome.packet_hops, outcome.events))
    }
}

fn told(notice: LiveEvent) -> (&'static str, u64) {
    match notice {
        LiveEvent::Delivered(number) => ("delivered", number),
        LiveEvent::Due(name) => ("due", name),
    }
}
