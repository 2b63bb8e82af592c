//! What is known of a message in flight between two ranks.

use congestree_units::Time;

use crate::host::flow::NONE;

/// A message in flight. Its record exists at its sender from when it is sent until the send has ended, and at its
/// receiver from when it is sent until it has been received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    pub(super) job: u32,
    /// The operation that sends it.
    pub(super) send: u32,
    /// The receive operation that it is reserved for.
    pub(super) receive: u32,
    pub(super) leg: Leg,
    pub(super) made: Time,
    /// The next message in its flow, at the same end.
    pub(super) next: u32,
    /// Packets of it that have not come in, and one more than the number of its last packet; kept where packets
    /// overtake each other.
    pub(super) missing: u32,
    pub(super) end: u32,
    /// Packets of it that have not started on the link into their host; kept where senders are told of that and packets
    /// overtake each other.
    pub(super) to_start: u32,
}

impl UnderWay {
    /// A message that is created now and is not reserved for any receive.
    pub(super) fn new(job: u32, send: u32, leg: Leg, made: Time) -> Self {
        Self { job, send, receive: NONE, leg, made, next: NONE, missing: 0, end: 0, to_start: 0 }
    }

    /// The next leg of the same message.
    pub(super) fn on(self, leg: Leg) -> Self {
        Self { leg, next: NONE, ..self }
    }
}

/// What is in flight for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leg {
    /// The message itself.
    Data,
    /// Its announcement.
    Request,
    /// The permission to send it, in the opposite direction.
    Grant,
}
