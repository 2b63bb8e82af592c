//! The size of a buffer: in packets or in bytes.

use std::borrow::Cow;
use std::fmt;

use congestree_units::Bytes;
use congestree_units::text::{Misread, parse_bytes};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The size of a buffer, written `"4 packets"` or `"64 KiB"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Room for this many packets of any size.
    Packets(u32),
    /// Room for this many bytes.
    Bytes(Bytes),
}

impl Room {
    /// Reads the size of a buffer.
    pub fn parse(text: &str) -> Result<Self, Misread> {
        let trimmed = text.trim();
        let number = trimmed.strip_suffix("packets").or_else(|| trimmed.strip_suffix("packet"));
        let Some(number) = number.map(str::trim_end) else {
            return parse_bytes(text).map(Room::Bytes).map_err(|misread| Misread {
                fact: misread.fact.replacen("a size such as", "the size of a buffer such as \"4 packets\" or", 1),
                remedy: misread.remedy.replacen("units are ", "units are packets, ", 1),
            });
        };
        let whole = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        match number.parse() {
            Ok(count) if whole => Ok(Room::Packets(count)),
            _ => Err(Misread {
                fact: format!("expected a whole number of packets such as \"4 packets\", found {}", shown(trimmed)),
                remedy: format!("packets can be counted from 0 to {}", u32::MAX),
            }),
        }
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Room::Packets(1) => f.pad("1 packet"),
            Room::Packets(count) => f.pad(&format!("{count} packets")),
            Room::Bytes(bytes) => bytes.fmt(f),
        }
    }
}

impl Serialize for Room {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Room {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Room::parse(&Cow::<str>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for Room {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Room".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "room",
            "pattern": "^ *([0-9]+ *packets?|[0-9]+(\\.[0-9]+)? *(B|kB|MB|GB|KiB|MiB|GiB)) *$"
        })
    }
}

fn shown(text: &str) -> String {
    crate::diagnostic::quoted(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_measured_in_packets_or_bytes() {
        assert_eq!(Room::parse("4 packets"), Ok(Room::Packets(4)));
        assert_eq!(Room::parse("1packet"), Ok(Room::Packets(1)));
        assert_eq!(Room::parse("64 KiB"), Ok(Room::Bytes(Bytes(65_536))));
        for text in ["packets", "-1 packets", "1.5 packets", "4", "4 pakets", "99999999999 packets"] {
            assert!(Room::parse(text).is_err(), "{text}");
        }
        assert_eq!(Room::Packets(4).to_string(), "4 packets");
    }
}
