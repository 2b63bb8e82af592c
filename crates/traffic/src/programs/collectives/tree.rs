//! Double binary trees [sanders2009two, jeaugey2019trees]: each tree sums up half of the data towards its root and
//! distributes it again, chunk by chunk. An inner node of one tree is a leaf of the other, so no rank sends or receives
//! more than twice the data. Within a node the ranks form a chain, whose first rank is part of the tree. As in NCCL,
//! this is another rank from channel to channel, so that all adapters of a node carry their part.

use super::chain::chunks;
use super::team::Team;
use super::{Chunking, Protocol};
use crate::program::Local;
use crate::programs::part;

/// The neighbours of a place in a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stand {
    pub parent: Option<u32>,
    pub children: Vec<u32>,
}

/// The in-order tree over n places with root 0, as in NCCL: with b the lowest bit of r, the parent is (r xor b) | 2b,
/// or r xor b if that is too large; the children are r - b/2 and r + b/2, where b/2 is halved until that place exists.
pub(super) fn stand(r: u32, n: u32) -> Stand {
    if r == 0 {
        let child = if n > 1 { Some(n.next_power_of_two() / 2) } else { None };
        return Stand { parent: None, children: child.into_iter().collect() };
    }
    let b = 1 << r.trailing_zeros();
    let up = (r ^ b) | (b << 1);
    let parent = if up < n { up } else { r ^ b };
    let mut children = Vec::new();
    if b > 1 {
        children.push(r - b / 2);
        let mut low = b / 2;
        while low > 0 && r + low >= n {
            low /= 2;
        }
        if low > 0 {
            children.push(r + low);
        }
    }
    Stand { parent: Some(parent), children }
}

/// The second tree: the mirrored first one if n is even, otherwise the first one shifted by one.
pub(super) fn second(r: u32, n: u32) -> Stand {
    let turned = |r: u32| if n.is_multiple_of(2) { n - 1 - r } else { (r + n - 1) % n };
    let back = |r: u32| if n.is_multiple_of(2) { n - 1 - r } else { (r + 1) % n };
    let Stand { parent, children } = stand(turned(r), n);
    Stand { parent: parent.map(back), children: children.into_iter().map(back).collect() }
}

/// All-reduce over both trees, half of the data of each channel in each.
pub(super) fn all_reduce(team: &mut Team<'_>, bytes: u64, node: u32, chunking: &Chunking) {
    let n = team.size();
    let node = if node > 1 && n.is_multiple_of(node) { node } else { 1 };
    let window = under_way(n, node);
    let mut done: Vec<Vec<Local>> = vec![Vec::new(); n as usize];
    for c in 0..chunking.channels {
        let share = chunking.share(bytes, c);
        for (half, tree) in [stand, second].into_iter().enumerate() {
            let (up, down) = (team.new_tag(), team.new_tag());
            for place in 0..n {
                let here = in_nodes(place, n, node, c, tree);
                let sizes = chunks(part(share, 2, half as u32), chunking.chunk);
                let last = pass(team, place, &here, sizes, window, chunking.protocol, [up, down]);
                done[place as usize].extend(last);
            }
        }
    }
    for (place, last) in (0..n).zip(done) {
        let last = team.gather(place, &last);
        team.wait_for(place, last);
    }
}

/// Trees are formed by nodes; within a node each rank is connected to the one before. The chain of channel c begins at
/// the rank c places behind the first one of the node.
fn in_nodes(place: u32, n: u32, node: u32, channel: u32, tree: fn(u32, u32) -> Stand) -> Stand {
    let turned = channel % node;
    let (own, along) = (place / node, (place % node + node - turned) % node);
    let head = |of: u32| of * node + turned;
    let beside = |along: u32| own * node + (along + turned) % node;
    let mut here = match along.checked_sub(1) {
        Some(before) => Stand { parent: Some(beside(before)), children: Vec::new() },
        None => {
            let Stand { parent, children } = tree(own, n / node);
            Stand { parent: parent.map(head), children: children.into_iter().map(head).collect() }
        }
    };
    if along + 1 < node {
        here.children.push(beside(along + 1));
    }
    here
}

/// Chunks of a rank that are in flight at a time, at least: the slots of a channel's buffer.
const STEPS: u32 = 8;

/// Chunks of a rank that may be on their way to the root and back. NCCL gives every connection eight slots, and frees
/// them by flags in memory, which are not messages here. What a rank knows is which chunks have come down. As many
/// chunks as there are connections up and down, plus one in each direction, keep all of them busy in trees of any
/// depth. With many more, the upward direction would run ahead and fill the links before anything comes down.
fn under_way(n: u32, node: u32) -> usize {
    let depth = (n / node).next_power_of_two().trailing_zeros() + node - 1;
    STEPS.max(2 * depth + 2) as usize
}

/// A rank in a tree: every chunk comes from the children, goes up, comes down, and goes to the children.
fn pass(
    team: &mut Team<'_>,
    place: u32,
    here: &Stand,
    chunks: impl Iterator<Item = u64>,
    window: usize,
    protocol: Protocol,
    [up, down]: [u32; 2],
) -> Vec<Local> {
    let ready = team.ready(place);
    let mut done = Vec::new();
    // By chunk: when it has come down.
    let mut down_here: Vec<Local> = Vec::new();
    for (k, chunk) in chunks.enumerate() {
        let wire = protocol.on_wire(chunk);
        let mut have = ready.clone();
        if let Some(&before) = k.checked_sub(window).and_then(|k| down_here.get(k)) {
            have = vec![before];
        }
        let mut sums = Vec::new();
        for &child in &here.children {
            let received = team.receive(place, wire, child, up, &ready);
            sums.push(team.combine(place, chunk, received));
        }
        if !sums.is_empty() {
            sums.extend(have);
            have = team.gather(place, &sums);
        }
        if let Some(parent) = here.parent {
            team.send(place, wire, parent, up, &have);
            let received = team.receive(place, wire, parent, down, &ready);
            down_here.push(received);
            have = vec![received];
        }
        for &child in &here.children {
            done.push(team.send(place, wire, child, down, &have));
        }
        done.extend(have);
    }
    done
}
