//! When messages are made.

use congestree_units::{Rate, Span};

/// An arrival process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// There is always another message.
    Greedy,
    /// Exponential gaps with this mean.
    Poisson {
        /// Mean time from one message to the next.
        mean_gap: Span,
    },
    /// At a constant rate of payload: a message is due whenever the bytes of those before it have been due at this rate.
    /// What could not be sent in time stays due.
    Steady {
        /// Payload bits per second.
        rate: Rate,
    },
    /// Greedy while ON, silent while OFF; both periods exponential; ON first.
    OnOff {
        /// Mean of the ON periods.
        on: Span,
        /// Mean of the OFF periods.
        off: Span,
    },
    /// One message after the other, with exponential gaps of this mean.
    Gaps {
        /// Mean gap.
        mean: Span,
        /// Where a gap begins.
        after: After,
    },
    /// So many messages at a fixed distance (zero: all at once).
    Messages {
        /// How many.
        count: u64,
        /// From one burst to the next.
        every: Span,
        /// Messages of a burst; at least one.
        burst: u64,
    },
    /// As the list of the source says.
    Listed,
}

/// Where the gap to the next message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// When the last message was made.
    Made,
    /// When the last message was done: its source waits for it.
    Done,
}
