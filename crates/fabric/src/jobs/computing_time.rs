//! How long a rank computes on any of its processors: the rest of its time is exposed communication, and waiting.

use congestree_units::{Span, Time};

/// Time covered by computations, which may overlap; some may still be to come.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy {
    /// The time covered by computations that are over.
    sum: Span,
    /// The other computations, as intervals that do not touch, in order.
    ahead: Vec<(Time, Time)>,
}

impl Busy {
    /// A processor computes from `begin`, which is now or later, to `end`.
    pub(crate) fn add(&mut self, now: Time, begin: Time, end: Time) {
        if begin == end {
            return;
        }
        let over = self.ahead.partition_point(|&(_, end)| end < now);
        self.sum = self.ahead.drain(..over).fold(self.sum, |sum, (begin, end)| sum + Span(end.0 - begin.0));
        // All intervals that the new one touches are merged with it.
        let first = self.ahead.partition_point(|one| one.1 < begin);
        let last = self.ahead.partition_point(|one| one.0 <= end);
        let whole = self.ahead[first..last].iter().fold((begin, end), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        self.ahead.splice(first..last, [whole]);
    }

    /// The total time covered.
    pub(crate) fn total(&self) -> Span {
        self.ahead.iter().fold(self.sum, |sum, &(begin, end)| sum + Span(end.0 - begin.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_on_two_processors_counts_once() {
        let mut busy = Busy::default();
        for (now, begin, end) in [(0, 0, 10), (2, 5, 12), (3, 20, 30), (4, 12, 14), (25, 25, 26), (40, 40, 41)] {
            busy.add(Time(now), Time(begin), Time(end));
        }
        // 0 to 14, 20 to 30, 40 to 41.
        assert_eq!(busy.total(), Span(25));
        assert!(busy.ahead.len() == 1);
    }
}
