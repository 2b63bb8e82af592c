//! A message as its source made it.

use congestree_units::Time;

/// What came of asking steady sources for a message.
pub(crate) enum Generated {
    /// One was made.
    Message,
    /// The next is due then, if ever.
    Later(Time),
}

/// A message that waits in a flow shared by several sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(super) created: Time,
    pub(super) bytes: u64,
    pub(super) next: u32,
}
