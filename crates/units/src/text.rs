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

mod kind;
mod misread;

use kind::{RATE, SIZE, SPAN};
pub use misread::Misread;

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
