//! The sign that a packet carries, and the feedback that a source gets from it.

use congestree_schemes::react::Feedback;
use congestree_wire::{Packet, Sign};

/// The congestion that a data packet has met, or that a control packet reports.
#[inline]
pub(in crate::host) fn met(packet: &Packet) -> Feedback {
    match packet.sign {
        Sign::Marked => Feedback::Congested,
        Sign::Undetermined => Feedback::Undetermined,
        Sign::Clear => Feedback::Clear,
    }
}

/// The sign by which a control packet reports this.
#[inline]
pub(super) fn sign_of(feedback: Feedback) -> Sign {
    match feedback {
        Feedback::Congested => Sign::Marked,
        Feedback::Undetermined => Sign::Undetermined,
        Feedback::Clear => Sign::Clear,
    }
}
