//! What a source is to do: when it generates messages, how large they are, where they go, and into which flows.

use std::sync::Arc;

use congestree_units::{Bytes, Span, Time};

use crate::{Arrivals, Pattern, Sizes};

/// A message generator at a host.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcePlan {
    /// Its host.
    pub host: u32,
    /// Which flows its messages go into.
    pub mapping: FlowMapping,
    /// No message is generated before.
    pub start: Time,
    /// What it does after that.
    pub profile: Arc<TrafficProfile>,
}

/// What many sources have in common, each at its own host and with its own random numbers. It is stored once, so that a
/// source fits into a cache line.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficProfile {
    /// When messages are made.
    pub arrivals: Arrivals,
    /// Where they go.
    pub pattern: Pattern,
    /// Payload of a message; a greedy source generates an endless series of them.
    pub message: Sizes,
    /// From this time on no message is generated, and no packet of a greedy or ON-OFF source is started.
    pub stop: Time,
    /// A random offset below this is added to the start.
    pub jitter: Span,
    /// The messages one by one, in order of time, if arrivals are listed.
    pub list: Vec<ListedMessage>,
}

impl TrafficProfile {
    /// The payload of the smallest message that there may be.
    pub fn least_message(&self) -> Bytes {
        self.list.iter().map(|message| message.bytes).min().unwrap_or_else(|| self.message.least())
    }

    /// The payload of every message, if all messages have the same size and destination.
    pub fn same_always(&self) -> Option<Bytes> {
        match (&self.pattern, &self.message) {
            (Pattern::Fixed(_), Sizes::Fixed(bytes)) if self.list.is_empty() => Some(*bytes),
            _ => None,
        }
    }
}

/// A message of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedMessage {
    /// When it is made, from the start of the source on.
    pub after: Span,
    /// The host that it goes to.
    pub to: u32,
    /// Its payload.
    pub bytes: Bytes,
}

/// How the messages of a source are mapped to flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowMapping {
    /// Every message goes into this flow, whatever its destination.
    One(u32),
    /// A message for host `d` goes into flow `base + d`; the flow of the source's own host is not used.
    PerDestination {
        /// The flow to host 0.
        base: u32,
    },
    /// Messages go into these flows in turn: the queue pairs of one connection.
    InTurn {
        /// The first of them.
        base: u32,
        /// How many there are; their ids are consecutive.
        count: u32,
    },
    /// Every message is a flow of its own with the properties of this one, to which it is counted.
    Each(u32),
}

impl FlowMapping {
    /// The account of flows that exist for one message only.
    pub fn account(self) -> Option<u32> {
        match self {
            FlowMapping::Each(account) => Some(account),
            _ => None,
        }
    }
}
