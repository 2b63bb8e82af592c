//! The program of an application: for every rank a list of operations, and which of them wait for which.
//!
//! A rank is a process of the application. Its program is an acyclic graph of operations of three kinds: send a message
//! to a rank, receive one from a rank, compute for some time. An operation starts when all operations that it waits for
//! have finished (or started, where that is specified); there is no other order within a rank. This is the model of
//! GOAL [hoefler2009goal], the schedules of LogGOPSim [hoefler2010loggopsim].
//!
//! A [`Program`] is the fixed description, in a few flat tables. A [`Progress`] is the state of its execution: it is
//! told that an operation has started or finished, and answers which operations may start. It knows neither time nor
//! network.

mod builder;
mod progress;

use congestree_units::Span;

use crate::matching::Meetings;
use crate::steps::Steps;

pub use builder::Builder;
pub use progress::Progress;

/// Any rank, or any tag: a receive accepts all of them.
pub const ANY: u32 = u32::MAX;
/// The number of operations of a program must be smaller: two bits of their ids are used for other things.
pub const MOST_OPERATIONS: usize = 1 << 30;
/// Set in a follower that waits for the start of an operation instead of its end.
const AFTER_START: u32 = 1 << 31;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends a message to a rank.
    Send {
        /// The receiving rank.
        to: u32,
        /// The tag by which the receiver may select it.
        tag: u32,
        /// Payload.
        bytes: u64,
    },
    /// Waits until a message has arrived.
    Receive {
        /// The sending rank, or [`ANY`].
        from: u32,
        /// Its tag, or [`ANY`].
        tag: u32,
        /// Expected payload. It has no effect: messages are matched by rank and tag.
        bytes: u64,
    },
    /// Occupies a processor.
    Compute {
        /// For this long.
        time: Span,
    },
}

/// An operation of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankOperation {
    /// What it does.
    pub action: Action,
    /// The processor of its rank on which it computes; operations on the same processor run one after the other.
    pub cpu: u8,
    /// The adapter that the author of the program intended. It is kept, but hosts have one adapter here.
    pub nic: u8,
}

/// What an operation waits for in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// Its end.
    Finished,
    /// Its start.
    Started,
}

/// The programs of all ranks of an application. Operations are numbered consecutively, rank by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    operations: Vec<RankOperation>,
    /// By rank, and one more: its first operation.
    first: Vec<u32>,
    /// By operation: the number of operations it waits for.
    needs: Vec<u32>,
    /// By operation, and one more: its first follower.
    first_follower: Vec<u32>,
    /// Operations that wait for this one.
    followers: Vec<u32>,
    /// Its named parts.
    steps: Steps,
    meetings: Meetings,
}

/// An operation of a rank under construction: its number within the rank.
pub type Local = u32;

/// Operations of a rank that wait for each other in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The rank.
    pub rank: u32,
    /// The operations, by their number within the rank; each waits for the next, and the last for the first.
    pub operations: Vec<Local>,
}

impl From<Action> for RankOperation {
    fn from(action: Action) -> Self {
        RankOperation { action, cpu: 0, nic: 0 }
    }
}

impl Program {
    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// All operations, rank by rank.
    pub fn operations(&self) -> &[RankOperation] {
        &self.operations
    }

    /// Its named parts.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The matching of sends and receives.
    pub(crate) fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// Computations of a rank take `factor` times as long: the rank is a straggler.
    pub fn slow_down(&mut self, rank: u32, factor: f64) {
        for id in self.of_rank(rank) {
            if let Action::Compute { time } = &mut self.operations[id as usize].action {
                *time = Span((time.0 as f64 * factor).round() as u64);
            }
        }
    }

    /// The operations of a rank.
    pub fn of_rank(&self, rank: u32) -> std::ops::Range<u32> {
        self.first[rank as usize]..self.first[rank as usize + 1]
    }

    /// The rank that an operation belongs to.
    pub fn rank_of(&self, operation: u32) -> u32 {
        self.first.partition_point(|&first| first <= operation) as u32 - 1
    }

