//! How packets cross a switch: how many an input sends at once, which one an output takes, and when it starts.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// How many packets can be read from one input buffer at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPorts {
    /// One packet at a time.
    One,
    /// As many packets as there are outputs.
    All,
    /// A number of packets.
    Number(u8),
}

impl Serialize for ReadPorts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ReadPorts::One => serializer.serialize_str("one"),
            ReadPorts::All => serializer.serialize_str("all"),
            ReadPorts::Number(count) => serializer.serialize_u8(*count),
        }
    }
}

impl<'de> Deserialize<'de> for ReadPorts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u8),
            Word(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(count) => Ok(ReadPorts::Number(count)),
            Written::Word(word) if word == "one" => Ok(ReadPorts::One),
            Written::Word(word) if word == "all" => Ok(ReadPorts::All),
            Written::Word(_) => Err(D::Error::custom("expected \"one\", \"all\" or a number")),
        }
    }
}

impl JsonSchema for ReadPorts {
    fn schema_name() -> Cow<'static, str> {
        "ReadPorts".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How many packets can be read from one input buffer at the same time.",
            "oneOf": [
                { "type": "string", "const": "one", "description": "One packet at a time." },
                { "type": "string", "const": "all", "description": "As many packets as there are outputs." },
                { "type": "integer", "format": "uint8", "minimum": 1, "maximum": 255, "description": "Number of packets." }
            ]
        })
    }
}

/// How an output chooses its next packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arbiter {
    /// Round robin over the inputs.
    RoundRobin,
    /// Oldest packet first; a younger one may go ahead while the input of the oldest is busy.
    Fifo(Fifo),
    /// iSLIP: inputs and outputs of a switch are matched by request, grant and accept ([mckeown1999]).
    Islip(Islip),
}

/// Matching by iSLIP.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Islip {
    /// Iterations of request, grant and accept. Absent: until no more ports can be matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 255))]
    pub iterations: Option<u8>,
    /// When a switch finds a matching.
    pub matching: Matching,
}

/// When a switch finds a matching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// Whenever a port has become free or a packet has arrived.
    #[default]
    Asynchronous,
    /// Once per slot: the time that a full packet takes through the crossbar, or, without a crossbar rate, over the
    /// fastest link.
    Slotted,
}

/// Oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fifo {
    /// How many younger packets may go ahead of the oldest one. Absent: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bypass_limit: Option<u32>,
}

/// When a packet may leave a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Switching {
    /// As soon as its head has been routed; not faster than its bytes come in.
    CutThrough,
    /// When the whole packet has come in.
    StoreAndForward,
}
