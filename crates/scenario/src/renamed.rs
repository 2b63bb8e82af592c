//! Names that have changed: older names that a scenario, or a reader of tables, may use for one more release.
//!
//! There is one list. Keys and words of scenarios are replaced in the tree, before anything is checked, so that no
//! other module knows an older name; names of tables and columns are for Python, which reads this list from the engine.

use std::borrow::Cow;

use serde::Serialize;

use crate::diagnostic::{RawDiagnostic, name as name_of};
use crate::shape::joined;
use crate::tree::{TreeEntry, TreeNode, Value};

/// A name that has changed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Renamed {
    /// The kind of thing that has the name.
    pub what: RenamedKind,
    /// Place of the name: the path of the table that contains the key, or of the key that has the word (`*`: any entry
    /// of a list), or the result table that contains the column, or the function that returns the fact.
    pub place: &'static str,
    /// The older name.
    pub old: &'static str,
    /// The current name. That of a key may contain dots: the key was moved into a table.
    pub new: &'static str,
    /// The first release that does not accept the older name.
    pub gone_in: &'static str,
}

/// The kinds of things whose names have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RenamedKind {
    /// A key of a scenario.
    Key,
    /// A word that is the value of a key.
    Word,
    /// A result table.
    Table,
    /// A column of a result table.
    Column,
    /// A row of the table `summary`.
    Row,
    /// A key of the dict that a Python function returns.
    Fact,
}

const fn of(what: RenamedKind, place: &'static str, old: &'static str, new: &'static str) -> Renamed {
    Renamed { what, place, old, new, gone_in: "0.2.0" }
}

const fn key(place: &'static str, old: &'static str, new: &'static str) -> Renamed {
    of(RenamedKind::Key, place, old, new)
}

const fn word(place: &'static str, old: &'static str, new: &'static str) -> Renamed {
    of(RenamedKind::Word, place, old, new)
}

const fn column(table: &'static str, old: &'static str, new: &'static str) -> Renamed {
    of(RenamedKind::Column, table, old, new)
}

/// All names that have changed; places are written with current names, so a table comes before its content.
pub const RENAMED: &[Renamed] = &[
    key("measure", "look_every", "sampling_interval"),
    key("measure", "watchdog", "deadlock_timeout"),
    word("measure.probes.*", "behind", "hol-blocking"),
    word("measure.probes.*", "gates", "injection-audit"),
    key("links.flow_control.pfc", "lasts", "pause_duration"),
    word("links.flow_control.pfc.pause_duration", "until-told", "until-xon"),
    key("adapters.acks", "after", "flush"),
    key("scheme", "rcm", "schedule.rcm"),
    key("scheme.schedule.rcm", "watch", "sampled_queues"),
    key("scheme.schedule.rcm", "calm_looks", "calm_samples"),
    key("scheme.schedule.rcm", "flow_looks", "flow_sampling"),
    word("scheme.schedule.rcm.flow_entries", "one-a-look", "one-a-sample"),
    key("scheme.schedule.rcm", "held", "pacing"),
    key("scheme.schedule.rcm", "measured", "windows_measured"),
    word("scheme.schedule.rcm.windows_measured", "then", "from-onset"),
    of(RenamedKind::Table, "", "behind", "hol_blocking"),
    of(RenamedKind::Table, "", "gates", "injection_audit"),
    of(RenamedKind::Row, "summary", "lacking", "queues_exhausted"),
    column("completions", "start", "created"),
    column("completions", "finish", "finished"),
    column("detections", "theirs", "for_output"),
    column("detections", "asking", "requesting"),
    column("faults", "begin", "started"),
    column("faults", "end", "finished"),
    column("hol_blocking", "front", "blocked_by"),
    column("input_queue_series", "input", "input_port"),
    column("input_queue_series", "output", "output_port"),
    column("isolation_series", "full", "exhausted"),
    column("isolation_series", "taken", "allocated"),
    column("isolation_series", "most_full", "most_exhausted"),
    column("pauses", "what", "event"),
    column("regions", "port", "output"),
    column("regions", "part", "role"),
    column("regions", "own", "local_degree"),
    column("regions", "told", "remote_degree"),
    column("region_windows", "port", "output"),
    column("region_windows", "lasts", "time_limit"),
    column("region_windows", "before", "previous"),
    column("region_flows", "port", "output"),
    column("region_flows", "looked", "sampled"),
    column("steps", "begun", "started"),
    column("transport", "measured", "round_trip"),
    column("transport", "predicted", "predicted_round_trip"),
    column("trees", "held", "held_links"),
    column("tree_losses", "between", "held_by_trees"),
    column("tree_losses", "inside", "held_in_switch"),
    of(RenamedKind::Fact, "trees.summary", "looks", "samples"),
];

