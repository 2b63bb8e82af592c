//! Named steps under construction: where they begin and end at each rank, and the operations in between.

use crate::program::{Builder, Local};
use crate::programs::collectives::{Collective, IDLE, Team};
use crate::programs::{Combining, idle};
use crate::steps::Step;

/// A rank's part of a step: the operations with which it begins and ends there.
#[derive(Clone, Copy, Debug)]
pub struct RankStep {
    /// The rank.
    pub rank: u32,
    /// Where it begins.
    pub begin: Local,
    /// Where it ends.
    pub end: Local,
}

impl RankStep {
    /// A rank's part of a future step, which begins when these operations have finished. Whatever is to follow waits
    /// for its end.
    pub fn open(builder: &mut Builder, rank: u32, after: &[Local]) -> Self {
        let begin = idle(builder, rank, after);
        let end = idle(builder, rank, &[begin]);
        Self { rank, begin, end }
    }
}

/// Ranks perform a collective operation between the beginning and the end of their parts. Tags from `tag` on are
/// unused; so are those from the returned one on.
pub fn carry_out(
    builder: &mut Builder,
    step: Step,
    places: &[RankStep],
    collective: &Collective,
    combining: Combining,
    tag: u32,
) -> u32 {
    enclose(builder, step, places, tag, |team| {
        team.combining = combining;
        collective.add(team);
    })
}

/// Ranks perform any operations together, likewise between the beginning and the end of their parts.
pub fn enclose(
    builder: &mut Builder,
    step: Step,
    places: &[RankStep],
    tag: u32,
    task: impl FnOnce(&mut Team<'_>),
) -> u32 {
    let number = builder.step(step);
    let ranks = places.iter().map(|place| place.rank).collect();
    let ready = places.iter().map(|place| vec![place.begin]).collect();
    let mut team = Team::new(builder, ranks, ready, tag);
    task(&mut team);
    let (done, tag) = team.done();
    for (place, done) in places.iter().zip(done) {
        for before in done {
            builder.wait(place.rank, place.end, before, crate::program::Until::Finished);
        }
        builder.bound(place.rank, place.begin, number, false);
        builder.bound(place.rank, place.end, number, true);
    }
    tag
}

/// Whether an operation may begin or end a step.
pub fn may_bound(operation: &crate::program::RankOperation) -> bool {
    operation.cpu == IDLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::collectives::{Algorithm, Chunking, Operation, Protocol};
    use crate::rehearsal::Rehearsal;
    use crate::steps::Bound;

    #[test]
    fn a_step_is_between_its_bounds_and_what_follows_comes_after() {
        let mut builder = Builder::new(4);
        let places: Vec<RankStep> = [1, 3].map(|rank| RankStep::open(&mut builder, rank, &[])).to_vec();
        let after = builder.compute(3, congestree_units::Span(7), &[places[1].end]);
        let chunking = Chunking { channels: 1, chunk: 1 << 20, slices: 1, protocol: Protocol::Simple };
        let (operation, algorithm) = (Operation::AllReduce, Algorithm::Ring);
        let whole = Collective { operation, algorithm, bytes: 100, node: 1, along_rails: false, root: 0, chunking };
        let step = Step { name: "sum".into(), operation: "all-reduce", bytes: 100, ranks: 2 };
        let tag = carry_out(&mut builder, step, &places, &whole, None, 5);
        assert!(tag > 5);
        let program = builder.build().expect("there is no cycle");
        assert_eq!(Rehearsal::of(&program), Rehearsal::default());
        let sends: Vec<(u32, u32)> = program.sends().map(|(_, from, to, _, _)| (from, to)).collect();
        assert!(sends.iter().all(|pair| [(1, 3), (3, 1)].contains(pair)) && !sends.is_empty());
        let first = program.of_rank(3).start;
        let steps = program.steps();
        assert_eq!(steps.bound(first), Some(Bound { operation: first, step: 0, ends: false }));
        assert_eq!(steps.bound(first + 1), Some(Bound { operation: first + 1, step: 0, ends: true }));
        assert_eq!(steps.bound(first + after), None);
    }
}
