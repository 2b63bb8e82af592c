//! The scheme: a preset, changes to it, and whether its parts fit together and with the rest.
//!
//! Each part checks its own parameters, beside its fields: see `congestree_schemes::check`.

pub(in crate::resolve) mod flow_queues;
pub(in crate::resolve) mod isolation;
pub(in crate::resolve) mod preset;
pub(in crate::resolve) mod setting;
pub(in crate::resolve) mod transport;

use congestree_fabric::plan::{FlowControl, SchemePlan};
use congestree_schemes::check::{Diagnostics, Part};
use congestree_schemes::{IsolateParams, MarkParams, NotifyParams, ReactParams, RouteParams, TransportParams, presets};

use crate::resolve::Collector;
use crate::resolve::network::path_choice;
use crate::types::{Scenario, Scheme};

/// The parts of a scheme.
pub(crate) struct SchemeParts {
    pub isolate: IsolateParams,
    pub mark: MarkParams,
    pub notify: NotifyParams,
    pub react: ReactParams,
    pub transport: TransportParams,
}

/// The parts of a scheme: its own, or otherwise those of its preset.
pub(crate) fn parts(scheme: &Scheme) -> SchemeParts {
    // The schema knows presets by the same list, so an unknown name is refused earlier; `none` replaces it here.
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
    SchemeParts {
        isolate: scheme.isolate.clone().unwrap_or(isolate),
        mark: scheme.mark.clone().unwrap_or(mark),
        notify: scheme.notify.clone().unwrap_or(notify),
        react: scheme.react.clone().unwrap_or(react),
        transport: scheme.transport.clone().unwrap_or(transport),
    }
}

/// The plan of the scheme; `rooms` are those of an input in each lane, in credit units, if they are known.
pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    flow_control: &FlowControl,
    rooms: &[u32],
    collector: &mut Collector<'_>,
) -> SchemePlan {
    let SchemeParts { isolate, mark, notify, react, transport } = parts(&scenario.scheme);
    let route = scenario.scheme.route.clone().unwrap_or(RouteParams::None(Default::default()));
    let schedule = scenario.scheme.schedule();
    check_notify(&notify, &react, collector);
    check_window(scenario, &react, collector);
    path_choice::check(scenario, &isolate, &route, collector);
    path_choice::check_schedule(scenario, &isolate, &schedule, &route, collector);
    transport::check(scenario, &transport, &notify, &react, collector);
    let flow_queues = flow_queues::check(scenario, &isolate, &mark, collector);
    let rules = isolation::check(scenario, &isolate, &mark, &transport, collector);
    let inputs = setting::InputBuffers::of(scenario, flow_control, rooms);
    let setting = setting::of(scenario, inputs, &notify, &react);
    let parts: [(&str, &dyn Part); 6] = [
        ("isolate", &isolate),
        ("mark", &mark),
        ("notify", &notify),
        ("react", &react),
        ("route", &route),
        ("transport", &transport),
    ];
    for (role, part) in parts {
        let mut found = Diagnostics::about(format!("scheme.{role}.{}", part.name()));
        part.check(&setting, &mut found);
        collector.relay_part(found);
    }
    let mut found = Diagnostics::about(scenario.scheme.schedule_place());
    schedule.check(&setting, &mut found);
    collector.relay_part(found);
    SchemePlan {
        isolate: rules,
        flow_queues,
        mark,
        notify,
        react,
        regional: schedule.regions(),
        route,
        transport,
        persistent: scenario.scheme.persistent,
    }
}

/// Checks that the reaction needs no more than marks if notifications are packets that report only marks (CNPs).
fn check_notify(notify: &NotifyParams, react: &ReactParams, collector: &mut Collector<'_>) {
    if notify.packet().is_some() && react.needs().acks {
        let fact = "this reaction needs every ACK, and notifications carry only marks";
        collector.report("scheme.notify", fact, "write scheme.notify = \"ack\", or take scheme.react.cct or dcqcn");
    }
}

/// Checks that no source has two windows: one of its reaction, and one that the scenario gives it.
fn check_window(scenario: &Scenario, react: &ReactParams, collector: &mut Collector<'_>) {
    if !react.needs().window {
        return;
    }
    let own = scenario.traffic.iter().position(|entry| entry.window.is_some());
    let place = own.map(|place| format!("traffic.{place}.window"));
    if let Some(place) = place.or_else(|| scenario.adapters.window.map(|_| "adapters.window".to_owned())) {
        collector.report(place, "the reaction to marks has a window of its own", "leave it out");
    }
}
