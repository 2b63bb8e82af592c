//! Random applications.

use congestree_kernel::Rng;
use congestree_scenario::goal;
use congestree_traffic::program::{Action, Builder, Until};
use congestree_units::Span;

/// A program that finishes on every network: messages have tags of their own, and each operation waits only for
/// operations drawn before it. As text, and with the number of its messages.
pub fn random_program(rng: &mut Rng, ranks: u32) -> (String, u64) {
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
