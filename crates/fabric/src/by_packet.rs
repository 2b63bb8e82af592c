//! What is kept beside packets: tables by packet, which have an entry for each place in the pool, so that a packet fits
//! in one cache line. A packet that is given the place of another takes all of it along.

use congestree_wire::PacketId;

/// State that is kept beside packets. All of it is on the list of `Fabric::exchange`.
pub(crate) trait ByPacket {
    /// Two packets have changed places: what is kept beside each goes with it.
    fn swap(&mut self, a: PacketId, b: PacketId);
}

/// Exchanges the entries of two packets in a table that grows when it is used; `empty` is that of a packet beyond its
/// end.
pub(crate) fn swap_entries<T: Clone>(table: &mut Vec<T>, a: PacketId, b: PacketId, empty: T) {
    let (first, last) = (a.min(b).index(), a.max(b).index());
    if first >= table.len() {
        return;
    }
    if last >= table.len() {
        table.resize(last + 1, empty);
    }
    table.swap(first, last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_change_places_even_where_a_table_has_not_grown_that_far() {
        let mut table = vec![10, 11, 12];
        for (a, b, expected) in [
            (0, 2, vec![12, 11, 10]),
            (7, 8, vec![12, 11, 10]),
            (4, 1, vec![12, 0, 10, 0, 11]),
            (3, 0, vec![0, 0, 10, 12, 11]),
        ] {
            swap_entries(&mut table, PacketId(a), PacketId(b), 0);
            assert_eq!(table, expected, "after {a} and {b}");
        }
    }
}
