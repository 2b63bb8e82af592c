//! Which lane may use a link next, as in Ethernet switches: some lanes with strict priority, the rest by deficit
//! round robin.
//!
//! Strict lanes are tried first, in their order. The others share what those leave: they take turns, and at its turn
//! a lane may send `quantum` bytes more than it had left over; it goes on as long as the next packet fits into that.
//! A lane that has nothing to send, or may not send (because it is paused), is passed over and loses what it had
//! left; so do all lanes when the link idles. No quantum is smaller than a packet, so that every lane can send a
//! packet at its turn. (M. Shreedhar, G. Varghese, Efficient Fair Queuing using Deficit Round Robin, IEEE/ACM Trans.
//! Networking 4(3), 1996.)

use crate::plan::LaneSchedule;

/// The scheduling state of one port.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deficits {
    /// By place in the list of lanes: bytes that it may still send.
    left: Vec<u32>,
    /// The place of the lane whose turn it is.
    turn: usize,
}

/// A lane to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Try {
    /// The lane.
    pub lane: u8,
    /// The largest size that its next packet may have (bytes).
    pub most: u32,
    /// Its place among the lanes that share; absent for a strict one.
    place: Option<usize>,
}

impl Deficits {
    pub(crate) fn new(schedule: &LaneSchedule) -> Self {
        Self { left: vec![0; schedule.shares.len()], turn: 0 }
    }

    /// The lane to try after `tried` lanes were tried in vain.
    pub(crate) fn next(&self, schedule: &LaneSchedule, tried: usize) -> Option<Try> {
        if let Some(&lane) = schedule.strict.get(tried) {
            return Some(Try { lane, most: u32::MAX, place: None });
        }
        // First the lane whose turn it is, with what it has left; then the others; then that lane again with a new
        // quantum, if no other can send.
        let (tried, count) = (tried - schedule.strict.len(), schedule.shares.len());
        if tried > count || count == 0 {
            return None;
        }
        let place = (self.turn + tried) % count;
        let (lane, quantum) = schedule.shares[place];
        let most = if tried == 0 { self.left[place] } else { self.left[place] + quantum };
        Some(Try { lane, most, place: Some(place) })
    }

    /// The link has been idle, so no lane had anything to send: none keeps what it had left.
    pub(crate) fn forget(&mut self) {
        self.left.fill(0);
    }

    /// A lane that was tried had nothing to send.
    pub(crate) fn passes(&mut self, tried: Try) {
        if let Some(place) = tried.place {
            self.left[place] = 0;
        }
    }

    /// A lane that was tried sends this many bytes.
    pub(crate) fn sends(&mut self, tried: Try, bytes: u32) {
        if let Some(place) = tried.place {
            self.left[place] = tried.most - bytes;
            self.turn = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes in the order in which they send, if lane *i* has an endless supply of packets of `sizes[i]` bytes (0:
    /// none).
    fn sent(schedule: &LaneSchedule, sizes: &[u32], packets: usize) -> Vec<u8> {
        let mut deficits = Deficits::new(schedule);
        (0..packets)
            .filter_map(|_| {
                for tried in 0.. {
                    let next = deficits.next(schedule, tried)?;
                    match sizes[usize::from(next.lane)] {
                        0 => deficits.passes(next),
                        size if size <= next.most => {
                            deficits.sends(next, size);
                            return Some(next.lane);
                        }
                        _ => {}
                    }
                }
                None
            })
            .collect()
    }

    fn shares(shares: &[(u8, u32)]) -> LaneSchedule {
        LaneSchedule { strict: Vec::new(), shares: shares.to_vec() }
    }

    #[test]
    fn strict_lanes_go_first_in_their_order() {
        let schedule = LaneSchedule { strict: vec![2, 0], shares: vec![(1, 1_000)] };
        assert_eq!(sent(&schedule, &[100, 100, 100], 3), [2, 2, 2]);
        assert_eq!(sent(&schedule, &[100, 100, 0], 3), [0, 0, 0]);
        assert_eq!(sent(&schedule, &[0, 100, 0], 3), [1, 1, 1]);
        assert!(sent(&schedule, &[0, 0, 0], 3).is_empty());
    }

    #[test]
    fn lanes_share_bytes_and_not_packets() {
        let lanes = sent(&shares(&[(0, 1_500), (1, 1_500)]), &[1_000, 250, 0], 5_000);
        let bytes = |lane| lanes.iter().filter(|of| **of == lane).count() as i64 * if lane == 0 { 1_000 } else { 250 };
        assert!((bytes(0) - bytes(1)).abs() <= 3_000, "{} and {}", bytes(0), bytes(1));
    }

    #[test]
    fn quanta_are_weights() {
        let lanes = sent(&shares(&[(0, 3_000), (1, 1_000)]), &[1_000, 1_000, 0], 8);
        assert_eq!(lanes, [1, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn what_is_left_over_is_kept_for_the_next_turn() {
        // 700 bytes of 1,000: 300 are left, then 600, then 900; the third turn has two packets.
        let lanes = sent(&shares(&[(0, 1_000), (1, 1_000)]), &[700, 1_000, 0], 8);
        assert_eq!(lanes, [1, 0, 1, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_lane_that_was_alone_has_saved_nothing() {
        let schedule = shares(&[(0, 1_000), (1, 1_000)]);
        let mut deficits = Deficits::new(&schedule);
        for _ in 0..10 {
            for tried in 0.. {
                let next = deficits.next(&schedule, tried).expect("lane 1 has packets");
                if next.lane == 1 && next.most >= 100 {
                    deficits.sends(next, 100);
                    break;
                }
                deficits.passes(next);
            }
        }
        assert!(deficits.left.iter().all(|left| *left < 1_000));
    }
}
