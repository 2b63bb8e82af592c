//! The parts of a network at work: every part advances to the end of a window, then all parts exchange what crossed the
//! cut.
//!
//! `window_length.rs` says how long a window is, and how far a fast part may be ahead of a slow one. Consecutive windows
//! use different mailboxes, so that a fast part may write those of the next window while a slow part still reads those
//! of the last.
//!
//! If the run ends with its jobs (`ending.rs`), a part whose ranks have all finished waits until it is known that the
//! others go on so far. Parts are then at different instants, but no part hears of anything too late.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use congestree_kernel::Agenda;
use congestree_probes::{Parted, Silent};
use congestree_units::Time;
use congestree_wire::FlowId;

use crate::fabric::Fabric;
use crate::jobs::ranks::Ranks;
use crate::observe::outcome::{Outcome, Stop};
use crate::partition::barrier::{Barrier, LeaveOnPanic, lock};
use crate::partition::cut::Cut;
use crate::partition::ending::{EndOfJobs, RunEnd};
use crate::partition::gather::{gather, join};
use crate::partition::mail::Mail;
use crate::partition::samples::PartSamples;
use crate::partition::window_length::{BEHIND, RING, WindowPace, place};
use crate::plan::Plan;
use crate::progress::{Observer, RunProgress};
use crate::switch::routes::forwarding::Forwarding;
use crate::tune::variants::Variant;

/// Windows between two looks at all parts at once, and between two audits if the run asks for them.
const INSPECT_EVERY: u64 = 1 << 8;

/// What the threads share.
struct Shared<A, P, S> {
    parts: Vec<Mutex<Fabric<A, P, S>>>,
    /// Mailboxes, by place of the window in the ring, then by sender and receiver.
    boxes: [Vec<Mutex<Mail>>; RING],
    /// By part: its reports.
    reports: Vec<PartReport>,
    /// How far the parts go, if the run ends with its jobs.
    end_of_jobs: Option<EndOfJobs>,
    /// By place of the window: the last window after which all parts must check for deadlock.
    deadlock_checks: [AtomicU64; RING],
    /// Flow control has held an output of some part for the deadlock timeout.
    suspicious: AtomicBool,
    /// No part continues after this window: a part has stopped, or the run was interrupted.
    broken_in: AtomicU64,
    interrupted: AtomicBool,
    /// The law that was broken. This is a fault of the simulator, which a second run must not hide.
    law: Mutex<Option<Stop>>,
    barrier: Barrier,
    samples: PartSamples<P>,
}

/// The reports of a part, in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct PartReport {
    /// By place of the window in the ring.
    windows: [WindowReport; RING],
    /// Packet-hops so far.
    hops: AtomicU64,
}

/// The report of a part after a window.
#[derive(Default)]
struct WindowReport {
    /// When its next event is due.
    next: AtomicU64,
    /// When the first of what it has told begins to matter.
    due: AtomicU64,
    /// It has written mail.
    wrote: AtomicBool,
}

/// Runs a plan in parts on the given number of threads. `None` if the run stopped by itself: only a run in one part
/// tells where exactly.
pub(crate) fn run<A: Agenda + Send, P: Parted, S: Variant + Send>(
    plan: &Plan,
    probe: impl Fn() -> P + Sync,
    cut: &Cut,
    threads: usize,
    observer: &mut Observer<'_>,
) -> Option<Outcome> {
    let shared = Shared::<A, P, S>::new(plan, &probe, cut, threads.clamp(1, usize::from(cut.parts)));
    let interrupted = std::thread::scope(|scope| {
        for thread in 1..shared.barrier.threads() {
            let shared = &shared;
            scope.spawn(move || shared.work(plan, cut, thread, &mut |_| true));
        }
        shared.work(plan, cut, 0, observer.report)
    });
    let law = lock(&shared.law).take();
    if !interrupted && law.is_none() && shared.broken_in.load(Ordering::Acquire) != u64::MAX {
        return None;
    }
    let over_at = shared.end_of_jobs.as_ref().and_then(EndOfJobs::over_at);
    let mut parts: Vec<Fabric<A, P, S>> = shared
        .parts
        .into_iter()
        .map(|part| part.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
        .collect();
    let end = over_at.unwrap_or(plan.measure.duration);
    if law.is_none() && !interrupted {
        let up_to = Time(end.0.saturating_add(1));
        parts.iter_mut().enumerate().for_each(|(number, part)| part.take_part_samples(number, up_to, &shared.samples));
    }
    let mut seen = shared.samples.into_probe();
    for part in &mut parts {
        let recorded = std::mem::replace(&mut part.probe, probe());
        let part = part.still();
        seen.take_in(recorded, &|flow| part.owns(part.ends.flows[FlowId(flow)].host.port()));
    }
    let peak = parts.iter().map(|part| part.packets.peak()).sum();
    let stuck = Ranks::any_stuck(parts.iter().filter_map(|part| part.ranks.as_deref()));
    let mut whole = join(parts, seen)?;
    if law.is_some() {
        whole.records.stop = law;
    } else if interrupted {
        whole.records.stop = Some(Stop::Interrupted);
    } else {
        whole.look_for_deadlock();
        if whole.records.stop.is_some() || stuck {
            return None;
        }
        whole.rules.end = end;
        whole.now = whole.rules.end;
    }
    let names = whole.names(plan);
    Some(Outcome { parts: cut.parts, peak_packets: peak, ..whole.finish(plan, &names) })
}

/// Makes `count` things on `threads` threads, each of which makes an equal share.
fn side_by_side<T: Send>(count: u16, threads: usize, make: impl Fn(u16) -> T + Sync) -> Vec<T> {
    let mut made: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let share = made.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for (first, places) in (0..).step_by(share).zip(made.chunks_mut(share)) {
            let make = &make;
            scope.spawn(move || (first..).zip(places).for_each(|(number, place)| *place = Some(make(number))));
        }
    });
    made.into_iter().flatten().collect()
}

