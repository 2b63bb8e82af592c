//! Generated programs: the usual collectives and the communication of some benchmarks.
//!
//! The comment of each generator says how many messages of which size go where; `tests` count them. A vector that is
//! cut into parts is cut as evenly as whole bytes allow. The number of the round is the tag.
//!
//! `rings`, `rounds` and `all_to_all` are collectives as in textbooks, with one message for each part. `collectives` has
//! those of a library (NCCL): in chunks and over channels, and with named steps.

mod all_to_all;
mod benchmarks;
pub mod collectives;
pub mod moe;
pub mod rank_steps;
mod rings;
mod rounds;
pub mod training;

pub use all_to_all::{ExchangeOrder, all_to_all};
pub use benchmarks::{mpifft, ping_pong, ptrans, ring};
pub use rings::{all_gather, all_reduce_ring, reduce_scatter};
pub use rounds::{all_reduce_doubling, barrier, broadcast};

use congestree_units::{Bytes, Rate, Span};

use crate::program::{Action, Builder, Local, RankOperation};

/// How long it takes to combine received data with the rank's own; `None`: no time.
pub type Combining = Option<Rate>;

/// Total size of the first `i` of `parts` parts of a vector.
fn upto(bytes: u64, parts: u32, i: u32) -> u64 {
    (u128::from(bytes) * u128::from(i) / u128::from(parts)) as u64
}

/// Bytes of part `i` of `parts` of a vector.
fn part(bytes: u64, parts: u32, i: u32) -> u64 {
    upto(bytes, parts, i + 1) - upto(bytes, parts, i)
}

/// The rank `by` places ahead on the ring.
fn ahead(rank: u32, by: u32, ranks: u32) -> u32 {
    ((u64::from(rank) + u64::from(by)) % u64::from(ranks)) as u32
}

/// The rank `by` places behind on the ring.
fn behind(rank: u32, by: u32, ranks: u32) -> u32 {
    ahead(rank, ranks - by % ranks, ranks)
}

/// The ranks that take part where their number must be a power of two: of the first 2 * `extra` ranks only the odd ones,
/// also on behalf of their even neighbours.
struct PowerOfTwo {
    /// How many take part: their places are below this number.
    places: u32,
    extra: u32,
}

impl PowerOfTwo {
    /// Of at least one rank.
    fn of(ranks: u32) -> Self {
        let places = 1 << ranks.ilog2();
        Self { places, extra: ranks - places }
    }

    /// The first rank of those that a place stands for: itself, or its even neighbour.
    fn first_rank(&self, place: u32) -> u32 {
        place + place.min(self.extra)
    }

    /// The rank that takes part in a place.
    fn rank(&self, place: u32) -> u32 {
        self.first_rank(place) + u32::from(place < self.extra)
    }
}

/// Received data are combined, if that takes time; returns the operation after which that is finished.
fn combine(builder: &mut Builder, rank: u32, bytes: u64, received: Local, rate: Combining) -> Local {
    match rate {
        Some(rate) if bytes > 0 => builder.compute(rank, rate.time_for(Bytes(bytes)), &[received]),
        _ => received,
    }
}

/// An operation that takes no time and follows all of these.
pub(crate) fn idle(builder: &mut Builder, rank: u32, after: &[Local]) -> Local {
    let action = Action::Compute { time: Span::ZERO };
    builder.add(rank, RankOperation { action, cpu: collectives::IDLE, nic: 0 }, after)
}

/// Time on the processor, if any; returns the operations to wait for next.
fn busy(builder: &mut Builder, rank: u32, time: Span, after: &[Local]) -> Vec<Local> {
    if time == Span::ZERO { after.to_vec() } else { vec![builder.compute(rank, time, after)] }
}

#[cfg(test)]
mod tests;
