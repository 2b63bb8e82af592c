//! Flow queues at an output: which flow uses which queue, which queues may send, and which queues upstream must be
//! stopped.
//!
//! An output owns [`Assignments`]: a flow that has packets here keeps its queue; one that has had none for long gets an
//! empty queue, or any queue if there is none. An input owns [`Charges`]: how many packets are charged to each queue of
//! the neighbour. Both answer and never act.
//!
//! **Order.** A flow's packets stay in one queue as long as there are any, first in first out, so they leave as they
//! came.

use congestree_units::{PS_PER_S, Rate, Span, Time};

use super::Notices;
use crate::switch::route::{drawn, mixed};

/// The rules of flow queues: every part that isolates by flow is reduced to these.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowRules {
    /// Queues of an output for flows.
    pub queues: u16,
    /// Number of values of the hash by which it identifies them.
    pub flow_ids: u32,
    /// From a packet's start upstream until a stop that it causes takes effect; `None`: from the links.
    pub hop_round_trip: Option<Span>,
    /// How long a flow without packets keeps its queue; `None`: two such round trips.
    pub sticky: Option<Span>,
    /// First packets of flows go before all others.
    pub first_ahead: bool,
    /// How stops and gos travel.
    pub notices: Notices,
}

impl FlowRules {
    /// The number by which an output identifies a flow, given a unique number of the flow.
    #[inline]
    pub fn id_of(&self, flow: u64) -> u32 {
        (mixed(flow) % u64::from(self.flow_ids)) as u32
    }

    /// How long a flow without packets keeps its queue if a stop takes this long.
    pub fn sticky(&self, hop_round_trip: Span) -> Span {
        self.sticky.unwrap_or(hop_round_trip + hop_round_trip)
    }
}

/// The queue that a flow's packet joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its number.
    pub queue: u16,
    /// The flow has just been assigned to it.
    pub is_new: bool,
    /// It was assigned although others have packets there.
    pub shared: bool,
}

/// A flow as an output knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    id: u32,
    queue: u16,
    /// Its packets in that queue.
    packets: u32,
    /// When the last of them left.
    idle_since: Time,
}

impl Known {
    /// Whether it has packets here, or has had some recently.
    fn keeps(&self, now: Time, sticky: Span) -> bool {
        self.packets > 0 || now.since(self.idle_since) <= sticky
    }
}

/// A queue as an output knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Queue {
    packets: u32,
    bytes: u64,
    stopped: bool,
    /// Whether some flow keeps it, at the last time that a queue was assigned.
    kept: bool,
}

/// The queues of an output, and the flows that use them.
#[derive(Clone, Debug, Default)]
pub struct Assignments {
    queues: Vec<Queue>,
    /// In the order of their ids.
    flows: Vec<Known>,
    /// One bit per queue: it has packets and may send.
    active: Vec<u64>,
    /// How many are.
    active_len: u32,
}

impl Assignments {
    /// So many queues, all empty.
    pub fn new(queues: u16) -> Self {
        let words = usize::from(queues).div_ceil(64);
        Self { queues: vec![Queue::default(); queues.into()], active: vec![0; words], ..Self::default() }
    }

    /// The queues with packets that may go, one bit each.
    #[inline]
    pub fn active(&self) -> &[u64] {
        &self.active
    }

    /// How many of them there are.
    #[inline]
    pub fn active_len(&self) -> u32 {
        self.active_len
    }

    /// Bytes in a queue.
    pub fn bytes(&self, queue: u16) -> u64 {
        self.queues[usize::from(queue)].bytes
    }

    /// Whether the neighbour downstream has stopped it.
    pub fn is_stopped(&self, queue: u16) -> bool {
        self.queues[usize::from(queue)].stopped
    }

    /// A packet of a flow joins a queue: that of the flow, unless it has been without packets for longer than `sticky`;
    /// then an empty one; `draw`, a number in [0, 1), decides which one if there is none.
    pub fn join(&mut self, now: Time, id: u32, bytes: u32, sticky: Span, draw: impl FnOnce() -> f64) -> Placed {
        let known = self.flows.binary_search_by_key(&id, |known| known.id);
        if let Ok(place) = known
            && self.flows[place].keeps(now, sticky)
        {
            self.stands(place, bytes);
            return Placed { queue: self.flows[place].queue, is_new: false, shared: false };
        }
        self.flows.retain(|known| known.keeps(now, sticky));
        let empty = self.empty_queue();
        let queue = empty.unwrap_or_else(|| drawn(draw(), self.queues.len() as u32) as u16);
        let place = self.flows.partition_point(|known| known.id < id);
        self.flows.insert(place, Known { id, queue, packets: 0, idle_since: now });
        self.stands(place, bytes);
        Placed { queue, is_new: true, shared: empty.is_none() }
    }

