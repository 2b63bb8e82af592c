//! A table whose rows are found by ids of one kind: `flows[flow]` needs no conversion, and `flows[host]` does not compile.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

use prefetch_index::prefetch_index;

use crate::Id;

/// A `Vec<T>` that is indexed by ids of the kind `I`. In everything else it is a slice of its rows.
///
/// ```
/// use congestree_wire::{FlowId, IndexVec};
/// let flows: IndexVec<FlowId, &str> = vec!["a", "b"].into();
/// assert_eq!(flows[FlowId(1)], "b");
/// ```
///
/// ```compile_fail
/// use congestree_wire::{FlowId, HostId, IndexVec};
/// let flows: IndexVec<FlowId, &str> = vec!["a", "b"].into();
/// assert_eq!(flows[HostId(1)], "b");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IndexVec<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// An empty table with room for `rows` rows.
    pub fn with_capacity(rows: usize) -> Self {
        Self::from(Vec::with_capacity(rows))
    }

    /// The ids of all rows, in order.
    #[inline(always)]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.rows.len()).map(I::of)
    }

    /// All rows with their ids.
    #[inline(always)]
    pub fn with_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.rows.iter().enumerate().map(|(index, row)| (I::of(index), row))
    }

    /// The rows as a plain slice, indexed by their places.
    #[inline(always)]
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    /// The row, if there is one.
    #[inline(always)]
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.place())
    }

    /// The row, if there is one.
    #[inline(always)]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.rows.get_mut(id.place())
    }

    /// Adds a row; returns its id.
    #[inline(always)]
    pub fn push(&mut self, row: T) -> I {
        self.rows.push(row);
        I::of(self.rows.len() - 1)
    }

    /// Sets the length to `len`; new rows are copies of `row`.
    pub fn resize(&mut self, len: usize, row: T)
    where
        T: Clone,
    {
        self.rows.resize(len, row);
    }

    /// Prefetches a row that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, id: I) {
        prefetch_index(&self.rows, id.place());
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.rows[id.place()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.place()]
    }
}

impl<I: Id, T> Index<Range<I>> for IndexVec<I, T> {
    type Output = [T];
    #[inline(always)]
    fn index(&self, ids: Range<I>) -> &[T] {
        &self.rows[ids.start.place()..ids.end.place()]
    }
}

impl<I: Id, T> IndexMut<Range<I>> for IndexVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, ids: Range<I>) -> &mut [T] {
        &mut self.rows[ids.start.place()..ids.end.place()]
    }
}

impl<I, T> Deref for IndexVec<I, T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<I, T> DerefMut for IndexVec<I, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    #[inline(always)]
    fn from(rows: Vec<T>) -> Self {
        Self { rows, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<R: IntoIterator<Item = T>>(rows: R) -> Self {
        Self::from(Vec::from_iter(rows))
    }
}

impl<I, T> Extend<T> for IndexVec<I, T> {
    fn extend<R: IntoIterator<Item = T>>(&mut self, rows: R) {
        self.rows.extend(rows);
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use crate::{FlowId, IndexVec};

    #[test]
    fn rows_are_found_by_the_ids_that_they_were_given() {
        let mut table: IndexVec<FlowId, char> = IndexVec::default();
        let (a, b) = (table.push('a'), table.push('b'));
        assert_eq!((table[a], table[b], table.get(FlowId::NONE)), ('a', 'b', None));
        table[a] = 'c';
        assert_eq!(table.with_ids().collect::<Vec<_>>(), [(a, &'c'), (b, &'b')]);
        assert!(table.ids().eq([a, b]));
    }

    #[test]
    fn an_id_is_as_large_as_its_number_and_a_table_as_its_rows() {
        assert_eq!(size_of::<FlowId>(), size_of::<u32>());
        assert_eq!(size_of::<IndexVec<FlowId, u64>>(), size_of::<Vec<u64>>());
    }
}
