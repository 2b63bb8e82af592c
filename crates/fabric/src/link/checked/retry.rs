//! How long retry waits, and what a control word costs on the link.

use congestree_units::{Bytes, Span};
use congestree_wire::PortId;

use crate::link::checked::sender::Places;
use crate::link::wiring::Wiring;
use crate::plan::{Plan, RetryPlan};

/// A control ordered set on the wire (UEC 1.0 section 5.1).
pub(super) const WORD: u32 = 8;

/// Parameters that are the same for all links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retry {
    pub(super) places: Places,
    /// Bytes of the largest packet.
    pub(super) largest: u64,
}

impl Retry {
    pub(crate) fn new(plan: RetryPlan, largest: Bytes) -> Self {
        Self { places: Places { frames: plan.frames as usize, bytes: plan.bytes.0 }, largest: largest.0 }
    }
}

/// The replay timeout of a port, and the least time between two of its words. Unless it is given, the timeout is
/// twice the longest time from the start of a frame until its ACK arrives.
pub(super) fn times(plan: &Plan, wiring: &Wiring, port: PortId) -> (Span, Span) {
    let Some(retry) = plan.checks.retry else { return (Span::ZERO, Span::ZERO) };
    let rate = |port: PortId| wiring.rates[usize::from(wiring.outs[port].rate)];
    let delay = |port: PortId| wiring.outs[port].propagation(plan.switch.forwarding_delay);
    let (back, largest) = (wiring.outs[port].peer, plan.largest());
    let told = rate(back).time_for(Bytes(retry.spacing.0 + largest.0 + u64::from(WORD)));
    let longest = delay(port).0 + rate(port).time_for(largest).0 + told.0 + delay(back).0;
    (retry.timeout.unwrap_or(Span(2 * longest)), rate(port).time_for(retry.spacing))
}
