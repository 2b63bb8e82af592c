//! Cyclic counters that the two ends of a link share: 20 bits, after which they wrap around.
//!
//! Sequence numbers of link-level retry and the credit counters of UEC have this width. The end that counts may be
//! ahead of what the other end knows by less than half of the range.

/// A count, modulo 2^20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cyclic(u32);

impl Cyclic {
    /// Number of distinct values.
    pub(crate) const ALL: u32 = 1 << 20;

    /// The counter at this count.
    #[cfg(test)]
    pub(crate) fn of(count: u32) -> Self {
        Self(count % Self::ALL)
    }

    /// The counter advanced by this many.
    #[inline]
    pub(crate) fn plus(self, more: u32) -> Self {
        Self(self.0.wrapping_add(more) % Self::ALL)
    }

    /// How far it is ahead of another value, which it once had.
    #[inline]
    pub(crate) fn since(self, before: Cyclic) -> u32 {
        self.0.wrapping_sub(before.0) % Self::ALL
    }

    /// Whether it comes before another value.
    pub(crate) fn is_before(self, other: Cyclic) -> bool {
        self != other && other.since(self) < Self::ALL / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_begin_anew_and_differences_do_not_mind() {
        let last = Cyclic::of(Cyclic::ALL - 1);
        assert_eq!(last.plus(1), Cyclic::default());
        assert_eq!(last.plus(5).since(last), 5);
        assert!(last.is_before(last.plus(3)) && !last.plus(3).is_before(last) && !last.is_before(last));
    }
}