impl<A: Agenda + Send, P: Parted, S: Variant + Send> Shared<A, P, S> {
    fn new(plan: &Plan, probe: impl Fn() -> P + Sync, cut: &Cut, threads: usize) -> Self {
        let parts = usize::from(cut.parts);
        let routes = Forwarding::of(plan);
        let build = |part| {
            let mut fabric = Fabric::build_with(plan, probe(), routes.clone());
            fabric.draw_border(cut, part);
            // What is told before the first event has a place in the order of the whole run, too.
            fabric.probe.happens(0);
            fabric.start(plan);
            Mutex::new(fabric)
        };
        let boxes = || (0..parts * parts).map(|_| Mutex::default()).collect();
        Self {
            parts: side_by_side(cut.parts, threads, build),
            boxes: std::array::from_fn(|_| boxes()),
            reports: (0..parts).map(|_| PartReport::default()).collect(),
            // Without jobs no part has any that could still run, and all would say that theirs are over.
            end_of_jobs: (plan.measure.until_jobs_end && !plan.jobs.is_empty()).then(|| EndOfJobs::new(parts, cut)),
            deadlock_checks: [const { AtomicU64::new(0) }; RING],
            suspicious: AtomicBool::new(false),
            broken_in: AtomicU64::new(u64::MAX),
            interrupted: AtomicBool::new(false),
            law: Mutex::new(None),
            barrier: Barrier::new(threads),
            samples: PartSamples::new(probe(), cut),
        }
    }

    /// The work of one thread: it advances every `threads`th part, window by window. Returns whether the run was
    /// interrupted.
    fn work(&self, plan: &Plan, cut: &Cut, thread: usize, report: &mut dyn FnMut(RunProgress) -> bool) -> bool {
        let mut end = plan.measure.duration;
        let _leaving = LeaveOnPanic(&self.barrier);
        let own = || (thread..self.parts.len()).step_by(self.barrier.threads());
        let (mut window, mut sure, mut pace) = (0u64, Time::START, WindowPace::new(cut.lookahead));
        loop {
            let limit = pace.limit.min(Time(end.0.saturating_add(1)));
            own().for_each(|part| self.advance(part, limit, sure, window));
            if thread == 0 && !self.interrupted.load(Ordering::Relaxed) {
                self.report(window, pace.start.min(end), end, report);
            }
            self.barrier.step(thread);
            self.barrier.wait(thread, BEHIND);
            // All threads have seen the same reports up to this window.
            let mut heard = window.checked_sub(BEHIND);
            if let Some(heard) = heard {
                own().for_each(|part| self.read(part, heard, pace.start));
                self.hear(heard, &mut pace);
                match self.end_of_jobs.as_ref().map(|end_of_jobs| end_of_jobs.all(heard)) {
                    Some(RunEnd::NotBefore(at)) => sure = at,
                    Some(RunEnd::At(at)) => (sure, end) = (at, at),
                    None => {}
                }
            }
            let checks_deadlock =
                heard.is_some_and(|heard| self.deadlock_checks[place(heard)].load(Ordering::Relaxed) > heard);
            if checks_deadlock || window.is_multiple_of(INSPECT_EVERY) {
                self.barrier.wait(thread, 0);
                own().for_each(|part| self.read(part, window, pace.start));
                self.barrier.meet(thread);
                if thread == 0 {
                    self.inspect(plan, window);
                }
                self.barrier.meet(thread);
                heard = Some(window);
            }
            let broken = heard.is_some_and(|heard| self.broken_in.load(Ordering::Acquire) <= heard);
            if pace.start > end || broken || self.barrier.gone.load(Ordering::Acquire) {
                self.barrier.wait(thread, 0);
                own().for_each(|part| self.read(part, window, pace.start));
                return self.interrupted.load(Ordering::Acquire);
            }
            pace.go_on();
            window += 1;
        }
    }

