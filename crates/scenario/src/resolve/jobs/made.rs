//! Generated programs: how large they would be, and errors in their sizes.

use congestree_kernel::Rng;
use congestree_traffic::program::{Builder, Program as Made};
use congestree_traffic::{placement, programs};
use congestree_units::Bytes;

use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::jobs::MOST_OPERATIONS;
use crate::resolve::jobs::collectives;
use crate::resolve::jobs::parallel;
use crate::resolve::limits::{LARGEST_MESSAGE, check_rate};
use crate::types::Program;

/// A program that is generated, not read.
pub(in crate::resolve) fn program(
    seed: u64,
    name: &str,
    program: &Program,
    ranks: u32,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Made> {
    if let Program::Collective(collective) = program {
        let path = format!("{path}.program.collective.chunking.chunk");
        if !collectives::check_chunk(collective.chunking.chunk, &path, collector) {
            return None;
        }
    }
    if !fits(program, ranks, path, collector) || !check_rate_of(program, path, collector) {
        return None;
    }
    let Bytes(bytes) = largest(program);
    let builder: Builder = match program {
        Program::Goal(_) | Program::Text(_) | Program::Chakra(_) => return None,
        Program::PingPong(pair) => programs::ping_pong(ranks, bytes, pair.count),
        Program::NaturalRing(ring) => programs::ring(&(0..ranks).collect::<Vec<u32>>(), bytes, ring.count),
        Program::RandomRing(ring) => {
            let mut places: Vec<u32> = (0..ranks).collect();
            placement::shuffle(&mut places, &mut Rng::stream(seed, &format!("ring {name}"), 0));
            programs::ring(&places, bytes, ring.count)
        }
        Program::Ptrans(ptrans) => programs::ptrans(ranks, bytes, ptrans.count, ptrans.compute),
        Program::Mpifft(fft) => programs::mpifft(ranks, bytes, fft.transposes, fft.compute, fft.order),
        Program::AllReduceRing(sum) => programs::all_reduce_ring(ranks, bytes, sum.combine_rate),
        Program::AllReduceDoubling(sum) => programs::all_reduce_doubling(ranks, bytes, sum.combine_rate),
        Program::ReduceScatter(sum) => programs::reduce_scatter(ranks, bytes, sum.combine_rate),
        Program::AllGather(_) => programs::all_gather(ranks, bytes),
        Program::AllToAll(all) => programs::all_to_all(ranks, bytes, all.order),
        Program::Broadcast(from) => {
            if from.root >= ranks {
                let fact = format!("there is no rank {}: there are {ranks}, counted from 0", from.root);
                collector.report(format!("{path}.program.broadcast.root"), fact, "name one of them");
                return None;
            }
            programs::broadcast(ranks, bytes, from.root)
        }
        Program::Barrier(_) => programs::barrier(ranks, bytes),
        Program::Moe(moe) => parallel::exchange(moe, seed, name, ranks, path, collector)?,
        Program::Training(training) => parallel::iteration(training, path, collector)?,
        Program::Collective(collective) => {
            collectives::plan(collective, ranks, &format!("{path}.program.collective"), collector)?
        }
    };
    builder.build().ok()
}

/// Checks that there are enough ranks, and that neither the number of operations nor a message is too large.
fn fits(program: &Program, ranks: u32, path: &str, collector: &mut Collector<'_>) -> bool {
    let operations = operations(program, u64::from(ranks));
    if operations > MOST_OPERATIONS {
        let fact = format!("the program would have about {operations} operations");
        collector.report(format!("{path}.program"), fact, "take fewer ranks, or repeat a shorter program");
        return false;
    }
    let what = format!("a program of about {operations} operations");
    if !collector.fits(&format!("{path}.program"), what, memory::OPERATION * operations) {
        return false;
    }
    let least = match program {
        Program::Training(_) => 1,
        Program::NaturalRing(_) | Program::RandomRing(_) => 3,
        _ => 2,
    };
    if ranks < least {
        let are = if ranks == 1 { "rank is" } else { "ranks are" };
        let fact = format!("{ranks} {are} too few for this program");
        collector.report(format!("{path}.program"), fact, format!("let at least {least} ranks run"));
        return false;
    }
    check_rate_of(program, path, collector);
    let bytes = largest(program);
    if bytes > LARGEST_MESSAGE {
        collector.report(format!("{path}.program"), format!("{bytes} is too large for a message"), "make it smaller");
    }
    bytes <= LARGEST_MESSAGE
}

/// Approximate number of operations of the program.
fn operations(program: &Program, n: u64) -> u64 {
    match program {
        Program::Goal(_) | Program::Text(_) | Program::Chakra(_) | Program::Moe(_) | Program::Training(_) => 0,
        Program::PingPong(pair) => 2 * n * u64::from(pair.count),
        Program::NaturalRing(ring) | Program::RandomRing(ring) => 4 * n * u64::from(ring.count),
        // On a grid that is not square a rank has at most as many partners as there are ranks.
        Program::Ptrans(ptrans) => 3 * n * u64::from(ptrans.count),
        Program::Mpifft(fft) => 2 * n * n * u64::from(fft.transposes),
        Program::AllReduceRing(_) => 6 * n * n,
        Program::ReduceScatter(_) | Program::AllGather(_) => 3 * n * n,
        Program::AllToAll(_) => 2 * n * n,
        Program::AllReduceDoubling(_) | Program::Barrier(_) | Program::Broadcast(_) => 3 * n * 32,
        Program::Collective(collective) => collectives::operations(collective, n),
    }
}

/// The largest size that a program names.
fn largest(program: &Program) -> Bytes {
    match program {
        Program::Goal(_) | Program::Text(_) | Program::Chakra(_) | Program::Training(_) => Bytes(0),
        Program::Moe(each) => each.dispatch.max(each.combine),
        Program::PingPong(each) => each.bytes,
        Program::NaturalRing(each) | Program::RandomRing(each) => each.bytes,
        Program::Ptrans(each) => each.bytes,
        Program::Mpifft(each) => each.bytes,
        Program::AllReduceRing(each) | Program::AllReduceDoubling(each) | Program::ReduceScatter(each) => each.bytes,
        Program::AllGather(each) => each.bytes,
        Program::AllToAll(each) => each.bytes,
        Program::Broadcast(each) => each.bytes,
        Program::Barrier(each) => each.bytes,
        Program::Collective(each) => each.bytes.unwrap_or(Bytes(0)),
    }
}

/// Checks the rate at which ranks combine what they have received, if they do.
fn check_rate_of(program: &Program, path: &str, collector: &mut Collector<'_>) -> bool {
    let (name, rate) = match program {
        Program::AllReduceRing(sum) => ("all-reduce-ring", sum.combine_rate),
        Program::AllReduceDoubling(sum) => ("all-reduce-doubling", sum.combine_rate),
        Program::ReduceScatter(sum) => ("reduce-scatter", sum.combine_rate),
        Program::Collective(sum) => ("collective", sum.combine_rate),
        _ => return true,
    };
    check_rate(rate, &format!("{path}.program.{name}.combine_rate"), collector)
}
