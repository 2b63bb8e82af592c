//! Workload files: tables of sizes and lists of messages, beside a scenario.
//!
//! A scenario says `sizes.cdf = "my-sizes.txt"` or `list = "flows.csv"`, and the rows of that file replace its name
//! before anything is checked, as with a topology file. So a manifest is complete, and a diagnostic about a row gives
//! the line in the file.

use std::borrow::Cow;
use std::ops::Range;

use congestree_traffic::tables::{TABLES, table};

use crate::diagnostic::{RawDiagnostic, binary, listed, name as name_of, quoted};
use crate::needs::RAISE_THE_LIMIT;
use crate::needs::memory::WRITTEN;
use crate::sources::Sources;
use crate::tree::{TreeEntry, TreeNode, Value};

/// The header of every list of messages.
const HEADER: [&str; 4] = ["at", "from", "to", "message"];
/// Longer lists would not fit into a scenario.
const MOST_ROWS: usize = 1_000_000;

/// Fact and remedy.
type Fault = (String, String);
/// A row, or an error and its position.
type Rows = Result<Vec<TreeNode>, (Range<usize>, Fault)>;

impl Sources {
    /// The tree in which the workload files that it names are replaced by their rows; and their errors. Lists whose rows
    /// would take more than this much memory (B) are not read.
    pub(crate) fn with_workload_files<'a>(
        &mut self,
        tree: Cow<'a, TreeNode>,
        memory: u64,
    ) -> (Cow<'a, TreeNode>, Vec<RawDiagnostic>) {
        let (mut diagnostics, mut left) = (Vec::new(), memory);
        let Some(Value::List(entries)) = tree.get("traffic").map(|traffic| &traffic.value) else {
            return (tree, diagnostics);
        };
        let mut found = Vec::new();
        for at in 0..entries.len() {
            for (key, read) in [("sizes.cdf", cdf_rows as fn(&str, usize) -> Rows), ("list", list_rows)] {
                let path = format!("traffic.{at}.{key}");
                let node = path.split('.').try_fold(&*tree, |node, key| node.get(key));
                let Some(TreeNode { value: Value::Text(name), place }) = node else { continue };
                if key == "sizes.cdf" && table(name).is_some() {
                    continue;
                }
                match self.rows(name, key, read, &mut left) {
                    Ok(rows) => found.push((path, rows)),
                    Err((inside, (fact, remedy))) => {
                        diagnostics.push(RawDiagnostic { path, place: inside.or(place.clone()), fact, remedy });
                    }
                }
            }
        }
        if found.is_empty() {
            return (tree, diagnostics);
        }
        let mut whole = tree.into_owned();
        for (path, rows) in found {
            if let Some(node) = path.split('.').try_fold(&mut whole, |node, key| below(node, key)) {
                node.value = Value::List(rows);
            }
        }
        (Cow::Owned(whole), diagnostics)
    }

    fn rows(
        &mut self,
        file: &str,
        key: &str,
        read: fn(&str, usize) -> Rows,
        left: &mut u64,
    ) -> Result<Vec<TreeNode>, (Option<Range<usize>>, Fault)> {
        let known = TABLES.iter().map(|&(name, _)| name);
        let what = if key == "list" { "list of messages" } else { "table of sizes" };
        let (text, start) = self.text_beside(file, what).map_err(|(fact, remedy)| {
            let looks_like_a_name = key != "list" && !file.contains(['.', '/']);
            let remedy =
                if looks_like_a_name { format!("choose one of {}, or {remedy}", listed(known)) } else { remedy };
            (None, (fact, remedy))
        })?;
        let rows = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let bytes = WRITTEN * rows;
        if key == "list" && bytes > *left {
            let (bytes, left) = (binary(bytes), binary(*left));
            let fact =
                format!("a list of {rows} messages would take about {bytes} of memory, and the limit leaves {left}");
            return Err((None, (fact, format!("ask for less, or {RAISE_THE_LIMIT}"))));
        }
        *left -= if key == "list" { bytes } else { 0 };
        read(&text, start).map_err(|(place, fault)| (Some(place), fault))
    }
}

/// The rows of a published table, in the form of a scenario.
pub(crate) fn published(name: &str) -> Option<Vec<(f64, f64)>> {
    let rows = cdf_rows(table(name)?, 0).ok()?;
    let number = |row: &TreeNode, key: &str| match &row.get(key)?.value {
        Value::Float(share) => Some(*share),
        Value::Text(size) => size.strip_suffix(" B")?.parse().ok(),
        _ => None,
    };
    rows.iter().map(|row| Some((number(row, "size")?, number(row, "share")?))).collect()
}

