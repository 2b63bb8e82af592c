//! The marking credit of an output: how many of the next departing packets are marked.
//!
//! The counters cnt1 and cnt2 of HPL-2002-4 section 5: a trigger sets cnt2 to the packets now in the switch for the
//! output; each departure uses one up. Marking the next departures instead of searching for the packets found at the
//! trigger notifies the sources sooner.

use std::fmt::Debug;

use crate::switch::mark::{Departing, MarkAction, MarkLevel, Marker, MarksAbove, OutputView};

/// What gives an output marking credit.
pub trait MarkingTrigger: Clone + Debug {
    /// Packets in a buffer of this many that count as full; `None` if full buffers are no trigger.
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    /// The action for an output when a buffer with a packet for it has become full: `Noted` gives credit.
    fn at_full(&self, _output: OutputView) -> MarkAction {
        MarkAction::None
    }

    /// An arrival that makes the packets for an output more than this many is a trigger; `None` if arrivals are no
    /// triggers.
    fn threshold(&self) -> Option<u32> {
        None
    }
}

/// The marker of one output that marks by credit.
#[derive(Clone, Debug)]
pub struct Triggered<T> {
    credit: MarkingCredit,
    trigger: T,
}

impl<T: MarkingTrigger> Triggered<T> {
    /// A marker without credit.
    pub fn new(trigger: &T) -> Self {
        Self { credit: MarkingCredit::default(), trigger: trigger.clone() }
    }
}

impl<T: MarkingTrigger> Marker for Triggered<T> {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        self.trigger.full_at(capacity)
    }

    fn on_full(&mut self, output: OutputView) -> MarkAction {
        let action = self.trigger.at_full(output);
        if action == MarkAction::Noted {
            self.credit.reload(output.present);
        }
        action
    }

    fn on_arrival(&mut self, output: OutputView) -> MarkAction {
        if self.trigger.threshold().is_none_or(|most| output.present <= most) {
            return MarkAction::None;
        }
        self.credit.reload(output.present);
        MarkAction::Noted
    }

    fn on_departure(&mut self, _output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        self.credit.spend()
    }

    fn marks_above(&self) -> Option<MarksAbove> {
        // Where full buffers are a trigger, too, the other one bounds nothing.
        let most = self.trigger.threshold().filter(|_| self.trigger.full_at(1).is_none())?;
        Some(MarksAbove { level: Some(MarkLevel::Packets(most)), key: "output_threshold", weight: false })
    }

    fn due(&self) -> u32 {
        self.credit.due
    }
}

/// Departures still to be marked (cnt2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MarkingCredit {
    due: u32,
}

impl MarkingCredit {
    /// A trigger: the credit is set, not added, so that a second trigger covers the packets that have arrived since the
    /// first.
    fn reload(&mut self, present: u32) {
        self.due = present;
    }

    /// A departure: returns whether it uses credit.
    fn spend(&mut self) -> bool {
        let marked = self.due > 0;
        self.due = self.due.saturating_sub(1);
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_departures_are_marked_as_were_present() {
        let mut credit = MarkingCredit::default();
        credit.reload(2);
        assert_eq!([credit.spend(), credit.spend(), credit.spend()], [true, true, false]);
    }

    #[test]
    fn a_second_trigger_sets_and_does_not_add() {
        let mut credit = MarkingCredit::default();
        credit.reload(5);
        credit.spend();
        credit.reload(3);
        assert_eq!(credit.due, 3);
    }
}
