//! The state of execution of a program.

use crate::program::{AFTER_START, Program};

/// The state of execution of a program.
#[derive(Clone, Debug)]
pub struct Progress {
    /// By operation: the number of operations it still waits for.
    left: Vec<u32>,
    /// By rank: operations that have not finished.
    open: Vec<u32>,
}

impl Progress {
    /// Before the start.
    pub fn new(program: &Program) -> Self {
        Self { left: program.needs.clone(), open: vec![0; program.ranks() as usize] }
    }

    /// A rank begins, or begins again. Adds the operations that may start at once; returns true if the rank has none at
    /// all.
    pub fn begin(&mut self, program: &Program, rank: u32, ready: &mut Vec<u32>) -> bool {
        let all = program.of_rank(rank);
        self.open[rank as usize] = all.end - all.start;
        for id in all.clone() {
            self.left[id as usize] = program.needs[id as usize];
            if self.left[id as usize] == 0 {
                ready.push(id);
            }
        }
        all.is_empty()
    }

    /// An operation has started. Adds those that may start now.
    pub fn started(&mut self, program: &Program, operation: u32, ready: &mut Vec<u32>) {
        self.release(program, operation, AFTER_START, ready);
    }

    /// An operation of `rank` has finished. Adds those that may start now; returns true if it was the last of its rank.
    pub fn finished(&mut self, program: &Program, rank: u32, operation: u32, ready: &mut Vec<u32>) -> bool {
        self.release(program, operation, 0, ready);
        let open = &mut self.open[rank as usize];
        *open -= 1;
        *open == 0
    }

    fn release(&mut self, program: &Program, operation: u32, kind: u32, ready: &mut Vec<u32>) {
        for &follower in program.raw_followers(operation) {
            if follower & AFTER_START == kind {
                let id = follower & !AFTER_START;
                let left = &mut self.left[id as usize];
                *left -= 1;
                if *left == 0 {
                    ready.push(id);
                }
            }
        }
    }
}
