//! Every rank has data for every other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ahead, behind};
use crate::program::{Builder, Local};

/// In which order the messages of an exchange are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExchangeOrder {
    /// One partner after another: in step s the rank that is s ahead.
    // It receives from the rank that is s behind before it goes on to the next step.
    #[default]
    InTurn,
    /// All messages are handed to the adapter at once.
    // The nearest rank ahead comes first.
    AtOnce,
}

/// Every rank sends `bytes` to every other: n - 1 messages a rank.
pub fn all_to_all(ranks: u32, bytes: u64, order: ExchangeOrder) -> Builder {
    let mut builder = Builder::new(ranks);
    for rank in 0..ranks {
        exchange(&mut builder, rank, ranks, &|_| bytes, order, 0, &[]);
    }
    builder
}

/// The operations of one rank, with `size` bytes for each partner; returns the operations after which they are
/// finished.
pub(super) fn exchange(
    builder: &mut Builder,
    rank: u32,
    ranks: u32,
    size: &dyn Fn(u32) -> u64,
    order: ExchangeOrder,
    tag: u32,
    after: &[Local],
) -> Vec<Local> {
    let mut all: Vec<Local> = Vec::new();
    let mut last = after.to_vec();
    for step in 1..ranks {
        let (to, from) = (ahead(rank, step, ranks), behind(rank, step, ranks));
        let received = builder.receive(rank, size(from), from, tag, &last);
        let sent = builder.send(rank, size(to), to, tag, &last);
        match order {
            ExchangeOrder::InTurn => last = vec![received, sent],
            ExchangeOrder::AtOnce => all.extend([received, sent]),
        }
    }
    if all.is_empty() { last } else { all }
}
