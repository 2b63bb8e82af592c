//! GOAL files that a scenario names: `program.goal = "file"` becomes `program.text`, so that what is checked, run and kept
//! in a manifest is whole.

use std::borrow::Cow;

use super::Sources;
use crate::shape::Misfit;
use crate::tree::{Entry, Node, Value};

impl Sources {
    /// The tree with the GOAL files that it names in their places; and what is wrong with them.
    pub fn with_programs<'a>(&mut self, tree: Cow<'a, Node>) -> (Cow<'a, Node>, Vec<Misfit>) {
        let names_one = |entry: &Node| entry.get("program").is_some_and(|program| program.get("goal").is_some());
        let Some(Node { value: Value::List(entries), .. }) = tree.get("traffic") else { return (tree, Vec::new()) };
        if !entries.iter().any(names_one) {
            return (tree, Vec::new());
        }
        let mut misfits = Vec::new();
        let mut whole = tree.into_owned();
        for (i, entry) in items(&mut whole, "traffic").iter_mut().enumerate() {
            for program in table(entry).iter_mut().filter(|key| key.key == "program") {
                for goal in table(&mut program.node).iter_mut().filter(|key| key.key == "goal") {
                    let Value::Text(file) = &goal.node.value else { continue };
                    match self.load_text(file, "GOAL file") {
                        Ok(found) => {
                            let source = &self.texts[found];
                            let place = source.start..source.start + source.text.len();
                            goal.key = "text".into();
                            goal.node = Node { value: Value::Text(source.text.clone()), place: Some(place) };
                        }
                        Err((fact, remedy)) => {
                            let (path, place) = (format!("traffic.{i}.program.goal"), goal.node.place.clone());
                            misfits.push(Misfit { path, place, fact, remedy });
                        }
                    }
                }
            }
        }
        (Cow::Owned(whole), misfits)
    }
}

fn table(node: &mut Node) -> &mut [Entry] {
    match &mut node.value {
        Value::Table(entries) => entries,
        _ => &mut [],
    }
}

fn items<'a>(node: &'a mut Node, key: &str) -> &'a mut [Node] {
    let found = table(node).iter_mut().find(|entry| entry.key == key);
    match found.map(|entry| &mut entry.node.value) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}
