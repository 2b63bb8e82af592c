//! The graph of waits between buffers. A buffer is stuck if packets wait for it, none of them finds enough space in it,
//! none of its space is on its way back, and all packets in it wait for buffers that are stuck.

/// Buffers behind links, by number.
#[derive(Debug, Default)]
pub(super) struct BufferWaits {
    /// Packets wait for this buffer, and only packets that are in it can make space.
    stuck: Vec<bool>,
    /// The buffers that the packets in it wait for, one for each packet; [`FREE`] for those that may go on.
    wants: Vec<Vec<u32>>,
}

/// No buffer: the packet may go on without waiting for one.
pub(super) const FREE: u32 = u32::MAX;

impl BufferWaits {
    /// A graph of buffers, of which `stuck` lack space.
    pub(super) fn new(stuck: Vec<bool>) -> Self {
        Self { wants: vec![Vec::new(); stuck.len()], stuck }
    }

    /// Some buffer lacks space.
    pub(super) fn any(&self) -> bool {
        self.stuck.contains(&true)
    }

    /// A packet in one buffer waits for another.
    pub(super) fn add(&mut self, held: u32, wanted: u32) {
        self.wants[held as usize].push(wanted);
    }

    /// The buffer lacks space, as far as is known. Only then does it matter what its packets wait for.
    pub(super) fn is_stuck(&self, buffer: u32) -> bool {
        buffer != FREE && self.stuck[buffer as usize]
    }

    /// A cycle of buffers: each is held by packets that wait for the next, and the last for the first.
    pub(super) fn cycle(mut self) -> Option<Vec<u32>> {
        self.free_upstream();
        let mut at = self.stuck.iter().position(|&is| is)? as u32;
        let mut path: Vec<u32> = Vec::new();
        loop {
            if let Some(start) = path.iter().position(|&seen| seen == at) {
                return Some(path.split_off(start));
            }
            path.push(at);
            at = self.wants[at as usize].iter().copied().find(|&buffer| self.is_stuck(buffer))?;
        }
    }

    /// A buffer that some packet can still leave is not stuck, nor is one whose packets wait for it, and so on
    /// upstream.
    fn free_upstream(&mut self) {
        loop {
            let frees = |&buffer: &u32| {
                let wants = &self.wants[buffer as usize];
                self.is_stuck(buffer) && (wants.is_empty() || wants.iter().any(|&wanted| !self.is_stuck(wanted)))
            };
            let freed: Vec<u32> = (0..self.stuck.len() as u32).filter(frees).collect();
            if freed.is_empty() {
                return;
            }
            freed.into_iter().for_each(|buffer| self.stuck[buffer as usize] = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(stuck: &[bool], holds: &[(u32, u32)]) -> BufferWaits {
        let mut waits = BufferWaits::new(stuck.to_vec());
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
