//! Every collective finishes for any number of ranks, and sends what its algorithm specifies.

use super::*;
use crate::program::{Builder, Program};
use crate::rehearsal::Rehearsal;

const ALL: [Operation; 9] = [
    Operation::AllReduce,
    Operation::AllGather,
    Operation::ReduceScatter,
    Operation::AllToAll,
    Operation::Broadcast,
    Operation::Reduce,
    Operation::Gather,
    Operation::Scatter,
    Operation::Barrier,
];

#[test]
fn names_are_those_of_scenarios() {
    for operation in ALL {
        assert_eq!(serde_json::to_value(operation).unwrap(), operation.name());
        for &algorithm in Collective::algorithms(operation) {
            assert_eq!(serde_json::to_value(algorithm).unwrap(), algorithm.name());
        }
    }
}

fn made(n: u32, collective: Collective) -> Program {
    let mut builder = Builder::new(n);
    let mut team = Team::all(&mut builder, n);
    collective.add(&mut team);
    builder.build().expect("what is made has no cycles")
}

fn plain(operation: Operation, algorithm: Algorithm, bytes: u64) -> Collective {
    let chunking = Chunking { channels: 1, chunk: u64::MAX >> 20, slices: 1, protocol: Protocol::Simple };
    Collective { operation, algorithm, bytes, node: 1, along_rails: false, root: 0, chunking }
}

/// Messages and bytes that each rank sends, and the largest number of bytes that any of them sends.
fn sent(program: &Program) -> (Vec<(u64, u64)>, u64) {
    let mut sent = vec![(0, 0); program.ranks() as usize];
    for (_, rank, to, _, bytes) in program.sends() {
        assert_ne!(rank, to, "nobody sends to itself");
        sent[rank as usize].0 += 1;
        sent[rank as usize].1 += bytes;
    }
    let most = sent.iter().map(|each| each.1).max().unwrap_or(0);
    (sent, most)
}

#[test]
fn every_collective_finishes_with_any_number_of_ranks() {
    for n in [1, 2, 3, 4, 5, 6, 8, 12, 17, 32] {
        for operation in ALL {
            for &algorithm in Collective::algorithms(operation) {
                for (channels, slices, node) in [(1, 1, 1), (3, 2, 2), (2, 1, 4)] {
                    let chunking = Chunking { channels, chunk: 700, slices, protocol: Protocol::Ll128 };
                    let root = n / 3;
                    let along_rails = channels == 3;
                    let whole = Collective { operation, algorithm, bytes: 10_000, node, along_rails, root, chunking };
                    let rehearsal = Rehearsal::of(&made(n, whole));
                    assert_eq!(rehearsal, Rehearsal::default(), "{operation:?} {algorithm:?} of {n}, {node} a node");
                }
            }
        }
    }
}

#[test]
fn what_goes_over_a_link_is_what_theory_says() {
    let (n, bytes) = (16u32, 16_000u64);
    let part = bytes / u64::from(n);
    let nearly = part * u64::from(n - 1);
    use Algorithm::*;
    use Operation::*;
    for (operation, algorithm, messages, most) in [
        (AllReduce, Ring, 30, 2 * nearly),
        (AllReduce, BidirectionalRing, 60, 2 * nearly),
        (AllReduce, HalvingDoubling, 8, 2 * nearly),
        (AllReduce, Direct, 30, 2 * nearly),
        (AllGather, Ring, 15, nearly),
        (ReduceScatter, Ring, 15, nearly),
        (ReduceScatter, HalvingDoubling, 4, nearly),
        (AllGather, HalvingDoubling, 4, nearly),
        (AllToAll, Direct, 15, nearly),
        (AllToAll, Pairwise, 15, nearly),
        (Barrier, HalvingDoubling, 4, 32),
    ] {
        let (each, largest) = sent(&made(n, plain(operation, algorithm, bytes)));
        assert!(each.iter().all(|&(m, _)| m == messages), "{operation:?} {algorithm:?}: {each:?}");
        assert_eq!(largest, most, "{operation:?} {algorithm:?}");
    }
    // One root: n - 1 messages in all.
    for (operation, bytes) in [(Broadcast, 15 * bytes), (Reduce, 15 * bytes), (Gather, nearly), (Scatter, nearly)] {
        let (each, _) = sent(&made(n, plain(operation, Collective::usual(operation), 16_000)));
        assert_eq!(each.iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)), (15, bytes), "{operation:?}");
    }
}

