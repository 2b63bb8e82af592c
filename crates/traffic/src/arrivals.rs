//! When messages are generated.

use congestree_units::{Rate, Span};

/// An arrival process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// There is always another message to send.
    Greedy,
    /// Exponential gaps with this mean.
    Poisson {
        /// Mean time from one message to the next.
        mean_gap: Span,
    },
    /// At a constant rate of payload: a message is due as soon as the bytes of all messages before it were due at this
    /// rate. A message that could not be sent in time stays due.
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
    /// A number of messages at a fixed distance (zero: all at once).
    Messages {
        /// How many.
        count: u64,
        /// From one burst to the next.
        every: Span,
        /// Messages of a burst; at least one.
        burst: u64,
    },
    /// As the list of the source gives them.
    Listed,
}

/// Where the gap before the next message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// When the last message was generated.
    Made,
    /// When the last message was finished: its source waits for it.
    Done,
}
