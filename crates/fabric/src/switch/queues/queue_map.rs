//! Which of the queues of its input a packet joins.
//!
//! The queues that packets join on arrival are numbered lane by lane from the first. Which queue of its lane a packet
//! joins follows from its output or its destination. All code that needs a packet's input queue asks here, except for
//! the two plain organisations (a queue for each output, or a single queue): theirs is `link::port::In::queue`.

use congestree_wire::HostId;

use crate::plan::QueueMap;

impl QueueMap {
    /// Number of a packet's queue, counted from the first of its input, in a switch with `radix` ports and a network
    /// of `hosts` hosts. The output (counted in its switch) is evaluated only if the queue depends on it.
    #[inline(always)]
    pub(crate) fn number(
        self,
        lane: u8,
        output: impl FnOnce() -> u16,
        destination: HostId,
        radix: u16,
        hosts: u32,
    ) -> u32 {
        let lane = u32::from(lane);
        match self {
            QueueMap::Single => lane,
            QueueMap::Voq => lane * u32::from(radix) + u32::from(output()),
            QueueMap::PerDestination => lane * hosts + destination.0,
            QueueMap::ByDestination { queues } => lane * u32::from(queues) + destination.0 % u32::from(queues),
            QueueMap::ByOutput { queues } => lane * u32::from(queues) + u32::from(output() % queues),
        }
    }

    /// Each queue that packets join on arrival holds packets for one output only.
    #[inline(always)]
    pub(crate) fn is_by_output(self) -> bool {
        self == QueueMap::Voq
    }

    /// The output (counted in its switch) of all packets in the queue of this number, if the map keeps outputs apart.
    #[inline(always)]
    pub(crate) fn output_of(self, number: u32, lane: u8, radix: u16) -> Option<u16> {
        self.is_by_output().then(|| (number - u32::from(lane) * u32::from(radix)) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: [(QueueMap, u32); 5] = [
        (QueueMap::Single, 1),
        (QueueMap::Voq, 4),
        (QueueMap::PerDestination, 6),
        (QueueMap::ByDestination { queues: 3 }, 3),
        (QueueMap::ByOutput { queues: 3 }, 3),
    ];

    #[test]
    fn lanes_share_no_queue_and_all_queues_of_a_lane_are_used() {
        for (map, queues) in MAPS {
            for lane in 0..3 {
                let each = (0..4).flat_map(|output| (0..6).map(move |host| (output, HostId(host))));
                let mut found: Vec<u32> = each.map(|(output, to)| map.number(lane, || output, to, 4, 6)).collect();
                found.sort_unstable();
                found.dedup();
                let first = u32::from(lane) * queues;
                assert_eq!(found, (first..first + queues).collect::<Vec<_>>(), "{map:?}");
            }
        }
    }

    #[test]
    fn a_queue_tells_its_output_only_if_there_is_one_for_each() {
        for (map, _) in MAPS {
            for (lane, output) in [(0, 0), (0, 3), (2, 1)] {
                let number = map.number(lane, || output, HostId(5), 4, 6);
                let expected = (map == QueueMap::Voq).then_some(output);
                assert_eq!(map.output_of(number, lane, 4), expected, "{map:?}");
            }
        }
    }
}
