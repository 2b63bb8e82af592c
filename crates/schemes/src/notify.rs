//! How a mark comes back to the source.

use congestree_units::{Bytes, Span, Time};
use serde::{Deserialize, Serialize};

/// What brings marks back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotifyParams {
    /// The ACK of the marked packet: every data packet is acknowledged.
    Ack,
    /// A congestion notification packet for each marked packet; nothing for others.
    Cnp(CnpParams),
}

/// Parameters of congestion notification packets (Gran, Paper I, section 3.2.2).
///
/// A host sends them before its data. They are never marked, and in switches they wait like any other packet of their
/// lane: to let them pass, give them a lane of their own and that lane a high priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CnpParams {
    /// Bytes on the wire. Default 64 B.
    pub size: Bytes,
    /// The lane in which they travel. Absent: that of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub lane: Option<u8>,
    /// The receiver sends at most one for each flow in so long (min_time_between_cnps); marks in between are not told.
    /// Default 0 s: one for every marked packet.
    pub interval: Span,
    /// From the last bit of one at its source until the source acts on it: the adapter, or software. Default 0 s.
    pub delay: Span,
}

impl Default for CnpParams {
    fn default() -> Self {
        Self { size: Bytes(64), lane: None, interval: Span::ZERO, delay: Span::ZERO }
    }
}

/// The receiving end of a flow that paces its notifications.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    /// From here on the next may be sent.
    next_at: Time,
}

impl Default for Pacer {
    fn default() -> Self {
        Self { next_at: Time::START }
    }
}

impl Pacer {
    /// A marked packet has come in: is it told?
    pub fn tells(&mut self, now: Time, interval: Span) -> bool {
        let tells = self.next_at <= now;
        if tells {
            self.next_at = now + interval;
        }
        tells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_within_the_interval_are_not_told_and_do_not_prolong_it() {
        let mut pacer = Pacer::default();
        let told = [0, 3, 4, 5, 7, 8, 20].map(|us| pacer.tells(Time(us * 1_000_000), Span::from_us(4)));
        assert_eq!(told, [true, false, true, false, false, true, true]);
    }
}
