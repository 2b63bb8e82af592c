//! Reading: from the text of a scenario to a checked plan.

use congestree_fabric::plan::Plan;
use serde::Serialize;
use serde_json::Value as Json;

use crate::diagnostic::{Diagnostic, Diagnostics, RawDiagnostic};
use crate::needs::RunNeeds;
use crate::resolve::{self, Collector, Reading};
use crate::resolved::resolved;
use crate::schema::schema;
use crate::sources::Sources;
use crate::tree::{self, TreeNode};
use crate::types::{List, Traffic};
use crate::{Format, Scenario, renamed, shape, sweep};

/// A valid scenario, and its resolved form.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The scenario with all defaults written out; reading it again gives the same plan.
    pub scenario: Scenario,
    /// The plan from which the fabric is built.
    pub plan: Plan,
    /// The size of the scenario.
    pub facts: Facts,
    /// Memory and time that a run takes.
    pub needs: RunNeeds,
    /// Sentences about what works, and may not be what was meant.
    pub notes: Vec<String>,
}

/// The size of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Number of hosts.
    pub hosts: usize,
    /// Number of switches.
    pub switches: usize,
    /// Number of two-way links.
    pub links: usize,
    /// Number of flows that can carry packets.
    pub flows: usize,
    /// Number of message generators.
    pub sources: usize,
    /// Number of traffic entries.
    pub classes: usize,
    /// Number of runs in the sweep; 1 without a sweep.
    pub runs: usize,
}

/// Reads a scenario and checks all of it. `name` is the path of its file, for messages; a topology file that it names
/// is searched in the same folder.
///
/// If there is a sweep, the plan is that of the scenario without it; see [`expand`](crate::expand).
pub fn read(text: &str, format: Format, name: &str) -> Result<Checked, Diagnostics> {
    read_within(text, format, name, u64::MAX)
}

/// Reads a scenario and reports anything that would take more than this much memory (B), before it is built.
pub fn read_within(text: &str, format: Format, name: &str, memory: u64) -> Result<Checked, Diagnostics> {
    read_for(text, format, name, Reading { memory, roughly: false })
}

/// Reads a scenario for facts and estimates only: the plan cannot be run, because only some of the tokens of a large
/// mixture of experts are drawn, and represent all.
pub fn estimate_within(text: &str, format: Format, name: &str, memory: u64) -> Result<Checked, Diagnostics> {
    read_for(text, format, name, Reading { memory, roughly: true })
}

fn read_for(text: &str, format: Format, name: &str, reading: Reading) -> Result<Checked, Diagnostics> {
    let mut tree = tree::parse(text, format).map_err(|diagnostic| syntax(diagnostic, name))?;
    let (axes, mut diagnostics) = sweep::split(&mut tree);
    diagnostics.extend(renamed::renew(&mut tree).clashes);
    let mut sources = Sources::new(name, text);
    match check(&tree, &mut sources, reading) {
        Ok(mut checked) => {
            diagnostics.extend(sweep::diagnostics(&axes, &tree));
            checked.facts.runs = sweep::runs(&axes);
            if diagnostics.is_empty() { Ok(checked) } else { Err(placed(diagnostics, &sources)) }
        }
        Err(more) => {
            diagnostics.extend(more);
            Err(placed(diagnostics, &sources))
        }
    }
}

/// Checks a tree of values, and the files that it refers to.
pub(crate) fn check(tree: &TreeNode, sources: &mut Sources, reading: Reading) -> Result<Checked, Vec<RawDiagnostic>> {
    let (tree, mut diagnostics) = sources.with_topology_file(tree);
    let (tree, more) = sources.with_programs(tree);
    diagnostics.extend(more);
    let (tree, more) = sources.with_workload_files(tree, reading.memory);
    diagnostics.extend(more);
    let (value, more) = shape::check(schema(), &tree);
    diagnostics.extend(more);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let written = value["scheme"].clone();
    let scenario = decode(value)?;
    let mut collector = Collector::within(&tree, reading);
    let plan = resolve::plan(&scenario, &mut collector);
    match plan {
        Some(plan) if collector.diagnostics.is_empty() => {
            let (facts, needs) = (facts(&plan, 1), RunNeeds::of(&plan, written_rows(&scenario)));
            collector.fits_plan(&needs);
            if !collector.diagnostics.is_empty() {
                return Err(collector.diagnostics);
            }
            let mut notes = resolve::preset_notes(&scenario.scheme, &written);
            notes.extend(resolve::packet_note(&scenario.scheme, plan.adapter.full()));
            notes.extend(crate::notes::about(&plan));
            notes.extend(resolve::undrawn_notes(&scenario, &plan));
            notes.extend(resolve::incomplete_note(&scenario, &plan, &tree, reading));
            Ok(Checked { scenario: resolved(&scenario), plan, facts, needs, notes })
        }
        _ => Err(collector.diagnostics),
    }
}

/// Reports older names in a scenario, and what to write instead; nothing about a scenario that cannot be read.
pub fn notices(text: &str, format: Format, name: &str) -> Vec<Diagnostic> {
    if !renamed::may_be_in(text) {
        return Vec::new();
    }
    let Ok(mut tree) = tree::parse(text, format) else { return Vec::new() };
    let (axes, _) = sweep::split(&mut tree);
    let sources = Sources::new(name, text);
    let mut found = renamed::renew(&mut tree).notices;
    found.extend(sweep::notices(&axes));
    let mut list: Vec<Diagnostic> = found.into_iter().map(|notice| sources.placed(notice)).collect();
    list.sort_by_key(|notice| (notice.line, notice.column));
    list
}

/// The scenario in a value that fits the schema. Serde reads all of them; if it fails, schema and types disagree.
fn decode(value: Json) -> Result<Scenario, Vec<RawDiagnostic>> {
    serde_json::from_value(value).map_err(|error| {
        vec![RawDiagnostic {
            path: String::new(),
            place: None,
            fact: format!("this cannot be read: {error}"),
            remedy: "please report this file: its shape should have been refused before".into(),
        }]
    })
}

/// Rows of all lists of messages.
fn written_rows(scenario: &Scenario) -> u64 {
    let rows = |entry: &Traffic| match &entry.list {
        Some(List::Rows(rows)) => rows.len() as u64,
        _ => 0,
    };
    scenario.traffic.iter().map(rows).sum()
}

fn facts(plan: &Plan, runs: usize) -> Facts {
    Facts {
        hosts: plan.graph.hosts.len(),
        switches: plan.graph.switches.len(),
        links: plan.graph.links.len(),
        flows: plan.sent_flows().iter().filter(|&&sent| sent).count(),
        sources: plan.sources.len(),
        classes: plan.classes.len(),
        runs,
    }
}

/// The list with the only diagnostic of a file that cannot be parsed.
pub(crate) fn syntax(diagnostic: Diagnostic, name: &str) -> Diagnostics {
    Diagnostics { name: name.to_owned(), list: vec![diagnostic] }
}

/// The list of these diagnostics, each with its file, line and column.
pub(crate) fn placed(diagnostics: Vec<RawDiagnostic>, sources: &Sources) -> Diagnostics {
    let list = diagnostics.into_iter().map(|diagnostic| sources.placed(diagnostic)).collect();
    Diagnostics { name: sources.name().to_owned(), list }.sorted()
}
