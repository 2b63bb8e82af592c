//! Which message belongs to which receive.
//!
//! The rules are those of MPI: a message goes to the first posted of all receives that match it; a receive takes the
//! first arrived of all messages that match it. A receive names a rank and a tag, or accepts any of them. Two messages
//! from one rank that a receive could take for each other never overtake each other, because the fabric delivers them
//! in order.
//!
//! The possible pairs are known beforehand: each combination of receiver, sender and tag has a box, so that nothing is
//! searched. Only a rank that receives from any sender or with any tag has a single box for all messages to it, which
//! is searched in order. A program knows its boxes; their contents belong to the object that executes the program.

use crate::program::{ANY, Action, Program};

const NONE: u32 = u32::MAX;

/// Where the operations of a program meet their counterparts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meetings {
    /// By operation: its box; `NONE` if it matches nothing.
    of_operation: Vec<u32>,
    boxes: u32,
}

/// The receives that were posted and have no message yet, and the messages that arrived before their receive.
#[derive(Clone, Debug)]
pub struct Mailboxes {
    boxes: Vec<Mailbox>,
    letters: Vec<Letter>,
    /// First of the unused entries.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Mailbox {
    posted: Queue,
    arrived: Queue,
}

#[derive(Clone, Copy, Debug)]
struct Queue {
    first: u32,
    last: u32,
}

/// A receive that waits for a message, or a message that waits for a receive.
#[derive(Clone, Copy, Debug)]
struct Letter {
    from: u32,
    tag: u32,
    /// The operation that receives, or the message.
    what: u32,
    next: u32,
}

const EMPTY: Queue = Queue { first: NONE, last: NONE };

impl Meetings {
    /// A box for all operations that may match each other.
    pub(crate) fn of(program: &Program) -> Self {
        let mut takes_any = vec![false; program.ranks() as usize];
        for rank in 0..program.ranks() {
            takes_any[rank as usize] = program.of_rank(rank).any(|id| {
                matches!(program.operations()[id as usize].action,
                    Action::Receive { from, tag, .. } if from == ANY || tag == ANY)
            });
        }
        let key = |rank: u32, action: Action| match action {
            Action::Send { to, .. } if takes_any[to as usize] => Some((to, (ANY, 0))),
            Action::Send { to, tag, .. } => Some((to, (rank, tag))),
            Action::Receive { .. } if takes_any[rank as usize] => Some((rank, (ANY, 0))),
            Action::Receive { from, tag, .. } => Some((rank, (from, tag))),
            Action::Compute { .. } => None,
        };
        // By receiver, what its messages and receives are told apart by, and the operation: one number, to be sorted.
        let mut wanted: Vec<Vec<u128>> = vec![Vec::new(); program.ranks() as usize];
        for rank in 0..program.ranks() {
            for id in program.of_rank(rank) {
                if let Some((receiver, (from, tag))) = key(rank, program.operations()[id as usize].action) {
                    wanted[receiver as usize].push(u128::from(from) << 64 | u128::from(tag) << 32 | u128::from(id));
                }
            }
        }
        let (mut of_operation, mut boxes) = (vec![NONE; program.operations().len()], 0);
        for mut of_receiver in wanted {
            of_receiver.sort_unstable();
            for alike in of_receiver.chunk_by(|a, b| a >> 32 == b >> 32) {
                for &wanted in alike {
                    of_operation[wanted as u32 as usize] = boxes;
                }
                boxes += 1;
            }
        }
        Self { of_operation, boxes }
    }

    fn of_operation(&self, operation: u32) -> usize {
        self.of_operation[operation as usize] as usize
    }
}

impl Mailboxes {
    /// Empty boxes for all that a program may send and receive.
    pub fn new(program: &Program) -> Self {
        let boxes = vec![Mailbox { posted: EMPTY, arrived: EMPTY }; program.meetings().boxes as usize];
        Self { boxes, letters: Vec::new(), free: NONE }
    }

    /// Some receive could take one of the messages of two sending operations for the other.
    pub fn mixes_up(program: &Program, one: u32, other: u32) -> bool {
        let place = |send: u32| program.meetings().of_operation(send);
        place(one) == place(other) && program.rank_of(one) == program.rank_of(other)
    }

    /// An operation of the program waits for a message from now on. Returns the message if it has arrived already.
    pub fn post(&mut self, program: &Program, operation: u32, from: u32, tag: u32) -> Option<u32> {
        let place = program.meetings().of_operation(operation);
        let fits = |letter: &Letter| (from == ANY || from == letter.from) && (tag == ANY || tag == letter.tag);
        let mut queue = self.boxes[place].arrived;
        let taken = self.take(&mut queue, fits);
        self.boxes[place].arrived = queue;
        if taken.is_none() {
            let mut queue = self.boxes[place].posted;
            self.put(&mut queue, from, tag, operation);
            self.boxes[place].posted = queue;
        }
        taken
    }

