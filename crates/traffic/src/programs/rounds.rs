//! Collectives in about log2 n rounds, with partners at doubling distances [thakur2005collectives].

use super::{Combining, PowerOfTwo, ahead, behind, combine};
use crate::program::{Builder, Local};

/// No rank continues before all have arrived: dissemination. In round k a rank sends to the rank 2^k ahead and receives
/// from the rank 2^k behind; ceil(log2 n) messages per rank.
pub fn barrier(ranks: u32, bytes: u64) -> Builder {
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        let mut done: Vec<Local> = Vec::new();
        for (round, distance) in distances(ranks) {
            let sent = builder.send(rank, bytes, ahead(rank, distance, ranks), round, &done);
            let heard = builder.receive(rank, bytes, behind(rank, distance, ranks), round, &done);
            done = vec![sent, heard];
        }
    }
    builder
}

/// From `root` to all: a binomial tree. A rank that has the vector forwards it over halving distances; n - 1 messages.
pub fn broadcast(ranks: u32, bytes: u64, root: u32) -> Builder {
    let mut builder = Builder::new(ranks);
    let actual = |place: u32| ahead(place, root, ranks);
    for place in 0..ranks {
        let rank = actual(place);
        // The parent's place is without the lowest bit; a child's place has one lower bit more.
        let lowest = if place == 0 { ranks.next_power_of_two() } else { 1 << place.trailing_zeros() };
        let mut before: Option<Local> = None;
        if place > 0 {
            before = Some(builder.receive(rank, bytes, actual(place - lowest), 0, &[]));
        }
        let mut distance = lowest / 2;
        while distance > 0 {
            if place + distance < ranks {
                before = Some(builder.send(rank, bytes, actual(place + distance), 0, before.as_slice()));
            }
            distance /= 2;
        }
    }
    builder
}

/// The sum of the vectors of all ranks, at every rank, by recursive doubling: in round k the partner is 2^k away, and
/// whole vectors are exchanged. If n is not a power of two, each rank in excess first gives its vector to a neighbour,
/// and gets the result from it in the end.
pub fn all_reduce_doubling(ranks: u32, bytes: u64, rate: Combining) -> Builder {
    let mut builder = Builder::new(ranks);
    let taking = PowerOfTwo::of(ranks);
    let rounds = taking.places.trailing_zeros();
    let (fold, unfold) = (rounds, rounds + 1);
    for place in 0..taking.places {
        let rank = taking.rank(place);
        let given_by = (place < taking.extra).then(|| taking.first_rank(place));
        let mut have: Vec<Local> = Vec::new();
        if let Some(even) = given_by {
            let given = builder.send(even, bytes, rank, fold, &[]);
            builder.receive(even, bytes, rank, unfold, &[given]);
            let received = builder.receive(rank, bytes, even, fold, &[]);
            have = vec![combine(&mut builder, rank, bytes, received, rate)];
        }
        for round in 0..rounds {
            let partner = taking.rank(place ^ (1 << round));
            let sent = builder.send(rank, bytes, partner, round, &have);
            let received = builder.receive(rank, bytes, partner, round, &have);
            have = vec![sent, combine(&mut builder, rank, bytes, received, rate)];
        }
        if let Some(even) = given_by {
            builder.send(rank, bytes, even, unfold, &have);
        }
    }
    builder
}

/// Rounds and distances 1, 2, 4 ... below n.
fn distances(ranks: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..32).map(|round| (round, 1u32 << round)).take_while(move |&(_, distance)| distance < ranks)
}
