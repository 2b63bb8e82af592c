//! A slab of packets: ids are positions, and free positions form a stack, so nothing is allocated once it has grown.

use std::ops::{Index, IndexMut};

use prefetch_index::prefetch_index;

use crate::{Packet, PacketId};

/// All packets in flight.
#[derive(Debug, Default)]
pub struct Pool {
    packets: Vec<Packet>,
    /// Free places. The place that was freed last is used first, as it may still be in the cache.
    free: Vec<PacketId>,
}

impl Pool {
    /// Adds a packet; returns its id.
    pub fn add(&mut self, packet: Packet) -> PacketId {
        match self.free.pop() {
            Some(id) => {
                self[id] = packet;
                id
            }
            None => {
                self.packets.push(packet);
                PacketId(self.packets.len() as u32 - 1)
            }
        }
    }

    /// Removes a packet; its id may be given to another.
    pub fn remove(&mut self, id: PacketId) {
        self.free.push(id);
    }

    /// The ids of all packets in flight; slow, for audits.
    pub fn live_ids(&self) -> impl Iterator<Item = PacketId> + '_ {
        let mut live = vec![true; self.packets.len()];
        self.free.iter().for_each(|id| live[id.index()] = false);
        (0..self.packets.len() as u32).filter(move |&id| live[id as usize]).map(PacketId)
    }

    /// Prefetches the free place for the packet that will be added after so many others.
    #[inline]
    pub fn fetch_free(&self, others: usize) {
        if let Some(&id) = self.free.iter().nth_back(others) {
            self.fetch(id);
        }
    }

    /// Prefetches a packet that will be read soon.
    #[inline]
    pub fn fetch(&self, id: PacketId) {
        prefetch_index(&self.packets, id.index());
    }

    /// Packets in flight now.
    pub fn live(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// The most packets that were ever in flight at once.
    pub fn peak(&self) -> usize {
        self.packets.len()
    }
}

impl Index<PacketId> for Pool {
    type Output = Packet;
    #[inline]
    fn index(&self, id: PacketId) -> &Packet {
        &self.packets[id.index()]
    }
}

impl IndexMut<PacketId> for Pool {
    #[inline]
    fn index_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::sized;

    #[test]
    fn packets_keep_their_ids_and_places_are_used_again_the_last_one_first() {
        let mut pool = Pool::default();
        let ids: Vec<PacketId> = (0..4).map(|size| pool.add(sized(size))).collect();
        assert_eq!((pool.live(), pool.peak()), (4, 4));
        [1, 2].into_iter().for_each(|gone| pool.remove(ids[gone]));
        assert_eq!(pool.live_ids().collect::<Vec<_>>(), [ids[0], ids[3]]);
        assert_eq!((pool.live(), pool.peak()), (2, 4));
        assert_eq!([pool.add(sized(10)), pool.add(sized(11))], [ids[2], ids[1]]);
        assert_eq!(pool.add(sized(12)).index(), 4);
        let sizes: Vec<u32> = pool.live_ids().map(|id| pool[id].size).collect();
        assert_eq!(sizes, [0, 11, 10, 3, 12]);
        assert_eq!((pool.live(), pool.peak()), (5, 5));
    }
}
