//! Diagnostics: what is wrong with a scenario, where, and what to do about it.

use std::fmt;
use std::ops::Range;

/// One error, described so that the author of the file can correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The topology file that it concerns; `None` if it concerns the scenario itself.
    pub file: Option<String>,
    /// Dotted path of the key, such as `traffic.0.arrivals.poisson.load`; empty for the file as a whole.
    pub path: String,
    /// Line in the file, from 1; `None` if the file was JSON or the key is not in it.
    pub line: Option<u32>,
    /// Column in the line, counted in characters from 1.
    pub column: Option<u32>,
    /// What is the case.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

/// A diagnostic as checks report it, at a range of bytes of the text that was read. `Sources::placed` makes it a
/// [`Diagnostic`] with file, line and column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RawDiagnostic {
    pub path: String,
    pub place: Option<Range<usize>>,
    pub fact: String,
    pub remedy: String,
}

/// All errors of a scenario, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// Name of the file, for printing.
    pub name: String,
    /// The diagnostics.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Sorted by position, without repetitions.
    pub(crate) fn sorted(mut self) -> Self {
        let place = |one: &Diagnostic| (one.file.clone(), one.line.unwrap_or(0), one.column.unwrap_or(0));
        self.list.sort_by_cached_key(place);
        self.list.dedup();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}", self.path)?;
        }
        for text in [&self.fact, &self.remedy].into_iter().filter(|text| !text.is_empty()) {
            write!(f, "\n  {text}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { "scenario" } else { &self.name };
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(diagnostic.file.as_deref().unwrap_or(name))?;
            if let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) {
                write!(f, ":{line}:{column}")?;
            }
            if !diagnostic.path.is_empty() {
                f.write_str("  ")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// Text in quotation marks, cut if it is long, without control characters.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(text, 40))
}

/// Text of at most so many characters, without control characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A name or key in backticks.
pub(crate) fn name(text: &str) -> String {
    let quoted = quoted(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// Names as an enumeration, at most a dozen of them.
pub(crate) fn listed<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
    if names.len() > 14 {
        let more = names.len() - 12;
        names.truncate(12);
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

/// Bytes in words, rounded to three digits.
pub(crate) fn binary(bytes: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, "B");
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if value < 1000.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