#[test]
fn every_byte_goes_once_with_any_number_of_ranks_and_sizes_that_do_not_divide() {
    use Algorithm::*;
    for n in [2, 3, 5, 6, 7, 12, 17] {
        for bytes in [1, 10, 1000, 12_345] {
            for algorithm in [Ring, BidirectionalRing, HalvingDoubling, Direct] {
                moved_once(n, bytes, algorithm);
            }
            // Every rank has data for every other: a rank receives n - 1 times its own part.
            for algorithm in [Direct, Pairwise] {
                let program = made(n, plain(Operation::AllToAll, algorithm, bytes));
                for (at, (sent, received)) in (0..).zip(traffic(&program)) {
                    assert_eq!(sent, bytes - part(bytes, n, at), "{algorithm:?} of {n}, {bytes} B");
                    assert_eq!(received, u64::from(n - 1) * part(bytes, n, at), "{algorithm:?} of {n}, {bytes} B");
                }
            }
        }
    }
}

/// A rank sends all but its own part to be summed up elsewhere, and receives all but its own part where parts are
/// gathered. With halving and doubling and a number that is no power of two, an even rank in excess sends its vector
/// and gets its part back, and the next rank has both.
fn moved_once(n: u32, bytes: u64, algorithm: Algorithm) {
    let power = if n.is_power_of_two() { n } else { n.next_power_of_two() / 2 };
    let folded = if algorithm == Algorithm::HalvingDoubling { 2 * (n - power) } else { 0 };
    let parts = |at: u32| part(bytes, n, at) + part(bytes, n, at - 1);
    let of = |operation| traffic(&made(n, plain(operation, algorithm, bytes)));
    let both = of(Operation::ReduceScatter).into_iter().zip(of(Operation::AllGather));
    for (at, (summed, gathered)) in (0..n).zip(both) {
        let expected = match (at < folded, at % 2 == 0) {
            (true, true) => (bytes, bytes),
            (true, false) => (bytes - parts(at) + part(bytes, n, at - 1), bytes - part(bytes, n, at)),
            (false, _) => (bytes - part(bytes, n, at), bytes - part(bytes, n, at)),
        };
        // The halves of two rings are cut separately, each with a byte more or less.
        let most = if algorithm == Algorithm::BidirectionalRing { 1 } else { 0 };
        assert!(summed.0.abs_diff(expected.0) <= most, "sums by {algorithm:?} of {n}: {summed:?} {expected:?}");
        assert!(gathered.1.abs_diff(expected.1) <= most, "parts by {algorithm:?} of {n}: {gathered:?} {expected:?}");
    }
}

/// Bytes that each rank sends and receives.
fn traffic(program: &Program) -> Vec<(u64, u64)> {
    let mut all = vec![(0, 0); program.ranks() as usize];
    for (_, from, to, _, bytes) in program.sends() {
        all[from as usize].0 += bytes;
        all[to as usize].1 += bytes;
    }
    all
}

#[test]
fn nobody_sends_more_than_twice_the_data_in_two_trees_and_most_are_leaves_of_one() {
    for n in 2..=65 {
        let (_, most) = sent(&made(n, plain(Operation::AllReduce, Algorithm::Tree, 1000)));
        assert!(most <= 2000, "{most} of {n}");
        for tree in [tree::stand, tree::second] {
            let roots: Vec<u32> = (0..n).filter(|&r| tree(r, n).parent.is_none()).collect();
            assert_eq!(roots.len(), 1);
            for r in 0..n {
                for child in tree(r, n).children {
                    assert_eq!(tree(child, n).parent, Some(r), "of {n}");
                }
            }
        }
        if n % 2 == 0 {
            let inner = |tree: fn(u32, u32) -> tree::Stand, r| tree(r, n).children.len() == 2;
            assert!((0..n).all(|r| !(inner(tree::stand, r) && inner(tree::second, r))), "inner twice of {n}");
        }
    }
}

