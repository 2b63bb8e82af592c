//! From a scenario to a plan: checks whether its parts are consistent, and resolves them.
//!
//! One file per subject. Each examines its section together with what it needs of the others, reports everything that
//! is impossible, and returns the part of the [`Plan`](congestree_fabric::plan::Plan) for the section.
//! The parts are combined only if there are no diagnostics: otherwise there is no plan.

mod jobs;
mod limits;
mod measure;
mod network;
mod scheme;
mod switches;
mod traffic;

use std::fmt::Display;
use std::sync::Arc;

use congestree_fabric::plan::Plan;

use crate::diagnostic::{RawDiagnostic, binary};
use crate::needs::{RAISE_THE_LIMIT, RunNeeds};
use crate::tree::{TreeNode, line_and_column};
use crate::types::Scenario;

pub(crate) use measure::{bin, sampling_interval};
pub(crate) use network::is_tree;
pub(crate) use network::service_lanes::starts;
pub(crate) use scheme::preset::{notes as preset_notes, packet_note};
pub(crate) use scheme::{SchemeParts, parts as scheme_parts};
pub(crate) use traffic::incomplete::note as incomplete_note;
pub(crate) use traffic::undrawn::notes as undrawn_notes;
pub use traffic::undrawn::undrawn;

/// The purpose for which a scenario is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Memory that a run may take (B).
    pub memory: u64,
    /// Only facts and estimates are needed: of what would be drawn a million times, a part is enough.
    pub roughly: bool,
}

/// Collects the diagnostics of a scenario, and looks up their positions in the tree of its file.
pub(crate) struct Collector<'a> {
    tree: &'a TreeNode,
    /// What the plan is for.
    reading: Reading,
    /// Those reported so far.
    pub diagnostics: Vec<RawDiagnostic>,
}

impl<'a> Collector<'a> {
    /// An empty collector for this file.
    pub(crate) fn within(tree: &'a TreeNode, reading: Reading) -> Self {
        Self { tree, reading, diagnostics: Vec::new() }
    }

    /// Reports the key at `path` if it requires more memory (B) than a run may take; returns false then.
    fn fits(&mut self, path: &str, what: impl Display, bytes: u64) -> bool {
        let limit = self.reading.memory;
        if bytes <= limit {
            return true;
        }
        let fact = format!("{what} would take about {} of memory, and the limit is {}", binary(bytes), binary(limit));
        self.report(path, fact, format!("ask for less, or {RAISE_THE_LIMIT}"));
        false
    }

    /// Reports a run that takes more memory than it may.
    pub(crate) fn fits_plan(&mut self, needs: &RunNeeds) {
        let (path, what) = needs.parts.largest();
        self.fits(path, format_args!("the run (most of it {what})"), needs.memory);
    }

    /// Adds a diagnostic about the key at `path`.
    fn report(&mut self, path: impl Into<String>, fact: impl Into<String>, remedy: impl Into<String>) {
        let path = path.into();
        let place = self.tree.nearest(&path);
        self.diagnostics.push(RawDiagnostic { path, place, fact: fact.into(), remedy: remedy.into() });
    }

    /// Adds a diagnostic about a byte of a text that is the value of the key at `path`. If the text is that of a file,
    /// the position is in that file; otherwise it is that of the key, and the diagnostic gives the line of the text.
    fn report_within(&mut self, path: &str, text: &str, byte: usize, fact: String, remedy: String) {
        let place = self.tree.nearest(path);
        match place {
            Some(place) if place.len() == text.len() => {
                let place = Some(place.start + byte..place.start + byte);
                self.diagnostics.push(RawDiagnostic { path: String::new(), place, fact, remedy });
            }
            _ => {
                let (line, _) = line_and_column(text, byte);
                self.report(path, format!("line {line} of the text: {fact}"), remedy);
            }
        }
    }

    /// Whether the file itself gives this key a value.
    fn is_written(&self, path: &str) -> bool {
        self.tree.has(path)
    }

    /// Adds the diagnostics of a part of the scheme.
    fn relay_part(&mut self, found: congestree_schemes::check::Diagnostics) {
        for diagnostic in found.list {
            self.report(diagnostic.path, diagnostic.fact, diagnostic.remedy);
        }
    }

    /// Adds the diagnostics of a topology about its own fields, which are below `path`.
    fn relay(&mut self, path: &str, diagnostics: Vec<congestree_topology::Diagnostic>) {
        for diagnostic in diagnostics {
            let path =
                if diagnostic.field.is_empty() { path.to_owned() } else { format!("{path}.{}", diagnostic.field) };
            self.report(path, diagnostic.fact, diagnostic.remedy);
        }
    }
}

/// The plan of a scenario, or diagnostics in `collector`.
pub(crate) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<Plan> {
    let flow_control = switches::buffers::flow_control(scenario, collector);
    let network = network::plan(scenario, collector);
    let switch = switches::plan(scenario, network.as_ref(), collector);
    let adapter = switches::buffers::adapter(scenario, collector);
    let rooms = switch.as_ref().map_or(&[][..], |switch| &switch.buffer_units);
    let scheme = scheme::plan(scenario, &flow_control, rooms, collector);
    let isolates = scheme.isolate.is_some();
    if let Some(switch) = &switch {
        switches::queues::check(scenario, switch, &scheme, collector);
    }
    let lane_weights = network::lanes::plan(scenario, collector);
    let lane_schedule = network::lanes::schedule(scenario, collector);
    let measure = measure::plan(scenario, collector);
    if let Some(switch) = &switch {
        measure::check_switches(&measure.probes, switch, isolates, collector);
    }
    traffic::checks::check(scenario, collector);
    traffic::finite::check(scenario, &scheme.transport, collector);
    if let (Some(switch), Some(network)) = (&switch, &network) {
        switches::queues::check_room(scenario, switch, isolates, network, collector);
        switches::output_queues::check(scenario, switch, network, collector);
        switches::fills::check(scenario, switch, &flow_control, &scheme.mark, network, collector);
    }
    let traffic = network.as_ref().and_then(|network| traffic::plan(scenario, network, &scheme, collector));
    let checks = network::checks::plan(scenario, collector);
    let faults = network.as_ref().map(|network| network::faults::plan(scenario, network, collector));
    let pfc = switches::pfc::plan(scenario, network.as_ref().map(|network| &network.directory), collector);
    let (flows, sources, jobs, classes) = traffic?;
    let network = network?;
    measure::check_volume(scenario, &measure, flows.len(), network.graph.links.len(), collector);
    if !collector.diagnostics.is_empty() {
        return None;
    }
    let plan = Plan {
        seed: scenario.seed,
        graph: network.graph,
        routes: network.routes,
        equal_cost: network.equal_cost,
        lane_map: network.lane_map.map(Arc::new),
        lanes: scenario.links.lanes,
        lane_weights,
        lane_schedule,
        flow_control,
        pfc,
        checks,
        faults: faults?,
        switch: switch?,
        adapter: adapter?,
        scheme,
        flows,
        sources,
        jobs,
        classes,
        measure,
    };
    switches::headroom::check_headroom(scenario, &plan, collector);
    Some(plan)
}
