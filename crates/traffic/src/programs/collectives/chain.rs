//! Broadcast and reduce along a chain, chunk by chunk, as NCCL's rings do: a rank forwards a chunk while it receives
//! the next one, so the total time is that of the data plus that of one chunk for each rank.

use super::Chunking;
use super::nodes::Nodes;
use super::team::Team;
use crate::program::Local;

/// From `root` to the next rank, and so on around the ring.
pub(super) fn broadcast(team: &mut Team<'_>, bytes: u64, root: u32, nodes: Nodes, chunking: &Chunking) {
    along(team, root, nodes, bytes, chunking, false);
}

/// From the rank after `root` around the ring to `root`, summed up on the way.
pub(super) fn reduce(team: &mut Team<'_>, bytes: u64, root: u32, nodes: Nodes, chunking: &Chunking) {
    along(team, root, nodes, bytes, chunking, true);
}

/// The places of the chain of a channel: its ring, cut before the root, or behind it.
fn order(n: u32, root: u32, nodes: Nodes, channel: u32, ends_at_root: bool) -> Vec<u32> {
    let mut order = nodes.ring(n, channel);
    let at = order.iter().take_while(|&&place| place != root).count();
    order.rotate_left((at + usize::from(ends_at_root)) % n as usize);
    order
}

fn along(team: &mut Team<'_>, root: u32, nodes: Nodes, bytes: u64, chunking: &Chunking, sums: bool) {
    let n = team.size();
    let mut done: Vec<Vec<Local>> = vec![Vec::new(); n as usize];
    for c in 0..chunking.channels {
        let order = order(n, root, nodes, c, sums);
        let tag = team.new_tag();
        for (i, &place) in order.iter().enumerate() {
            let ready = team.ready(place);
            let (last, next) = (i.checked_sub(1).map(|i| order[i]), order.get(i + 1).copied());
            for chunk in chunks(chunking.share(bytes, c), chunking.chunk) {
                let mut have = ready.clone();
                let wire = chunking.protocol.on_wire(chunk);
                if let Some(last) = last {
                    let received = team.receive(place, wire, last, tag, &ready);
                    have = vec![if sums { team.combine(place, chunk, received) } else { received }];
                }
                if let Some(next) = next {
                    have = vec![team.send(place, wire, next, tag, &have)];
                }
                done[place as usize].extend(have);
            }
        }
    }
    for (place, last) in (0..).zip(done) {
        let last = team.gather(place, &last);
        team.wait_for(place, last);
    }
}

/// Sizes of the chunks of a share; a single empty one if the share is empty.
pub(super) fn chunks(share: u64, chunk: u64) -> impl Iterator<Item = u64> {
    let count = share.div_ceil(chunk).max(1);
    (0..count).map(move |i| chunk.min(share - i * chunk))
}
