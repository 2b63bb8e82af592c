//! Partners at halving and doubling distances [thakur2005collectives]: log2 n steps with a half, a quarter and so on of
//! the vector sum it up part by part, and the same steps in reverse distribute it. 2 log2 n messages, and as few bytes
//! as on a ring.
//!
//! If n is not a power of two, each rank in excess first gives its vector to a neighbour, and gets the result from it.
//! If a vector is only summed up or only distributed, that neighbour holds the parts of both, so halves differ in size.

use super::team::Team;
use super::{Chunking, Phases};
use crate::program::Local;
use crate::programs::{PowerOfTwo, ahead, behind, part, upto};

pub(super) fn add(team: &mut Team<'_>, bytes: u64, chunking: &Chunking, phases: Phases) {
    let n = team.size();
    let taking = PowerOfTwo::of(n);
    let extra = taking.extra;
    let ranks: Vec<u32> = (0..taking.places).map(|place| taking.rank(place)).collect();
    let whole = phases == Phases::Both;
    // Where the part of a place begins: parts of whole vectors have equal sizes; otherwise it begins with that of its
    // first rank.
    let begins = |place: u32| match whole {
        true => upto(bytes, taking.places, place),
        false => upto(bytes, n, taking.first_rank(place)),
    };
    if extra > 0 {
        let tag = team.new_tag();
        for even in (0..extra).map(|i| 2 * i) {
            // The whole vector to be summed up, or one part to be distributed.
            let size = if phases.scatters() { bytes } else { part(bytes, n, even) };
            hand_over(team, even, even + 1, size, tag, chunking, phases.scatters());
        }
    }
    team.among(&ranks, |team| {
        if phases.scatters() {
            halves(team, &begins, chunking, true);
        }
        if phases.gathers() {
            halves(team, &begins, chunking, false);
        }
    });
    if extra > 0 {
        let tag = team.new_tag();
        for even in (0..extra).map(|i| 2 * i) {
            let size = if phases.gathers() { bytes } else { part(bytes, n, even) };
            hand_over(team, even + 1, even, size, tag, chunking, false);
        }
    }
}

/// One place sends its data to another.
fn hand_over(team: &mut Team<'_>, from: u32, to: u32, bytes: u64, tag: u32, chunking: &Chunking, sums: bool) {
    let (giver, taker, wire) = (team.ready(from), team.ready(to), chunking.protocol.on_wire(bytes));
    let sent = team.send(from, wire, to, tag, &giver);
    let received = team.receive(to, wire, from, tag, &taker);
    let have = if sums { team.combine(to, bytes, received) } else { received };
    team.wait_for(from, vec![sent]);
    team.wait_for(to, vec![have]);
}

/// log2 n exchanges, each of half as much as the one before (`down`), or of twice as much. `begins` says where the part
/// of a place begins.
fn halves(team: &mut Team<'_>, begins: &dyn Fn(u32) -> u64, chunking: &Chunking, down: bool) {
    let n = team.size();
    let rounds = n.trailing_zeros();
    for round in 0..rounds {
        let distance = if down { n >> (round + 1) } else { 1 << round };
        // The parts of a place and its neighbours within this distance, which the place holds after (or before) the
        // exchange.
        let half = |place: u32| {
            let first = place & !(distance - 1);
            begins(first + distance) - begins(first)
        };
        let tag = team.new_tag();
        for place in 0..n {
            let partner = place ^ distance;
            let (out, come) = if down { (half(partner), half(place)) } else { (half(place), half(partner)) };
            let ready = team.ready(place);
            let sent = team.send(place, chunking.protocol.on_wire(out), partner, tag, &ready);
            let received = team.receive(place, chunking.protocol.on_wire(come), partner, tag, &ready);
            let have = if down { team.combine(place, come, received) } else { received };
            team.wait_for(place, vec![sent, have]);
        }
    }
}

/// Dissemination: in round k a rank sends to the rank 2^k ahead and receives from the rank 2^k behind.
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

/// The message of a barrier: a flag (B).
const TOKEN: u64 = 8;
