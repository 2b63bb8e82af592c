//! Values of a sweep that are overwritten: another key of the same sweep makes a different choice in a table around
//! them, so that a run would be labelled with values that it does not have.

use crate::diagnostic::RawDiagnostic;
use crate::sweep::Axis;
use crate::tree::{TreeNode, Value};

/// The value that a key of a sweep has put into a scenario.
pub(super) struct Put<'a> {
    axis: &'a Axis,
    /// The value as found right afterwards; `None` if it has been moved, because its key has a newer name.
    node: Option<TreeNode>,
}

impl<'a> Put<'a> {
    /// Takes note of the value that this axis has just put into the tree.
    pub(crate) fn now(axis: &'a Axis, tree: &TreeNode) -> Self {
        Self { axis, node: at(tree, &axis.target).cloned() }
    }
}

/// A diagnostic for each value that a later one has overwritten.
pub(super) fn overwritten(puts: &[Put<'_>], tree: &TreeNode) -> Vec<RawDiagnostic> {
    let lost = |(i, put): (usize, &Put<'_>)| {
        let was = put.node.as_ref()?;
        if at(tree, &put.axis.target).is_some_and(|node| still_has(node, was)) {
            return None;
        }
        let by = puts[i + 1..].iter().max_by_key(|other| in_common(&other.axis.target, &put.axis.target))?;
        Some(RawDiagnostic {
            path: format!("sweep.{}", put.axis.path),
            place: put.axis.place.clone(),
            fact: format!("`{}` chooses something else, and overwrites it", by.axis.path),
            remedy: "make two sweeps, or leave such runs out (--skip-refused)".into(),
        })
    };
    puts.iter().enumerate().filter_map(lost).collect()
}

/// The node at a dotted path.
fn at<'a>(tree: &'a TreeNode, path: &str) -> Option<&'a TreeNode> {
    path.split('.').try_fold(tree, TreeNode::get)
}

/// Whether a node still has all that was written, and perhaps more.
fn still_has(node: &TreeNode, was: &TreeNode) -> bool {
    match (&node.value, &was.value) {
        (Value::Table(now), Value::Table(entries)) => entries
            .iter()
            .all(|entry| now.iter().any(|other| other.key == entry.key && still_has(&other.node, &entry.node))),
        // A choice that was written by its name, and to which another key has added parameters.
        (Value::Table(now), Value::Text(name)) => matches!(&now[..], [only] if only.key == *name),
        (Value::List(now), Value::List(items)) => {
            now.len() == items.len() && now.iter().zip(items).all(|(now, item)| still_has(now, item))
        }
        (Value::Text(now), Value::Text(was)) | (Value::Date(now), Value::Date(was)) => now == was,
        (Value::Integer(now), Value::Integer(was)) => now == was,
        (Value::Float(now), Value::Float(was)) => now.to_bits() == was.to_bits(),
        (Value::Bool(now), Value::Bool(was)) => now == was,
        (Value::Null, Value::Null) => true,
        _ => false,
    }
}

/// Number of leading keys that two paths have in common.
fn in_common(path: &str, other: &str) -> usize {
    path.split('.').zip(other.split('.')).take_while(|(key, other)| key == other).count()
}
