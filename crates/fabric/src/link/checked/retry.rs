//! How long retry waits, and what a control word costs on the link.

use congestree_units::{Bytes, Rate, Span};

use crate::link::checked::sender::Places;
use crate::plan::RetryPlan;

/// A control ordered set on the wire (UEC 1.0 section 5.1).
pub(super) const WORD: u32 = 8;

/// Parameters that are the same for all links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retry {
    pub(super) places: Places,
    /// Bytes of the largest packet.
    pub(super) largest: u64,
    /// Least distance between two words, in bytes of link time.
    spacing: Bytes,
    /// The replay timeout, if it is given.
    timeout: Option<Span>,
}

impl Retry {
    pub(crate) fn new(plan: RetryPlan, largest: Bytes) -> Self {
        let places = Places { frames: plan.frames as usize, bytes: plan.bytes.0 };
        Self { places, largest: largest.0, spacing: plan.spacing, timeout: plan.timeout }
    }

    /// The replay timeout of a port, and the least time between two of its words, by the rates and delays of the link
    /// out of it and of the one back. Unless it is given, the timeout is twice the longest time from the start of a
    /// frame until its ACK arrives.
    pub(super) fn times(self, there: (Rate, Span), back: (Rate, Span)) -> (Span, Span) {
        let told = back.0.time_for(Bytes(self.spacing.0 + self.largest + u64::from(WORD)));
        let longest = there.1.0 + there.0.time_for(Bytes(self.largest)).0 + told.0 + back.1.0;
        (self.timeout.unwrap_or(Span(2 * longest)), there.0.time_for(self.spacing))
    }
}
