//! Program files that a scenario names. `program.goal = "file"` becomes `program.text`, so that what is checked, run
//! and stored in a manifest is complete. Traces may be longer than memory: `program.chakra.traces` becomes the list of
//! their files, one by one, with paths from where the program runs.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::{Sources, beside};
use crate::diagnostic::RawDiagnostic;
use crate::tree::{TreeEntry, TreeNode, Value};

impl Sources {
    /// The tree in which the GOAL files that it names are replaced by their texts; and their errors.
    pub(crate) fn with_programs<'a>(&mut self, tree: Cow<'a, TreeNode>) -> (Cow<'a, TreeNode>, Vec<RawDiagnostic>) {
        let names = |program: &TreeNode| ["goal", "chakra", "moe"].iter().any(|key| program.get(key).is_some());
        let names_one = |entry: &TreeNode| entry.get("program").is_some_and(names);
        let Some(TreeNode { value: Value::List(entries), .. }) = tree.get("traffic") else { return (tree, Vec::new()) };
        if !entries.iter().any(names_one) {
            return (tree, Vec::new());
        }
        let mut diagnostics = Vec::new();
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
                            goal.node = TreeNode { value: Value::Text(source.text.clone()), place: Some(place) };
                        }
                        Err((fact, remedy)) => {
                            let (path, place) = (format!("traffic.{i}.program.goal"), goal.node.place.clone());
                            diagnostics.push(RawDiagnostic { path, place, fact, remedy });
                        }
                    }
                }
                if let Some(captured) = inner(&mut program.node, &["moe", "gate", "captured"]) {
                    for file in table(captured).iter_mut().filter(|key| key.key == "file") {
                        let path = format!("traffic.{i}.program.moe.gate.captured.file");
                        diagnostics.extend(self.place_file(&path, &mut file.node).err());
                    }
                }
                for chakra in table(&mut program.node).iter_mut().filter(|key| key.key == "chakra") {
                    for traces in table(&mut chakra.node).iter_mut().filter(|key| key.key == "traces") {
                        let path = format!("traffic.{i}.program.chakra.traces");
                        diagnostics.extend(self.list_traces(&path, &mut traces.node).err());
                    }
                }
            }
        }
        (Cow::Owned(whole), diagnostics)
    }

    /// Replaces the name of a file by its path from where the program runs.
    fn place_file(&self, path: &str, node: &mut TreeNode) -> Result<(), RawDiagnostic> {
        let Value::Text(file) = &node.value else { return Ok(()) };
        let folder = Path::new(self.name()).parent().unwrap_or(Path::new(""));
        let whole = folder.join(file);
        if !self.name().is_empty() {
            beside(folder, &whole, file, &whole.display().to_string()).map_err(|(fact, remedy)| {
                let place = node.place.clone();
                RawDiagnostic { path: path.to_owned(), place, fact, remedy }
            })?;
        }
        node.value = Value::Text(whole.to_string_lossy().into_owned());
        Ok(())
    }

    /// Replaces a list of traces and folders of traces by the files that it stands for.
    fn list_traces(&self, path: &str, list: &mut TreeNode) -> Result<(), RawDiagnostic> {
        let Value::List(items) = &mut list.value else { return Ok(()) };
        let folder = Path::new(self.name()).parent().unwrap_or(Path::new(""));
        let mut files = Vec::new();
        for item in items.iter() {
            // A value that is not a text is reported by the check of its shape.
            let Value::Text(file) = &item.value else { return Ok(()) };
            let whole = folder.join(file);
            let diagnostic = |(fact, remedy): (String, String)| {
                let place = item.place.clone();
                RawDiagnostic { path: path.to_owned(), place, fact, remedy }
            };
            if !self.name().is_empty() {
                beside(folder, &whole, file, &whole.display().to_string()).map_err(diagnostic)?;
            }
            let found = if whole.is_dir() { traces_in(&whole).map_err(diagnostic)? } else { vec![whole] };
            let place = item.place.clone();
            files.extend(found.into_iter().map(|file| TreeNode {
                value: Value::Text(file.to_string_lossy().into_owned()),
                place: place.clone(),
            }));
        }
        *items = files;
        Ok(())
    }
}

/// The traces in a folder, ordered by the ranks in their names, then by name.
fn traces_in(folder: &Path) -> Result<Vec<PathBuf>, (String, String)> {
    let name = folder.display();
    let unreadable = |_| (format!("the folder {name} cannot be read"), "name one that may be read".to_owned());
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plain = file.strip_suffix(".gz").unwrap_or(&file);
        if let Some(stem) = plain.strip_suffix(".et").or(plain.strip_suffix(".json")) {
            let rank = stem.rsplit('.').next().and_then(|rank| rank.parse::<u32>().ok());
            found.push((rank.is_none(), rank, file, path));
        }
    }
    found.sort();
    if let Some(two) = found.windows(2).find(|two| two[0].1.is_some() && two[0].1 == two[1].1) {
        let fact = format!("{name} has two traces of one rank: {} and {}", two[0].2, two[1].2);
        return Err((fact, "keep one of them".to_owned()));
    }
    let ranks = found.iter().filter_map(|one| one.1);
    if let Some((missing, _)) = (0..).zip(ranks).find(|(expected, rank)| expected != rank)
        && found.len() > 1
    {
        return Err((format!("{name} has no trace of rank {missing}"), "give one for each rank from 0 on".to_owned()));
    }
    match found.is_empty() {
        true => Err((format!("there is no trace in {name}"), "traces end in .et, .et.gz or .json".to_owned())),
        false => Ok(found.into_iter().map(|one| one.3).collect()),
    }
}

/// The table below a table at some keys, if it exists.
fn inner<'a>(node: &'a mut TreeNode, keys: &[&str]) -> Option<&'a mut TreeNode> {
    keys.iter()
        .try_fold(node, |node, key| table(node).iter_mut().find(|entry| entry.key == *key).map(|entry| &mut entry.node))
}

fn table(node: &mut TreeNode) -> &mut [TreeEntry] {
    match &mut node.value {
        Value::Table(entries) => entries,
        _ => &mut [],
    }
}

fn items<'a>(node: &'a mut TreeNode, key: &str) -> &'a mut [TreeNode] {
    let found = table(node).iter_mut().find(|entry| entry.key == key);
    match found.map(|entry| &mut entry.node.value) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}
