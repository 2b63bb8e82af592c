//! Traces in protobuf: messages one after the other, each preceded by its length as a varint. The first contains
//! metadata of the trace, all others are nodes (`et_def.proto` of MLCommons Chakra; the field numbers here are its
//! own).

use std::io::{BufRead, ErrorKind, Read};

use prost::Message;

use crate::TraceError;
use crate::limits::{LONGEST_NODE, too_long};
use crate::node::{Attribute, NodeKind, TraceNode, once_each};

/// The first message.
#[derive(Clone, PartialEq, Message)]
struct Metadata {
    #[prost(string, tag = "1")]
    version: String,
}

/// A node. Inputs and outputs (8 and 9) are skipped: they are long, and nothing here depends on them.
#[derive(Clone, PartialEq, Message)]
struct WireNode {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(int32, tag = "3")]
    kind: i32,
    #[prost(uint64, repeated, tag = "4")]
    ctrl_deps: Vec<u64>,
    #[prost(uint64, repeated, tag = "5")]
    data_deps: Vec<u64>,
    #[prost(uint64, tag = "7")]
    duration: u64,
    #[prost(message, repeated, tag = "10")]
    attr: Vec<WireAttribute>,
}

#[derive(Clone, PartialEq, Message)]
struct WireAttribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(oneof = "Value", tags = "3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 28, 29")]
    value: Option<Value>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Value {
    #[prost(double, tag = "3")]
    Double(f64),
    #[prost(float, tag = "5")]
    Float(f32),
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(sint32, tag = "15")]
    Sint32(i32),
    #[prost(sint64, tag = "17")]
    Sint64(i64),
    #[prost(fixed32, tag = "19")]
    Fixed32(u32),
    #[prost(fixed64, tag = "21")]
    Fixed64(u64),
    #[prost(sfixed32, tag = "23")]
    Sfixed32(i32),
    #[prost(sfixed64, tag = "25")]
    Sfixed64(i64),
    #[prost(bool, tag = "27")]
    Bool(bool),
    #[prost(message, tag = "28")]
    Bools(Bools),
    #[prost(string, tag = "29")]
    Text(String),
}

#[derive(Clone, PartialEq, Message)]
struct Bools {
    #[prost(bool, repeated, tag = "1")]
    values: Vec<bool>,
}

impl From<Value> for Attribute {
    fn from(value: Value) -> Self {
        match value {
            Value::Double(number) => Attribute::Real(number),
            Value::Float(number) => Attribute::Real(number.into()),
            Value::Int32(n) | Value::Sint32(n) | Value::Sfixed32(n) => Attribute::Integer(n.into()),
            Value::Int64(n) | Value::Sint64(n) | Value::Sfixed64(n) => Attribute::Integer(n.into()),
            Value::Uint32(n) | Value::Fixed32(n) => Attribute::Integer(n.into()),
            Value::Uint64(n) | Value::Fixed64(n) => Attribute::Integer(n.into()),
            Value::Bool(flag) => Attribute::Flag(flag),
            Value::Bools(list) => Attribute::Flags(list.values),
            Value::Text(text) => Attribute::Text(text),
        }
    }
}

impl From<WireNode> for TraceNode {
    fn from(wire: WireNode) -> Self {
        let attributes = wire.attr.into_iter();
        Self {
            id: wire.id,
            name: wire.name,
            kind: NodeKind::of(wire.kind.into()),
            ctrl_deps: once_each(wire.ctrl_deps),
            data_deps: once_each(wire.data_deps),
            duration_us: wire.duration,
            attributes: attributes.map(|one| (one.name, one.value.map_or(Attribute::Other, Into::into))).collect(),
        }
    }
}

/// Messages of a trace, one after the other.
pub(crate) struct ProtobufMessages<R> {
    input: R,
    name: String,
    /// Bytes read so far.
    pub at: u64,
    /// Nodes read so far.
    nodes: u64,
    /// The current message; its memory is reused.
    buffer: Vec<u8>,
}

impl<R: BufRead> ProtobufMessages<R> {
    pub(crate) fn new(input: R, name: &str) -> Self {
        Self { input, name: name.to_owned(), at: 0, nodes: 0, buffer: Vec::new() }
    }

    /// The version that the first message states.
    pub(crate) fn version(&mut self) -> Result<String, TraceError> {
        let start = self.at;
        match self.message()? {
            true => {
                Metadata::decode(self.buffer.as_slice()).map(|first| first.version).map_err(|_| self.foreign(start))
            }
            false => Err(TraceError::new(&self.name, "the file is empty", "name a trace that has been written")),
        }
    }

    /// The next node, if there is one.
    pub(crate) fn node(&mut self) -> Result<Option<TraceNode>, TraceError> {
        let start = self.at;
        if !self.message()? {
            return Ok(None);
        }
        let wire = WireNode::decode(self.buffer.as_slice()).map_err(|_| self.foreign(start))?;
        self.nodes += 1;
        Ok(Some(wire.into()))
    }

    /// Reads the next message; returns false at the end of the file.
    fn message(&mut self) -> Result<bool, TraceError> {
        let start = self.at;
        let Some(length) = self.length(start)? else { return Ok(false) };
        if length > LONGEST_NODE {
            return Err(too_long(self.place(start)));
        }
        self.buffer.clear();
        let read = self.input.by_ref().take(length).read_to_end(&mut self.buffer).map_err(|e| self.broken(start, e))?;
        self.at += read as u64;
        if (read as u64) < length { Err(self.cut(start)) } else { Ok(true) }
    }

    /// The length of the next message: seven bits per byte, the lowest first.
    fn length(&mut self, start: u64) -> Result<Option<u64>, TraceError> {
        let mut length = 0;
        for shift in (0..35).step_by(7) {
            let mut byte = [0];
            if self.input.read(&mut byte).map_err(|e| self.broken(start, e))? == 0 {
                return if shift == 0 { Ok(None) } else { Err(self.cut(start)) };
            }
            self.at += 1;
            length |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(Some(length));
            }
        }
        Err(self.foreign(start))
    }

    fn place(&self, at: u64) -> String {
        format!("{}: byte {at}, after {} nodes", self.name, self.nodes)
    }

    fn cut(&self, at: u64) -> TraceError {
        TraceError::new(
            self.place(at),
            "the trace is cut in the middle of a message",
            "copy or record it again; what stands before is used",
        )
    }

    fn foreign(&self, at: u64) -> TraceError {
        TraceError::new(
            self.place(at),
            "this is not a message of a Chakra trace",
            "name an execution trace (.et, .et.gz or .json); what stands before is used",
        )
    }

    fn broken(&self, at: u64, error: std::io::Error) -> TraceError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.cut(at),
            _ => TraceError::new(self.place(at), format!("the file cannot be read on: {error}"), "copy it again"),
        }
    }
}
