//! A node of a trace, independent of the form of its file.

use std::collections::HashSet;
use std::fmt;

/// What a node does. The numbers are those of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// 0: nothing to do.
    Invalid,
    /// Facts about the run, such as process groups.
    Metadata,
    /// A read from memory.
    MemLoad,
    /// A write to memory.
    MemStore,
    /// A computation.
    Comp,
    /// A message to a rank.
    Send,
    /// A message from a rank.
    Receive,
    /// This rank's part in a collective operation.
    Collective,
    /// Something that the schema does not know.
    Unknown,
}

impl NodeKind {
    /// The kind with this number in the schema.
    pub fn of(number: i64) -> Self {
        match number {
            0 => NodeKind::Invalid,
            1 => NodeKind::Metadata,
            2 => NodeKind::MemLoad,
            3 => NodeKind::MemStore,
            4 => NodeKind::Comp,
            5 => NodeKind::Send,
            6 => NodeKind::Receive,
            7 => NodeKind::Collective,
            _ => NodeKind::Unknown,
        }
    }

    /// The kind with this name in the schema, as in protobuf's own JSON.
    pub fn named(name: &str) -> Self {
        NodeKind::of(NAMES.iter().position(|&known| known == name).map_or(-1, |at| at as i64))
    }
}

const NAMES: [&str; 8] = [
    "INVALID_NODE",
    "METADATA_NODE",
    "MEM_LOAD_NODE",
    "MEM_STORE_NODE",
    "COMP_NODE",
    "COMM_SEND_NODE",
    "COMM_RECV_NODE",
    "COMM_COLL_NODE",
];

/// A collective operation, as its number in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CollectiveNumber(pub i64);

impl CollectiveNumber {
    /// All-reduce: the sum of the vectors of all ranks, at every rank.
    pub const ALL_REDUCE: Self = Self(0);
    /// Reduce: the sum at one rank.
    pub const REDUCE: Self = Self(1);
    /// All-gather: the parts of all ranks, at every rank.
    pub const ALL_GATHER: Self = Self(2);
    /// Gather: the parts of all ranks, at one rank.
    pub const GATHER: Self = Self(3);
    /// Scatter: a part from one rank to each.
    pub const SCATTER: Self = Self(4);
    /// Broadcast: the same from one rank to all.
    pub const BROADCAST: Self = Self(5);
    /// All-to-all: a part from every rank to every rank.
    pub const ALL_TO_ALL: Self = Self(6);
    /// Reduce-scatter: a part of the sum at each rank.
    pub const REDUCE_SCATTER: Self = Self(7);
    /// Reduce-scatter with parts of one size.
    pub const REDUCE_SCATTER_BLOCK: Self = Self(8);
    /// Barrier: no rank continues before all have arrived.
    pub const BARRIER: Self = Self(9);

    /// Its name in the schema.
    pub fn name(self) -> String {
        const NAMES: [&str; 10] = [
            "ALL_REDUCE",
            "REDUCE",
            "ALL_GATHER",
            "GATHER",
            "SCATTER",
            "BROADCAST",
            "ALL_TO_ALL",
            "REDUCE_SCATTER",
            "REDUCE_SCATTER_BLOCK",
            "BARRIER",
        ];
        usize::try_from(self.0).ok().and_then(|at| NAMES.get(at)).map_or(self.0.to_string(), ToString::to_string)
    }

    /// The collective with this name in the schema; recorders also write `AllReduce` or `all-reduce`.
    pub fn named(name: &str) -> Option<Self> {
        let letters = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_uppercase();
        let name = letters(name);
        (0..10).map(Self).find(|one| letters(&one.name()) == name)
    }
}

/// A value of an attribute. Integers of all widths are one kind; types that a job does not need are not distinguished.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// Any integer.
    Integer(i128),
    /// Any real number.
    Real(f64),
    /// A boolean.
    Flag(bool),
    /// Text.
    Text(String),
    /// A list of booleans.
    Flags(Vec<bool>),
    /// Anything else.
    Other,
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attribute::Integer(number) => write!(f, "{number}"),
            Attribute::Real(number) => write!(f, "{number}"),
            Attribute::Flag(flag) => write!(f, "{flag}"),
            Attribute::Text(text) => write!(f, "{:?}", text.chars().take(MOST_SHOWN).collect::<String>()),
            Attribute::Flags(_) | Attribute::Other => f.write_str("a value of another kind"),
        }
    }
}

/// Characters of a text that a message shows.
const MOST_SHOWN: usize = 40;

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceNode {
    /// Its number, unique in its file.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: NodeKind,
    /// Nodes that must have finished before it because of their order.
    pub ctrl_deps: Vec<u64>,
    /// Nodes that must have finished before it because of data.
    pub data_deps: Vec<u64>,
    /// Its recorded duration (us).
    pub duration_us: u64,
    /// Everything else.
    pub attributes: Vec<(String, Attribute)>,
}

impl TraceNode {
    /// All nodes that must have finished before; nodes that are listed twice appear twice.
    pub fn deps(&self) -> impl Iterator<Item = u64> + '_ {
        self.ctrl_deps.iter().chain(&self.data_deps).copied()
    }

    /// An attribute, by its name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// An attribute that is a number; texts that consist of digits count too.
    pub fn integer(&self, name: &str) -> Option<i128> {
        match self.attribute(name)? {
            Attribute::Integer(number) => Some(*number),
            Attribute::Real(number) if number.fract() == 0.0 && number.abs() < 1e18 => Some(*number as i128),
            Attribute::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Payload of a communication node (B); 0 if none is stated. An error with what is stated, if that is no size.
    pub fn payload(&self) -> Result<u64, String> {
        let Some(said) = self.attribute("comm_size") else { return Ok(0) };
        self.integer("comm_size").and_then(|size| u64::try_from(size).ok()).ok_or_else(|| said.to_string())
    }

    /// The collective operation of which it is a part, if one is stated. An error with what is stated, if the schema has
    /// no such operation.
    pub fn collective(&self) -> Option<Result<CollectiveNumber, String>> {
        let said = self.attribute("comm_type")?;
        let named = match said {
            Attribute::Text(name) => CollectiveNumber::named(name),
            _ => None,
        };
        let numbered = || self.integer("comm_type").and_then(|number| i64::try_from(number).ok());
        let known = named.or_else(|| numbered().map(CollectiveNumber)).filter(|kind| (0..10).contains(&kind.0));
        Some(known.ok_or_else(|| said.to_string()))
    }

    /// An attribute that is a name; numbers are names too. An error with what is stated, if that is neither.
    pub fn name_of(&self, attribute: &str) -> Result<Option<String>, String> {
        match self.attribute(attribute) {
            None => Ok(None),
            Some(Attribute::Text(name)) => Ok(Some(name.clone())),
            Some(said) => {
                self.integer(attribute).map(|number| Some(number.to_string())).ok_or_else(|| said.to_string())
            }
        }
    }

    /// The rank that an attribute gives.
    pub fn rank(&self, name: &str) -> Option<u32> {
        self.integer(name).and_then(|rank| u32::try_from(rank).ok())
    }
}

/// Dependencies without repetitions; only long lists are checked. A packed file of a megabyte can name one node a
/// thousand million times.
pub(crate) fn once_each(mut deps: Vec<u64>) -> Vec<u64> {
    if deps.len() > MANY_DEPS {
        let mut seen = HashSet::new();
        deps.retain(|&dep| seen.insert(dep));
        deps.shrink_to_fit();
    }
    deps
}

const MANY_DEPS: usize = 1 << 10;
