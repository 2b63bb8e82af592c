//! A program as a table: one row per operation.

use congestree_probes::{Column, Table};
use congestree_traffic::program::{ANY, Action, Program, RankOperation, Until};
use congestree_traffic::{Rehearsal, rehearsal};
use congestree_units::Time;
use serde_json::{Value as Json, json};

/// Number of sentences about a rehearsal that are shown.
const SHOWN: usize = 5;

/// The operations of a program, rank by rank. Any rank or tag is 4294967295; labels are those that `write` gives.
pub fn table(program: &Program) -> Table {
    let count = program.operations().len();
    let mut rank_of = vec![0u32; count];
    let mut requires = vec![String::new(); count];
    let mut irequires = vec![String::new(); count];
    let label = |id: u32, first: u32| format!("l{}", id - first);
    let mut labels = Vec::with_capacity(count);
    for rank in 0..program.ranks() {
        let all = program.of_rank(rank);
        for id in all.clone() {
            rank_of[id as usize] = rank;
            labels.push(label(id, all.start));
            for (follower, until) in program.followers(id) {
                let list = if until == Until::Finished { &mut requires } else { &mut irequires };
                let text = &mut list[follower as usize];
                *text += if text.is_empty() { "" } else { " " };
                *text += &label(id, all.start);
            }
        }
    }
    let mut columns = vec![
        Column::new("rank", "", "whose operation it is", rank_of),
        Column::new("label", "", "its name within the rank", labels),
    ];
    columns.extend(what_is_done(program.operations()));
    columns.push(Column::new("requires", "", "labels of operations that must have finished", requires));
    columns.push(Column::new("irequires", "", "labels of operations that must have started", irequires));
    Table { name: "operations", columns }
}

/// The columns that describe each operation.
fn what_is_done(operations: &[RankOperation]) -> [Column; 7] {
    let each = |pick: fn(Action) -> u64| operations.iter().map(|one| pick(one.action)).collect::<Vec<u64>>();
    let small = |pick: fn(&RankOperation) -> u32| operations.iter().map(pick).collect::<Vec<u32>>();
    let kind = |one: &RankOperation| match one.action {
        Action::Send { .. } => "send".to_owned(),
        Action::Receive { .. } => "recv".to_owned(),
        Action::Compute { .. } => "calc".to_owned(),
    };
    let bytes = |action| match action {
        Action::Send { bytes, .. } | Action::Receive { bytes, .. } => bytes,
        Action::Compute { .. } => 0,
    };
    let peer = |one: &RankOperation| match one.action {
        Action::Send { to: peer, .. } | Action::Receive { from: peer, .. } => peer,
        Action::Compute { .. } => ANY,
    };
    let tag = |one: &RankOperation| match one.action {
        Action::Send { tag, .. } | Action::Receive { tag, .. } => tag,
        Action::Compute { .. } => ANY,
    };
    let time = |one: &RankOperation| match one.action {
        Action::Compute { time } => Time(time.0).as_secs(),
        _ => 0.0,
    };
    [
        Column::new("kind", "", "send, recv or calc", operations.iter().map(kind).collect::<Vec<String>>()),
        Column::new("bytes", "B", "payload of a message", each(bytes)),
        Column::new("peer", "", "the other rank; -1: any, or none", small(peer)),
        Column::new("tag", "", "tag of the message; -1: any, or none", small(tag)),
        Column::new("time", "s", "length of a computation", operations.iter().map(time).collect::<Vec<f64>>()),
        Column::new("cpu", "", "processor of the rank", small(|one| u32::from(one.cpu))),
        Column::new("nic", "", "adapter of the rank", small(|one| u32::from(one.nic))),
    ]
}

/// The totals of a program, and how it ends without a network: JSON.
pub fn facts(program: &Program) -> Json {
    let rehearsal = Rehearsal::of(program);
    let (mut messages, mut bytes, mut computing) = (0u64, 0u64, 0.0);
    let (mut sends, mut longest) = (vec![0u64; program.ranks() as usize], 0u64);
    for (_, rank, _, _, size) in program.sends() {
        messages += 1;
        bytes = bytes.saturating_add(size);
        longest = longest.max(size);
        sends[rank as usize] = sends[rank as usize].saturating_add(size);
    }
    for one in program.operations() {
        if let Action::Compute { time } = one.action {
            computing += time.as_secs();
        }
    }
    let waits = rehearsal.waiting.iter().take(SHOWN).map(|&id| {
        let what = rehearsal::described(program.operations()[id as usize].action);
        format!("rank {} waits for {what}", program.rank_of(id))
    });
    json!({
        "ranks": program.ranks(),
        "operations": program.operations().len(),
        "messages": messages,
        "bytes": bytes,
        "largest_message": longest,
        "most_bytes_of_a_rank": sends.iter().max().copied().unwrap_or(0),
        "computing_s": computing,
        "never_received": rehearsal.unread.len(),
        "never_finished": rehearsal.unfinished,
        "waiting": waits.collect::<Vec<String>>(),
    })
}
