//! The packets that a sender has in flight: which have arrived, which are lost, and when each was sent.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use congestree_units::Time;

/// The state of a packet that was sent and is not below the cumulative ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    OnItsWay,
    Lost,
    Arrived,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    sent_at: Time,
    size: u32,
    /// How often it was sent.
    times: u16,
    fate: Fate,
}

/// The packets of one flow from the first that is missing at its receiver to the last that was sent.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Flight {
    /// All below have arrived; the next new packet.
    pub first: u32,
    pub next: u32,
    /// Bytes sent minus those reported and those given up. Temporarily below zero if a report comes before it is known
    /// which packets it counts, and one of them is given up.
    pub bytes: i64,
    lost: BinaryHeap<Reverse<u32>>,
    slots: VecDeque<Slot>,
    /// Transmissions in their order, for the timer: a packet, and how often it had been sent by then.
    sent: VecDeque<(u32, u16)>,
    pub lost_bytes: u64,
}

impl Flight {
    fn slot(&mut self, sequence: u32) -> Option<&mut Slot> {
        let place = sequence.checked_sub(self.first)?;
        self.slots.get_mut(place as usize)
    }

    /// Bytes on the wire of a packet that was sent and may be sent again.
    pub(crate) fn size_of(&self, sequence: u32) -> Option<u32> {
        let place = sequence.checked_sub(self.first)?;
        self.slots.get(place as usize).map(|slot| slot.size)
    }

    /// Bytes on their way.
    pub(crate) fn on_its_way(&self) -> u64 {
        self.bytes.max(0) as u64
    }

    /// The lost packet with the lowest number.
    pub(crate) fn first_lost(&self) -> Option<u32> {
        self.lost.peek().map(|&Reverse(sequence)| sequence)
    }

    /// The next new packet starts.
    pub(crate) fn send(&mut self, now: Time, size: u32) {
        self.slots.push_back(Slot { sent_at: now, size, times: 1, fate: Fate::OnItsWay });
        self.sent.push_back((self.next, 1));
        self.next += 1;
        self.bytes += i64::from(size);
    }

    /// The lost packet with the lowest number starts once more.
    pub(crate) fn send_again(&mut self, now: Time, size: u32) {
        let Some(Reverse(sequence)) = self.lost.pop() else { return };
        self.lost_bytes -= u64::from(size);
        self.bytes += i64::from(size);
        if let Some(slot) = self.slot(sequence) {
            (slot.fate, slot.sent_at, slot.times) = (Fate::OnItsWay, now, slot.times.saturating_add(1));
            let times = slot.times;
            self.sent.push_back((sequence, times));
        }
        self.forget_found();
    }

    /// A packet is no longer in flight, because it is lost.
    pub(crate) fn lose(&mut self, sequence: u32) -> Option<u32> {
        let slot = self.slot(sequence).filter(|slot| slot.fate == Fate::OnItsWay)?;
        slot.fate = Fate::Lost;
        let size = slot.size;
        self.bytes -= i64::from(size);
        self.lost.push(Reverse(sequence));
        self.lost_bytes += u64::from(size);
        Some(size)
    }

    /// A packet has arrived, whatever its assumed state.
    pub(crate) fn arrive(&mut self, sequence: u32) {
        let Some(slot) = self.slot(sequence) else { return };
        let size = u64::from(slot.size);
        if std::mem::replace(&mut slot.fate, Fate::Arrived) == Fate::Lost {
            // The receiver has counted it, and so did the declaration of its loss.
            self.bytes += size as i64;
            self.lost_bytes -= size;
        }
    }

    /// Lost packets that have arrived after all need not be sent again.
    pub(crate) fn forget_found(&mut self) {
        while let Some(sequence) = self.first_lost() {
            if self.slot(sequence).is_some_and(|slot| slot.fate == Fate::Lost) {
                return;
            }
            self.lost.pop();
        }
    }

    /// Everything below has arrived.
    pub(crate) fn advance(&mut self, number: u32) {
        while self.first < number.min(self.next) {
            self.arrive(self.first);
            self.slots.pop_front();
            self.first += 1;
        }
    }

    /// When the packet of an answer was sent, if it is clear which transmission it answers: `again` is whether that was
    /// marked as a repetition.
    pub(crate) fn answered(&mut self, sequence: u32, again: bool) -> Option<Time> {
        let slot = self.slot(sequence).filter(|slot| slot.fate == Fate::OnItsWay)?;
        let told = (slot.times == 1 && !again) || (slot.times == 2 && again);
        told.then_some(slot.sent_at)
    }

    /// The oldest transmission in flight: its packet, and when it started.
    pub(crate) fn oldest(&self) -> Option<(u32, Time)> {
        self.sent.iter().find_map(|&transmission| Some((transmission.0, self.current(transmission)?.sent_at)))
    }

    /// The packet of a transmission, if that is its last and there was no answer.
    fn current(&self, (sequence, times): (u32, u16)) -> Option<&Slot> {
        let slot = self.slots.get(sequence.checked_sub(self.first)? as usize)?;
        (slot.fate == Fate::OnItsWay && slot.times == times).then_some(slot)
    }

    /// Removes transmissions that no longer matter; returns whether none is left.
    pub(crate) fn tidy(&mut self) -> bool {
        while self.sent.front().is_some_and(|&transmission| self.current(transmission).is_none()) {
            self.sent.pop_front();
        }
        self.sent.is_empty()
    }
}
