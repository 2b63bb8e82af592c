//! How a mark is reported to the source.

use congestree_units::{Bytes, Span, Time};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Diagnostics, Part, Setting};

/// What brings marks back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotifyParams {
    /// In the ACK of the marked packet. Every data packet is acknowledged.
    Ack,
    /// In a congestion notification packet (CNP) for each marked packet, and for each packet that left an undetermined
    /// output (TCD). Other packets cause none.
    Cnp(CnpParams),
}

/// Parameters of congestion notification packets (Gran, Paper I, section 3.2.2).
///
/// A host sends them before its data. They are never marked, and in switches they wait like any other packet of their
/// lane: to let them pass, give them a lane of their own and that lane a high priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CnpParams {
    /// Size of a CNP on the wire. Default 64 B.
    pub size: Bytes,
    /// Virtual lane of the CNPs. Absent: that of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub lane: Option<u8>,
    /// Least time between two CNPs of a flow (min_time_between_cnps); marks in between cause no CNP. Default 0 s: one
    /// CNP for every marked packet.
    pub interval: Span,
    /// Time from the last bit of a CNP at its source until the source acts on it: processing in the adapter or in
    /// software. Default 0 s.
    pub delay: Span,
}

impl Default for CnpParams {
    fn default() -> Self {
        Self { size: Bytes(64), lane: None, interval: Span::ZERO, delay: Span::ZERO }
    }
}

impl NotifyParams {
    /// The packets that report marks; `None`: ACKs do.
    pub fn packet(&self) -> Option<&CnpParams> {
        match self {
            NotifyParams::Ack => None,
            NotifyParams::Cnp(cnp) => Some(cnp),
        }
    }
}

impl Part for NotifyParams {
    fn name(&self) -> String {
        match self {
            NotifyParams::Ack => "ack".into(),
            NotifyParams::Cnp(_) => "cnp".into(),
        }
    }

    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if let Some(cnp) = self.packet() {
            cnp.check(setting, found);
        }
    }
}

impl Check for CnpParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if self.size.0 == 0 {
            found.report("size", "a notification has no bytes", "give it a size of at least 1 B");
        } else if self.size > setting.packet {
            let fact = format!("a notification of {} is larger than any data packet", self.size);
            found.report("size", fact, "make it smaller");
        }
        found.check_lane("lane", self.lane, setting);
    }
}

/// The receiving end of a flow that paces its notifications.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    /// From this time on a mark may be reported again.
    next_at: Time,
    /// From this time on other events may be reported.
    other_at: Time,
}

impl Default for Pacer {
    fn default() -> Self {
        Self { next_at: Time::START, other_at: Time::START }
    }
}

impl Pacer {
    /// A packet has arrived that is marked, or otherwise worth reporting. Returns whether it is reported. Packets
    /// without a mark never delay the report of a mark.
    pub fn tells(&mut self, now: Time, interval: Span, marked: bool) -> bool {
        let from = if marked { self.next_at } else { self.next_at.max(self.other_at) };
        let tells = from <= now;
        if tells {
            *(if marked { &mut self.next_at } else { &mut self.other_at }) = now + interval;
        }
        tells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times among these at which a packet, marked or not, is reported; at most one in 4 us.
    fn told<const N: usize>(packets: [(u64, bool); N]) -> [bool; N] {
        let mut pacer = Pacer::default();
        packets.map(|(us, marked)| pacer.tells(Time(us * 1_000_000), Span::from_us(4), marked))
    }

    #[test]
    fn marks_within_the_interval_are_not_told_and_do_not_prolong_it() {
        let told = told([0, 3, 4, 5, 7, 8, 20].map(|us| (us, true)));
        assert_eq!(told, [true, false, true, false, false, true, true]);
    }

    #[test]
    fn what_is_no_mark_waits_for_marks_and_never_keeps_one_waiting() {
        let told = told([(0, false), (1, true), (2, false), (4, false), (5, false), (6, true), (9, false)]);
        assert_eq!(told, [true, true, false, false, true, true, false]);
    }
}