    /// The first empty queue, preferably one that may send and that no flow keeps.
    fn empty_queue(&mut self) -> Option<u16> {
        self.queues.iter_mut().for_each(|queue| queue.kept = false);
        for known in &self.flows {
            self.queues[usize::from(known.queue)].kept = true;
        }
        let empty = self.queues.iter().enumerate().filter(|(_, queue)| queue.packets == 0);
        let best = empty.min_by_key(|(number, queue)| (queue.stopped, queue.kept, *number));
        best.map(|(number, _)| number as u16)
    }

    /// A packet is added to the queue of a flow.
    fn stands(&mut self, place: usize, bytes: u32) {
        let known = &mut self.flows[place];
        known.packets += 1;
        let queue = &mut self.queues[usize::from(known.queue)];
        queue.packets += 1;
        queue.bytes += u64::from(bytes);
        let number = known.queue;
        self.note(number);
    }

    /// The packet at the head of a queue leaves; it is of this flow.
    pub fn leave(&mut self, now: Time, id: u32, bytes: u32) {
        let Ok(place) = self.flows.binary_search_by_key(&id, |known| known.id) else { return };
        let known = &mut self.flows[place];
        known.packets -= 1;
        known.idle_since = now;
        let number = known.queue;
        let queue = &mut self.queues[usize::from(number)];
        queue.packets -= 1;
        queue.bytes -= u64::from(bytes);
        self.note(number);
    }

    /// The neighbour downstream stops a queue, or releases it.
    pub fn hear(&mut self, queue: u16, stop: bool) {
        self.queues[usize::from(queue)].stopped = stop;
        self.note(queue);
    }

    /// Brings up to date whether a queue has packets that may go.
    fn note(&mut self, number: u16) {
        let queue = self.queues[usize::from(number)];
        let (word, bit) = (&mut self.active[usize::from(number) / 64], 1 << (number % 64));
        let (was, is) = (*word & bit != 0, queue.packets > 0 && !queue.stopped);
        *word = if is { *word | bit } else { *word & !bit };
        self.active_len = self.active_len + u32::from(is) - u32::from(was);
    }

    /// Whether a queue is longer than its share of what the output sends in a round trip.
    pub fn is_over(&self, queue: u16, hop_round_trip: Span, rate: Rate) -> bool {
        let held = u128::from(self.bytes(queue)) * u128::from(self.active_len.max(1)) * 8 * u128::from(PS_PER_S);
        held > u128::from(hop_round_trip.0) * u128::from(rate.0)
    }

    /// Checks that the packets of its flows add up to the queue, and that those that may send are counted once.
    pub fn check(&self) -> Result<(), String> {
        for (number, queue) in self.queues.iter().enumerate() {
            let here = self.flows.iter().filter(|known| usize::from(known.queue) == number);
            let packets: u32 = here.map(|known| known.packets).sum();
            if packets != queue.packets {
                return Err(format!("queue {number} holds {} packets, and its flows have {packets}", queue.packets));
            }
        }
        let active = self.queues.iter().filter(|queue| queue.packets > 0 && !queue.stopped).count() as u32;
        if active != self.active_len || self.active.iter().map(|word| word.count_ones()).sum::<u32>() != active {
            return Err(format!("{active} queues may go, but {} are counted", self.active_len));
        }
        Ok(())
    }
}

/// Packets of an input that are charged to queues of its neighbour.
#[derive(Clone, Debug, Default)]
pub struct Charges {
    counts: Vec<u32>,
}

impl Charges {
    /// A packet is charged to a queue; returns whether it is the first, so that the queue must be stopped.
    pub fn charge(&mut self, queue: u32) -> bool {
        let place = queue as usize;
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.counts[place] == 1
    }

    /// A charged packet has left; returns whether it was the last, so that the queue may send.
    pub fn discharge(&mut self, queue: u32) -> bool {
        let count = &mut self.counts[queue as usize];
        *count -= 1;
        *count == 0
    }

    /// Packets charged to each queue, as far as any ever were.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
}

#[cfg(test)]
mod tests;
