//! Why a text is not a quantity: what was expected, what was found, and which unit was meant.

use std::fmt;

use super::kind::{QuantityKind, RATE};

/// Why a text is not a quantity, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// What was expected and what was found.
    pub fact: String,
    /// What to do about it; may be empty if the fact says it all.
    pub remedy: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.remedy.is_empty() { f.write_str(&self.fact) } else { write!(f, "{}; {}", self.fact, self.remedy) }
    }
}

impl std::error::Error for Misread {}

impl QuantityKind {
    pub(super) fn unexpected(&self, text: &str, remedy: String) -> Misread {
        Misread {
            fact: format!("expected {} such as {}, found {}", self.noun, quoted(self.example), quoted(text)),
            remedy,
        }
    }

    pub(super) fn why_not_a_number(&self, text: &str) -> String {
        match text.chars().next() {
            Some('-') => format!("{} cannot be negative", self.noun),
            Some('.') => "write a zero before the point".into(),
            _ => "write a number and a unit".into(),
        }
    }

    pub(super) fn which_unit(&self, number: &str, unit: &str) -> String {
        if is_exponent(unit) {
            return format!("write the number out, without an exponent; units are {}", self.unit_list());
        }
        let same = |s: &str| s.eq_ignore_ascii_case(unit);
        let mut near: Vec<_> = self.units.iter().filter(|(name, _)| same(name)).map(|&(name, _)| name).collect();
        if unit.eq_ignore_ascii_case("kb") && self.base == "byte" {
            near = vec!["kB", "KiB"];
        }
        if let Some(bits) = (self.base == RATE.base).then(|| bits_meant(unit)).flatten() {
            // A small b means bits; with a small g before it, it may be bytes in the wrong case as well.
            near.retain(|_| unit.starts_with(|c: char| c.is_ascii_lowercase()));
            near.insert(0, bits);
        }
        if near.is_empty() {
            return format!("units are {}", self.unit_list());
        }
        let near: Vec<_> = near.iter().map(|name| quoted(&format!("{number} {name}"))).collect();
        format!("did you mean {}?", near.join(" or "))
    }

    pub(super) fn unit_list(&self) -> String {
        let names: Vec<_> = self.units.iter().map(|&(name, _)| name).filter(|name| name.is_ascii()).collect();
        names.join(", ")
    }
}

/// What follows a number begins with an exponent, as in "e9 s".
fn is_exponent(rest: &str) -> bool {
    let power = rest.strip_prefix(['e', 'E']).unwrap_or("");
    power.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())
}

/// The unit of rate that is meant by "Gb/s", "Gbit" or "G".
fn bits_meant(unit: &str) -> Option<&'static str> {
    let (prefix, rest) = match unit.chars().next()? {
        first @ ('k' | 'K' | 'm' | 'M' | 'g' | 'G' | 't' | 'T') => (first.to_ascii_lowercase(), &unit[1..]),
        _ => (' ', unit),
    };
    let known = ["b/s", "b/sec", "bit", "bits", "bit/sec", "bits/s", "b", ""];
    known.contains(&rest).then_some(match prefix {
        'k' => "kbit/s",
        'm' => "Mbit/s",
        'g' => "Gbit/s",
        't' => "Tbit/s",
        _ => "bit/s",
    })
}

/// Text in quotation marks, cut if it is long, without control characters.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{short}\"")
}
