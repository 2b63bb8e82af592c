//! How long to run and what to record.

use congestree_fabric::plan::{MeasurePlan, SwitchPlan};
use congestree_probes::ProbeSet;
use congestree_units::{Span, Time};

use crate::resolve::Collector;
use crate::types::{FlowControl, Measure, Probe, Scenario};

/// More bins than this are certainly an error.
const MOST_BINS: u64 = 1_000_000;
/// More rows than this in a table of time series would not fit in memory.
const MOST_ROWS: u64 = 200_000_000;

/// The given bin, or a hundredth of the duration.
pub(crate) fn bin(measure: &Measure) -> Span {
    measure.bin.unwrap_or(Span(measure.duration.0.div_ceil(100).max(1)))
}

pub(in crate::resolve) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> MeasurePlan {
    let measure = &scenario.measure;
    let bin = bin(measure);
    if measure.duration == Time::START {
        collector.report("measure.duration", "the run is over before it begins", "give a duration above zero");
    } else if measure.warm_up >= measure.duration {
        collector.report(
            "measure.warm_up",
            format!("the warm-up of {} leaves nothing of the {} to measure", measure.warm_up, measure.duration),
            "make it shorter, or measure.duration longer",
        );
    }
    if bin == Span::ZERO {
        collector.report("measure.bin", "a bin has no length", "give a bin above zero, or leave it out");
    } else if measure.duration.0 / bin.0 > MOST_BINS {
        collector.report(
            "measure.bin",
            format!("there would be {} bins, more than {MOST_BINS}", measure.duration.0 / bin.0),
            "make the bins longer",
        );
    }
    if measure.deadlock_timeout == Span::ZERO {
        collector.report(
            "measure.deadlock_timeout",
            "every output that waits would count as deadlocked",
            "give a time above zero",
        );
    }
    let probes = measure.probes.iter().copied().collect::<ProbeSet>();
    for (on, name) in [(probes.has(Probe::Pauses), "pauses"), (probes.has(Probe::Buffers), "buffers")] {
        if on && !matches!(scenario.links.flow_control, FlowControl::Pfc(_)) {
            let fact = format!("the probe {name} would have nothing to record: no link is ever paused");
            collector.report("measure.probes", fact, "leave it out, or write links.flow_control = \"pfc\"");
        }
    }
    let without = matches!(scenario.links.flow_control, FlowControl::Pfc(_) | FlowControl::None);
    if probes.has(Probe::Credits) && without {
        let fact = "the probe credits would have nothing to record: no link promises room by credits";
        collector.report("measure.probes", fact, "leave it out, or take a flow control with credits");
    }
    check_samples(scenario, &probes, collector);
    MeasurePlan {
        duration: measure.duration,
        warm_up: measure.warm_up,
        bin,
        sampling_interval: sampling_interval(measure).unwrap_or(bin),
        probes,
        deadlock_timeout: measure.deadlock_timeout,
        audit: measure.audit,
        until_jobs_end: measure.until_jobs_end,
    }
}

/// From one sample of the fabric to the next: the given interval, or every bin, if a probe samples.
pub(crate) fn sampling_interval(measure: &Measure) -> Option<Span> {
    let probes = measure.probes.iter().copied().collect::<ProbeSet>();
    probes.samples().then(|| measure.sampling_interval.unwrap_or(bin(measure)))
}

/// Reports probes that would record nothing in these switches.
pub(in crate::resolve) fn check_switches(
    probes: &ProbeSet,
    switch: &SwitchPlan,
    isolates: bool,
    collector: &mut Collector<'_>,
) {
    if probes.has(Probe::Detections) && !isolates {
        let fact = "the probe detections would have nothing to record: no scheme here detects roots";
        collector.report(
            "measure.probes",
            fact,
            "leave it out, or take a scheme that isolates (scheme.preset = \"ecocc\")",
        );
    }
    if probes.has(Probe::HolBlocking) && !switch.has_input_queues(isolates) {
        let fact = "the probe hol-blocking sees only queues that are served one by one";
        let remedy = "leave it out, take a scheme that isolates, or write switches.arbiter = \"islip\"";
        collector.report("measure.probes", fact, remedy);
    }
}

/// Reports sampling that no probe uses, that would record nothing, or that is too frequent.
fn check_samples(scenario: &Scenario, probes: &ProbeSet, collector: &mut Collector<'_>) {
    let measure = &scenario.measure;
    if !probes.samples() {
        if measure.sampling_interval.is_some() {
            collector.report(
                "measure.sampling_interval",
                "nothing is sampled: only the probes trees, input-queues and credits take samples",
                "add one of them to measure.probes, or remove the key",
            );
        }
        return;
    }
    if probes.has(Probe::Trees) && !scenario.links.have_flow_control() {
        collector.report(
            "measure.probes",
            "the probe trees would see nothing: with links.flow_control = \"none\" no link is ever held",
            "use the probe output-queues, or a flow control that holds packets",
        );
    }
    let every = sampling_interval(measure).unwrap_or(Span::ZERO);
    if every == Span::ZERO && measure.sampling_interval.is_some() {
        collector.report("measure.sampling_interval", "it would sample all the time", "give a time above zero");
    } else if every > Span::ZERO && measure.duration.0 / every.0 > MOST_BINS {
        collector.report(
            "measure.sampling_interval",
            format!("there would be {} samples, more than {MOST_BINS}", measure.duration.0 / every.0),
            "sample less often",
        );
    }
}

/// Reports time series too large to keep.
pub(in crate::resolve) fn check_volume(
    scenario: &Scenario,
    plan: &MeasurePlan,
    flows: usize,
    links: usize,
    collector: &mut Collector<'_>,
) {
    let bins = scenario.measure.duration.0.div_ceil(plan.bin.0.max(1));
    let samples = scenario.measure.duration.0.div_ceil(plan.sampling_interval.0.max(1));
    let channels = 2 * links * usize::from(scenario.links.lanes);
    let looking =
        [(Probe::InputQueues, "input-queues", 2 * links, "inputs"), (Probe::Credits, "credits", channels, "lanes")];
    for (probe, name, each, what) in looking {
        if plan.probes.has(probe) && (each as u64).saturating_mul(samples) > MOST_ROWS {
            let fact = format!("the probe {name} would sample {each} {what} {samples} times");
            collector.report("measure.probes", fact, "make measure.sampling_interval longer, or leave the probe out");
        }
    }
    let series = [
        (plan.probes.has(Probe::Flows), "flows", flows),
        (plan.probes.has(Probe::Ports), "ports", 2 * links),
        (plan.probes.has(Probe::OutputQueues), "output-queues", 2 * links),
        (plan.probes.has(Probe::Buffers), "buffers", 2 * links * usize::from(scenario.links.lanes)),
    ];
    for (on, probe, each) in series {
        let rows = (each as u64).saturating_mul(bins);
        if on && rows > MOST_ROWS {
            collector.report(
                "measure.probes",
                format!("the probe {probe} would record {rows} rows ({bins} bins for each of {each})"),
                "make measure.bin longer, or leave the probe out",
            );
        }
    }
}
