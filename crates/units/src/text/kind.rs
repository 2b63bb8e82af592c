//! The three kinds of quantities with their units, and how a text becomes a number of base units and is printed again.

use super::misread::{Misread, quoted};

/// A kind of quantity: its name and its units.
pub(super) struct QuantityKind {
    /// Its name with an article, for messages.
    pub(super) noun: &'static str,
    /// An example of a value.
    pub(super) example: &'static str,
    /// The name of one base unit.
    pub(super) base: &'static str,
    /// Spellings of units and their worth in base units.
    pub(super) units: &'static [(&'static str, u64)],
    /// Units for printing, largest first.
    printed: &'static [(&'static str, u64)],
    /// The unit in which zero is printed.
    zero: &'static str,
    /// Print `1.5 us` (true) or `1536 B` (false) when no large unit goes into the value.
    decimals: bool,
}

pub(super) const SPAN: QuantityKind = QuantityKind {
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

pub(super) const SIZE: QuantityKind = QuantityKind {
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

pub(super) const RATE: QuantityKind = QuantityKind {
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

impl QuantityKind {
    pub(super) fn parse(&self, text: &str) -> Result<u64, Misread> {
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

    pub(super) fn print(&self, value: u64) -> String {
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
    pub(super) fn pattern(&self) -> String {
        let names: Vec<_> = self.units.iter().map(|&(name, _)| name).collect();
        format!("^ *[0-9]+(\\.[0-9]+)? *({}) *$", names.join("|"))
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
