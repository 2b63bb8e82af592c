//! In which order rings go round: node by node. Networks for training often have rails: the adapters at the same place of
//! all nodes are on switches of their own, and a message to another rail goes over one more level of switches.

/// The nodes of a group, and how rings go from one to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes {
    /// Number of places in a row that are in one node; 1: there are no nodes.
    pub size: u32,
    /// Rings enter a node on the rail on which they have left the one before.
    pub along_rails: bool,
}

impl Nodes {
    /// The places of the ring of a channel. Within a node the order is rotated by one from channel to channel, so that
    /// channels leave a node from different ranks.
    pub(crate) fn ring(self, n: u32, channel: u32) -> Vec<u32> {
        let Self { size, along_rails } = self;
        if size < 2 || !n.is_multiple_of(size) {
            return (0..n).collect();
        }
        if along_rails && n > size {
            return along(n / size, size, channel);
        }
        (0..n).map(|i| i / size * size + (i % size + channel) % size).collect()
    }
}

/// A ring cannot leave a node where it has come in. It changes to the next rail in one node and back in the following
/// one, as NCCL's rings do (`ncclTopoPostset`: odd nodes have the orders of two channels exchanged). Of an odd number of
/// nodes the last is entered on a third rail; if there are only two, the ring changes rails once between nodes.
fn along(nodes: u32, size: u32, channel: u32) -> Vec<u32> {
    let rail_into = |node: u32| {
        let is_odd_one = node + 1 == nodes && node.is_multiple_of(2);
        (channel + if is_odd_one { 2 } else { node % 2 }) % size
    };
    let mut order = Vec::with_capacity((nodes * size) as usize);
    for node in 0..nodes {
        let (entry, exit) = (rail_into(node), rail_into((node + 1) % nodes));
        let between = (1..size).map(|i| (entry + i) % size).filter(|&place| place != exit);
        let places = std::iter::once(entry).chain(between).chain((exit != entry).then_some(exit));
        order.extend(places.map(|place| node * size + place));
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Algorithm, Chunking, Collective, Operation, Protocol, Team};
    use super::*;
    use crate::program::{Action, Builder, Program};

    const ALONG: [(u32, u32); 10] = [(2, 2), (2, 8), (3, 2), (3, 3), (3, 4), (4, 2), (4, 4), (5, 2), (5, 8), (64, 8)];

    #[test]
    fn rings_along_rails_visit_every_rank_node_by_node_and_change_rails_only_inside_nodes() {
        for (nodes, size) in ALONG {
            for channel in 0..2 * size {
                let ring = Nodes { size, along_rails: true }.ring(nodes * size, channel);
                let places: std::collections::BTreeSet<u32> = ring.iter().copied().collect();
                assert_eq!((places.len(), ring.len()), ((nodes * size) as usize, (nodes * size) as usize));
                let next = ring.iter().copied().cycle().skip(1);
                let between = ring.iter().copied().zip(next).filter(|(a, b)| a / size != b / size);
                let (on_rail, across): (Vec<_>, Vec<_>) = between.partition(|(a, b)| a % size == b % size);
                let unavoidable = usize::from(size == 2 && nodes % 2 == 1);
                assert_eq!((on_rail.len(), across.len()), (nodes as usize - unavoidable, unavoidable), "{ring:?}");
            }
        }
    }

    fn made(nodes: u32, size: u32, operation: Operation, algorithm: Algorithm, bytes: u64) -> Program {
        let chunking = Chunking { channels: size, chunk: u64::MAX >> 20, slices: 1, protocol: Protocol::Simple };
        let root = nodes * size / 3;
        let whole = Collective { operation, algorithm, bytes, node: size, along_rails: true, root, chunking };
        let mut builder = Builder::new(nodes * size);
        whole.add(&mut Team::all(&mut builder, nodes * size));
        builder.build().expect("there is no cycle")
    }

    /// Bytes that each rank sends to ranks of other nodes.
    fn sent_between(program: &Program, size: u32) -> Vec<u64> {
        let mut sent = vec![0; program.ranks() as usize];
        for (_, from, _, _, bytes) in program.sends().filter(|(_, from, to, ..)| from / size != to / size) {
            sent[from as usize] += bytes;
        }
        sent
    }

    /// As many channels as rails: on each the same, 2 (n - 1) / n of a share of the vector.
    #[test]
    fn every_rank_sends_as_much_between_nodes_as_every_other() {
        for (nodes, size) in [(2, 2), (4, 4), (3, 4), (8, 8)] {
            let n = nodes * size;
            let (share, steps) = (1000 * u64::from(n), 2 * u64::from(n - 1));
            let program = made(nodes, size, Operation::AllReduce, Algorithm::Ring, share * u64::from(size));
            let mut between = program.sends().filter(|(_, from, to, ..)| from / size != to / size);
            assert!(between.all(|(_, from, to, ..)| from % size == to % size));
            assert_eq!(sent_between(&program, size), vec![steps * 1000; n as usize], "{nodes} nodes of {size}");
        }
    }

    /// As many channels as ranks of a node: each rank connects its node in the trees of one of them.
    #[test]
    fn in_trees_all_ranks_of_a_node_send_as_much_to_other_nodes() {
        for (nodes, size) in [(2, 2), (4, 4), (3, 4), (8, 8), (5, 3)] {
            let program = made(nodes, size, Operation::AllReduce, Algorithm::Tree, 1000 * u64::from(size));
            let sent = sent_between(&program, size);
            // Up and down: each node but the root of a tree is connected once in each direction.
            assert_eq!(sent.iter().sum::<u64>(), u64::from(2 * (nodes - 1) * size) * 1000);
            for of_node in sent.chunks(size as usize) {
                assert!(of_node.iter().all(|&bytes| bytes == of_node[0]), "{nodes} nodes of {size}: {sent:?}");
            }
        }
    }

    /// Without rails, too, the chains of as many channels leave a node from all of its ranks. Only the channel whose
    /// ring is cut between two nodes does not go from the first of them to the second.
    #[test]
    fn chains_are_turned_from_channel_to_channel() {
        for operation in [Operation::Broadcast, Operation::Reduce] {
            for (nodes, size) in [(2, 2), (4, 4), (3, 4)] {
                let (n, chunking) = (nodes * size, Chunking::nccl(operation, Protocol::Simple, size));
                let (algorithm, bytes, root) = (Algorithm::Ring, 1000 * u64::from(size), size);
                let whole = Collective { operation, algorithm, bytes, node: size, along_rails: false, root, chunking };
                let mut builder = Builder::new(n);
                whole.add(&mut Team::all(&mut builder, n));
                let sent = sent_between(&builder.build().expect("there is no cycle"), size);
                let senders = sent.iter().filter(|&&bytes| bytes == 1000).count() as u32;
                assert_eq!(senders, n - 1, "{operation:?}, {nodes} nodes of {size}: {sent:?}");
            }
        }
    }

    /// Of each received message: its rank, its tag, and the ranks whose data may be in it, as bits. In these programs of
    /// one loop a send waits only for what it passes on.
    fn contributions(program: &Program) -> Vec<(u32, u32, u64)> {
        // By sender, receiver and tag: the sends, and the receives that get their messages in turn.
        let mut ways: BTreeMap<[u32; 3], [Vec<u32>; 2]> = BTreeMap::new();
        for (id, operation) in (0..).zip(program.operations()) {
            let rank = program.rank_of(id);
            match operation.action {
                Action::Send { to, tag, .. } => ways.entry([rank, to, tag]).or_default()[0].push(id),
                Action::Receive { from, tag, .. } => ways.entry([from, rank, tag]).or_default()[1].push(id),
                Action::Compute { .. } => {}
            }
        }
        let matched: BTreeMap<u32, u32> =
            ways.values().flat_map(|[out, come]| out.iter().copied().zip(come.iter().copied())).collect();
        let mut has: Vec<u64> = (0..program.operations().len() as u32).map(|id| 1 << program.rank_of(id)).collect();
        let mut changed: Vec<u32> = (0..has.len() as u32).collect();
        while let Some(id) = changed.pop() {
            for later in program.followers(id).map(|(later, _)| later).chain(matched.get(&id).copied()) {
                let both = has[later as usize] | has[id as usize];
                if std::mem::replace(&mut has[later as usize], both) != both {
                    changed.push(later);
                }
            }
        }
        let receives =
            ways.into_iter().flat_map(|([_, to, tag], [_, come])| come.into_iter().map(move |id| (to, tag, id)));
        receives.map(|(to, tag, id)| (to, tag, has[id as usize])).collect()
    }

    /// On each ring a rank receives n parts to which all ranks have contributed: its own, when the last sum is added to
    /// it, and n - 1 that are complete.
    #[test]
    fn every_rank_ends_with_the_contributions_of_all() {
        for (nodes, size) in [(2, 2), (3, 2), (3, 4), (4, 4), (8, 8)] {
            let n = nodes * size;
            let all = u64::MAX >> (64 - n);
            for (algorithm, rings) in [(Algorithm::Ring, size), (Algorithm::BidirectionalRing, 2 * size)] {
                let mut complete: BTreeMap<(u32, u32), u32> = BTreeMap::new();
                for (rank, ring, has) in contributions(&made(nodes, size, Operation::AllReduce, algorithm, 1 << 20)) {
                    *complete.entry((rank, ring)).or_default() += u32::from(has == all);
                }
                assert_eq!(complete.len() as u32, n * rings);
                assert!(complete.values().all(|&parts| parts == n), "{algorithm:?}, {nodes} nodes of {size}");
            }
            let at = |operation| contributions(&made(nodes, size, operation, Algorithm::Ring, 1 << 20));
            // Down each of the two trees of a channel, all ranks but the root receive what all have added to.
            let down = contributions(&made(nodes, size, Operation::AllReduce, Algorithm::Tree, 1 << 20));
            let complete = down.into_iter().filter(|&(.., has)| has == all).count() as u32;
            assert_eq!(complete, 2 * size * (n - 1), "{nodes} nodes of {size}");
            let root = n / 3;
            let summed = at(Operation::Reduce).into_iter().filter(|&(rank, _, has)| rank == root && has == all);
            assert_eq!(summed.count() as u32, size);
            let spread = at(Operation::Broadcast).into_iter().filter(|(.., has)| has & 1 << root != 0);
            assert_eq!(spread.count() as u32, size * (n - 1));
        }
    }
}