#[test]
fn nodes_keep_most_of_the_data_inside() {
    let (n, node, bytes) = (32u32, 8u32, 32_000u64);
    let whole = Collective { node, ..plain(Operation::AllReduce, Algorithm::Hierarchical, bytes) };
    let program = made(n, whole);
    let (mut inside, mut between) = (0, 0);
    for (_, from, to, _, bytes) in program.sends() {
        match from / node == to / node {
            true => inside += bytes,
            false => {
                assert_eq!(from % node, to % node, "between nodes along rails only");
                between += bytes;
            }
        }
    }
    // Each rank: twice 7/8 of the vector inside nodes, twice 3/4 of an eighth of it between nodes.
    assert_eq!((inside, between), (u64::from(n) * 2 * bytes * 7 / 8, u64::from(n) * 2 * bytes / 8 * 3 / 4));
}

#[test]
fn sizes_are_those_of_nccl() {
    let mib = 1 << 20;
    let simple = Chunking::nccl(Operation::AllReduce, Protocol::Simple, 1);
    assert_eq!((simple.chunk, simple.slices), (2 * mib, 2));
    assert_eq!(Chunking::nccl(Operation::Broadcast, Protocol::Simple, 1).chunk, 512 << 10);
    assert_eq!(Protocol::Ll.on_wire(1000), 2000);
    assert_eq!(Protocol::Ll128.on_wire(1200), 1280);
    // 15 of 16 bytes of an eighth of 4,915,200 B are data.
    assert_eq!(Chunking::nccl(Operation::AllReduce, Protocol::Ll128, 1).chunk, 576_000);
    // 64 MiB on 4 ranks: 8 loops of 4 chunks; 6 steps a loop, two slices each.
    let whole = Collective { chunking: simple, ..plain(Operation::AllReduce, Algorithm::Ring, 64 * mib) };
    let (each, _) = sent(&made(4, whole));
    assert!(each.iter().all(|&one| one == (8 * 6 * 2, 96 * mib)), "{each:?}");
}

/// Where nodes have unlike numbers of members, none counts as a node; only the last may have fewer.
#[test]
fn members_are_in_nodes_if_all_nodes_have_as_many() {
    let every_fifth: Vec<u32> = (0..8).map(|k| 5 * k).collect();
    assert_eq!(team::members_per_node(&every_fifth, 8), 1);
    assert_eq!(team::members_per_node(&[0, 1, 4, 5, 6, 8, 9], 4), 1);
    assert_eq!(team::members_per_node(&[0, 1, 2, 3, 4], 4), 4);
}

/// Every fourth of 32 ranks, in nodes of eight: pairs share a node, and most of the data stays between them.
#[test]
fn the_members_of_a_group_are_in_nodes_by_their_ranks() {
    let ranks: Vec<u32> = (0..32).step_by(4).collect();
    let whole = Collective { node: 8, ..plain(Operation::AllReduce, Algorithm::Hierarchical, 32_000) };
    let mut builder = Builder::new(32);
    let mut team = Team::new(&mut builder, ranks, vec![Vec::new(); 8], 0);
    assert_eq!([1, 4, 8, 16, 32].map(|node| team.members_per_node(node)), [1, 1, 2, 4, 8]);
    whole.add(&mut team);
    let program = builder.build().expect("it has no cycles");
    let inside = program.sends().filter(|&(_, from, to, ..)| from / 8 == to / 8).map(|(.., bytes)| bytes).sum::<u64>();
    let all = program.sends().map(|(.., bytes)| bytes).sum::<u64>();
    // Twice half of the vector inside nodes, twice 3/4 of the other half between them.
    assert_eq!((all / 8, inside / 8), (32_000 + 24_000, 32_000));
}

#[test]
fn a_group_that_is_spread_unevenly_over_nodes_has_none() {
    let mut builder = Builder::new(32);
    let team = Team::new(&mut builder, vec![0, 8, 9, 16], vec![Vec::new(); 4], 0);
    assert_eq!(team.members_per_node(8), 1);
    let team = Team::new(&mut builder, vec![0, 1, 8], vec![Vec::new(); 3], 0);
    assert_eq!(team.members_per_node(8), 2);
}
