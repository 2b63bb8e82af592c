//! A message as its source made it, and the lists of messages that are not being sent yet.

use congestree_units::Time;

use crate::host::flow::NONE;

/// Result of asking steady sources for a message.
pub(crate) enum Generated {
    /// One was made.
    Message,
    /// The next is due then, if ever.
    Later(Time),
}

/// A message that waits in a flow shared by several sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(super) created: Time,
    pub(super) bytes: u64,
    pub(super) next: u32,
}

/// Messages that wait behind others of their flow, in one slab; each flow has a list, oldest first.
#[derive(Debug, Default)]
pub(crate) struct WaitingMessages {
    slots: Vec<Message>,
    free: Vec<u32>,
}

impl WaitingMessages {
    /// Keeps a message that will be the last of its flow. Returns its place.
    pub(super) fn keep(&mut self, created: Time, bytes: u64) -> u32 {
        let message = Message { created, bytes, next: NONE };
        match self.free.pop() {
            Some(place) => {
                self.slots[place as usize] = message;
                place
            }
            None => {
                self.slots.push(message);
                self.slots.len() as u32 - 1
            }
        }
    }

    /// Puts a message behind another.
    pub(super) fn link(&mut self, before: u32, place: u32) {
        self.slots[before as usize].next = place;
    }

    /// Takes a message out.
    pub(super) fn take(&mut self, place: u32) -> Message {
        self.free.push(place);
        self.slots[place as usize]
    }
}
