//! Time bins for a fixed set of items: a dense table, one row a bin.

use congestree_units::{Span, Time};

use crate::MeasurementWindow;

/// Values by bin and item.
#[derive(Clone, Debug)]
pub(crate) struct Bins<T> {
    bin: Span,
    bins: usize,
    items: usize,
    cells: Vec<T>,
    /// Start of the bin that was last asked for, and its first cell: the next request is nearly always for the same
    /// bin, and divisions are slow.
    last: (Time, usize),
}

impl<T: Clone + Default> Bins<T> {
    /// All cells at their default.
    pub(crate) fn new(window: MeasurementWindow, items: usize) -> Self {
        let bins = window.end.0.div_ceil(window.bin.0.max(1)) as usize;
        Self { bin: window.bin, bins, items, cells: vec![T::default(); bins * items], last: (Time::START, 0) }
    }

    /// The cell of an item at an instant; the end of the run belongs to the last bin.
    #[inline]
    pub(crate) fn at(&mut self, time: Time, item: u32) -> &mut T {
        if !self.is_in_last(time) {
            self.find(self.bin_of(time));
        }
        &mut self.cells[self.last.1 + item as usize]
    }

    #[inline]
    fn is_in_last(&self, time: Time) -> bool {
        time.0.wrapping_sub(self.last.0.0) < self.bin.0
    }

    fn find(&mut self, bin: usize) {
        self.last = (Time(bin as u64 * self.bin.0), bin * self.items);
    }

    /// The cell of an item for a whole interval, if the interval lies in the bin that was last asked for.
    #[inline]
    pub(crate) fn within(&mut self, from: Time, to: Time, item: u32) -> Option<&mut T> {
        let is_within = self.is_in_last(from) && self.is_in_last(to);
        if is_within { self.cells.get_mut(self.last.1 + item as usize) } else { None }
    }

    /// Calls `add` with each bin's cell and the part of the interval that falls into it.
    #[inline]
    pub(crate) fn over(&mut self, from: Time, to: Time, item: u32, mut add: impl FnMut(&mut T, Span)) {
        let mut from = from;
        while from < to {
            if !self.is_in_last(from) {
                let bin = (from.0 / self.bin.0) as usize;
                if bin >= self.bins {
                    return;
                }
                self.find(bin);
            }
            let (start, first) = self.last;
            let end = Time(start.0 + self.bin.0).min(to);
            add(&mut self.cells[first + item as usize], end.since(from));
            from = end;
        }
    }

    /// Adds the cells of a part of the network.
    pub(crate) fn take_in(&mut self, part: &Self, mut add: impl FnMut(&mut T, &T)) {
        self.cells.iter_mut().zip(&part.cells).for_each(|(sum, cell)| add(sum, cell));
    }

    /// Drops the bins that were not reached: a run may end early.
    pub(crate) fn cut(&mut self, end: Time) {
        self.bins = self.bins.min(self.bin_of(end) + 1);
        self.cells.truncate(self.bins * self.items);
    }

    /// Start of each row's bin, in seconds, and its item; rows in the order of `cells`.
    pub(crate) fn rows(&self) -> (Vec<f64>, Vec<u32>) {
        let starts = (0..self.bins).flat_map(|bin| {
            let start = Time(bin as u64 * self.bin.0).as_secs();
            std::iter::repeat_n(start, self.items)
        });
        let items = (0..self.bins).flat_map(|_| 0..self.items as u32);
        (starts.collect(), items.collect())
    }

    /// One column made from the cells.
    pub(crate) fn column<U>(&self, value: impl Fn(&T) -> U) -> Vec<U> {
        self.cells.iter().map(value).collect()
    }

    /// Length of bin number `row / items`, in seconds: the last one may be cut short.
    pub(crate) fn length(&self, row: usize, end: Time) -> f64 {
        let start = Time((row / self.items.max(1)) as u64 * self.bin.0);
        end.since(start).min(self.bin).as_secs()
    }

    pub(crate) fn items(&self) -> usize {
        self.items
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    pub(crate) fn bin_of(&self, time: Time) -> usize {
        ((time.0 / self.bin.0) as usize).min(self.bins.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_split_over_its_bins_without_loss() {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(30), sampling_interval: Span(30) };
        let mut bins: Bins<u64> = Bins::new(window, 2);
        bins.over(Time(10), Time(95), 1, |cell, part| *cell += part.0);
        assert_eq!(bins.column(|cell| *cell), [0, 20, 0, 30, 0, 30, 0, 5]);
    }

    #[test]
    fn a_run_that_ends_early_has_no_bins_behind_its_end() {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(30), sampling_interval: Span(30) };
        let cut = |end| {
            let mut bins: Bins<u64> = Bins::new(window, 2);
            bins.cut(Time(end));
            (bins.rows().1.len(), bins.column(|cell| *cell).len())
        };
        assert_eq!([cut(0), cut(31), cut(60), cut(100)], [(2, 2), (4, 4), (6, 6), (8, 8)]);
    }
}
