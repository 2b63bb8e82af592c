//! The texts that a scenario is made of: its own file, and the topology, GOAL and workload files that it may refer to.
//!
//! A scenario says `topology.file = "fabric.toml"`, and the `topology` (and `routing`) of that file replace the key
//! before anything is checked. Such a file is a scenario without everything else, so that it can be shared by many
//! scenarios, and swept over. Positions in it are distinguished from those in the scenario by an offset: each text
//! begins where the one before ends, so that every diagnostic knows its file.

mod programs;

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use crate::Format;
use crate::diagnostic::{Diagnostic, RawDiagnostic, listed, name as name_of};
use crate::tree::{self, TreeEntry, TreeNode, Value, line_and_column};

/// The texts read so far; the scenario's own is the first.
pub(crate) struct Sources {
    texts: Vec<Source>,
}

struct Source {
    /// Path of the file, for messages.
    name: String,
    text: String,
    /// Offset of the positions in this text from those in the scenario.
    start: usize,
    /// The parsed content; that of the scenario itself is not kept.
    tree: Option<TreeNode>,
}

/// The largest file that a scenario may refer to (B).
const LARGEST: u64 = 1 << 30;

/// The keys allowed in a topology file.
const KEYS: [&str; 4] = ["name", "description", "topology", "routing"];

impl Sources {
    /// The text of a scenario alone.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { texts: vec![Source { name: name.to_owned(), text: text.to_owned(), start: 0, tree: None }] }
    }

    /// The name of the scenario's own file.
    pub(crate) fn name(&self) -> &str {
        &self.texts[0].name
    }

    /// The diagnostic with file, line and column in place of a range of bytes.
    pub(crate) fn placed(&self, diagnostic: RawDiagnostic) -> Diagnostic {
        let RawDiagnostic { path, place, fact, remedy } = diagnostic;
        let at = place.map(|place| self.line_and_column(place.start));
        let file = at.and_then(|(source, ..)| (source > 0).then(|| self.texts[source].name.clone()));
        Diagnostic {
            file,
            path,
            line: at.map(|(_, line, _)| line),
            column: at.map(|(.., column)| column),
            fact,
            remedy,
        }
    }

    /// The file of a position, and its line and column there.
    fn line_and_column(&self, place: usize) -> (usize, u32, u32) {
        let at = self.at(place);
        let source = &self.texts[at];
        let (line, column) = line_and_column(&source.text, place - source.start);
        (at, line, column)
    }

    fn at(&self, place: usize) -> usize {
        self.texts.partition_point(|source| source.start <= place).max(1) - 1
    }

    /// The tree in which the topology file that it names is replaced by its content; and the errors of that file.
    pub(crate) fn with_topology_file<'a>(&mut self, tree: &'a TreeNode) -> (Cow<'a, TreeNode>, Vec<RawDiagnostic>) {
        let Some(reference) = tree.get("topology").and_then(|topology| topology.get("file")) else {
            return (Cow::Borrowed(tree), Vec::new());
        };
        let Value::Text(file) = &reference.value else { return (Cow::Borrowed(tree), Vec::new()) };
        let found = match self.load(file) {
            Ok(found) => &self.texts[found],
            Err((fact, remedy)) => {
                let (path, place) = ("topology.file".into(), reference.place.clone());
                return (Cow::Borrowed(tree), vec![RawDiagnostic { path, place, fact, remedy }]);
            }
        };
        let mut diagnostics = Vec::new();
        let mut whole = tree.clone();
        if let (Value::Table(entries), Some(Value::Table(said))) =
            (&mut whole.value, found.tree.as_ref().map(|t| &t.value))
        {
            for entry in said {
                match entry.key.as_str() {
                    "topology" if entry.node.get("file").is_some() => diagnostics.push(RawDiagnostic {
                        path: "topology.file".into(),
                        place: entry.place.clone().or(reference.place.clone()),
                        fact: "a topology file refers to another one".into(),
                        remedy: "write the topology itself here".into(),
                    }),
                    "topology" => {
                        entries.iter_mut().filter(|own| own.key == "topology").for_each(|own| *own = entry.clone())
                    }
                    "routing" if !tree.has("routing") => entries.push(entry.clone()),
                    key if KEYS.contains(&key) => {}
                    key => diagnostics.push(RawDiagnostic {
                        path: key.to_owned(),
                        place: entry.place.clone().or(reference.place.clone()),
                        fact: format!("there is no key {} in a topology file", name_of(key)),
                        remedy: format!(
                            "move it to the scenario, or import the fabric with --topology-only; keys here are {}",
                            listed(KEYS)
                        ),
                    }),
                }
            }
            if !said.iter().any(|entry| entry.key == "topology") {
                diagnostics.push(RawDiagnostic {
                    path: "topology.file".into(),
                    place: reference.place.clone(),
                    fact: format!("{} says no topology", found.name),
                    remedy: "write one into it, such as [topology.graph], or name another file".into(),
                });
            }
        }
        (Cow::Owned(whole), diagnostics)
    }

    /// Reads a topology file, once; returns its position among the texts, or fact and remedy.
    fn load(&mut self, file: &str) -> Result<usize, (String, String)> {
        let found = self.load_text(file, "topology file")?;
        let source = &self.texts[found];
        if source.tree.is_some() {
            return Ok(found);
        }
        let name = &source.name;
        let is_json = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let format = if is_json { Format::Json } else { Format::Toml };
        let mut tree = tree::parse(&source.text, format).map_err(|diagnostic| {
            let place = match (diagnostic.line, diagnostic.column) {
                (Some(line), Some(column)) => format!("{name}:{line}:{column}"),
                _ => name.clone(),
            };
            let remedy = if diagnostic.remedy.is_empty() { "correct it there".into() } else { diagnostic.remedy };
            (format!("{place} cannot be read: {}", diagnostic.fact), remedy)
        })?;
        shift(&mut tree, source.start);
        self.texts[found].tree = Some(tree);
        Ok(found)
    }

    /// Reads a file beside the scenario, once; returns its position among the texts, or fact and remedy.
    fn load_text(&mut self, file: &str, what: &str) -> Result<usize, (String, String)> {
        let folder = Path::new(self.name()).parent().unwrap_or(Path::new(""));
        let path = folder.join(file);
        let name = path.display().to_string();
        if let Some(known) = self.texts.iter().skip(1).position(|source| source.name == name) {
            return Ok(known + 1);
        }
        // A scenario built in memory may name any file; one that is read names those beside it.
        if !self.name().is_empty() {
            beside(folder, &path, file, &name)?;
        }
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                (format!("there is no file {name}"), "name a file relative to the folder of the scenario".to_owned())
            }
            ErrorKind::InvalidData => (format!("{name} is not a text file in UTF-8"), format!("name a {what}")),
            _ => (format!("{name} cannot be read"), format!("name a {what} that may be read")),
        })?;
        // A byte order mark, which editors and spreadsheets of Windows write, is no text.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let start = self.texts.last().map_or(0, |last| last.start + last.text.len() + 1);
        self.texts.push(Source { name, text, start, tree: None });
        Ok(self.texts.len() - 1)
    }

    /// The text of a file beside the scenario and where its places begin, or fact and remedy.
    pub(crate) fn text_beside(&mut self, file: &str, what: &str) -> Result<(String, usize), (String, String)> {
        let found = self.load_text(file, what)?;
        Ok((self.texts[found].text.clone(), self.texts[found].start))
    }
}

