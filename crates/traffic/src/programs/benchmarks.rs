//! The network traffic of some benchmarks of the HPC Challenge suite [luszczek2006hpcc]: its latency and bandwidth
//! tests (ping-pong, natural and random ring), its transposition of a matrix (PTRANS) and its distributed Fourier
//! transform (MPIFFT). The programs contain only messages, their sizes and their order, not the arithmetic.

use std::collections::BTreeMap;

use congestree_units::Span;

use super::all_to_all::exchange;
use super::{ExchangeOrder, ahead, behind, busy};
use crate::program::{Builder, Local};

/// Ranks 0 and 1, 2 and 3, and so on send a message back and forth, `count` times. If the number of ranks is odd, the
/// last one does nothing.
pub fn ping_pong(ranks: u32, bytes: u64, count: u32) -> Builder {
    let mut builder = Builder::new(ranks);
    for (a, b) in (0..ranks / 2).map(|pair| (2 * pair, 2 * pair + 1)) {
        let (mut at_a, mut at_b): (Option<Local>, Option<Local>) = (None, None);
        for _ in 0..count {
            builder.send(a, bytes, b, 0, at_a.as_slice());
            let heard = builder.receive(b, bytes, a, 0, at_b.as_slice());
            at_b = Some(builder.send(b, bytes, a, 0, &[heard]));
            at_a = Some(builder.receive(a, bytes, b, 0, at_a.as_slice()));
        }
    }
    builder
}

/// A ring in which every rank sends to both neighbours and receives from both, `count` times. `order` gives the rank at
/// each place: the identity is the natural ring of b_eff, a random permutation the random one.
pub fn ring(order: &[u32], bytes: u64, count: u32) -> Builder {
    let ranks = order.len() as u32;
    let mut builder = Builder::new(ranks);
    let (rightward, leftward) = (0, 1);
    for (place, &rank) in order.iter().enumerate() {
        let right = order[ahead(place as u32, 1, ranks) as usize];
        let left = order[behind(place as u32, 1, ranks) as usize];
        let mut done: Vec<Local> = Vec::new();
        for _ in 0..count {
            let from_left = builder.receive(rank, bytes, left, rightward, &done);
            let from_right = builder.receive(rank, bytes, right, leftward, &done);
            let to_right = builder.send(rank, bytes, right, rightward, &done);
            let to_left = builder.send(rank, bytes, left, leftward, &done);
            done = vec![from_left, from_right, to_right, to_left];
        }
    }
    builder
}

/// The transposition of a matrix whose blocks are distributed in turn over the most nearly square grid of all ranks:
/// every rank sends its `bytes` to the owners of the mirrored blocks. On a square grid that is one partner.
pub fn ptrans(ranks: u32, bytes: u64, count: u32, compute: Span) -> Builder {
    let mut builder = Builder::new(ranks);
    let (rows, columns) = grid(ranks);
    let shares: Vec<BTreeMap<u32, u64>> = (0..ranks).map(|rank| mirrored(rank, rows, columns, bytes)).collect();
    for rank in 0..ranks {
        let mut last: Vec<Local> = Vec::new();
        for _ in 0..count {
            let ready = busy(&mut builder, rank, compute, &last);
            let mut done = Vec::new();
            // Partners are mirror images of each other, so a rank receives from the same ranks to which it sends.
            for &partner in shares[rank as usize].keys().filter(|&&partner| partner != rank) {
                let coming = shares[partner as usize].get(&rank).copied().unwrap_or(0);
                done.push(builder.receive(rank, coming, partner, 0, &ready));
            }
            for (&partner, &size) in shares[rank as usize].iter().filter(|&(&partner, _)| partner != rank) {
                done.push(builder.send(rank, size, partner, 0, &ready));
            }
            last = if done.is_empty() { ready } else { done };
        }
    }
    builder
}

/// Rows and columns of the most nearly square grid, with no more rows than columns.
pub(super) fn grid(ranks: u32) -> (u32, u32) {
    let rows = (1..=ranks).take_while(|rows| u64::from(*rows) * u64::from(*rows) <= u64::from(ranks));
    let rows = rows.filter(|rows| ranks.is_multiple_of(*rows)).last().unwrap_or(1);
    (rows, ranks / rows)
}

/// The owners of the mirrored blocks of a rank, and how many of its bytes each gets. Block (I, J) is at row I mod rows
/// and column J mod columns, so the pattern repeats after lcm(rows, columns) blocks in each direction.
fn mirrored(rank: u32, rows: u32, columns: u32, bytes: u64) -> BTreeMap<u32, u64> {
    let (row, column) = (rank / columns, rank % columns);
    let period = rows / gcd(rows, columns) * columns;
    let mut blocks: BTreeMap<u32, u64> = BTreeMap::new();
    for i in (row..period).step_by(rows as usize) {
        for j in (column..period).step_by(columns as usize) {
            *blocks.entry((j % rows) * columns + i % columns).or_default() += 1;
        }
    }
    let total: u64 = blocks.values().sum();
    let share = |count: u64| (u128::from(bytes) * u128::from(count) / u128::from(total)) as u64;
    blocks.into_iter().map(|(owner, count)| (owner, share(count))).collect()
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A Fourier transform whose data are distributed over all ranks, `bytes` on each: computation and transposition (an
/// exchange of bytes/n with every rank) alternate, `transposes` times, with a computation at the beginning and the end.
pub fn mpifft(ranks: u32, bytes: u64, transposes: u32, compute: Span, order: ExchangeOrder) -> Builder {
    let mut builder = Builder::new(ranks);
    let size = bytes / u64::from(ranks);
    for rank in 0..ranks {
        let mut last: Vec<Local> = Vec::new();
        for step in 0..transposes {
            let ready = busy(&mut builder, rank, compute, &last);
            last = exchange(&mut builder, rank, ranks, &|_| size, order, step, &ready);
        }
        busy(&mut builder, rank, compute, &last);
    }
    builder
}
