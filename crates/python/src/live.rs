//! A simulation that Python drives step by step.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use congestree_fabric::live::{InjectedMessage, Live as Engine, LiveEvent, Refusal};
use congestree_scenario::{Checked, Scenario, check_change, undrawn};
use congestree_units::Time;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::interruptible::interruptible;
use crate::output::{self, RunOutput};
use crate::running;

/// How often signals are checked while time advances.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// A live simulation. Times are in ps; hosts and traffic entries are numbers, in the order of the scenario. Any thread
/// may call it, one at a time.
#[pyclass(frozen, name = "Live")]
pub struct LiveHandle {
    /// None once it is closed.
    session: Mutex<Option<Session>>,
}

struct Session {
    engine: Engine,
    /// The scenario that it was opened with, and the notes on it.
    scenario: Scenario,
    notes: Vec<String>,
    opened: Instant,
    /// Notices of a call that Ctrl-C ended: the next one returns them.
    kept: VecDeque<TimedNotice>,
}

/// When (ps), what kind, and which number; of a delivery also its packets, how many of them were marked, and the number
/// of the flow.
type TimedNotice = (u64, &'static str, u64, Option<[u64; 3]>);
/// Hosts, traffic entries, those that are injected, and the end.
type LiveFacts = (Vec<String>, Vec<String>, Vec<u16>, u64);
/// Notices, and why it did not go on.
type Drained = (Vec<TimedNotice>, Option<String>);

/// A refused call, as a Python exception: fact and remedy, separated by a line break.
fn refused(refusal: &Refusal) -> PyErr {
    PyValueError::new_err(in_lines(refusal))
}

fn closed() -> PyErr {
    PyValueError::new_err("the simulation is closed\nopen another one")
}

fn in_lines(refusal: &Refusal) -> String {
    format!("{}\n{}", refusal.fact, refusal.remedy)
}

fn timed(at: Time, notice: LiveEvent) -> TimedNotice {
    match notice {
        LiveEvent::Delivered { number, flow, packets, marked } => {
            (at.0, "delivered", number, Some([packets, marked, flow]))
        }
        LiveEvent::Due(name) => (at.0, "due", name, None),
    }
}

impl LiveHandle {
    /// The session, or that there is none at present.
    fn locked(&self) -> PyResult<MutexGuard<'_, Option<Session>>> {
        let busy = "another thread is at this simulation\nwait until its call has ended";
        self.session.try_lock().map_err(|_| PyValueError::new_err(busy))
    }

    /// Does something with the open session.
    fn with<T>(&self, task: impl FnOnce(&mut Session) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.locked()? {
            Some(session) => task(session),
            None => Err(closed()),
        }
    }
}

impl Session {
    /// Lets the engine work while the interpreter is free for other threads. Ctrl-C is an exception at once; what came
    /// about before it is kept for the next call.
    fn working(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Engine, &mut Vec<(Time, LiveEvent)>, &mut dyn FnMut() -> bool) -> Result<(), Refusal> + Send,
    ) -> PyResult<Drained> {
        let (mut all, mut signal, mut last) = (Vec::new(), None, Instant::now());
        py.check_signals()?;
        let engine = &mut self.engine;
        let refusal = py.detach(|| {
            let mut asked = || {
                if last.elapsed() >= CHECK_EVERY {
                    last = Instant::now();
                    signal = Python::attach(|py| py.check_signals()).err();
                }
                signal.is_none()
            };
            work(engine, &mut all, &mut asked).err()
        });
        self.kept.extend(all.into_iter().map(|(at, notice)| timed(at, notice)));
        match signal {
            Some(signal) => Err(signal),
            None => Ok((self.kept.drain(..).collect(), refusal.map(|refusal| in_lines(&refusal)))),
        }
    }
}

#[pymethods]
impl LiveHandle {
    /// Opens the simulation of a scenario.
    #[staticmethod]
    fn open(py: Python<'_>, text: &str, format: &str, name: &str, memory: Option<u64>) -> PyResult<Self> {
        let [text, format, name] = [text, format, name].map(str::to_owned);
        let opened = Instant::now();
        let session = interruptible(py, move || {
            let Checked { scenario, plan, notes, .. } = errors::read(&text, &format, &name, memory)?;
            let engine = Engine::open(plan).map_err(|refusal| refused(&refusal))?;
            PyResult::Ok(Session { engine, scenario, notes, opened, kept: VecDeque::new() })
        })??;
        Ok(Self { session: Mutex::new(Some(session)) })
    }