/// Refuses files outside this folder, and those that are too large: a scenario from elsewhere is data, and must read
/// neither files that its user did not intend nor endless ones.
fn beside(folder: &Path, path: &Path, file: &str, name: &str) -> Result<(), (String, String)> {
    let remedy = || "put it into the folder of the scenario, or into one below".to_owned();
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(file).components().all(inside) {
        return Err((format!("{file} is a file outside the folder of the scenario"), remedy()));
    }
    // Missing files are reported when they are opened.
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(here), Ok(there), Ok(facts)) = (here.canonicalize(), path.canonicalize(), path.metadata()) else {
        return Ok(());
    };
    if !there.starts_with(&here) {
        return Err((format!("{name} is a link to a file outside the folder of the scenario"), remedy()));
    }
    if facts.is_file() && facts.len() > LARGEST {
        let fact = format!("{name} has {} bytes, more than any file of a scenario needs", facts.len());
        return Err((fact, format!("make it smaller than {LARGEST} bytes")));
    }
    if !facts.is_file() && !facts.is_dir() {
        return Err((format!("{name} is a device or a pipe, not a file"), "name a file".to_owned()));
    }
    Ok(())
}

/// Shifts all positions of a tree.
fn shift(node: &mut TreeNode, by: usize) {
    let move_place = |place: &mut Option<std::ops::Range<usize>>| {
        if let Some(place) = place {
            *place = place.start + by..place.end + by;
        }
    };
    move_place(&mut node.place);
    match &mut node.value {
        Value::Table(entries) => entries.iter_mut().for_each(|TreeEntry { place, node, .. }| {
            move_place(place);
            shift(node, by);
        }),
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, by)),
        _ => {}
    }
}
