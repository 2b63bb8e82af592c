//! Quantities as people write them: a number, a space if they like, and a unit.
//!
//! `"1.5 us"`, `"2 KiB"`, `"20 Gbit/s"`, `"1 GB/s"`. Decimals are read exactly, without floating point: what cannot
//! be held in whole picoseconds, bytes or bits per second is refused, and so is a number without a unit.
//! Printing is the inverse of reading: `parse(print(x)) == x`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Bytes, Rate, Span, Time};

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

/// Reads a length of time: `"40 ns"`, `"1.5us"`.
pub fn parse_span(text: &str) -> Result<Span, Misread> {
    SPAN.parse(text).map(Span)
}

/// Reads an instant, as a length of time since the start of the run.
pub fn parse_time(text: &str) -> Result<Time, Misread> {
    SPAN.parse(text).map(Time)
}

/// Reads a size: `"64 KiB"`, `"20 B"`. `kB` is 1000 bytes, `KiB` is 1024.
pub fn parse_bytes(text: &str) -> Result<Bytes, Misread> {
    SIZE.parse(text).map(Bytes)
}

/// Reads a rate: `"20 Gbit/s"`, `"100Gbps"`, `"1 GB/s"` (8 Gbit/s).
pub fn parse_rate(text: &str) -> Result<Rate, Misread> {
    RATE.parse(text).map(Rate)
}

/// A kind of quantity: its name and its units.
struct Kind {
    /// Its name with an article, for messages.
    noun: &'static str,
    /// An example of a value.
    example: &'static str,
    /// The name of one base unit.
    base: &'static str,
    /// Spellings of units and their worth in base units.
    units: &'static [(&'static str, u64)],
    /// Units for printing, largest first.
    printed: &'static [(&'static str, u64)],
    /// The unit in which zero is printed.
    zero: &'static str,
    /// Print `1.5 us` (true) or `1536 B` (false) when no large unit goes into the value.
    decimals: bool,
}

