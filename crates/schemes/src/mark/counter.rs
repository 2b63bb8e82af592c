//! The marking credit of an output: how many of the packets that leave next are marked.
//!
//! The counters cnt1 and cnt2 of HPL-2002-4 section 5: a trigger sets cnt2 to the packets now in the switch for the
//! output; each departure uses one up. Marking the next departures instead of scanning for the packets found at the
//! trigger brings the news to the sources sooner.

/// Departures still to be marked (cnt2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MarkingCredit {
    pub(super) due: u32,
}

impl MarkingCredit {
    /// A trigger: set, not added, so that a second one covers what has come in since the first.
    pub(super) fn reload(&mut self, present: u32) {
        self.due = present;
    }

    /// A departure: is it one of those due?
    pub(super) fn spend(&mut self) -> bool {
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
