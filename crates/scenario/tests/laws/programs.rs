//! Random applications.

use std::collections::HashMap;

use congestree_kernel::Rng;
use congestree_scenario::goal;
use congestree_traffic::placement::shuffle;
use congestree_traffic::program::{ANY, Action, Builder, Until};
use congestree_units::Span;

/// A program that finishes on every network, as text, and with the number of its messages. In most, messages have tags
/// of their own, and each operation waits only for operations drawn before it; others are [`lines`].
pub(crate) fn random_program(rng: &mut Rng, ranks: u32) -> (String, u64) {
    if rng.below(4) == 0 {
        return lines(rng, ranks);
    }
    let mut builder = Builder::new(ranks);
    let mut count = vec![0u32; ranks as usize];
    let mut messages = 0;
    let mut add = |builder: &mut Builder, rng: &mut Rng, rank: u32, action: Action| {
        let id = builder.add(rank, action.into(), &[]);
        for _ in 0..rng.below(3).min(u64::from(id)) {
            let until = if rng.below(4) == 0 { Until::Started } else { Until::Finished };
            builder.wait(rank, id, rng.below(u64::from(id)) as u32, until);
        }
        count[rank as usize] += 1;
    };
    for tag in 0..20 + rng.below(60) as u32 {
        let a = rng.below(u64::from(ranks)) as u32;
        let b = (a + 1 + rng.below(u64::from(ranks) - 1) as u32) % ranks;
        if rng.below(4) == 0 {
            let time = Span::from_ns(rng.below(3_000));
            add(&mut builder, rng, a, Action::Compute { time });
            continue;
        }
        let bytes = if rng.below(5) == 0 { rng.below(60_000) } else { rng.below(1_500) };
        add(&mut builder, rng, a, Action::Send { to: b, tag, bytes });
        add(&mut builder, rng, b, Action::Receive { from: a, tag, bytes });
        messages += 1;
    }
    (goal::write(&builder.build().expect("operations wait for earlier ones")), messages)
}

/// An operation, and the operations of its rank for which it waits.
type Waiting = (Action, Vec<(usize, Until)>);

/// A program that finishes if and only if no message overtakes another one between its two ranks: these have few tags,
/// or any, and are sent and awaited in the order in which they are drawn. The numbers of operations are in another one,
/// and some messages have no bytes.
fn lines(rng: &mut Rng, ranks: u32) -> (String, u64) {
    let mut drawn: Vec<Vec<Waiting>> = vec![Vec::new(); ranks as usize];
    let mut latest: HashMap<(u32, u32, bool), usize> = HashMap::new();
    let messages = 20 + rng.below(40);
    for _ in 0..messages {
        let a = rng.below(u64::from(ranks)) as u32;
        let b = (a + 1 + rng.below(u64::from(ranks) - 1) as u32) % ranks;
        let tag = rng.below(3) as u32;
        let bytes = [0, 0, 1, 1_000, 9_000][rng.below(5) as usize];
        let awaited = if rng.below(3) == 0 { ANY } else { tag };
        let pair =
            [(a, b, Action::Send { to: b, tag, bytes }), (b, a, Action::Receive { from: a, tag: awaited, bytes })];
        for (rank, other, action) in pair {
            let own = &mut drawn[rank as usize];
            let before = latest.insert((rank, other, rank == a), own.len());
            let mut waits: Vec<(usize, Until)> = before.map(|one| (one, Until::Started)).into_iter().collect();
            if !own.is_empty() && rng.below(3) == 0 {
                waits.push((rng.below(own.len() as u64) as usize, Until::Finished));
            }
            own.push((action, waits));
        }
    }
    let mut builder = Builder::new(ranks);
    for (rank, operations) in (0..).zip(drawn) {
        let mut order: Vec<u32> = (0..operations.len() as u32).collect();
        shuffle(&mut order, rng);
        let mut ids = vec![0; operations.len()];
        for &one in &order {
            ids[one as usize] = builder.add(rank, operations[one as usize].0.into(), &[]);
        }
        for (id, (_, waits)) in ids.iter().zip(&operations) {
            waits.iter().for_each(|&(one, until)| builder.wait(rank, *id, ids[one], until));
        }
    }
    (goal::write(&builder.build().expect("operations wait for those drawn earlier")), messages)
}