fn below<'a>(node: &'a mut TreeNode, key: &str) -> Option<&'a mut TreeNode> {
    match &mut node.value {
        Value::Table(entries) => entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node),
        Value::List(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// Lines with content, with their positions: without empty lines, and without comments after `#`.
fn lines(text: &str, start: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = start;
    text.split('\n').filter_map(move |line| {
        let begin = at;
        at += line.len() + 1;
        let said = line.split('#').next().unwrap_or_default().trim();
        let begin = begin + line.find(said).unwrap_or(0);
        (!said.is_empty()).then_some((said, begin..begin + said.len()))
    })
}

fn row(place: &Range<usize>, values: impl IntoIterator<Item = (&'static str, Value)>) -> TreeNode {
    let node = |value| TreeNode { value, place: Some(place.clone()) };
    let entries = values.into_iter().map(|(key, value)| TreeEntry {
        key: key.to_owned(),
        place: Some(place.clone()),
        node: node(value),
    });
    node(Value::Table(entries.collect()))
}

/// The rows of a table of sizes: two columns, bytes and share, up to 1 or up to 100.
fn cdf_rows(text: &str, start: usize) -> Rows {
    let mut rows: Vec<(u64, f64, Range<usize>)> = Vec::new();
    for (line, place) in lines(text, start) {
        let columns: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c == ',').filter(|c| !c.is_empty()).collect();
        let pair = match columns[..] {
            [size, share] => whole(size).zip(share.parse::<f64>().ok().filter(|share| share.is_finite())),
            _ => None,
        };
        let Some((size, share)) = pair else {
            let remedy = "write a size in bytes and a share on every line, such as 1460 0.3".to_owned();
            return Err((place, (format!("{} is not a row of a table of sizes", quoted(line)), remedy)));
        };
        rows.push((size, share, place));
    }
    let Some(last) = rows.last().map(|&(_, share, _)| share) else {
        return Err((start..start, ("the table of sizes is empty".to_owned(), "name another file".to_owned())));
    };
    // Some simulators have tables in per cent.
    let unit = if last == 100.0 { 100.0 } else { 1.0 };
    let rows = rows.into_iter().map(|(size, share, place)| {
        row(&place, [("size", Value::Text(format!("{size} B"))), ("share", Value::Float(share / unit))])
    });
    Ok(rows.collect())
}

/// A whole number, also one written as 1e9 or 2920.0.
fn whole(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().or_else(|| {
        let number = text.parse::<f64>().ok()?;
        ((0.0..1e18).contains(&number) && number.fract() == 0.0).then_some(number as u64)
    })
}

/// The rows of a list of messages.
fn list_rows(text: &str, start: usize) -> Rows {
    let mut rows = Vec::new();
    let mut all = lines(text, start);
    let columns = |line: &str| line.split(',').map(|column| column.trim().to_owned()).collect::<Vec<String>>();
    let remedy = || format!("begin with the line {}", HEADER.join(","));
    match all.next() {
        Some((first, _)) if columns(first) == HEADER => {}
        Some((first, place)) => {
            return Err((place, (format!("a list of messages cannot begin with {}", quoted(first)), remedy())));
        }
        None => return Err((start..start, ("the list of messages is empty".to_owned(), remedy()))),
    }
    for (line, place) in all {
        let Ok([at, from, to, message]) = <[String; 4]>::try_from(columns(line)) else {
            let remedy = "write time, sending host, receiving host and size, such as 10 us, h0, h7, 64 KiB".to_owned();
            return Err((place, (format!("{} is no message", quoted(line)), remedy)));
        };
        if rows.len() == MOST_ROWS {
            let fact = format!("there are more than {MOST_ROWS} messages in one list");
            return Err((place, (fact, format!("spread them over several entries of {}", name_of("traffic")))));
        }
        let texts = [("at", at), ("from", from), ("to", to), ("message", message)];
        rows.push(row(&place, texts.map(|(key, text)| (key, Value::Text(text)))));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_tables_are_in_order_and_end_at_one() {
        for (name, _) in TABLES {
            let rows = published(name).unwrap_or_else(|| panic!("{name}"));
            assert!(rows.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1), "{name}");
            assert_eq!(rows.last().map(|row| row.1), Some(1.0), "{name}");
        }
    }

    #[test]
    fn shares_may_be_in_per_cent_and_sizes_with_an_exponent() {
        let rows = cdf_rows("# remark\n0 0\n1e3,25 # quarter\n\n2000\t100\n", 0).unwrap();
        let shown: Vec<_> = rows.iter().map(|row| format!("{:?}", row.get("share").unwrap().value)).collect();
        assert_eq!(shown, ["Float(0.0)", "Float(0.25)", "Float(1.0)"]);
        assert_eq!(rows[1].place, Some(13..19));
    }
}
