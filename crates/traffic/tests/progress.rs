//! Random programs in random order: each operation is executed once, and none before those that it waits for.

use congestree_kernel::Rng;
use congestree_traffic::program::{Action, Builder, Program, Progress, Until};
use congestree_units::Span;

fn random_program(rng: &mut Rng) -> Program {
    let ranks = 1 + rng.below(4) as u32;
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        for id in 0..rng.below(20) as u32 {
            builder.add(rank, Action::Compute { time: Span(1) }.into(), &[]);
            for _ in 0..rng.below(4).min(u64::from(id)) {
                let until = if rng.below(3) == 0 { Until::Started } else { Until::Finished };
                builder.wait(rank, id, rng.below(u64::from(id)) as u32, until);
            }
        }
    }
    builder.build().expect("operations wait for earlier ones")
}

#[test]
fn each_operation_runs_once_after_all_it_waits_for_however_long_each_takes() {
    for seed in 0..2_000 {
        let mut rng = Rng::stream(seed, "progress", 0);
        let program = random_program(&mut rng);
        let count = program.operations().len();
        let mut progress = Progress::new(&program);
        // A program may be run again and again.
        for _ in 0..2 {
            let (mut ready, mut running) = (Vec::new(), Vec::new());
            let (mut started, mut finished) = (vec![0; count], vec![0; count]);
            let mut ended = 0;
            for rank in 0..program.ranks() {
                ended += u32::from(progress.begin(&program, rank, &mut ready));
            }
            while !ready.is_empty() || !running.is_empty() {
                let draw = rng.below((ready.len() + running.len()) as u64) as usize;
                if draw < ready.len() {
                    let id: u32 = ready.swap_remove(draw);
                    started[id as usize] += 1;
                    progress.started(&program, id, &mut ready);
                    running.push(id);
                } else {
                    let id = running.swap_remove(draw - ready.len());
                    finished[id as usize] += 1;
                    ended += u32::from(progress.finished(&program, program.rank_of(id), id, &mut ready));
                }
                for id in 0..count as u32 {
                    for (follower, until) in program.followers(id) {
                        let before =
                            if until == Until::Finished { finished[id as usize] } else { started[id as usize] };
                        assert!(started[follower as usize] <= before, "{follower} started before {id}, seed {seed}");
                    }
                }
            }
            assert!(started.iter().chain(&finished).all(|&times| times == 1), "seed {seed}");
            assert_eq!(ended, program.ranks());
        }
    }
}
