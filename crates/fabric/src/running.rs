//! A run: from a plan through the event loop to the outcome.

use congestree_kernel::{Agenda, HeapAgenda, Wheel};
use congestree_probes::{MeasurementWindow, Names, NetworkSize, Parted, Probe, Recorder, Silent};
use congestree_units::Time;

use crate::cores::Cores;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::observe::audit::AUDIT_EVERY;
use crate::observe::outcome::{Outcome, Stop};
use crate::partition::cut::Cut;
use crate::partition::windows;
use crate::plan::Plan;
use crate::progress::{Observer, RunProgress};
use crate::tune::features::Features;
use crate::tune::variants::{Any, Ethernet, Isolating, Plain, Recorded, Small, Trimming, Usual, Variant};

/// Which event list to use; the results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgendaKind {
    /// Whichever is faster for the size of the network.
    #[default]
    Auto,
    /// The timing wheel.
    Wheel,
    /// A binary heap.
    Heap,
}

/// Number of links (one way) up to which the heap is faster: with a few dozen pending events, sorting them into buckets
/// gains nothing. `congestree bench --agendas` measures both.
const SMALL: usize = 128;

/// Events between two reports of progress: a few milliseconds of wall time.
const REPORT_EVERY: u64 = 1 << 15;

/// Runs a plan to its end, or until `report` answers that it should stop.
///
/// If the run stops early for any reason, the outcome holds what was recorded until then.
pub fn run(plan: &Plan, agenda: AgendaKind, report: &mut dyn FnMut(RunProgress) -> bool) -> Outcome {
    run_and_hand_over(plan, agenda, &mut Observer { report, take: None })
}

/// Runs a plan and hands over rows of long tables during the run, so that they need not be kept in memory. The
/// remaining rows of such a table are in the outcome.
pub fn run_and_hand_over(plan: &Plan, agenda: AgendaKind, observer: &mut Observer<'_>) -> Outcome {
    run_in_parts(plan, agenda, Cores { threads: 1, parts: None }, observer)
}

/// Compile only the general engine (`Any`), with both agendas: this builds in a third of the time and is meant for
/// trying things out. (Unit tests name the one engine that they run, so that no other is built for them.)
const LEAN: bool = cfg!(feature = "lean");

/// Runs a plan with the network cut into parts if that is possible; the results are the same as in one part.
pub fn run_in_parts(plan: &Plan, agenda: AgendaKind, cores: Cores, observer: &mut Observer<'_>) -> Outcome {
    let parts = cores.parts_of(plan);
    if parts > 1 {
        let outcome = run_cut(plan, agenda, &Cut::new(plan, parts), cores.threads, observer);
        if let Some(outcome) = outcome {
            return outcome;
        }
        // The run stopped by itself: it is repeated in one part to get the state at exactly that instant.
    }
    let agenda = match agenda {
        AgendaKind::Auto if plan.graph.links.len() * 2 <= SMALL => AgendaKind::Heap,
        chosen => chosen,
    };
    launch_fitting(plan, agenda, Whole { plan, observer })
}

/// Runs a plan in the given parts, one for every switch; hosts are in the part of their switch. `None` if the plan
/// cannot be cut, or if the run stops by itself.
pub fn run_in_these_parts(
    plan: &Plan,
    agenda: AgendaKind,
    threads: usize,
    part_of: &[u16],
    observer: &mut Observer<'_>,
) -> Option<Outcome> {
    assert_eq!(part_of.len(), plan.graph.switches.len(), "every switch has a part");
    let parts = part_of.iter().max().map_or(1, |&last| last + 1);
    let can = parts > 1 && plan.obstacle_to_parts().is_none();
    can.then(|| run_cut(plan, agenda, &Cut::of(plan, parts, part_of), threads, observer)).flatten()
}

fn run_cut(plan: &Plan, agenda: AgendaKind, cut: &Cut, threads: usize, observer: &mut Observer<'_>) -> Option<Outcome> {
    launch_fitting(plan, agenda, InParts { plan, cut, threads, observer })
}

/// A run, before it is known which engine fits its network.
trait Launch {
    /// What the run returns.
    type Outcome;

    /// Runs with this engine.
    fn launch<A: Agenda + Send, P: Parted, S: Variant + Send>(self, probe: impl Fn() -> P + Sync) -> Self::Outcome;
}

/// Launches a run with the first variant of a list that fits its network, or with the general engine if none does.
///
/// Each entry compiles two engines: one without recorders, for runs that record nothing, and one with them. A network
/// may fit several: the first one counts, so the fastest come first.
macro_rules! launch_first_fitting {
    ($run:ident, $plan:ident, $agenda:ident: $($variant:ident),+) => {{
        let (silent, recorder) = (|| Silent, || recorder($plan));
        match $plan.measure.probes.any() {
            _ if LEAN => $run.launch::<$agenda, Recorder, Any>(recorder),
            $(
                false if $variant::fits($plan) => $run.launch::<$agenda, Silent, $variant>(silent),
                true if Recorded::<$variant>::fits($plan) => {
                    $run.launch::<$agenda, Recorder, Recorded<$variant>>(recorder)
                }
            )+
            _ => $run.launch::<$agenda, Recorder, Any>(recorder),
        }
    }};
}