    /// Names of hosts and of traffic entries, numbers of the entries whose messages are injected, and the end (ps).
    fn facts(&self) -> PyResult<LiveFacts> {
        self.with(|Session { engine, .. }| {
            let (plan, injected) = (engine.plan(), engine.injected_entries().into_iter().collect());
            Ok((plan.graph.hosts.clone(), plan.classes.clone(), injected, engine.end().0))
        })
    }

    /// The scenario with all defaults written out, in JSON, and the notes on it.
    fn scenario(&self) -> PyResult<(String, Vec<String>)> {
        self.with(|Session { scenario, notes, .. }| {
            let text = serde_json::to_string(scenario).map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok((text, notes.clone()))
        })
    }

    /// The current time (ps).
    fn now(&self) -> PyResult<u64> {
        self.with(|session| Ok(session.engine.now().0))
    }

    /// Messages that are injected and not delivered.
    fn open_messages(&self) -> PyResult<usize> {
        self.with(|session| Ok(session.engine.open_messages()))
    }

    /// Injects a message; returns its number.
    fn inject(&self, at: u64, rank: u32, class: u16, from: u32, to: u32, bytes: u64) -> PyResult<u64> {
        let message = InjectedMessage { rank, class, from, to, bytes };
        self.with(|session| session.engine.inject(Time(at), message).map_err(|refusal| refused(&refusal)))
    }

    /// Schedules an external event.
    fn schedule(&self, at: u64, rank: u32, name: u64) -> PyResult<()> {
        self.with(|session| session.engine.schedule(Time(at), rank, name).map_err(|refusal| refused(&refusal)))
    }

    /// Runs until something has happened, at most until the given time; returns what. A call that Ctrl-C ended has
    /// perhaps left something: then this is returned first, and time stands still.
    fn advance(&self, py: Python<'_>, until: u64) -> PyResult<Vec<TimedNotice>> {
        self.with(|session| {
            if !session.kept.is_empty() {
                return Ok(session.kept.drain(..).collect());
            }
            let (notices, refusal) = session.working(py, |engine, all, asked| {
                let notices = engine.advance(Time(until), asked)?;
                all.extend(notices.into_iter().map(|notice| (engine.now(), notice)));
                Ok(())
            })?;
            refusal.map_or(Ok(notices), |text| Err(PyValueError::new_err(text)))
        })
    }

    /// Runs until nothing is left to do: what has happened; and the refusal, if it stopped.
    fn drain(&self, py: Python<'_>) -> PyResult<Drained> {
        self.with(|session| session.working(py, |engine, all, asked| engine.drain(all, asked)))
    }

    /// Takes over the marking of another scenario, which must be the same in everything else.
    fn change(&self, text: &str, format: &str, name: &str) -> PyResult<()> {
        let checked = errors::read(text, format, name, None)?;
        self.with(|session| {
            let allowed = check_change(&session.scenario, &checked.scenario);
            allowed.and_then(|()| session.engine.change(&checked.plan)).map_err(|refusal| refused(&refusal))
        })
    }

    /// Tables of totals so far, as columns.
    fn observe(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyDict>)>> {
        let tables = self.with(|session| Ok(session.engine.observe()))?;
        tables.into_iter().map(|table| Ok((table.name.to_owned(), output::columns(py, table)?))).collect()
    }

    /// Fingerprints so far: of transmissions and of deliveries.
    fn fingerprints(&self) -> PyResult<(String, String)> {
        let (trajectory, results) = self.with(|session| Ok(session.engine.fingerprints()))?;
        Ok((format!("{trajectory:016x}"), format!("{results:016x}")))
    }

    /// Ends it: returns the output of a run that ends now.
    fn close(&self, py: Python<'_>) -> PyResult<RunOutput> {
        let Some(session) = self.locked()?.take() else { return Err(closed()) };
        let Session { engine, scenario, notes, opened, .. } = session;
        let (seed, undrawn) = (engine.plan().seed, undrawn(&scenario, engine.plan()));
        let outcome = py.detach(|| engine.close());
        Ok(running::output(&scenario, &notes, seed, &undrawn, outcome, opened.elapsed(), false))
    }
}