const SPAN: Kind = Kind {
    noun: "a length of time",
    example: "150 us",
    base: "picosecond",
    units: &[
        ("ps", 1),
        ("ns", 1_000),
        ("us", 1_000_000),
        ("µs", 1_000_000), // micro sign
        ("μs", 1_000_000), // Greek letter mu
        ("ms", 1_000_000_000),
        ("s", 1_000_000_000_000),
    ],
    printed: &[("s", 1_000_000_000_000), ("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000), ("ps", 1)],
    zero: "ns",
    decimals: true,
};

const SIZE: Kind = Kind {
    noun: "a size",
    example: "64 KiB",
    base: "byte",
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ],
    printed: &[
        ("GiB", 1 << 30),
        ("GB", 1_000_000_000),
        ("MiB", 1 << 20),
        ("MB", 1_000_000),
        ("KiB", 1 << 10),
        ("kB", 1_000),
        ("B", 1),
    ],
    zero: "B",
    decimals: false,
};

const RATE: Kind = Kind {
    noun: "a rate",
    example: "20 Gbit/s",
    base: "bit per second",
    units: &[
        ("bit/s", 1),
        ("kbit/s", 1_000),
        ("Mbit/s", 1_000_000),
        ("Gbit/s", 1_000_000_000),
        ("Tbit/s", 1_000_000_000_000),
        ("bps", 1),
        ("kbps", 1_000),
        ("Mbps", 1_000_000),
        ("Gbps", 1_000_000_000),
        ("Tbps", 1_000_000_000_000),
        ("B/s", 8),
        ("kB/s", 8_000),
        ("MB/s", 8_000_000),
        ("GB/s", 8_000_000_000),
    ],
    printed: &[
        ("Tbit/s", 1_000_000_000_000),
        ("Gbit/s", 1_000_000_000),
        ("Mbit/s", 1_000_000),
        ("kbit/s", 1_000),
        ("bit/s", 1),
    ],
    zero: "bit/s",
    decimals: true,
};

impl Kind {
    fn parse(&self, text: &str) -> Result<u64, Misread> {
        let trimmed = text.trim();
        let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
        let (number, unit) = (&trimmed[..end], trimmed[end..].trim_start());
        if number.is_empty() || !number.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.unexpected(text, self.why_not_a_number(trimmed)));
        }
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.contains('.') || number.ends_with('.') {
            return Err(self.unexpected(text, "write digits, at most one point, and digits after it".into()));
        }
        if unit.is_empty() {
            return Err(Misread {
                fact: format!("{} needs a unit, found {}", self.noun, quoted(trimmed)),
                remedy: format!("write for example {}; units are {}", quoted(self.example), self.unit_list()),
            });
        }
        let Some(&(_, worth)) = self.units.iter().find(|(name, _)| *name == unit) else {
            return Err(self.unexpected(text, self.which_unit(number, unit)));
        };
        self.exact(whole, fraction.trim_end_matches('0'), worth, text)
    }

    /// `whole.fraction` times `worth`, if that is a whole number that fits.
    fn exact(&self, whole: &str, fraction: &str, worth: u64, text: &str) -> Result<u64, Misread> {
        let too_large = || {
            let limit = if self.decimals { self.print(u64::MAX) } else { "16 EiB".to_owned() };
            Misread {
                fact: format!("{} is too large to count in {}s", quoted(text), self.base),
                remedy: format!("stay below {limit}"),
            }
        };
        let too_fine = || Misread {
            fact: format!("{} is not a whole number of {}s", quoted(text), self.base),
            remedy: format!("use fewer digits after the point; the {} is the smallest step", self.base),
        };
        let digits = |s: &str| s.bytes().try_fold(0u128, |n, d| n.checked_mul(10)?.checked_add(u128::from(d - b'0')));
        let whole = digits(whole).and_then(|n| n.checked_mul(u128::from(worth))).ok_or_else(too_large)?;
        // One byte is 2^-30 GiB, which has thirty digits; no unit needs more.
        if fraction.len() > 30 {
            return Err(too_fine());
        }
        let (part, scale) = (digits(fraction).ok_or_else(too_fine)?, 10u128.pow(fraction.len() as u32));
        let shared = gcd(part, scale);
        let (part, scale) = (part / shared, scale / shared);
        if u128::from(worth) % scale != 0 {
            return Err(too_fine());
        }
        // part < scale <= worth, so the product stays below worth².
        let value = whole.checked_add(part * (u128::from(worth) / scale)).ok_or_else(too_large)?;
        u64::try_from(value).map_err(|_| too_large())
    }

    fn unexpected(&self, text: &str, remedy: String) -> Misread {
        Misread {
            fact: format!("expected {} such as {}, found {}", self.noun, quoted(self.example), quoted(text)),
            remedy,
        }
    }

    fn why_not_a_number(&self, text: &str) -> String {
        match text.chars().next() {
            Some('-') => format!("{} cannot be negative", self.noun),
            Some('.') => "write a zero before the point".into(),
            _ => "write a number and a unit".into(),
        }
    }

    fn which_unit(&self, number: &str, unit: &str) -> String {
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

    fn unit_list(&self) -> String {
        let names: Vec<_> = self.units.iter().map(|&(name, _)| name).filter(|name| name.is_ascii()).collect();
        names.join(", ")
    }

    fn print(&self, value: u64) -> String {
        if value == 0 {
            return format!("0 {}", self.zero);
        }
        let fits =
            |&&(_, worth): &&(&str, u64)| if self.decimals { value >= worth } else { value.is_multiple_of(worth) };
        // The last printed unit is the base unit, which always fits.
        let &(unit, worth) = self.printed.iter().find(fits).unwrap_or(&(self.zero, 1));
        let (whole, rest) = (value / worth, value % worth);
        if rest == 0 {
            return format!("{whole} {unit}");
        }
        let width = worth.ilog10() as usize;
        let rest = format!("{rest:0width$}");
        format!("{whole}.{} {unit}", rest.trim_end_matches('0'))
    }

    /// A regular expression with which an editor can check a value.
    fn pattern(&self) -> String {
        let names: Vec<_> = self.units.iter().map(|&(name, _)| name).collect();
        format!("^ *[0-9]+(\\.[0-9]+)? *({}) *$", names.join("|"))
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
fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{short}\"")
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The traits that let a quantity be printed, read from a file, written to one, and described in a schema.
macro_rules! written_as_text {
    ($type:ident, $kind:ident, $parse:ident, $format:literal) => {
        impl std::str::FromStr for $type {
            type Err = Misread;
            fn from_str(text: &str) -> Result<Self, Misread> {
                $parse(text)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$kind.print(self.0))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $parse(&Cow::<str>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": $format, "pattern": $kind.pattern() })
            }
        }
    };
}

written_as_text!(Span, SPAN, parse_span, "duration");
written_as_text!(Time, SPAN, parse_time, "duration");
written_as_text!(Bytes, SIZE, parse_bytes, "size");
written_as_text!(Rate, RATE, parse_rate, "rate");

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&SPAN.print(self.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&SPAN.print(self.0))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&SIZE.print(self.0))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&RATE.print(self.0))
    }
}

#[cfg(test)]
mod tests;
