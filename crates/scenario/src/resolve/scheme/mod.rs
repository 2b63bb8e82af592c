//! The scheme: a preset, what differs from it, and whether its parameters make sense.

pub(in crate::resolve) mod detection;
pub(in crate::resolve) mod ethernet;
pub(in crate::resolve) mod flow_queues;
pub(in crate::resolve) mod infiniband;
pub(in crate::resolve) mod irn;
pub(in crate::resolve) mod isolation;
pub(in crate::resolve) mod telemetry;
pub(in crate::resolve) mod transport;
pub(in crate::resolve) mod uet;

use congestree_fabric::plan::SchemePlan;
use congestree_schemes::{IsolateParams, MarkParams, NotifyParams, ReactParams, RouteParams, TransportParams, presets};
use serde::Serialize;
use serde_json::Value as Json;

use crate::resolve::Findings;
use crate::resolve::network::ways;
use crate::types::{Scenario, Scheme};

/// The parts of a scheme.
pub(crate) struct Parts {
    pub isolate: IsolateParams,
    pub mark: MarkParams,
    pub notify: NotifyParams,
    pub react: ReactParams,
    pub transport: TransportParams,
}

/// The parts that a scheme comes down to: its own, or else those of its preset.
pub(crate) fn parts(scheme: &Scheme) -> Parts {
    // The schema knows presets by the same list, so an unknown name does not come this far; none stands for it.
    let preset = presets::preset(&scheme.preset.0).or_else(|| presets::all().into_iter().next());
    let (isolate, mark, notify, react, transport) = match preset {
        Some(preset) => (preset.isolate, preset.mark, preset.notify, preset.react, preset.transport),
        None => (
            IsolateParams::None(Default::default()),
            MarkParams::None(Default::default()),
            NotifyParams::Ack,
            ReactParams::None(Default::default()),
            TransportParams::None(Default::default()),
        ),
    };
    Parts {
        isolate: scheme.isolate.clone().unwrap_or(isolate),
        mark: scheme.mark.clone().unwrap_or(mark),
        notify: scheme.notify.clone().unwrap_or(notify),
        react: scheme.react.clone().unwrap_or(react),
        transport: scheme.transport.clone().unwrap_or(transport),
    }
}

pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    buffer_units: Option<u32>,
    findings: &mut Findings<'_>,
) -> SchemePlan {
    let Parts { isolate, mark, notify, react, transport } = parts(&scenario.scheme);
    check_mark(&mark, buffer_units, findings);
    check_react(&react, findings);
    infiniband::check(scenario, &mark, &notify, &react, findings);
    let route = scenario.scheme.route.clone().unwrap_or(RouteParams::None(Default::default()));
    ways::check(scenario, &isolate, &route, findings);
    let rcm = scenario.scheme.rcm.clone();
    if let Some(rcm) = &rcm {
        ways::check_rcm(scenario, &isolate, rcm, &route, findings);
    }
    ethernet::check(scenario, &mark, &react, findings);
    telemetry::check(scenario, &notify, &react, findings);
    detection::check(scenario, &mark, &react, findings);
    transport::check(scenario, &transport, &notify, &react, findings);
    let flow_queues = flow_queues::check(scenario, &isolate, &mark, findings);
    let isolate = isolation::check(scenario, &isolate, &mark, &transport, findings);
    SchemePlan {
        isolate,
        flow_queues,
        mark,
        notify,
        react,
        regional: rcm,
        route,
        transport,
        persistent: scenario.scheme.persistent,
    }
}

/// A part's name and parameters; parameters go by their names here, so that a new part is checked as the old ones.
fn named<T: Serialize>(part: &T) -> Option<(String, Json)> {
    match serde_json::to_value(part) {
        Ok(Json::Object(table)) => table.into_iter().next(),
        _ => None,
    }
}

fn check_mark(mark: &MarkParams, buffer_units: Option<u32>, findings: &mut Findings<'_>) {
    let Some((name, params)) = named(mark) else { return };
    let path = |key: &str| format!("scheme.mark.{name}.{key}");
    match (params.get("trigger").and_then(Json::as_u64), buffer_units) {
        (Some(0), _) => findings.complain(path("trigger"), "an empty buffer would count as full", "make it at least 1"),
        (Some(trigger), Some(units)) if trigger > units.into() => findings.complain(
            path("trigger"),
            format!("a buffer never holds {trigger} packets: it has room for {units} at most"),
            "make it smaller, or switches.buffer larger",
        ),
        _ => {}
    }
    if params.get("output_threshold").and_then(Json::as_u64) == Some(0) {
        findings.complain(path("output_threshold"), "every packet would be marked", "make it at least 1");
    }
}

fn check_react(react: &ReactParams, findings: &mut Findings<'_>) {
    let Some((name, params)) = named(react) else { return };
    let path = |key: &str| format!("scheme.react.{name}.{key}");
    let number = |key| params.get(key).and_then(Json::as_f64);
    let floor = number("floor");
    if let Some(floor) = floor.filter(|&floor| !(1.0..=1e9).contains(&floor)) {
        let fact = format!("{floor} is not a number of times that a source may be slower than its link");
        findings.complain(path("floor"), fact, "write R_max/R_min, a number of at least 1 such as 256");
    } else if let (Some(start), Some(floor)) = (number("start"), floor)
        && !(1.0..=floor).contains(&start)
    {
        let fact = format!("a flow cannot start at R_max/{start} when the range is 1 to {floor}");
        findings.complain(path("start"), fact, format!("write a number from 1 (line rate) to {floor}"));
    }
    if let Some(factor) = number("factor").filter(|&factor| !(factor > 1.0 && factor <= 1e6)) {
        let fact = format!("a rate divided by {factor} is not a sensible decrease");
        findings.complain(path("factor"), fact, "write a number above 1 such as 2.0");
    }
}
