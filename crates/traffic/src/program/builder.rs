//! A program under construction: operations are added rank by rank, and sorted at the end.

use congestree_units::Span;

use crate::matching::Meetings;
use crate::program::{AFTER_START, Action, Cycle, Local, Program, RankOperation, Until};
use crate::steps::{Bound, Step, Steps};

/// A program under construction.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    ranks: Vec<Draft>,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, Default)]
struct Draft {
    operations: Vec<RankOperation>,
    /// Which operation waits for which, and for its start or its end.
    waits: Vec<(Local, Local, Until)>,
    /// Operations at which steps begin or end.
    bounds: Vec<Bound>,
}

impl Builder {
    /// A number of ranks without operations.
    pub fn new(ranks: u32) -> Self {
        Self { ranks: vec![Draft::default(); ranks as usize], steps: Vec::new() }
    }

    /// Adds an operation to a rank, to start when those of the same rank in `after` have finished.
    pub fn add(&mut self, rank: u32, operation: RankOperation, after: &[Local]) -> Local {
        let draft = &mut self.ranks[rank as usize];
        let id = draft.operations.len() as Local;
        draft.operations.push(operation);
        draft.waits.extend(after.iter().map(|&before| (id, before, Until::Finished)));
        id
    }

    /// A message to another rank.
    pub fn send(&mut self, rank: u32, bytes: u64, to: u32, tag: u32, after: &[Local]) -> Local {
        self.add(rank, Action::Send { to, tag, bytes }.into(), after)
    }

    /// A message from another rank.
    pub fn receive(&mut self, rank: u32, bytes: u64, from: u32, tag: u32, after: &[Local]) -> Local {
        self.add(rank, Action::Receive { from, tag, bytes }.into(), after)
    }

    /// Time on the first processor of a rank.
    pub fn compute(&mut self, rank: u32, time: Span, after: &[Local]) -> Local {
        self.add(rank, Action::Compute { time }.into(), after)
    }

    /// Lets an operation wait for another one of its rank.
    pub fn wait(&mut self, rank: u32, operation: Local, before: Local, until: Until) {
        self.ranks[rank as usize].waits.push((operation, before, until));
    }

    /// Adds a named part of the program; returns its number.
    pub fn step(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    /// A step begins or ends at a rank with this operation, which takes no time.
    pub fn bound(&mut self, rank: u32, operation: Local, step: u32, ends: bool) {
        self.ranks[rank as usize].bounds.push(Bound { operation, step, ends });
    }

    /// Operations so far.
    pub fn len(&self) -> usize {
        self.ranks.iter().map(|draft| draft.operations.len()).sum()
    }

    /// There is no operation yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The program; fails if operations wait for each other in a cycle. Waiting twice for the same operation counts
    /// once.
    pub fn build(self) -> Result<Program, Cycle> {
        let mut first = vec![0];
        let mut operations = Vec::with_capacity(self.len());
        let mut waits = Vec::new();
        let mut bounds = Vec::new();
        for mut draft in self.ranks {
            let base = operations.len() as u32;
            // What comes first in a rank comes first in the program: many short lists are sorted sooner than a long one.
            draft.bounds.sort_unstable();
            bounds.extend(draft.bounds.iter().map(|bound| Bound { operation: base + bound.operation, ..*bound }));
            operations.extend(draft.operations);
            let wait = |&(after, before, until): &_| wait(base + before, base + after, until);
            let of_rank = waits.len();
            waits.extend(draft.waits.iter().map(wait));
            waits[of_rank..].sort_unstable();
            first.push(operations.len() as u32);
        }
        waits.dedup();
        let mut needs = vec![0; operations.len()];
        let mut first_follower = vec![0u32; operations.len() + 1];
        for &wait in &waits {
            needs[(follower(wait) & !AFTER_START) as usize] += 1;
            first_follower[(wait >> 32) as usize + 1] += 1;
        }
        for i in 1..first_follower.len() {
            first_follower[i] += first_follower[i - 1];
        }
        let (followers, steps) = (waits.into_iter().map(follower).collect(), Steps { list: self.steps, bounds });
        let meetings = Meetings::default();
        let program = Program { operations, first, needs, first_follower, followers, steps, meetings };
        match program.cycle() {
            Some(cycle) => Err(cycle),
            None => Ok(Program { meetings: Meetings::of(&program), ..program }),
        }
    }
}

/// An operation that waits for another one, as a number that puts the one that is waited for first, then the one that
/// waits.
fn wait(before: u32, after: u32, until: Until) -> u64 {
    u64::from(before) << 32 | u64::from(after) << 1 | u64::from(until == Until::Started)
}

/// The operation that waits, as it stands among the followers of a program.
fn follower(wait: u64) -> u32 {
    let after = wait as u32 >> 1;
    if wait & 1 == 0 { after } else { after | AFTER_START }
}