    /// All sends: operation, sending rank, receiving rank, tag and bytes.
    pub fn sends(&self) -> impl Iterator<Item = (u32, u32, u32, u32, u64)> + '_ {
        (0..self.ranks()).flat_map(move |rank| {
            self.of_rank(rank).filter_map(move |id| match self.operations[id as usize].action {
                Action::Send { to, tag, bytes } => Some((id, rank, to, tag, bytes)),
                _ => None,
            })
        })
    }

    /// Operations that wait for this one, and until when.
    pub fn followers(&self, operation: u32) -> impl Iterator<Item = (u32, Until)> + '_ {
        self.raw_followers(operation).iter().map(|&follower| {
            let until = if follower & AFTER_START == 0 { Until::Finished } else { Until::Started };
            (follower & !AFTER_START, until)
        })
    }

    /// Whether some operation waits for the start of this one.
    pub fn is_awaited(&self, operation: u32) -> bool {
        self.raw_followers(operation).iter().any(|follower| follower & AFTER_START != 0)
    }

    fn raw_followers(&self, operation: u32) -> &[u32] {
        let place = operation as usize;
        &self.followers[self.first_follower[place] as usize..self.first_follower[place + 1] as usize]
    }

    /// Operations that can never start, because they wait for each other.
    fn cycle(&self) -> Option<Cycle> {
        let mut left = self.needs.clone();
        let mut free: Vec<u32> = (0..left.len() as u32).filter(|&id| left[id as usize] == 0).collect();
        let mut started = 0;
        while let Some(id) = free.pop() {
            started += 1;
            for (follower, _) in self.followers(id) {
                left[follower as usize] -= 1;
                if left[follower as usize] == 0 {
                    free.push(follower);
                }
            }
        }
        if started == left.len() {
            return None;
        }
        // Each operation that is left waits for another one that is left, so following these leads back to one seen
        // before.
        let mut waits_for = vec![ANY; left.len()];
        for id in (0..left.len() as u32).filter(|&id| left[id as usize] > 0) {
            for (follower, _) in self.followers(id) {
                waits_for[follower as usize] = id;
            }
        }
        let mut at = left.iter().position(|&left| left > 0)? as u32;
        let mut path: Vec<u32> = Vec::new();
        let mut place = vec![usize::MAX; left.len()];
        while place[at as usize] == usize::MAX {
            place[at as usize] = path.len();
            path.push(at);
            at = waits_for[at as usize];
        }
        let cycle = path.split_off(place[at as usize]);
        let rank = self.rank_of(cycle[0]);
        let base = self.first[rank as usize];
        Some(Cycle { rank, operations: cycle.iter().map(|id| id - base).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_starts_when_all_it_waits_for_has_finished() {
        let mut builder = Builder::new(1);
        let a = builder.compute(0, Span(5), &[]);
        let b = builder.compute(0, Span(5), &[]);
        let c = builder.compute(0, Span(5), &[a, b, a]);
        let program = builder.build().expect("there is no cycle");
        let (mut progress, mut ready) = (Progress::new(&program), Vec::new());
        progress.begin(&program, 0, &mut ready);
        assert_eq!(ready, [a, b]);
        ready.clear();
        assert!(!progress.finished(&program, 0, a, &mut ready) && ready.is_empty());
        assert!(!progress.finished(&program, 0, b, &mut ready));
        assert_eq!(ready, [c]);
        assert!(progress.finished(&program, 0, c, &mut ready));
    }

    #[test]
    fn some_wait_for_a_start_only() {
        let mut builder = Builder::new(1);
        let a = builder.compute(0, Span(5), &[]);
        let b = builder.compute(0, Span(5), &[]);
        builder.wait(0, b, a, Until::Started);
        let program = builder.build().expect("there is no cycle");
        assert!(program.is_awaited(a) && !program.is_awaited(b));
        let (mut progress, mut ready) = (Progress::new(&program), Vec::new());
        progress.begin(&program, 0, &mut ready);
        assert_eq!(ready, [a]);
        ready.clear();
        progress.started(&program, a, &mut ready);
        assert_eq!(ready, [b]);
        ready.clear();
        assert!(!progress.finished(&program, 0, b, &mut ready));
        assert!(progress.finished(&program, 0, a, &mut ready) && ready.is_empty());
    }

    #[test]
    fn a_cycle_is_found_and_named() {
        let mut builder = Builder::new(2);
        let ids: Vec<Local> = (0..4).map(|_| builder.compute(1, Span(1), &[])).collect();
        builder.wait(1, ids[1], ids[2], Until::Finished);
        builder.wait(1, ids[2], ids[3], Until::Started);
        builder.wait(1, ids[3], ids[1], Until::Finished);
        builder.wait(1, ids[1], ids[0], Until::Finished);
        let cycle = builder.build().expect_err("1 waits for 2 waits for 3 waits for 1");
        assert_eq!(cycle.rank, 1);
        let mut members = cycle.operations.clone();
        members.sort_unstable();
        assert_eq!(members, [1, 2, 3]);
    }

    #[test]
    fn an_operation_knows_its_rank_even_beside_ranks_that_do_nothing() {
        let mut builder = Builder::new(4);
        builder.compute(1, Span(1), &[]);
        builder.compute(3, Span(1), &[]);
        let program = builder.build().expect("there is no cycle");
        assert_eq!([program.rank_of(0), program.rank_of(1)], [1, 3]);
        assert!(Progress::new(&program).begin(&program, 2, &mut Vec::new()));
    }

    #[test]
    fn operations_stay_small() {
        assert!(size_of::<RankOperation>() <= 32);
    }
}