/// Launches a run with the engine that was compiled for networks of this kind.
fn launch_fitting<L: Launch>(plan: &Plan, agenda: AgendaKind, run: L) -> L::Outcome {
    match agenda {
        AgendaKind::Heap => launch_first_fitting!(run, plan, HeapAgenda: Small, Ethernet),
        _ => launch_first_fitting!(run, plan, Wheel: Usual, Ethernet, Trimming, Plain, Isolating),
    }
}

/// A run of the network in one part.
struct Whole<'a, 'b> {
    plan: &'a Plan,
    observer: &'a mut Observer<'b>,
}

impl Launch for Whole<'_, '_> {
    type Outcome = Outcome;

    fn launch<A: Agenda + Send, P: Parted, S: Variant + Send>(self, probe: impl Fn() -> P + Sync) -> Outcome {
        run_with::<A, P, S>(self.plan, probe(), self.observer)
    }
}

/// A run of the network in parts; there is no outcome if the run stops by itself.
struct InParts<'a, 'b> {
    plan: &'a Plan,
    cut: &'a Cut,
    threads: usize,
    observer: &'a mut Observer<'b>,
}

impl Launch for InParts<'_, '_> {
    type Outcome = Option<Outcome>;

    fn launch<A: Agenda + Send, P: Parted, S: Variant + Send>(self, probe: impl Fn() -> P + Sync) -> Option<Outcome> {
        windows::run::<A, P, S>(self.plan, probe, self.cut, self.threads, self.observer)
    }
}

pub(crate) fn recorder(plan: &Plan) -> Recorder {
    let measure = &plan.measure;
    let window = MeasurementWindow {
        warm_up: measure.warm_up,
        end: measure.duration,
        bin: measure.bin,
        sampling_interval: measure.sampling_interval,
    };
    let size = NetworkSize {
        flows: plan.flows.len(),
        ports: plan.graph.links.len() * 2,
        lanes: usize::from(plan.lanes),
        classes: plan.classes.len(),
    };
    Recorder::new(measure.probes, window, size)
}

pub(crate) fn run_with<A: Agenda, P: Probe, S: Variant>(plan: &Plan, probe: P, observer: &mut Observer<'_>) -> Outcome {
    debug_assert!(
        S::fits(plan),
        "this variant was compiled for other networks than one with {:?}",
        Features::of(plan).names()
    );
    let mut fabric: Fabric<A, P, S> = Fabric::build(plan, probe);
    let names = fabric.names(plan);
    fabric.start(plan);
    fabric.run(observer, &names);
    fabric.finish(plan, &names)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The event loop; `Fabric::handle` says what each event does.
    fn run(&mut self, observer: &mut Observer<'_>, names: &Names) {
        // Often until the first report, so that short runs are audited, too.
        let mut every = if self.records.audit.is_some() { AUDIT_EVERY } else { REPORT_EVERY };
        loop {
            if !self.deciding.is_empty() && !self.agenda.more_at(self.now) {
                self.decide_all();
            }
            let Some(entry) = self.agenda.take() else { break };
            if entry.at > self.rules.end || self.records.stop.is_some() {
                break;
            }
            debug_assert!(entry.at >= self.now, "an event lies in the past");
            if entry.at > self.probe.sample_due() {
                self.take_snapshots(entry.at);
            }
            self.prefetch();
            self.now = entry.at;
            self.handle(Event::from_rank(entry.rank));
            self.records.events += 1;
            if self.records.events & (every - 1) != 0 {
                continue;
            }
            if self.records.events.is_multiple_of(REPORT_EVERY) {
                every = REPORT_EVERY;
                let progress =
                    RunProgress { now: self.now, end: self.rules.end, packet_hops: self.records.packet_hops };
                if !(observer.report)(progress) || !self.hand_over(observer, names) {
                    self.records.stop = Some(Stop::Interrupted);
                }
            }
            self.audit_now();
        }
        if self.records.stop.is_none() {
            self.take_snapshots(Time::NEVER);
            self.look_for_deadlock();
        }
        if self.records.stop.is_none() {
            self.now = self.rules.end;
        }
    }

    /// Hands over the rows of tables that have become long enough; returns whether to go on.
    fn hand_over(&mut self, observer: &mut Observer<'_>, names: &Names) -> bool {
        let Some(take) = &mut observer.take else { return true };
        std::iter::from_fn(|| self.probe.batch(names)).all(take)
    }
}
