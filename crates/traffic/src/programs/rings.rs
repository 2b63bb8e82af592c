//! Collectives on a ring: every rank sends only to the next one, so that no link carries more than its share, whatever
//! the number of ranks. A vector of B bytes in n parts takes n - 1 steps of B/n to be summed up part by part
//! (reduce-scatter), and as many to be distributed again (all-gather) [thakur2005collectives].

use super::{Combining, ahead, behind, combine, part};
use crate::program::{Builder, Local};

/// Every rank has a vector of `bytes`; in the end each has one part of the sum. n - 1 messages of bytes/n a rank.
pub fn reduce_scatter(ranks: u32, bytes: u64, rate: Combining) -> Builder {
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        scatter_steps(&mut builder, rank, ranks, bytes, rate);
    }
    builder
}

/// Every rank has one part of a vector of `bytes`; in the end each has all of it. n - 1 messages of bytes/n a rank.
pub fn all_gather(ranks: u32, bytes: u64) -> Builder {
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        gather_steps(&mut builder, rank, ranks, bytes, rank, 0, None);
    }
    builder
}

/// The sum of the vectors of all ranks, at every rank: reduce-scatter, then all-gather. 2 (n - 1) messages of bytes/n.
pub fn all_reduce_ring(ranks: u32, bytes: u64, rate: Combining) -> Builder {
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        let sum = scatter_steps(&mut builder, rank, ranks, bytes, rate);
        gather_steps(&mut builder, rank, ranks, bytes, ahead(rank, 1, ranks), ranks - 1, sum);
    }
    builder
}

/// Step s: part r - s is sent, part r - s - 1 arrives and is added. Returns when part r + 1 is complete.
fn scatter_steps(builder: &mut Builder, rank: u32, ranks: u32, bytes: u64, rate: Combining) -> Option<Local> {
    let (next, last) = (ahead(rank, 1, ranks), behind(rank, 1, ranks));
    let mut have: Option<Local> = None;
    for step in 0..ranks - 1 {
        builder.send(rank, part(bytes, ranks, behind(rank, step, ranks)), next, step, have.as_slice());
        let size = part(bytes, ranks, behind(rank, step + 1, ranks));
        let received = builder.receive(rank, size, last, step, have.as_slice());
        have = Some(combine(builder, rank, size, received, rate));
    }
    have
}

/// Step s: part `own` - s is sent, the part before it arrives.
fn gather_steps(
    builder: &mut Builder,
    rank: u32,
    ranks: u32,
    bytes: u64,
    own: u32,
    tag: u32,
    mut have: Option<Local>,
) -> Option<Local> {
    let (next, last) = (ahead(rank, 1, ranks), behind(rank, 1, ranks));
    for step in 0..ranks - 1 {
        builder.send(rank, part(bytes, ranks, behind(own, step, ranks)), next, tag + step, have.as_slice());
        let size = part(bytes, ranks, behind(own, step + 1, ranks));
        have = Some(builder.receive(rank, size, last, tag + step, have.as_slice()));
    }
    have
}
