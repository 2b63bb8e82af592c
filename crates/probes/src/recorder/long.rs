//! Tables that grow with the run, with a row for every event of a kind: their rows are handed over during the run.

use congestree_units::Time;

/// At least this many rows are handed over at a time: a few megabytes.
pub(super) const BATCH: usize = 1 << 15;

/// The rows, if there are enough of them.
pub(super) fn full<T>(rows: &mut Vec<T>) -> Option<Vec<T>> {
    (rows.len() >= BATCH).then(|| std::mem::take(rows))
}

/// Rows in the order in which they were reported.
#[derive(Debug)]
pub(in crate::recorder) struct OrderedRows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// In a part of a network: the place of each row in the order of its instant.
    places: Vec<u32>,
    /// Also there: the place of what is being reported.
    place: Option<u32>,
}

impl<T> Default for OrderedRows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), places: Vec::new(), place: None }
    }
}

impl<T> OrderedRows<T> {
    /// What is reported from now on has this place.
    pub(crate) fn happens(&mut self, place: u32) {
        self.place = Some(place);
    }

    /// There is one more row.
    #[inline]
    pub(crate) fn push(&mut self, row: T) {
        self.rows.push(row);
        self.places.extend(self.place);
    }

    /// Merges the rows of a part with those known, by instant and by their places in its order. All rows with the same
    /// place come from one part, in its order.
    pub(crate) fn take_in(&mut self, part: Self, at: impl Fn(&T) -> Time) {
        let known = std::mem::take(&mut self.rows).into_iter().zip(std::mem::take(&mut self.places));
        let mut merged: Vec<(T, u32)> = known.chain(part.rows.into_iter().zip(part.places)).collect();
        merged.sort_by_key(|(row, place)| (at(row), *place));
        (self.rows, self.places) = merged.into_iter().unzip();
    }
}
