//! A program executed without a network: every message arrives at once. An operation that waits forever here waits
//! forever on every network, unless some rank receives from any sender, because then the order of arrival matters.

use std::collections::VecDeque;

use crate::matching::Mailboxes;
use crate::program::{ANY, Action, Program, Progress};

/// How a rehearsal ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal {
    /// Receives that were started and never got a message.
    pub waiting: Vec<u32>,
    /// Sends whose message no rank received.
    pub unread: Vec<u32>,
    /// Operations that have not finished, those included.
    pub unfinished: usize,
}

impl Rehearsal {
    /// Executes a program.
    pub fn of(program: &Program) -> Self {
        let (mut progress, mut boxes) = (Progress::new(program), Mailboxes::new(program));
        let mut ready = Vec::new();
        for rank in 0..program.ranks() {
            progress.begin(program, rank, &mut ready);
        }
        let mut queue: VecDeque<u32> = ready.drain(..).collect();
        let mut finished = 0;
        while let Some(id) = queue.pop_front() {
            let rank = program.rank_of(id);
            progress.started(program, id, &mut ready);
            let mut end = |id: u32| {
                finished += 1;
                progress.finished(program, program.rank_of(id), id, &mut ready);
            };
            match program.operations()[id as usize].action {
                Action::Compute { .. } => end(id),
                Action::Send { tag, .. } => {
                    end(id);
                    if let Some(receive) = boxes.arrive(program, id, rank, tag, id) {
                        end(receive);
                    }
                }
                Action::Receive { from, tag, .. } => {
                    if boxes.post(program, id, from, tag).is_some() {
                        end(id);
                    }
                }
            }
            queue.extend(ready.drain(..));
        }
        Self {
            waiting: boxes.posted().collect(),
            unread: boxes.arrived().collect(),
            unfinished: program.operations().len() - finished,
        }
    }
}

/// What an operation waits for or does, as the end of a sentence: "a message from rank 3 with tag 5".
pub fn described(action: Action) -> String {
    let named = |word: &str, rank: u32| if rank == ANY { "any rank".to_owned() } else { format!("{word}rank {rank}") };
    let tagged = |tag: u32| if tag == ANY { "any tag".to_owned() } else { format!("tag {tag}") };
    match action {
        Action::Send { to, tag, .. } => format!("a message to {} with {}", named("", to), tagged(tag)),
        Action::Receive { from, tag, .. } => format!("a message from {} with {}", named("", from), tagged(tag)),
        Action::Compute { time } => format!("a computation of {time}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Builder;

    #[test]
    fn a_receive_without_a_send_is_found() {
        let mut builder = Builder::new(2);
        builder.send(0, 8, 1, 4, &[]);
        let waits = 1 + builder.receive(1, 8, 0, 5, &[]);
        builder.receive(1, 8, 0, 4, &[waits - 1]);
        let program = builder.build().expect("there is no cycle");
        let rehearsal = Rehearsal::of(&program);
        assert_eq!(rehearsal, Rehearsal { waiting: vec![waits], unread: vec![0], unfinished: 2 });
        assert_eq!(described(program.operations()[1].action), "a message from rank 0 with tag 5");
    }

    #[test]
    fn two_ranks_that_both_receive_first_wait_for_each_other() {
        let mut builder = Builder::new(2);
        for (rank, other) in [(0, 1), (1, 0)] {
            let first = builder.receive(rank, 8, other, 0, &[]);
            builder.send(rank, 8, other, 0, &[first]);
        }
        let rehearsal = Rehearsal::of(&builder.build().expect("each rank by itself has no cycle"));
        assert_eq!((rehearsal.waiting.len(), rehearsal.unfinished), (2, 4));
    }
}
