//! The open simulations, by number. Each is taken out of the table while a call works on it, so that several can run in
//! parallel, and a panic in one does not affect the others.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use congestree_fabric::live::{InjectedMessage, Live, LiveEvent, Refusal};
use congestree_scenario::{Checked, Diagnostics, Format, Scenario, check_change, read_within};
use congestree_units::Time;

use crate::counters;
use crate::failure::{Answer, CallFailure, FailureKind};

/// A simulation and the notices that have not been fetched yet.
struct Session {
    live: Live,
    /// As it was opened, with the current marking.
    scenario: Scenario,
    /// The file that it was read from, beside which files are that it names; empty if it was given as a text.
    name: String,
    notices: VecDeque<(Time, LiveEvent)>,
}

/// An entry of the table.
enum Slot {
    Idle(Box<Session>),
    /// A call works on it.
    Busy,
    /// A call on it failed by a fault of congestree, so its state is unknown.
    Lost,
}

struct Sessions {
    last: u64,
    open: BTreeMap<u64, Slot>,
}

static SESSIONS: Mutex<Sessions> = Mutex::new(Sessions { last: 0, open: BTreeMap::new() });

/// Nothing that can panic is done under the lock, so a poisoned one is still consistent.
fn table() -> MutexGuard<'static, Sessions> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Carries out a task that may panic; a panic becomes a failure.
pub(crate) fn guarded<T>(task: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|panic| Err(fault(&*panic)))
}

fn fault(panic: &(dyn Any + Send)) -> CallFailure {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    FailureKind::Fault
        .because(format!("a fault in congestree ({}): please report it", text.unwrap_or("no reason given")))
}

fn refused(refusal: Refusal) -> CallFailure {
    FailureKind::Refused.because(refusal)
}

/// Takes an open simulation out of its entry, which stays reserved for it.
fn take(number: u64) -> Answer<Box<Session>> {
    let mut table = table();
    let closed = || FailureKind::Closed.because(format!("there is no open simulation {number}: open one"));
    let place = table.open.get_mut(&number).ok_or_else(closed)?;
    match std::mem::replace(place, Slot::Busy) {
        Slot::Idle(session) => Ok(session),
        Slot::Busy => Err(FailureKind::Busy.because(format!("another thread is at simulation {number}: wait for it"))),
        Slot::Lost => {
            *place = Slot::Lost;
            Err(FailureKind::Fault.because(format!("simulation {number} was lost by a fault in congestree: close it")))
        }
    }
}

/// Carries out a task on an open simulation.
fn with<T>(number: u64, task: impl FnOnce(&mut Session) -> Answer<T>) -> Answer<T> {
    let mut session = take(number)?;
    let done = guarded(|| task(&mut session));
    let lost = matches!(&done, Err(failure) if failure.kind == FailureKind::Fault);
    table().open.insert(number, if lost { Slot::Lost } else { Slot::Idle(session) });
    done
}

/// Opens the simulation of a scenario, a text or a file, with this much memory (B); returns its number.
pub(crate) fn open(text: &str, name: &str, memory: u64) -> Answer<u64> {
    let session = guarded(|| {
        let (text, by_content) = form_of(text);
        let is_json = if name.is_empty() { by_content } else { name.to_ascii_lowercase().ends_with(".json") };
        let Checked { scenario, plan, .. } = checked(text, is_json, name, name, memory)?;
        let live = Live::open(plan).map_err(|refusal| FailureKind::Scenario.because(refusal))?;
        Ok(Session { live, scenario, name: name.to_owned(), notices: VecDeque::new() })
    })?;
    let mut table = table();
    table.last += 1;
    let number = table.last;
    table.open.insert(number, Slot::Idle(Box::new(session)));
    Ok(number)
}

/// A text without the byte-order mark that some editors write before it, and whether it is JSON, not TOML.
fn form_of(text: &str) -> (&str, bool) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (text, text.trim_start().starts_with('{'))
}

/// A scenario and its resolved form. Files that it names are beside `beside`; errors are told to be in `name`.
fn checked(text: &str, is_json: bool, beside: &str, name: &str, memory: u64) -> Answer<Checked> {
    let format = if is_json { Format::Json } else { Format::Toml };
    let named = |found| Diagnostics { name: name.to_owned(), ..found };
    read_within(text, format, beside, memory).map_err(|found| FailureKind::Scenario.because(named(found)))
}

/// Takes over the marking of another scenario, which must be the same in everything else.
pub(crate) fn change(number: u64, text: &str) -> Answer<()> {
    with(number, |session| {
        let (text, is_json) = form_of(text);
        let other = checked(text, is_json, &session.name, "", u64::MAX)?;
        check_change(&session.scenario, &other.scenario).map_err(refused)?;
        session.live.change(&other.plan).map_err(refused)?;
        session.scenario = other.scenario;
        Ok(())
    })
}

/// The numbers of a column of counts.
pub(crate) fn observe(number: u64, column: &str) -> Answer<Vec<f64>> {
    with(number, |session| counters::numbers(&session.live.observe(), column))
}

