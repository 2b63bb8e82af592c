//! How many operations a collective would add to a program, without adding them: in small chunks a single one may have
//! more than fit into memory. n is the number of ranks.

use super::team::members_per_node;
use super::{Algorithm, Collective, Operation};

/// The operation whose algorithm is counted.
#[derive(Clone, Copy)]
struct Count<'a> {
    whole: &'a Collective,
    /// Parts are summed up at one rank each, and distributed to all.
    scatters: bool,
    gathers: bool,
    /// Adding received data is an operation of its own.
    combines: bool,
}

impl Collective {
    /// Number of operations that `add` adds for these ranks, to within a fifth. `combines`: whether it takes time to
    /// add received data to a rank's own.
    pub fn operations(&self, ranks: &[u32], combines: bool) -> u64 {
        let n = ranks.len() as u128;
        if n < 2 {
            return 0;
        }
        let scatters = matches!(self.operation, Operation::AllReduce | Operation::ReduceScatter);
        let gathers = matches!(self.operation, Operation::AllReduce | Operation::AllGather);
        let count = Count { whole: self, scatters, gathers, combines };
        let (bytes, channels) = (u128::from(self.bytes), u128::from(self.chunking.channels));
        let counted = match self.operation {
            Operation::Broadcast | Operation::Reduce => count.chain(n),
            Operation::Barrier => 3 * n * u128::from((n - 1).ilog2() + 1),
            Operation::Gather | Operation::Scatter => 2 * n.min(bytes),
            _ => match self.used_algorithm() {
                Algorithm::Ring => channels * count.ring(n, bytes / channels),
                Algorithm::BidirectionalRing => 2 * channels * count.ring(n, bytes / channels / 2),
                Algorithm::Tree => count.trees(n),
                Algorithm::HalvingDoubling => count.halves(n),
                Algorithm::Hierarchical => count.nodes_and_rails(n, members_per_node(ranks, self.node).into()),
                Algorithm::Direct => count.exchange(n),
                // In turn, what a rank does with a partner waits for both operations of the one before.
                Algorithm::Pairwise => 2 * (n - 1) * n.min(bytes),
            },
        };
        u64::try_from(counted).unwrap_or(u64::MAX)
    }
}

impl Count<'_> {
    fn chunk(self) -> u128 {
        u128::from(self.whole.chunking.chunk)
    }

    /// Chunks of each of so many parts that the vector is cut into.
    fn chunks(self, parts: u128) -> u128 {
        (u128::from(self.whole.bytes) / parts).div_ceil(self.chunk()).max(1)
    }

    /// Number of times that parts go to all ranks, or to one.
    fn ways(self) -> u128 {
        u128::from(self.scatters) + u128::from(self.gathers)
    }

    fn sums(self) -> u128 {
        u128::from(self.combines && self.scatters)
    }

    /// One ring with so many bytes: in each loop n - 1 steps each way, and one operation that joins them.
    fn ring(self, n: u128, bytes: u128) -> u128 {
        let loops = bytes.div_ceil(self.chunk() * n).max(1);
        let slices = u128::from(self.whole.chunking.slices);
        n * loops * (slices * (n - 1) * (2 * self.ways() + self.sums()) + 1)
    }

    /// Each chunk goes once over every connection, up and down, and is joined by the half of the ranks that have
    /// children, or more within nodes.
    fn trees(self, n: u128) -> u128 {
        let channels = u128::from(self.whole.chunking.channels);
        2 * channels * self.chunks(2 * channels) * ((n - 1) * (4 + self.sums()) + 5 * n / 8)
    }

    fn halves(self, n: u128) -> u128 {
        let rounds = u128::from(n.ilog2());
        let power = 1 << rounds;
        let joined = (rounds * self.ways()).saturating_sub(1);
        power * (rounds * (2 * self.ways() + self.sums()) + joined) + 5 * (n - power)
    }

    fn nodes_and_rails(self, n: u128, node: u128) -> u128 {
        let (bytes, channels) = (u128::from(self.whole.bytes), u128::from(self.whole.chunking.channels));
        if !n.is_multiple_of(node) || node == n || node == 1 {
            return channels * self.ring(n, bytes / channels);
        }
        let inside = self.ring(node, bytes / channels);
        channels * (n / node * inside + node * self.ring(n / node, bytes / node / channels))
    }

    /// Parts of no bytes are not sent.
    fn exchange(self, n: u128) -> u128 {
        let each = 2 * (n - 1) * n.min(self.whole.bytes.into()) + n;
        match self.whole.operation {
            Operation::AllToAll => each,
            _ => self.ways() * each + self.sums() * n,
        }
    }

    fn chain(self, n: u128) -> u128 {
        let channels = u128::from(self.whole.chunking.channels);
        let sums = u128::from(self.combines && self.whole.operation == Operation::Reduce);
        channels * self.chunks(channels) * (n - 1) * (2 + sums)
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Rate;

    use super::super::{Chunking, Protocol};
    use super::*;
    use crate::program::Builder;
    use crate::programs::rank_steps::{RankStep, carry_out};
    use crate::steps::Step;

    const SIZES: [(u32, u32, u32); 6] = [(2, 1, 1), (7, 3, 1), (12, 2, 4), (16, 4, 8), (33, 1, 1), (64, 8, 8)];

    #[test]
    fn what_is_counted_is_what_is_added() {
        use Operation::*;
        let all = [AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, Reduce, Gather, Scatter, Barrier];
        let ways = all.into_iter().flat_map(|of| Collective::algorithms(of).iter().map(move |&way| (of, way)));
        for (operation, algorithm) in ways {
            for (n, channels, node) in SIZES {
                for (bytes, combines) in [(1 << 10, false), (1 << 18, false), (1 << 18, true)] {
                    let chunking = Chunking { channels, chunk: 1000, slices: 2, protocol: Protocol::Simple };
                    let whole = Collective { operation, algorithm, bytes, node, along_rails: false, root: 0, chunking };
                    let added = f64::from(added(n, &whole, combines));
                    let counted = whole.operations(&(0..n).collect::<Vec<u32>>(), combines) as f64;
                    // A rank has up to two more to join what its channels have done.
                    let may_differ = 0.2 * added + 2.0 * f64::from(n);
                    assert!((counted - added).abs() <= may_differ, "{whole:?} of {n}: {counted} for {added}");
                }
            }
        }
    }

    /// Operations that a collective of all ranks adds to a program that waits for it at each of them.
    fn added(n: u32, whole: &Collective, combines: bool) -> u32 {
        let mut builder = Builder::new(n);
        let places: Vec<RankStep> = (0..n).map(|rank| RankStep::open(&mut builder, rank, &[])).collect();
        let before = builder.len();
        let step = Step { name: String::new(), operation: "", bytes: whole.bytes, ranks: n };
        carry_out(&mut builder, step, &places, whole, combines.then_some(Rate(1)), 0);
        (builder.len() - before) as u32
    }

    #[test]
    fn nothing_is_too_large_to_be_counted() {
        let chunking = Chunking { channels: 64, chunk: 1, slices: 2, protocol: Protocol::Simple };
        let (operation, algorithm, bytes) = (Operation::AllReduce, Algorithm::Ring, u64::MAX);
        let whole = Collective { operation, algorithm, bytes, node: 1, along_rails: false, root: 0, chunking };
        assert_eq!(whole.operations(&(0..1 << 16).collect::<Vec<u32>>(), true), u64::MAX);
    }
}
