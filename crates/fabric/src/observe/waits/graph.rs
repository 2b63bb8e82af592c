//! The graph of waits between rooms (buffer space). A room is stuck if packets wait for it, none of them finds enough
//! of it, none of it is on its way back, and all packets that hold it wait for rooms that are stuck.

/// Rooms behind links, by number.
#[derive(Debug, Default)]
pub(super) struct RoomWaits {
    /// Packets wait for this room, and can get it only from packets that hold it.
    stuck: Vec<bool>,
    /// The rooms that the packets in it wait for, one for each packet; [`FREE`] for those that may go on.
    wants: Vec<Vec<u32>>,
}

/// No room: the packet may go on without waiting for one.
pub(super) const FREE: u32 = u32::MAX;

impl RoomWaits {
    /// A graph of rooms, of which `stuck` are lacking.
    pub(super) fn new(stuck: Vec<bool>) -> Self {
        Self { wants: vec![Vec::new(); stuck.len()], stuck }
    }

    /// Some room is lacking.
    pub(super) fn any(&self) -> bool {
        self.stuck.contains(&true)
    }

    /// A packet that holds one room waits for another.
    pub(super) fn add(&mut self, held: u32, wanted: u32) {
        self.wants[held as usize].push(wanted);
    }

    /// The room is lacking, as far as is known. Only then does it matter what its packets wait for.
    pub(super) fn is_stuck(&self, room: u32) -> bool {
        room != FREE && self.stuck[room as usize]
    }

    /// A cycle of rooms: each is held by packets that wait for the next, and the last for the first.
    pub(super) fn cycle(mut self) -> Option<Vec<u32>> {
        self.free_upstream();
        let mut at = self.stuck.iter().position(|&is| is)? as u32;
        let mut path: Vec<u32> = Vec::new();
        loop {
            if let Some(start) = path.iter().position(|&seen| seen == at) {
                return Some(path.split_off(start));
            }
            path.push(at);
            at = self.wants[at as usize].iter().copied().find(|&room| self.is_stuck(room))?;
        }
    }

    /// A room that some packet can still leave is not stuck, nor is a room whose packets wait for it, and so on
    /// upstream.
    fn free_upstream(&mut self) {
        loop {
            let frees = |&room: &u32| {
                let wants = &self.wants[room as usize];
                self.is_stuck(room) && (wants.is_empty() || wants.iter().any(|&wanted| !self.is_stuck(wanted)))
            };
            let freed: Vec<u32> = (0..self.stuck.len() as u32).filter(frees).collect();
            if freed.is_empty() {
                return;
            }
            freed.into_iter().for_each(|room| self.stuck[room as usize] = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(stuck: &[bool], holds: &[(u32, u32)]) -> RoomWaits {
        let mut waits = RoomWaits::new(stuck.to_vec());
        holds.iter().for_each(|&(held, wanted)| waits.add(held, wanted));
        waits
    }

    #[test]
    fn a_cycle_is_found_without_what_leads_to_it() {
        let found = waits(&[true; 4], &[(0, 1), (1, 2), (2, 3), (3, 1)]).cycle();
        assert_eq!(found, Some(vec![1, 2, 3]));
    }

    #[test]
    fn whoever_may_go_on_frees_everybody_upstream() {
        assert_eq!(waits(&[true; 3], &[(0, 1), (1, 2), (2, 0), (2, FREE)]).cycle(), None);
        assert_eq!(waits(&[true, true, false], &[(0, 1), (1, 0), (1, 2)]).cycle(), None);
        assert_eq!(waits(&[true, true], &[(0, 1)]).cycle(), None, "nobody holds the second");
    }
}