/// A name in such a column.
pub(crate) fn observe_name(number: u64, column: &str, row: usize) -> Answer<String> {
    with(number, |session| counters::name_in(&session.live.observe(), column, row))
}

/// Injects a message; returns its number.
pub(crate) fn inject(number: u64, at: u64, message: InjectedMessage) -> Answer<u64> {
    with(number, |session| session.live.inject(Time(at), message).map_err(refused))
}

/// Schedules an external event.
pub(crate) fn schedule(number: u64, at: u64, rank: u32, name: u64) -> Answer<()> {
    with(number, |session| session.live.schedule(Time(at), rank, name).map_err(refused))
}

/// Advances, unless there are notices that have not been fetched yet; returns how many there are to fetch.
pub(crate) fn advance(number: u64, until: u64) -> Answer<usize> {
    with(number, |session| {
        if session.notices.is_empty() {
            let notices = session.live.advance(Time(until), &mut || true).map_err(refused)?;
            let now = session.live.now();
            session.notices.extend(notices.into_iter().map(|notice| (now, notice)));
        }
        Ok(session.notices.len())
    })
}

/// Runs until nothing is left to do; returns how many notices there are to fetch. Notices from before a stop can be
/// fetched, too.
pub(crate) fn drain(number: u64) -> Answer<usize> {
    with(number, |session| {
        let mut all = Vec::new();
        let drained = session.live.drain(&mut all, &mut || true);
        session.notices.extend(all);
        drained.map_err(refused)?;
        Ok(session.notices.len())
    })
}

/// The next notice, if there is one.
pub(crate) fn fetch(number: u64) -> Answer<Option<(Time, LiveEvent)>> {
    with(number, |session| Ok(session.notices.pop_front()))
}

/// The current time (ps).
pub(crate) fn now(number: u64) -> Answer<u64> {
    with(number, |session| Ok(session.live.now().0))
}

/// The end of the scenario (ps).
pub(crate) fn end(number: u64) -> Answer<u64> {
    with(number, |session| Ok(session.live.end().0))
}

/// The number of hosts.
pub(crate) fn hosts(number: u64) -> Answer<u32> {
    with(number, |session| Ok(session.live.plan().graph.hosts.len() as u32))
}

/// The number of a host by its name.
pub(crate) fn host(number: u64, name: &str) -> Answer<u32> {
    with(number, |session| Ok(place_of("host", &session.live.plan().graph.hosts, name)? as u32))
}

/// The number of a traffic entry by its name.
pub(crate) fn entry(number: u64, name: &str) -> Answer<u16> {
    with(number, |session| Ok(place_of("entry of traffic", &session.live.plan().classes, name)? as u16))
}

fn place_of(what: &str, names: &[String], name: &str) -> Answer<usize> {
    let found = names.iter().position(|known| known == name);
    found.ok_or_else(|| FailureKind::Argument.because(format!("there is no {what} {name:?}: name one of the scenario")))
}

