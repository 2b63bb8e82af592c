//! The runs of a sweep: each is checked as if its values were written in the file; a diagnostic about several runs is
//! reported once.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::diagnostic::{Diagnostics, RawDiagnostic, cut, name as name_of};
use crate::resolve::Reading;
use crate::sources::Sources;
use crate::sweep::overwritten::{Put, overwritten};
use crate::sweep::{Axis, runs, split};
use crate::tree::{self, TreeNode, Value};
use crate::{Format, Scenario, read, renamed, shape};

/// Number of different diagnostics that are kept; more would not be read.
const MOST_KEPT: usize = 200;
/// Characters of a table or list in a message; more would hide the rest of the sentence.
const LONGEST: usize = 100;

/// One run of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The swept keys and their values in this run, in the order of the file.
    #[serde(serialize_with = "as_table")]
    pub values: Vec<(String, Json)>,
    /// The scenario with these values, all defaults written out.
    pub scenario: Scenario,
    /// Memory that the run takes, as estimated (B).
    pub memory: u64,
}

fn as_table<S: Serializer>(values: &[(String, Json)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(path, value)| (path, value)))
}

/// A run of a sweep that is not valid.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// The swept keys and their values in this run.
    #[serde(serialize_with = "as_table")]
    pub values: Vec<(String, Json)>,
    /// Path, fact and remedy of each diagnostic about it.
    pub why: Vec<String>,
}

/// The runs of a sweep that are valid, and those that are not.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// The valid ones, at least one.
    pub points: Vec<Point>,
    /// The others, which are left out.
    pub refused: Vec<Refused>,
}

/// The runs of a sweep, the last key varying fastest; one run if there is no sweep. All are checked.
pub fn expand(text: &str, format: Format, name: &str) -> Result<Vec<Point>, Diagnostics> {
    expand_within(text, format, name, u64::MAX)
}

/// The runs of a sweep; reports one that would take more than this much memory (B).
pub fn expand_within(text: &str, format: Format, name: &str, memory: u64) -> Result<Vec<Point>, Diagnostics> {
    let (sweep, diagnostics) = expand_each(text, format, name, memory)?;
    if sweep.refused.is_empty() { Ok(sweep.points) } else { Err(diagnostics) }
}

/// The runs of a sweep that are valid; diagnostics if none is.
pub fn expand_sensible(text: &str, format: Format, name: &str, memory: u64) -> Result<Sweep, Diagnostics> {
    let (sweep, diagnostics) = expand_each(text, format, name, memory)?;
    if sweep.points.is_empty() { Err(diagnostics) } else { Ok(sweep) }
}

/// All runs of a sweep, and the diagnostics about them.
fn expand_each(text: &str, format: Format, name: &str, memory: u64) -> Result<(Sweep, Diagnostics), Diagnostics> {
    let mut tree = tree::parse(text, format).map_err(|diagnostic| read::syntax(diagnostic, name))?;
    let (axes, mut diagnostics) = split(&mut tree);
    diagnostics.extend(renamed::renew(&mut tree).clashes);
    let mut sources = Sources::new(name, text);
    if !diagnostics.is_empty() {
        return Err(read::placed(diagnostics, &sources));
    }
    let reading = Reading { memory, roughly: true };
    let (mut points, mut refused) = (Vec::new(), Vec::new());
    let mut merged = MergedDiagnostics::default();
    for number in 0..runs(&axes) {
        let point = Combination::new(&axes, number);
        match point.applied(&tree).and_then(|tree| read::check(&tree, &mut sources, reading)) {
            Ok(checked) => {
                let memory = checked.needs.memory;
                points.push(Point { values: point.values(), scenario: checked.scenario, memory });
            }
            Err(diagnostics) => {
                let said = |wrong: &RawDiagnostic| format!("{}: {}; {}", wrong.path, wrong.fact, wrong.remedy);
                let why = diagnostics.iter().map(said).collect();
                refused.push(Refused { values: point.values(), why });
                merged.add(diagnostics, &point);
            }
        }
    }
    Ok((Sweep { points, refused }, read::placed(merged.into_diagnostics(runs(&axes)), &sources)))
}

/// One value for each key.
struct Combination<'a> {
    values: Vec<(&'a Axis, &'a TreeNode)>,
}

impl<'a> Combination<'a> {
    fn new(axes: &'a [Axis], mut number: usize) -> Self {
        let mut values: Vec<_> = axes
            .iter()
            .rev()
            .map(|axis| {
                let value = &axis.values[number % axis.values.len()];
                number /= axis.values.len();
                (axis, value)
            })
            .collect();
        values.reverse();
        Self { values }
    }

    fn applied(&self, tree: &TreeNode) -> Result<TreeNode, Vec<RawDiagnostic>> {
        let mut tree = tree.clone();
        let (mut diagnostics, mut puts) = (Vec::new(), Vec::new());
        let mut values = self.values.clone();
        values.sort_by_key(|(axis, _)| axis.depth());
        for (axis, value) in values {
            match axis.put(&mut tree, value.clone()) {
                Ok(()) => puts.push(Put::now(axis, &tree)),
                Err(unknown) => diagnostics.push(unknown.placed_at(axis.place.clone())),
            }
        }
        diagnostics.extend(overwritten(&puts, &tree));
        if diagnostics.is_empty() { Ok(tree) } else { Err(diagnostics) }
    }

    fn values(&self) -> Vec<(String, Json)> {
        self.values.iter().map(|(axis, value)| (axis.path.clone(), shape::check(&Json::Null, value).0)).collect()
    }

    fn described(&self) -> String {
        let one = |(axis, value): &(&Axis, &TreeNode)| {
            let value = match &value.value {
                Value::Text(text) => name_of(text),
                Value::List(_) | Value::Table(_) => cut(&shape::check(&Json::Null, value).0.to_string(), LONGEST),
                _ => value.described().replace("the number ", ""),
            };
            format!("{} = {value}", axis.path)
        };
        self.values.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Diagnostics about several runs; equal ones are reported once.
#[derive(Default)]
struct MergedDiagnostics {
    /// The diagnostic, the number of runs it concerns, and the first of them.
    list: Vec<(RawDiagnostic, usize, String)>,
}

impl MergedDiagnostics {
    fn add(&mut self, diagnostics: Vec<RawDiagnostic>, point: &Combination<'_>) {
        for diagnostic in diagnostics {
            if let Some((_, times, _)) = self.list.iter_mut().find(|(known, _, _)| *known == diagnostic) {
                *times += 1;
            } else if self.list.len() < MOST_KEPT {
                self.list.push((diagnostic, 1, point.described()));
            }
        }
    }

    /// The merged diagnostics, each with the runs it concerns unless those are all of them.
    fn into_diagnostics(self, runs: usize) -> Vec<RawDiagnostic> {
        let with_runs = |(diagnostic, times, first): (RawDiagnostic, usize, String)| match times {
            _ if times >= runs => diagnostic,
            1 => RawDiagnostic { fact: format!("{} (in the run with {first})", diagnostic.fact), ..diagnostic },
            _ => RawDiagnostic {
                fact: format!("{} (in {times} runs, the first with {first})", diagnostic.fact),
                ..diagnostic
            },
        };
        self.list.into_iter().map(with_runs).collect()
    }
}