impl Renamed {
    fn notice(&self, path: &str) -> RawDiagnostic {
        let old = joined(path, self.old);
        let (old, new) = match self.what {
            RenamedKind::Word => (path.to_owned(), self.new.to_owned()),
            _ => (old, joined(path, self.new)),
        };
        RawDiagnostic {
            path: old,
            place: None,
            fact: format!("{} is an older name", name_of(self.old)),
            remedy: format!("write {}: the older name goes in release {}", name_of(&new), self.gone_in),
        }
    }
}

/// The older names that were found and replaced.
#[derive(Default)]
pub(crate) struct Found {
    /// Diagnostics about older names, which still work.
    pub notices: Vec<RawDiagnostic>,
    /// Errors: older names that are used together with the current ones.
    pub clashes: Vec<RawDiagnostic>,
}

/// Names of keys and words in scenarios.
fn of_scenarios() -> impl Iterator<Item = &'static Renamed> {
    RENAMED.iter().filter(|renamed| matches!(renamed.what, RenamedKind::Key | RenamedKind::Word))
}

/// Whether an older name may be in the text of a scenario; it is quicker to look for them than to read it.
pub(crate) fn may_be_in(text: &str) -> bool {
    of_scenarios().any(|renamed| text.contains(renamed.old))
}

/// Replaces older names by the current ones.
pub(crate) fn renew(tree: &mut TreeNode) -> Found {
    let mut found = Found::default();
    for renamed in of_scenarios() {
        renew_below(tree, renamed.place, "", renamed, &mut found);
    }
    found
}

/// Follows the rest of the path of a name, and replaces it there.
fn renew_below(node: &mut TreeNode, rest: &str, path: &str, renamed: &Renamed, found: &mut Found) {
    if rest.is_empty() {
        match renamed.what {
            RenamedKind::Word => renew_word(node, path, renamed, found),
            _ => renew_key(node, path, renamed, found),
        }
        return;
    }
    let (step, rest) = rest.split_once('.').unwrap_or((rest, ""));
    match &mut node.value {
        Value::Table(entries) => {
            for entry in entries.iter_mut().filter(|entry| entry.key == step) {
                renew_below(&mut entry.node, rest, &joined(path, step), renamed, found);
            }
        }
        Value::List(items) if step == "*" => {
            for (i, item) in items.iter_mut().enumerate() {
                renew_below(item, rest, &joined(path, &i.to_string()), renamed, found);
            }
        }
        _ => {}
    }
}

fn renew_key(node: &mut TreeNode, path: &str, renamed: &Renamed, found: &mut Found) {
    let Value::Table(entries) = &mut node.value else { return };
    let Some(at) = entries.iter().position(|entry| entry.key == renamed.old) else { return };
    let mut entry = entries.remove(at);
    if matches!(entry.node.value, Value::Null) {
        return;
    }
    let place = entry.place.clone();
    let (outer, inner) = renamed.new.split_once('.').unwrap_or((renamed.new, ""));
    let taken = |other: &TreeEntry| other.key == outer && !matches!(other.node.value, Value::Null);
    if entries.iter().any(taken) {
        let fact = format!("{} is the older name of {}, and both are here", name_of(renamed.old), name_of(renamed.new));
        let path = joined(path, renamed.old);
        found.clashes.push(RawDiagnostic { path, place, fact, remedy: "leave out one of them".into() });
        return;
    }
    found.notices.push(RawDiagnostic { place: place.clone(), ..renamed.notice(path) });
    for key in inner.rsplit('.').filter(|key| !key.is_empty()) {
        let around = entry.node.place.clone();
        let within = TreeEntry { key: key.to_owned(), place: place.clone(), node: entry.node };
        entry.node = TreeNode { value: Value::Table(vec![within]), place: around };
    }
    entry.key = outer.to_owned();
    entries.retain(|other| other.key != outer);
    entries.insert(at.min(entries.len()), entry);
}

