//! Every rank exchanges data with every other: n - 1 messages per rank, all at once, or one partner after the other.

use super::team::Team;
use super::{Chunking, Phases};
use crate::program::Local;
use crate::programs::{ExchangeOrder, ahead, behind, part};

/// Every place sends `size(from, to)` bytes to every other, and nothing if that is 0. In turn: in step s a place sends to
/// the place s ahead and receives from the place s behind before the next step. At once: all messages are given to the
/// adapter, the one for the next place first.
pub fn exchange(team: &mut Team<'_>, size: &dyn Fn(u32, u32) -> u64, order: ExchangeOrder) {
    let n = team.size();
    let tag = team.new_tag();
    for place in 0..n {
        let mut ready = team.ready(place);
        let mut all: Vec<Local> = Vec::new();
        for step in 1..n {
            let (to, from) = (ahead(place, step, n), behind(place, step, n));
            let mut both = Vec::new();
            if size(from, place) > 0 {
                both.push(team.receive(place, size(from, place), from, tag, &ready));
            }
            if size(place, to) > 0 {
                both.push(team.send(place, size(place, to), to, tag, &ready));
            }
            match order {
                _ if both.is_empty() => {}
                ExchangeOrder::InTurn => ready = both,
                ExchangeOrder::AtOnce => all.extend(both),
            }
        }
        let last = if all.is_empty() { ready } else { team.gather(place, &all) };
        team.wait_for(place, last);
    }
}

/// Each part goes directly to its owner, which adds them up; the sums go directly to all ranks.
pub(super) fn reduce_and_gather(team: &mut Team<'_>, bytes: u64, chunking: &Chunking, phases: Phases) {
    let n = team.size();
    if phases.scatters() {
        exchange(team, &|_, to| chunking.protocol.on_wire(part(bytes, n, to)), ExchangeOrder::AtOnce);
        for place in 0..n {
            let ready = team.ready(place);
            if let [received] = ready[..] {
                let sum = team.combine(place, part(bytes, n, place) * u64::from(n - 1), received);
                team.wait_for(place, vec![sum]);
            }
        }
    }
    if phases.gathers() {
        exchange(team, &|from, _| chunking.protocol.on_wire(part(bytes, n, from)), ExchangeOrder::AtOnce);
    }
}
