//! Sweeps: a list of values for each of several keys, and a run for each combination.
//!
//! A value is put into the tree before anything is checked, so that every run is checked exactly as a file in which the
//! value was written; a diagnostic about it points into the sweep.

pub(crate) mod expand;
mod overwritten;
mod put;

use std::ops::Range;

use crate::diagnostic::RawDiagnostic;
use crate::renamed;
use crate::schema::schema;
use crate::shape::{self, joined};
use crate::tree::{TreeEntry, TreeNode, Value};

/// More runs than this are certainly an error.
const MOST_RUNS: usize = 100_000;

/// Number of wrong values that are reported for each key.
const MOST_OF_AN_AXIS: usize = 5;

/// A key to vary.
pub(crate) struct Axis {
    path: String,
    /// The same path with current names.
    target: String,
    /// Position of the key in the text of the sweep.
    place: Option<Range<usize>>,
    values: Vec<TreeNode>,
}

impl Axis {
    /// Number of keys in the path: values are put into a scenario in this order, a choice before its parameters.
    fn depth(&self) -> usize {
        self.target.split('.').count()
    }

    /// Puts one of the values into a scenario.
    fn put(&self, tree: &mut TreeNode, value: TreeNode) -> Result<(), put::Unknown> {
        put::put(schema(), tree, &self.target, value)?;
        renamed::renew(tree);
        Ok(())
    }
}

/// Notices of older names of swept keys.
pub(crate) fn notices(axes: &[Axis]) -> Vec<RawDiagnostic> {
    let of_axis = |axis: &Axis| -> Vec<RawDiagnostic> {
        let notices = renamed::renew_path(&axis.path).1.into_iter();
        notices.map(|notice| RawDiagnostic { place: axis.place.clone(), ..notice }).collect()
    };
    axes.iter().flat_map(of_axis).collect()
}

/// Number of runs: of combinations of values.
pub(crate) fn runs(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul)
}

/// Takes the sweep out of a scenario. Keys may be quoted ("links.lanes") or not (then they are tables in the tree).
pub(crate) fn split(tree: &mut TreeNode) -> (Vec<Axis>, Vec<RawDiagnostic>) {
    let (mut axes, mut diagnostics) = (Vec::new(), Vec::new());
    if let Value::Table(entries) = &mut tree.value
        && let Some(i) = entries.iter().position(|entry| entry.key == "sweep")
    {
        let sweep = entries.remove(i);
        match sweep.node.value {
            Value::Table(inner) => inner.into_iter().for_each(|entry| flatten(entry, "", &mut axes, &mut diagnostics)),
            Value::Null => {}
            _ => diagnostics.push(RawDiagnostic {
                path: "sweep".into(),
                place: sweep.node.place.clone(),
                fact: format!("expected a table, found {}", sweep.node.described()),
                remedy: "write a table [sweep] with keys such as \"traffic.0.arrivals.poisson.load\" = [0.2, 0.4]"
                    .into(),
            }),
        }
    }
    if runs(&axes) > MOST_RUNS {
        diagnostics.push(RawDiagnostic {
            path: "sweep".into(),
            place: axes.first().and_then(|axis| axis.place.clone()),
            fact: format!("there would be {} runs, more than {MOST_RUNS}", runs(&axes)),
            remedy: "shorten the lists".into(),
        });
    }
    (axes, diagnostics)
}

fn flatten(entry: TreeEntry, before: &str, axes: &mut Vec<Axis>, diagnostics: &mut Vec<RawDiagnostic>) {
    let path = joined(before, &entry.key);
    let mut report = |fact: String, remedy: &str| {
        let (path, place) = (format!("sweep.{path}"), entry.node.place.clone());
        diagnostics.push(RawDiagnostic { path, place, fact, remedy: remedy.into() });
    };
    match entry.node.value {
        Value::Table(inner) => inner.into_iter().for_each(|entry| flatten(entry, &path, axes, diagnostics)),
        Value::List(values) if values.is_empty() => report("there is no value to try".into(), "list at least one"),
        Value::List(values) => {
            axes.push(Axis { target: renamed::renew_path(&path).0.into_owned(), path, place: entry.place, values })
        }
        _ => {
            report(format!("expected a list of values, found {}", entry.node.described()), "put it in square brackets")
        }
    }
}

/// The errors of the sweep itself: paths that do not exist, and values that are not possible there.
pub(crate) fn diagnostics(axes: &[Axis], tree: &TreeNode) -> Vec<RawDiagnostic> {
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