/// A choice is a bare word, or a table with that name.
fn renew_word(node: &mut TreeNode, path: &str, renamed: &Renamed, found: &mut Found) {
    let word = match &mut node.value {
        Value::Text(text) if text == renamed.old => text,
        Value::Table(entries) if entries.len() == 1 && entries[0].key == renamed.old => &mut entries[0].key,
        _ => return,
    };
    renamed.new.clone_into(word);
    found.notices.push(RawDiagnostic { place: node.place.clone(), ..renamed.notice(path) });
}

/// A dotted path with current names, and what to report about it if it had older ones.
pub(crate) fn renew_path(path: &str) -> (Cow<'_, str>, Vec<RawDiagnostic>) {
    let (mut path, mut notices) = (Cow::Borrowed(path), Vec::new());
    for renamed in of_scenarios() {
        let rest = path.strip_prefix(&joined(renamed.place, renamed.old)).map(str::to_owned);
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
            notices.push(renamed.notice(renamed.place));
            path = Cow::Owned(joined(renamed.place, renamed.new) + &rest);
        }
    }
    (path, notices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, tree};

    fn renewed(text: &str) -> (TreeNode, Found) {
        let mut tree = tree::parse(text, Format::Toml).unwrap();
        let found = renew(&mut tree);
        (tree, found)
    }

    #[test]
    fn keys_and_words_get_the_names_of_today_and_keep_their_places() {
        let (tree, found) = renewed(
            "[measure]\nlook_every = \"1 us\"\nprobes = [\"flows\", \"gates\"]\n[scheme.rcm]\nflow_looks = 1\n",
        );
        assert!(tree.has("measure.sampling_interval") && !tree.has("measure.look_every"));
        assert!(matches!(&tree.get("measure").unwrap().get("probes").unwrap().get("1").unwrap().value,
            Value::Text(word) if word == "injection-audit"));
        assert!(tree.has("scheme.schedule.rcm.flow_sampling"));
        let paths: Vec<&str> = found.notices.iter().map(|notice| notice.path.as_str()).collect();
        assert_eq!(paths, ["measure.look_every", "measure.probes.1", "scheme.rcm", "scheme.schedule.rcm.flow_looks"]);
        assert!(found.notices.iter().all(|notice| notice.place.is_some()));
    }

    #[test]
    fn a_name_beside_its_older_one_is_a_clash() {
        let (_, found) = renewed("[measure]\nlook_every = \"1 us\"\nsampling_interval = \"2 us\"\n");
        assert_eq!((found.notices.len(), found.clashes.len()), (0, 1));
    }

    #[test]
    fn paths_are_renewed_to_their_end() {
        assert_eq!(renew_path("scheme.rcm.calm_looks").0, "scheme.schedule.rcm.calm_samples");
        assert_eq!(renew_path("measure.watchdog").0, "measure.deadlock_timeout");
        assert_eq!(renew_path("adapters.acks.after").0, "adapters.acks.flush");
        assert_eq!(
            renew_path("links.flow_control.pfc.lasts.until-told").0,
            "links.flow_control.pfc.pause_duration.until-xon"
        );
        assert!(renew_path("measure.watchdogs").1.is_empty());
    }

    #[test]
    fn nobody_has_two_names_and_no_name_of_today_is_an_older_one() {
        for (i, one) in RENAMED.iter().enumerate() {
            for other in &RENAMED[..i] {
                let same = one.what == other.what && one.place == other.place;
                assert!(!same || (one.old != other.old && one.new != other.new && one.old != other.new), "{one:?}");
            }
        }
    }
}
