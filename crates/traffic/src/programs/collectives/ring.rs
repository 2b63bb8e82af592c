//! Rings: every rank sends only to the next one, so that no link carries more than its share, whatever the number of
//! ranks. A vector of B bytes in n parts takes n - 1 steps of B/n to be summed up part by part, and as many to be
//! distributed again [thakur2005collectives].
//!
//! A channel processes its share of the data in loops of n chunks. In step s a rank sends the chunk of the rank s
//! places behind, a slice at a time, as soon as that slice has arrived (and was added) in the step before.

use super::nodes::Nodes;
use super::team::Team;
use super::{Chunking, Phases};
use crate::program::Local;
use crate::programs::{ahead, behind, part};

/// One ring per channel.
pub(super) fn add(team: &mut Team<'_>, bytes: u64, nodes: Nodes, chunking: &Chunking, phases: Phases) {
    let n = team.size();
    let rings: Vec<(Vec<u32>, u64)> =
        (0..chunking.channels).map(|c| (nodes.ring(n, c), chunking.share(bytes, c))).collect();
    all(team, &rings, chunking, phases);
}

/// Half of the data of each channel on its ring, the other half on the same ring in the opposite direction.
pub(super) fn both_directions(team: &mut Team<'_>, bytes: u64, nodes: Nodes, chunking: &Chunking, phases: Phases) {
    let n = team.size();
    let rings: Vec<(Vec<u32>, u64)> = (0..chunking.channels)
        .flat_map(|c| {
            let (there, share) = (nodes.ring(n, c), chunking.share(bytes, c));
            let back = there.iter().rev().copied().collect();
            [(there, part(share, 2, 0)), (back, part(share, 2, 1))]
        })
        .collect();
    all(team, &rings, chunking, phases);
}

fn all(team: &mut Team<'_>, rings: &[(Vec<u32>, u64)], chunking: &Chunking, phases: Phases) {
    let n = team.size();
    let mut done: Vec<Vec<Local>> = vec![Vec::new(); n as usize];
    for (order, share) in rings {
        let tag = team.new_tag();
        for at in 0..n {
            let direction = Direction { order, at, tag, phases };
            let last = channel(team, &direction, *share, chunking);
            done[order[at as usize] as usize].extend(last);
        }
    }
    for (place, last) in (0..n).zip(done) {
        let last = team.gather(place, &last);
        team.wait_for(place, last);
    }
}

/// The role of one rank in one ring.
struct Direction<'a> {
    order: &'a [u32],
    /// Its position in it.
    at: u32,
    tag: u32,
    phases: Phases,
}

/// All loops of a rank in a channel; returns the operations after which they are finished.
fn channel(team: &mut Team<'_>, direction: &Direction<'_>, share: u64, chunking: &Chunking) -> Vec<Local> {
    let n = team.size();
    let place = direction.order[direction.at as usize];
    let loop_bytes = chunking.chunk.saturating_mul(u64::from(n));
    let mut done = team.ready(place);
    let mut left = share;
    loop {
        let bytes = left.min(loop_bytes);
        done = one_loop(team, direction, bytes, chunking, &done);
        left -= bytes;
        if left == 0 {
            return done;
        }
    }
}

fn one_loop(
    team: &mut Team<'_>,
    direction: &Direction<'_>,
    bytes: u64,
    chunking: &Chunking,
    ready: &[Local],
) -> Vec<Local> {
    let n = team.size();
    let place = direction.order[direction.at as usize];
    let next = direction.order[ahead(direction.at, 1, n) as usize];
    let last = direction.order[behind(direction.at, 1, n) as usize];
    let steps = if direction.phases == Phases::Both { 2 * (n - 1) } else { n - 1 };
    // If a vector is only summed up, each rank must have its own part in the end; if it is only distributed, it has its
    // own part in the beginning.
    let first = if direction.phases == Phases::ReduceScatter { behind(direction.at, 1, n) } else { direction.at };
    let mut have: Vec<Vec<Local>> = vec![ready.to_vec(); chunking.slices as usize];
    let mut sent = Vec::new();
    for step in 0..steps {
        let out = part(bytes, n, behind(first, step, n));
        let come = part(bytes, n, behind(first, step + 1, n));
        for k in 0..chunking.slices {
            let had = std::mem::take(&mut have[k as usize]);
            sent.push(team.send(place, chunking.slice(out, k), next, direction.tag, &had));
            let received = team.receive(place, chunking.slice(come, k), last, direction.tag, ready);
            let sums = direction.phases.scatters() && step < n - 1;
            have[k as usize] =
                vec![if sums { team.combine(place, part(come, chunking.slices, k), received) } else { received }];
        }
    }
    // The buffers of the last slices are free for the next loop when these have been sent.
    let kept = sent.len().saturating_sub(chunking.slices as usize);
    let all: Vec<Local> = have.concat().into_iter().chain(sent.drain(kept..)).collect();
    team.gather(place, &all)
}
