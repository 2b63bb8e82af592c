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
    /// Control packets (ACKs) need credits, too; otherwise they have room of their own.
    pub control_uses_credits: bool,
    /// Bytes that a packet takes in addition to its size, where room is counted in blocks.
    pub overhead: u32,
    /// Credits come back in messages; `None`: one by one, as soon as room is free.
    pub messages: Option<CreditMessages>,
}

/// How credits come back in messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreditMessages {
    /// Minimum distance between two messages of a port, in bytes of link time.
    pub spacing: Bytes,
    /// Minimum distance until a message that says nothing new is sent again, in bytes of link time, if messages may be
    /// lost.
    pub repeat: Bytes,
    /// Time between two reports of a sender on what it has consumed.
    pub heal: Span,
}

impl CreditMessages {
    /// Size of the message that says what is free (CF_Update) on the wire.
    pub const SIZE: Bytes = Bytes(8);
}

/// The unit in which buffer room is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditUnit {
    /// One unit holds one packet of any size.
    Slot,
    /// Nothing is promised: senders never wait, and what finds no room is dropped.
    None,
    /// Nothing is promised, but a receiver that runs out of room says so: see [`PfcPlan`]. A packet takes one unit; the
    /// sender has more units than could ever be needed, or none.
    Pause,
    /// One unit holds this many bytes; a packet takes as many as it needs, rounded up.
    Block(Bytes),
}

impl CreditUnit {
    /// Bytes that a unit stands for; a slot has no fixed size.
    pub fn bytes(self) -> Bytes {
        match self {
            CreditUnit::None | CreditUnit::Slot => Bytes(0),
            CreditUnit::Pause => Bytes(1),
            CreditUnit::Block(block) => block,
        }
    }
}

impl FlowControl {
    /// Most credit units that a packet may take: those of two packets are added in 16 bits.
    pub const MOST_UNITS: u16 = u16::MAX / 2;

    /// Packets of this size for which a buffer of this many units has room (units of bytes where senders are paused).
    pub fn packets_in(&self, units: u32, size: Bytes) -> u32 {
        let each = match self.unit {
            CreditUnit::Pause => size.0,
            _ => self.units(size.0 as u32).into(),
        };
        (u64::from(units) / each.max(1)) as u32
    }

    /// Credit units that a packet of this size takes.
    #[inline]
    pub fn units(&self, size: u32) -> u16 {
        let blocks = match self.unit {
            CreditUnit::None => return 0,
            CreditUnit::Slot | CreditUnit::Pause => return 1,
            CreditUnit::Block(Bytes(64)) => u64::from((size + self.overhead).div_ceil(64)),
            CreditUnit::Block(block) => u64::from(size + self.overhead).div_ceil(block.0),
        };
        // More than `MOST_UNITS` are refused when a scenario is read, after this has been asked.
        u16::try_from(blocks).unwrap_or(u16::MAX)
    }
}
