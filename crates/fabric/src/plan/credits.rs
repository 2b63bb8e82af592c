//! How the receiver of a link promises room to its sender.

use congestree_units::{Bytes, Span};

/// How the receiver of a link promises room to its sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowControl {
    /// The unit in which room is counted.
    pub unit: CreditUnit,
    /// From the tail leaving a buffer until the sender upstream may use the room; `None`: the delay of the link on which the
    /// credit goes back.
    pub credit_delay: Option<Span>,
    /// Control packets (ACKs) need credits too; otherwise they have room of their own.
    pub control_uses_credits: bool,
    /// Bytes that a packet takes besides its own, where room is counted in blocks.
    pub overhead: u32,
    /// Credits come back in messages; `None`: one by one.
    pub messages: Option<CreditMessages>,
}

/// How credits come back in messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreditMessages {
    /// Least bytes of link time from one message of a port to the next.
    pub spacing: Bytes,
    /// Least bytes of link time until a message is sent again that says nothing new, where some are lost.
    pub repeat: Bytes,
    /// From one time that a sender tells what it has consumed to the next.
    pub heal: Span,
}

/// The unit in which buffer room is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditUnit {
    /// One unit holds one packet of any size.
    Slot,
    /// Nothing is promised: senders never wait, and what finds no room is dropped.
    None,
    /// Nothing is promised, but a receiver that runs out of room says so: see [`PfcPlan`]. A packet takes a unit of as
    /// many as anybody could want, or of none.
    Pause,
    /// One unit holds this many bytes; a packet takes as many as it needs, rounded up.
    Block(Bytes),
}

impl CreditUnit {
    /// Bytes that a unit stands for; a slot for none in particular.
    pub fn bytes(self) -> Bytes {
        match self {
            CreditUnit::None | CreditUnit::Slot => Bytes(0),
            CreditUnit::Pause => Bytes(1),
            CreditUnit::Block(block) => block,
        }
    }
}

impl FlowControl {
    /// Credit units that a packet of this size takes.
    #[inline]
    pub fn units(&self, size: u32) -> u16 {
        match self.unit {
            CreditUnit::None => 0,
            CreditUnit::Slot | CreditUnit::Pause => 1,
            CreditUnit::Block(Bytes(64)) => (size + self.overhead).div_ceil(64) as u16,
            CreditUnit::Block(block) => u64::from(size + self.overhead).div_ceil(block.0) as u16,
        }
    }
}
