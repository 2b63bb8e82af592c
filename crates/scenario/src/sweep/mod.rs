//! Sweeps: a list of values for each of several keys, and a run for each combination.
//!
//! A value is put into the tree before anything is checked, so that every run is checked exactly as a file in which
//! the value had been written; a complaint about it points into the sweep.

mod put;

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::complaint::{Complaints, name as name_of};
use crate::resolve::Reading;
use crate::schema::schema;
use crate::shape::{self, Diagnostic, joined};
use crate::sources::Sources;
use crate::tree::{self, TreeEntry, TreeNode, Value};
use crate::{Format, Scenario, read, renamed};

/// More runs than this are surely a slip.
const MOST_RUNS: usize = 100_000;

/// Different complaints that are kept; more would not be read.
const MOST_HEARD: usize = 200;

/// Wrong values that are complained about for each key.
const MOST_OF_AN_AXIS: usize = 5;

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

/// A run of a sweep that makes no sense.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// The swept keys and their values in this run.
    #[serde(serialize_with = "as_table")]
    pub values: Vec<(String, Json)>,
    /// What is wrong with it: place, fact and remedy of each complaint.
    pub why: Vec<String>,
}

/// The runs of a sweep that make sense, and those that do not.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// At least one.
    pub points: Vec<Point>,
    /// Left out.
    pub refused: Vec<Refused>,
}

/// The runs of a sweep, the last key varying fastest; one run if there is no sweep. All are checked.
pub fn expand(text: &str, format: Format, name: &str) -> Result<Vec<Point>, Complaints> {
    expand_within(text, format, name, u64::MAX)
}

/// The runs of a sweep; one that would take more than this much memory (B) is complained about.
pub fn expand_within(text: &str, format: Format, name: &str, memory: u64) -> Result<Vec<Point>, Complaints> {
    let (sweep, complaints) = expand_each(text, format, name, memory)?;
    if sweep.refused.is_empty() { Ok(sweep.points) } else { Err(complaints) }
}

/// The runs of a sweep that make sense; complaints if none does.
pub fn expand_sensible(text: &str, format: Format, name: &str, memory: u64) -> Result<Sweep, Complaints> {
    let (sweep, complaints) = expand_each(text, format, name, memory)?;
    if sweep.points.is_empty() { Err(complaints) } else { Ok(sweep) }
}

/// All runs of a sweep, and what there is to complain about.
fn expand_each(text: &str, format: Format, name: &str, memory: u64) -> Result<(Sweep, Complaints), Complaints> {
    let mut tree = tree::parse(text, format).map_err(|complaint| read::syntax(complaint, name))?;
    let (axes, mut diagnostics) = split(&mut tree);
    diagnostics.extend(renamed::renew(&mut tree).clashes);
    let mut sources = Sources::new(name, text);
    if !diagnostics.is_empty() {
        return Err(read::complaints(diagnostics, &sources));
    }
    let reading = Reading { memory, roughly: true };
    let (mut points, mut refused) = (Vec::new(), Vec::new());
    let mut heard = MergedDiagnostics::default();
    for number in 0..runs(&axes) {
        let point = Combination::new(&axes, number);
        match point.applied(&tree).and_then(|tree| read::check(&tree, &mut sources, reading)) {
            Ok(checked) => {
                let memory = checked.needs.memory;
                points.push(Point { values: point.values(), scenario: checked.scenario, memory });
            }
            Err(diagnostics) => {
                let said = |wrong: &Diagnostic| format!("{}: {}; {}", wrong.path, wrong.fact, wrong.remedy);
                let why = diagnostics.iter().map(said).collect();
                refused.push(Refused { values: point.values(), why });
                heard.hear(diagnostics, &point);
            }
        }
    }
    Ok((Sweep { points, refused }, read::complaints(heard.told(runs(&axes)), &sources)))
}

/// A key to vary.
pub(crate) struct Axis {
    path: String,
    /// That key in the names of today.
    target: String,
    /// Where it stands in the sweep.
    place: Option<Range<usize>>,
    values: Vec<TreeNode>,
}

impl Axis {
    /// Puts one of the values into a scenario.
    fn put(&self, tree: &mut TreeNode, value: TreeNode) -> Result<(), put::Unknown> {
        put::put(schema(), tree, &self.target, value)?;
        renamed::renew(tree);
        Ok(())
    }
}

/// What to say about older names of swept keys.
pub(crate) fn notices(axes: &[Axis]) -> Vec<Diagnostic> {
    let of_axis = |axis: &Axis| -> Vec<Diagnostic> {
        let notices = renamed::renew_path(&axis.path).1.into_iter();
        notices.map(|notice| Diagnostic { place: axis.place.clone(), ..notice }).collect()
    };
    axes.iter().flat_map(of_axis).collect()
}

/// Number of combinations.
pub(crate) fn runs(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul)
}

