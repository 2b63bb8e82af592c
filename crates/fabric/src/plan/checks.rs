//! Errors of links, and link-level retry.

use congestree_units::{Bytes, Span};

/// Links that check frames before passing them on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChecksPlan {
    /// What they do to frames; `None`: nothing.
    pub errors: Option<ErrorPlan>,
    /// Link-level retry: damaged frames are sent again; `None`: they are lost.
    pub retry: Option<RetryPlan>,
}

impl ChecksPlan {
    /// Links check frames.
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

/// What the probability of damage applies to.
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
    /// The most frames that a replay buffer holds.
    pub frames: u32,
    /// The most bytes that it holds.
    pub bytes: Bytes,
    /// Minimum distance between two control words, in bytes of link time.
    pub spacing: Bytes,
    /// All frames are sent again if nothing is heard for so long; `None`: twice the longest time until an ACK is heard.
    pub timeout: Option<Span>,
}
