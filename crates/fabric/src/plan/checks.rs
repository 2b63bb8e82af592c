//! What links do to frames, and what is done about it.

use congestree_units::{Bytes, Span};

/// Links that look at frames before these go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChecksPlan {
    /// What they do to frames; `None`: nothing.
    pub errors: Option<ErrorPlan>,
    /// They send again what was damaged; `None`: it is lost.
    pub retry: Option<RetryPlan>,
}

impl ChecksPlan {
    /// Links look at frames.
    pub fn any(&self) -> bool {
        self.errors.is_some() || self.retry.is_some()
    }

    /// Packets are lost on links.
    pub fn loses(&self) -> bool {
        self.errors.is_some() && self.retry.is_none()
    }
}

/// How often links damage frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorPlan {
    /// How often.
    pub rate: ErrorRate,
    /// The share of damaged frames that the far end does not see at all.
    pub unseen: f64,
    /// The share of control words that are lost.
    pub words: f64,
}

/// By what a link damages frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ErrorRate {
    /// A share of the packets, whatever their size.
    Packets(f64),
    /// A share of the bits; a packet is damaged if one of its bits is.
    Bits(f64),
}

/// Link-level retry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPlan {
    /// Most frames of a replay buffer.
    pub frames: u32,
    /// Most bytes of it.
    pub bytes: Bytes,
    /// Least bytes of link time from one control word to the next.
    pub spacing: Bytes,
    /// All is sent again if nothing is heard for so long; `None`: twice the longest time until an ACK is heard.
    pub timeout: Option<Span>,
}