/// Takes the sweep out of a scenario. Keys may be quoted ("links.lanes") or not (then they are tables in the tree).
pub(crate) fn split(tree: &mut TreeNode) -> (Vec<Axis>, Vec<Diagnostic>) {
    let (mut axes, mut diagnostics) = (Vec::new(), Vec::new());
    if let Value::Table(entries) = &mut tree.value
        && let Some(i) = entries.iter().position(|entry| entry.key == "sweep")
    {
        let sweep = entries.remove(i);
        match sweep.node.value {
            Value::Table(inner) => inner.into_iter().for_each(|entry| flatten(entry, "", &mut axes, &mut diagnostics)),
            Value::Null => {}
            _ => diagnostics.push(Diagnostic {
                path: "sweep".into(),
                place: sweep.node.place.clone(),
                fact: format!("expected a table, found {}", sweep.node.described()),
                remedy: "write a table [sweep] with keys such as \"traffic.0.arrivals.poisson.load\" = [0.2, 0.4]"
                    .into(),
            }),
        }
    }
    if runs(&axes) > MOST_RUNS {
        diagnostics.push(Diagnostic {
            path: "sweep".into(),
            place: axes.first().and_then(|axis| axis.place.clone()),
            fact: format!("there would be {} runs, more than {MOST_RUNS}", runs(&axes)),
            remedy: "shorten the lists".into(),
        });
    }
    (axes, diagnostics)
}

fn flatten(entry: TreeEntry, before: &str, axes: &mut Vec<Axis>, diagnostics: &mut Vec<Diagnostic>) {
    let path = joined(before, &entry.key);
    let mut complain = |fact: String, remedy: &str| {
        let (path, place) = (format!("sweep.{path}"), entry.node.place.clone());
        diagnostics.push(Diagnostic { path, place, fact, remedy: remedy.into() });
    };
    match entry.node.value {
        Value::Table(inner) => inner.into_iter().for_each(|entry| flatten(entry, &path, axes, diagnostics)),
        Value::List(values) if values.is_empty() => complain("there is no value to try".into(), "list at least one"),
        Value::List(values) => {
            axes.push(Axis { target: renamed::renew_path(&path).0.into_owned(), path, place: entry.place, values })
        }
        _ => complain(
            format!("expected a list of values, found {}", entry.node.described()),
            "put it in square brackets",
        ),
    }
}

/// What is wrong with the sweep itself: paths that do not exist, and values that cannot stand there.
pub(crate) fn diagnostics(axes: &[Axis], tree: &TreeNode) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for axis in axes {
        let before = diagnostics.len();
        for value in &axis.values {
            if diagnostics.len() >= before + MOST_OF_AN_AXIS {
                break;
            }
            let mut tree = tree.clone();
            match axis.put(&mut tree, value.clone()) {
                Ok(()) => diagnostics.extend(shape::check(schema(), &tree).1),
                Err(unknown) => {
                    diagnostics.push(unknown.placed_at(axis.place.clone()));
                    break;
                }
            }
        }
    }
    diagnostics
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

    fn applied(&self, tree: &TreeNode) -> Result<TreeNode, Vec<Diagnostic>> {
        let mut tree = tree.clone();
        let mut diagnostics = Vec::new();
        for &(axis, value) in &self.values {
            if let Err(unknown) = axis.put(&mut tree, value.clone()) {
                diagnostics.push(unknown.placed_at(axis.place.clone()));
            }
        }
        if diagnostics.is_empty() { Ok(tree) } else { Err(diagnostics) }
    }

    fn values(&self) -> Vec<(String, Json)> {
        self.values.iter().map(|(axis, value)| (axis.path.clone(), shape::check(&Json::Null, value).0)).collect()
    }

    fn described(&self) -> String {
        let one = |(axis, value): &(&Axis, &TreeNode)| {
            let value = match &value.value {
                Value::Text(text) => name_of(text),
                _ => value.described().replace("the number ", ""),
            };
            format!("{} = {value}", axis.path)
        };
        self.values.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Complaints about several runs; what is the same in all is told once.
#[derive(Default)]
struct MergedDiagnostics {
    /// The complaint, how many runs it is about, and the first of them.
    list: Vec<(Diagnostic, usize, String)>,
}

impl MergedDiagnostics {
    fn hear(&mut self, diagnostics: Vec<Diagnostic>, point: &Combination<'_>) {
        for diagnostic in diagnostics {
            if let Some((_, times, _)) = self.list.iter_mut().find(|(known, _, _)| *known == diagnostic) {
                *times += 1;
            } else if self.list.len() < MOST_HEARD {
                self.list.push((diagnostic, 1, point.described()));
            }
        }
    }

    fn told(self, runs: usize) -> Vec<Diagnostic> {
        let tell = |(diagnostic, times, first): (Diagnostic, usize, String)| match times {
            _ if times >= runs => diagnostic,
            1 => Diagnostic { fact: format!("{} (in the run with {first})", diagnostic.fact), ..diagnostic },
            _ => Diagnostic {
                fact: format!("{} (in {times} runs, the first with {first})", diagnostic.fact),
                ..diagnostic
            },
        };
        self.list.into_iter().map(tell).collect()
    }
}