    /// A message of the program's operation `send` of rank `from` has arrived. Returns the operation that waits for it,
    /// if any.
    pub fn arrive(&mut self, program: &Program, send: u32, from: u32, tag: u32, message: u32) -> Option<u32> {
        let place = program.meetings().of_operation(send);
        let fits =
            |letter: &Letter| (letter.from == ANY || from == letter.from) && (letter.tag == ANY || tag == letter.tag);
        let mut queue = self.boxes[place].posted;
        let taken = self.take(&mut queue, fits);
        self.boxes[place].posted = queue;
        if taken.is_none() {
            let mut queue = self.boxes[place].arrived;
            self.put(&mut queue, from, tag, message);
            self.boxes[place].arrived = queue;
        }
        taken
    }

    /// Operations that wait for a message.
    pub fn posted(&self) -> impl Iterator<Item = u32> + '_ {
        self.boxes.iter().flat_map(|each| self.whats(each.posted))
    }

    /// Messages for which no receive has been posted yet.
    pub fn arrived(&self) -> impl Iterator<Item = u32> + '_ {
        self.boxes.iter().flat_map(|each| self.whats(each.arrived))
    }

    fn whats(&self, queue: Queue) -> impl Iterator<Item = u32> + '_ {
        let letter = |at: u32| (at != NONE).then(|| self.letters[at as usize]);
        std::iter::successors(letter(queue.first), move |last| letter(last.next)).map(|letter| letter.what)
    }

    fn put(&mut self, queue: &mut Queue, from: u32, tag: u32, what: u32) {
        let letter = Letter { from, tag, what, next: NONE };
        let id = match self.free {
            NONE => {
                self.letters.push(letter);
                self.letters.len() as u32 - 1
            }
            free => {
                self.free = self.letters[free as usize].next;
                self.letters[free as usize] = letter;
                free
            }
        };
        match queue.last {
            NONE => queue.first = id,
            last => self.letters[last as usize].next = id,
        }
        queue.last = id;
    }

    fn take(&mut self, queue: &mut Queue, fits: impl Fn(&Letter) -> bool) -> Option<u32> {
        let (mut before, mut at) = (NONE, queue.first);
        while at != NONE {
            let letter = self.letters[at as usize];
            if fits(&letter) {
                match before {
                    NONE => queue.first = letter.next,
                    before => self.letters[before as usize].next = letter.next,
                }
                if queue.last == at {
                    queue.last = before;
                }
                self.letters[at as usize].next = self.free;
                self.free = at;
                return Some(letter.what);
            }
            (before, at) = (at, letter.next);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Builder;

    #[test]
    fn messages_and_receives_meet_in_the_order_in_which_they_came() {
        let mut builder = Builder::new(2);
        let s: Vec<u32> = (0..2).map(|_| builder.send(0, 8, 1, 7, &[])).collect();
        let other = builder.send(0, 8, 1, 9, &[]);
        let r: Vec<u32> = (0..2).map(|_| 3 + builder.receive(1, 8, 0, 7, &[])).collect();
        let r9 = 3 + builder.receive(1, 8, 0, 9, &[]);
        let program = builder.build().expect("there is no cycle");
        let mut boxes = Mailboxes::new(&program);
        assert_eq!(boxes.post(&program, r[0], 0, 7), None);
        assert_eq!(boxes.arrive(&program, other, 0, 9, 100), None);
        assert_eq!(boxes.arrive(&program, s[0], 0, 7, 101), Some(r[0]));
        assert_eq!(boxes.arrive(&program, s[1], 0, 7, 102), None);
        assert_eq!(boxes.arrived().collect::<Vec<u32>>(), [102, 100]);
        assert_eq!(boxes.post(&program, r[1], 0, 7), Some(102));
        assert_eq!(boxes.post(&program, r9, 0, 9), Some(100));
        assert!(boxes.posted().next().is_none() && boxes.arrived().next().is_none());
    }

    #[test]
    fn whoever_takes_anything_takes_what_came_first() {
        let mut builder = Builder::new(3);
        let from_0 = builder.send(0, 8, 2, 1, &[]);
        let from_1 = 1 + builder.send(1, 8, 2, 2, &[]);
        let any = 2 + builder.receive(2, 8, ANY, ANY, &[]);
        let narrow = 2 + builder.receive(2, 8, ANY, 1, &[]);
        let program = builder.build().expect("there is no cycle");
        let mut boxes = Mailboxes::new(&program);
        assert_eq!(boxes.post(&program, narrow, ANY, 1), None);
        assert_eq!(boxes.post(&program, any, ANY, ANY), None);
        // The narrow one was posted first, but does not want tag 2.
        assert_eq!(boxes.arrive(&program, from_1, 1, 2, 11), Some(any));
        assert_eq!(boxes.arrive(&program, from_0, 0, 1, 10), Some(narrow));
    }
}