    /// Evaluates the reports of all parts for a window.
    fn hear(&self, window: u64, pace: &mut WindowPace) {
        let said = || self.reports.iter().map(|part| &part.windows[place(window)]);
        let least = |times: &mut dyn Iterator<Item = &AtomicU64>| {
            Time(times.map(|time| time.load(Ordering::Relaxed)).min().unwrap_or(u64::MAX))
        };
        pace.hear(least(&mut said().map(|said| &said.next)), least(&mut said().map(|said| &said.due)));
    }

    /// Advances a part to the limit, or to a check for deadlock. If its jobs have finished, it does not go beyond the
    /// instant up to which the run is certain to go on.
    fn advance(&self, part: usize, limit: Time, sure: Time, window: u64) {
        let fabric = &mut *lock(&self.parts[part]);
        let limit = match self.end_of_jobs {
            Some(_) if fabric.border.over_at != Time::NEVER => limit.min(Time(sure.0.saturating_add(1))),
            _ => limit,
        };
        let checks_deadlock =
            fabric.advance(limit, &mut |fabric, before| fabric.take_part_samples(part, before, &self.samples));
        if checks_deadlock {
            self.deadlock_checks[place(window)].fetch_max(window + 1, Ordering::Relaxed);
        }
        if let Some(end_of_jobs) = &self.end_of_jobs {
            let more = fabric.ranks.as_ref().is_some_and(|ranks| ranks.awaits_more());
            end_of_jobs.tell(
                part,
                window,
                fabric.border.over_at,
                if checks_deadlock { fabric.now } else { limit },
                more,
            );
        }
        if fabric.records.stop.is_some() {
            self.breaks(fabric.records.stop.clone(), window);
        }
        if checks_deadlock && fabric.is_suspicious() {
            self.suspicious.store(true, Ordering::Release);
        }
        let wrote = std::mem::take(&mut fabric.border.wrote);
        if wrote {
            let boxes = &self.boxes[place(window)][part * self.parts.len()..];
            for (mail, empty) in fabric.border.mails.iter_mut().zip(boxes) {
                std::mem::swap(mail, &mut *lock(empty));
            }
        }
        let said = &self.reports[part];
        let after = &said.windows[place(window)];
        after.next.store(fabric.goes_on_at().0, Ordering::Relaxed);
        after.due.store(std::mem::replace(&mut fabric.border.due, Time::NEVER).0, Ordering::Relaxed);
        after.wrote.store(wrote, Ordering::Relaxed);
        said.hops.store(fabric.records.packet_hops, Ordering::Relaxed);
    }

    /// No part continues after this window.
    fn breaks(&self, stop: Option<Stop>, window: u64) {
        if let Some(Stop::Law(_)) = stop {
            *lock(&self.law) = stop;
        }
        self.broken_in.fetch_min(window, Ordering::AcqRel);
    }

    /// Takes in the mail from all parts to a part, in the order of the senders. What happened before `known` is then
    /// complete.
    fn read(&self, part: usize, window: u64, known: Time) {
        let fabric = &mut *lock(&self.parts[part]);
        for (from, said) in self.reports.iter().enumerate() {
            if said.windows[place(window)].wrote.load(Ordering::Relaxed) {
                fabric.open(&mut lock(&self.boxes[place(window)][from * self.parts.len() + part]));
            }
        }
        fabric.switches.path_choice.count_came(known);
        fabric.control.past_limits.forget_before(known);
    }

    /// Reports the progress after a window, and asks whether to go on. In large networks a window takes long, so this
    /// is not left to `inspect`.
    fn report(&self, window: u64, now: Time, end: Time, report: &mut dyn FnMut(RunProgress) -> bool) {
        let packet_hops = self.reports.iter().map(|part| part.hops.load(Ordering::Relaxed)).sum();
        if !report(RunProgress { now, end, packet_hops }) {
            self.interrupted.store(true, Ordering::Release);
            self.broken_in.fetch_min(window, Ordering::AcqRel);
        }
    }

    /// All parts are at rest: checks for deadlock, and audits the laws.
    fn inspect(&self, plan: &Plan, window: u64) {
        if !plan.jobs.is_empty() {
            let parts: Vec<_> = self.parts.iter().map(lock).collect();
            if Ranks::any_stuck(parts.iter().filter_map(|part| part.ranks.as_deref())) {
                self.broken_in.fetch_min(window, Ordering::AcqRel);
            }
        }
        // Finite flows are the same in all parts only if all parts are at the same instant.
        let same_instant = self.end_of_jobs.is_none() || !plan.comes_and_goes();
        if same_instant && (self.suspicious.swap(false, Ordering::AcqRel) || plan.measure.audit) {
            let parts: Vec<_> = self.parts.iter().map(lock).collect();
            let mut whole = gather(plan, &parts.iter().map(|part| &**part).collect::<Vec<_>>(), Silent);
            whole.audit_now();
            whole.look_for_deadlock();
            if whole.records.stop.is_some() {
                self.breaks(whole.records.stop, window);
            }
        }
    }
}

#[cfg(test)]
mod tests;
