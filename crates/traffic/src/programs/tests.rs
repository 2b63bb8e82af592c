//! Every program finishes, for any number of ranks, and sends what it should.

use std::collections::BTreeMap;

use congestree_units::{Rate, Span};

use super::benchmarks::grid;
use super::*;
use crate::program::Program;
use crate::rehearsal::Rehearsal;

fn built(builder: Builder) -> Program {
    builder.build().expect("what is made has no cycles")
}

/// Messages and bytes that each rank sends.
fn sent(program: &Program) -> Vec<(u64, u64)> {
    let mut sent = vec![(0, 0); program.ranks() as usize];
    for (_, rank, to, _, bytes) in program.sends() {
        assert_ne!(rank, to, "nobody sends to itself");
        sent[rank as usize].0 += 1;
        sent[rank as usize].1 += bytes;
    }
    sent
}

#[test]
fn every_program_finishes_with_any_number_of_ranks() {
    let rate = Some(Rate::from_gbps(80));
    let time = Span::from_us(1);
    for n in 1..=33 {
        let order: Vec<u32> = (0..n).rev().collect();
        let programs = [
            reduce_scatter(n, 1000, rate),
            all_gather(n, 1000),
            all_reduce_ring(n, 1000, None),
            all_reduce_ring(n, 5, rate),
            all_reduce_doubling(n, 1000, rate),
            barrier(n, 0),
            broadcast(n, 1000, n / 3),
            all_to_all(n, 100, ExchangeOrder::InTurn),
            all_to_all(n, 100, ExchangeOrder::AtOnce),
            ping_pong(n, 8, 3),
            ptrans(n, 1 << 20, 2, time),
            mpifft(n, 1 << 20, 3, time, ExchangeOrder::InTurn),
            if n > 1 { ring(&order, 64, 2) } else { Builder::new(1) },
        ];
        for (i, program) in programs.into_iter().map(built).enumerate() {
            assert_eq!(Rehearsal::of(&program), Rehearsal::default(), "program {i} with {n} ranks");
        }
    }
}

#[test]
fn rings_move_each_part_once_round() {
    let (n, bytes) = (7, 1000);
    for (program, times) in
        [(reduce_scatter(n, bytes, None), 1), (all_gather(n, bytes), 1), (all_reduce_ring(n, bytes, None), 2)]
    {
        let sent = sent(&built(program));
        assert!(sent.iter().all(|&(messages, _)| messages == times * 6));
        // Each part goes over n - 1 of the n links of the ring, each time.
        assert_eq!(sent.iter().map(|&(_, bytes)| bytes).sum::<u64>(), times * 6 * bytes);
    }
}

#[test]
fn rounds_are_counted_in_logarithms() {
    for (n, rounds) in [(1u32, 0), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4), (17, 5)] {
        assert!(sent(&built(barrier(n, 1))).iter().all(|&(messages, _)| messages == rounds));
        assert_eq!(sent(&built(broadcast(n, 9, 0))).iter().map(|each| each.0).sum::<u64>(), u64::from(n) - 1);
        // The root of a binomial tree has ceil(log2 n) children.
        assert_eq!(sent(&built(broadcast(n, 9, n - 1)))[n as usize - 1].0, rounds);
    }
    let messages: Vec<u64> = sent(&built(all_reduce_doubling(6, 8, None))).iter().map(|each| each.0).collect();
    // Four take part in two rounds; 0 and 2 fold into 1 and 3, which send the result back.
    assert_eq!(messages, [1, 3, 1, 3, 2, 2]);
}

#[test]
fn a_square_grid_transposes_in_pairs_and_any_grid_keeps_all_bytes() {
    assert_eq!([grid(1), grid(6), grid(7), grid(16), grid(1024)], [(1, 1), (2, 3), (1, 7), (4, 4), (32, 32)]);
    let program = built(ptrans(16, 4096, 1, Span::ZERO));
    let partners: BTreeMap<u32, u32> = program.sends().map(|(_, rank, to, _, _)| (rank, to)).collect();
    assert_eq!(partners.len(), 12, "the diagonal stays at home");
    assert!(partners.iter().all(|(rank, to)| partners[to] == *rank && (rank / 4, rank % 4) == (to % 4, to / 4)));
    // On 2 x 3 the mirrored blocks of a rank belong to all six, itself included.
    let program = built(ptrans(6, 6000, 1, Span::ZERO));
    assert_eq!(sent(&program), [(5, 5000); 6]);
}

#[test]
fn an_exchange_reaches_everybody_once() {
    for order in [ExchangeOrder::InTurn, ExchangeOrder::AtOnce] {
        let program = built(all_to_all(9, 50, order));
        let mut pairs: Vec<(u32, u32)> = program.sends().map(|(_, rank, to, _, _)| (rank, to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!((pairs.len(), sent(&program)), (72, vec![(8, 400); 9]));
    }
}

#[test]
fn parts_add_up() {
    for parts in 1..40 {
        assert_eq!((0..parts).map(|i| part(1001, parts, i)).sum::<u64>(), 1001);
    }
}
