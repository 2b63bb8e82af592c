//! Congestion control tables: the idle time after a packet, by index.
//!
//! On the wire an entry has 16 bits: a shift in the upper two and a multiplier in the lower fourteen; the idle time is
//! (packet time >> shift) x multiplier, so a source at that entry keeps 1/(1 + multiplier/2^shift) of its rate. Papers
//! give formulas instead: CCT[i] = 7 us (i/106)^2 (Gran, Paper III, section VII.B).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use congestree_units::Span;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::check::Diagnostics;
use crate::host::react::Sent;

/// Idle times above this are certainly an error.
const LONGEST_IDLE: Span = Span::from_ms(1_000_000);

/// The idle times of a congestion control table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CctTable {
    /// CCT[i] = delay (i/at)^2.
    Quadratic(Curve),
    /// CCT[i] = delay i/at.
    Linear(Curve),
    /// Idle times after a full packet, from index 0 on.
    Delays(Vec<Span>),
    /// Entries as on the wire, "shift:multiplier", from index 0 on.
    Encoded(Vec<Code>),
}

impl Default for CctTable {
    fn default() -> Self {
        CctTable::Quadratic(Curve::default())
    }
}

/// A table by formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Curve {
    /// Idle time after a full packet at index `at`. Default 7 us.
    pub delay: Span,
    /// The index with that idle time. Default 106 (Gran, Paper III, section VII.B).
    #[schemars(range(min = 1))]
    pub at: u32,
}

impl Default for Curve {
    fn default() -> Self {
        Self { delay: Span::from_us(7), at: 106 }
    }
}

/// An entry as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// 0 to 3.
    pub shift: u8,
    /// 0 to 16383.
    pub multiplier: u16,
}

/// One idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// After a full packet.
    Delay(Span),
    /// In shares of the packet's own time.
    Code(Code),
}

impl Idle {
    /// The idle time after a packet. A delay is scaled to the packet's length and rounded down to a picosecond.
    pub fn after(self, last: Sent) -> Span {
        match self {
            Idle::Delay(delay) if last.time == last.full => delay,
            Idle::Delay(delay) => {
                Span((u128::from(delay.0) * u128::from(last.time.0) / u128::from(last.full.0.max(1))) as u64)
            }
            Idle::Code(code) => Span((last.time.0 >> code.shift) * u64::from(code.multiplier)),
        }
    }
}

impl CctTable {
    /// The entries up to index `limit`, rounded to the nearest picosecond (halves up). A listed table may be shorter,
    /// which a scenario must not use, or longer.
    pub fn entries(&self, limit: u16) -> Vec<Idle> {
        let power = |curve: &Curve, i: u16, exponent: u32| {
            let (i, at) = (u128::from(i).pow(exponent), u128::from(curve.at.max(1)).pow(exponent));
            Idle::Delay(Span(((2 * u128::from(curve.delay.0) * i + at) / (2 * at)) as u64))
        };
        match self {
            CctTable::Quadratic(curve) => (0..=limit).map(|i| power(curve, i, 2)).collect(),
            CctTable::Linear(curve) => (0..=limit).map(|i| power(curve, i, 1)).collect(),
            CctTable::Delays(delays) => delays.iter().map(|&delay| Idle::Delay(delay)).collect(),
            CctTable::Encoded(codes) => codes.iter().map(|&code| Idle::Code(code)).collect(),
        }
    }

    /// Reports errors, as the field `table` of its part.
    pub(crate) fn check(&self, found: &mut Diagnostics) {
        let (name, longest) = match self {
            CctTable::Quadratic(curve) | CctTable::Linear(curve) if curve.at == 0 => {
                return found.report("table", "the curve has no index", "give `at` an index of at least 1");
            }
            CctTable::Quadratic(curve) => ("quadratic", curve.delay),
            CctTable::Linear(curve) => ("linear", curve.delay),
            CctTable::Delays(delays) => ("delays", delays.iter().copied().max().unwrap_or_default()),
            CctTable::Encoded(_) => return,
        };
        if longest > LONGEST_IDLE {
            let fact = format!("an idle time of {longest} is implausibly long");
            found.report(&format!("table.{name}"), fact, format!("make it at most {LONGEST_IDLE}"));
        }
    }

    /// Number of entries of a listed table; `None` for a formula.
    pub fn written(&self) -> Option<usize> {
        match self {
            CctTable::Delays(delays) => Some(delays.len()),
            CctTable::Encoded(codes) => Some(codes.len()),
            CctTable::Quadratic(_) | CctTable::Linear(_) => None,
        }
    }
}

impl FromStr for Code {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str, most: u16| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u16>().ok().filter(|&value| digits && value <= most)
        };
        let parts = text.split_once(':').map(|(shift, multiplier)| (number(shift, 3), number(multiplier, 16_383)));
        match parts {
            Some((Some(shift), Some(multiplier))) => Ok(Code { shift: shift as u8, multiplier }),
            _ => Err(format!("expected a table entry such as \"1:300\", found {text:?}")),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shift, self.multiplier)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Code {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "cct-entry",
            "pattern": "^[0-3]:[0-9]{1,5}$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Time};

    fn after(idle: Idle, time: Span, full: Span) -> Span {
        idle.after(Sent { start: Time::START, time, full, line: Rate::from_gbps(16) })
    }

    #[test]
    fn the_table_of_paper_iii_reaches_10_us() {
        let entries = CctTable::default().entries(127);
        assert_eq!((entries[0], entries[106]), (Idle::Delay(Span::ZERO), Idle::Delay(Span::from_us(7))));
        assert_eq!(entries[127], Idle::Delay(Span(10_048_327)));
    }

    #[test]
    fn entry_1_3_leaves_40_percent_of_the_rate() {
        let packet = Span::from_ns(1_000);
        let idle = after(Idle::Code(Code { shift: 1, multiplier: 3 }), packet, packet);
        assert_eq!(packet.0 as f64 / (packet.0 + idle.0) as f64, 0.4);
    }

    #[test]
    fn a_delay_is_as_much_shorter_as_the_packet_is() {
        let (full, half) = (Span::from_ns(1_000), Span::from_ns(500));
        assert_eq!(after(Idle::Delay(Span::from_us(8)), half, full), Span::from_us(4));
    }

    #[test]
    fn codes_are_read_strictly() {
        assert_eq!("3:16383".parse(), Ok(Code { shift: 3, multiplier: 16_383 }));
        for text in ["4:1", "0:16384", "1", ":", "1:", "-1:2", "+1:2", "1:2:3", " 1:2", "0:999999"] {
            assert!(text.parse::<Code>().is_err(), "{text}");
        }
    }
}
