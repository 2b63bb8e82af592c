//! Partners at halving and doubling distances [thakur2005collectives]: log2 n steps of a half, a quarter ... of the vector
//! to sum it up part by part, and the same back to spread it. 2 log2 n messages, and as few bytes as on a ring.
//!
//! If n is no power of two, the ranks too many first give their vector to a neighbour, and get the result from it.

use super::Chunking;
use super::team::Team;
use crate::program::Local;
use crate::programs::{ahead, behind};

pub(super) fn add(team: &mut Team<'_>, bytes: u64, chunking: &Chunking, scatters: bool, gathers: bool) {
    let n = team.size();
    let power = if n.is_power_of_two() { n } else { n.next_power_of_two() / 2 };
    let extra = n - power;
    // Of the first 2 * extra ranks the odd ones take part, for their even neighbours too.
    let taking: Vec<u32> = (0..power).map(|i| if i < extra { 2 * i + 1 } else { i + extra }).collect();
    if extra > 0 {
        let tag = team.new_tag();
        for odd in (0..extra).map(|i| 2 * i + 1) {
            // Before: the whole vector to be summed, or one part to be spread.
            hand_over(team, odd - 1, odd, before(bytes, n, scatters, chunking), tag, scatters);
        }
    }
    team.among(&taking, |team| {
        if scatters {
            halves(team, bytes, chunking, true);
        }
        if gathers {
            halves(team, bytes, chunking, false);
        }
    });
    if extra > 0 {
        let tag = team.new_tag();
        for odd in (0..extra).map(|i| 2 * i + 1) {
            let size = if gathers { bytes } else { bytes / u64::from(n) };
            hand_over(team, odd, odd - 1, chunking.protocol.on_wire(size), tag, false);
        }
    }
}

fn before(bytes: u64, n: u32, scatters: bool, chunking: &Chunking) -> u64 {
    chunking.protocol.on_wire(if scatters { bytes } else { bytes / u64::from(n) })
}

/// One place gives another what it has.
fn hand_over(team: &mut Team<'_>, from: u32, to: u32, bytes: u64, tag: u32, sums: bool) {
    let (giver, taker) = (team.ready(from), team.ready(to));
    let sent = team.send(from, bytes, to, tag, &giver);
    let received = team.receive(to, bytes, from, tag, &taker);
    let have = if sums { team.combine(to, bytes, received) } else { received };
    team.wait_for(from, vec![sent]);
    team.wait_for(to, vec![have]);
}

/// log2 n exchanges, each of half of what the one before had (`down`), or of twice as much.
fn halves(team: &mut Team<'_>, bytes: u64, chunking: &Chunking, down: bool) {
    let n = team.size();
    let rounds = n.trailing_zeros();
    for round in 0..rounds {
        let distance = if down { n >> (round + 1) } else { 1 << round };
        let size = bytes * u64::from(distance) / u64::from(n);
        let wire = chunking.protocol.on_wire(size);
        let tag = team.new_tag();
        for place in 0..n {
            let ready = team.ready(place);
            let sent = team.send(place, wire, place ^ distance, tag, &ready);
            let received = team.receive(place, wire, place ^ distance, tag, &ready);
            let have = if down { team.combine(place, size, received) } else { received };
            team.wait_for(place, vec![sent, have]);
        }
    }
}

/// Dissemination: in round k a rank tells the one 2^k ahead and hears from the one 2^k behind.
pub(super) fn barrier(team: &mut Team<'_>) {
    let n = team.size();
    for distance in (0..32).map(|round| 1u32 << round).take_while(|&distance| distance < n) {
        let tag = team.new_tag();
        for place in 0..n {
            let ready = team.ready(place);
            let told: Local = team.send(place, TOKEN, ahead(place, distance, n), tag, &ready);
            let heard = team.receive(place, TOKEN, behind(place, distance, n), tag, &ready);
            team.wait_for(place, vec![told, heard]);
        }
    }
}

/// What a barrier sends: a flag (B).
const TOKEN: u64 = 8;