/// Ends a simulation: returns fingerprints of transmissions and deliveries, and packet-hops. A lost one is removed.
pub(crate) fn close(number: u64) -> Answer<(u64, u64, u64)> {
    let session = take(number);
    if !matches!(&session, Err(failure) if failure.kind == FailureKind::Busy) {
        table().open.remove(&number);
    }
    let session = session?;
    guarded(|| {
        let outcome = session.live.close();
        Ok((outcome.trajectory, outcome.results, outcome.packet_hops))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: &str = r#"
        topology.single-switch.hosts = 2
        links = { rate = "10 Gbit/s", delay = "1 us", flow_control.byte-credits = {} }
        switches = { buffer = "16 KiB", forwarding_delay = "200 ns" }
        traffic = [{ name = "live", from = "all", arrivals = "injected" }]
        measure.duration = "1 ms"
    "#;

    fn kind_of<T>(answer: Answer<T>) -> Option<FailureKind> {
        answer.err().map(|failure| failure.kind)
    }

    #[test]
    fn a_panic_loses_its_simulation_and_no_other() {
        let (one, other) = (open(SCENARIO, "", u64::MAX).unwrap(), open(SCENARIO, "", u64::MAX).unwrap());
        let failure = with::<()>(one, |_| panic!("as a test")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Fault);
        assert!(failure.reason.contains("as a test"), "{}", failure.reason);
        assert_eq!(kind_of(now(one)), Some(FailureKind::Fault));
        assert_eq!(now(other), Ok(0));
        assert_eq!(kind_of(close(one)), Some(FailureKind::Fault));
        assert_eq!(kind_of(close(one)), Some(FailureKind::Closed));
        assert!(close(other).is_ok());
    }

    #[test]
    fn a_simulation_serves_one_call_at_a_time() {
        let number = open(SCENARIO, "", u64::MAX).unwrap();
        let inner = with(number, |_| Ok((kind_of(now(number)), kind_of(close(number)))));
        assert_eq!(inner, Ok((Some(FailureKind::Busy), Some(FailureKind::Busy))));
        assert!(close(number).is_ok());
    }

    #[test]
    fn two_simulations_run_side_by_side_to_the_same_end() {
        let run = || {
            let number = open(SCENARIO, "", u64::MAX).unwrap();
            for at in 0..50 {
                let message = InjectedMessage { rank: 0, class: 0, from: 0, to: 1, bytes: 1000 };
                inject(number, at * 1_000_000, message).unwrap();
            }
            assert_eq!(drain(number), Ok(50));
            close(number).unwrap()
        };
        let other = std::thread::spawn(run);
        assert_eq!(run(), other.join().unwrap());
    }

    #[test]
    fn what_was_delivered_before_a_cycle_of_waits_can_be_fetched() {
        let ring = SCENARIO
            .replace("single-switch.hosts = 2", "torus.dimensions = [5]")
            .replace("16 KiB", "4 KiB")
            .replace("1 ms", "20 ms");
        let number = open(&format!("allow_credit_loops = true\n{ring}"), "", u64::MAX).unwrap();
        let message = |from, to, bytes| InjectedMessage { rank: 0, class: 0, from, to, bytes };
        let first = inject(number, 0, message(0, 1, 1000)).unwrap();
        for from in 0..5 {
            inject(number, 1_000_000_000, message(from, (from + 2) % 5, 1 << 20)).unwrap();
        }
        assert_eq!(kind_of(drain(number)), Some(FailureKind::Refused));
        assert!(
            matches!(fetch(number), Ok(Some((at, LiveEvent::Delivered { number: what, .. }))) if what == first && at < Time(1_000_000_000))
        );
        assert_eq!((fetch(number), kind_of(drain(number))), (Ok(None), Some(FailureKind::Refused)));
        assert!(close(number).is_ok());
    }

    #[test]
    fn counters_are_found_by_name_and_count() {
        let number = open(SCENARIO, "", u64::MAX).unwrap();
        for from in [0, 0, 0] {
            inject(number, 0, InjectedMessage { rank: 0, class: 0, from, to: 1, bytes: 5000 }).unwrap();
        }
        assert!(observe(number, "ports.bytes").unwrap().iter().all(|&bytes| bytes == 0.0));
        drain(number).unwrap();
        let (bytes, waiting) = (observe(number, "ports.bytes").unwrap(), observe(number, "ports.waiting").unwrap());
        assert_eq!(bytes.len(), waiting.len());
        assert!(bytes[0] >= 15_000.0 && waiting.iter().all(|&waits| waits == 0.0));
        assert!(observe_name(number, "ports.name", 0).unwrap().starts_with("H1->"));
        for bad in ["ports.nothing", "nothing", "ports.name"] {
            assert_eq!(kind_of(observe(number, bad)), Some(FailureKind::Argument), "{bad}");
        }
        assert_eq!(kind_of(observe_name(number, "ports.name", 99)), Some(FailureKind::Argument));
        assert_eq!(kind_of(observe_name(number, "ports.bytes", 0)), Some(FailureKind::Argument));
        assert!(now(number).unwrap() < end(number).unwrap());
        assert!(close(number).is_ok());
    }

    #[test]
    fn only_the_marking_changes_while_it_runs() {
        let marked = |max: &str| {
            let red = format!("{{ min = \"2 KiB\", max = \"{max}\", probability = 1.0 }}");
            format!("{SCENARIO}\nscheme = {{ mark.red = {red}, notify.cnp = {{}}, react.dcqcn = {{}} }}")
        };
        let number = open(&marked("8 KiB"), "live.toml", u64::MAX).unwrap();
        assert_eq!(change(number, &marked("6 KiB")), Ok(()));
        assert_eq!(kind_of(change(number, SCENARIO)), Some(FailureKind::Refused));
        let failure = change(number, "nonsense").unwrap_err();
        assert_eq!((failure.kind, &failure.reason[..11]), (FailureKind::Scenario, "scenario:1:"));
        let others = [
            ("hosts = 2", "hosts = 3"),
            ("delay = \"1 us\"", "delay = \"3 us\""),
            ("16 KiB", "32 KiB"),
            ("1 ms", "2 ms"),
            ("notify.cnp = {}", "notify.cnp.interval = \"1 us\""),
        ];
        for (key, other) in others {
            let changed = marked("6 KiB").replace(key, other);
            assert_ne!(changed, marked("6 KiB"), "{key}");
            assert_eq!(kind_of(change(number, &changed)), Some(FailureKind::Refused), "{other}");
        }
        assert_eq!(change(number, &format!("name = \"another\"\nseed = 1\n{}", marked("5 KiB"))), Ok(()));
        assert_eq!(
            kind_of(change(number, &format!("seed = 7\n{}", marked("5 KiB")))),
            Some(FailureKind::Refused),
            "another seed is another simulation"
        );
        assert!(close(number).is_ok());
    }

    #[test]
    fn a_network_beyond_the_memory_given_is_refused() {
        let failure = open(SCENARIO, "", 1000).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Scenario);
        assert!(failure.reason.contains("memory in C"), "{}", failure.reason);
    }
}
