//! Messages between the traces of a job: what one rank sends, another must receive, with the same tag.
//!
//! A first reading keeps a count and a sum over the tags for each pair of ranks; only if these do not match are the
//! nodes of a pair examined one by one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::node::{NodeKind, TraceNode};
use crate::{TraceError, read};

/// What one rank sends to another, and what the other receives from it.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    sent: u64,
    received: u64,
    /// Sum over the tags: those sent minus those received.
    balance: u64,
}

/// Whether all messages between the given traces are received, and all that are waited for are sent.
///
/// `traces` are ranks with their files. Messages of a rank whose trace is not given are not checked. Returns one error
/// for each pair of ranks that does not match, up to a limit.
pub fn check(traces: &[(u32, PathBuf)]) -> Vec<TraceError> {
    let files: BTreeMap<u32, &PathBuf> = traces.iter().map(|(rank, path)| (*rank, path)).collect();
    let mut pairs: BTreeMap<(u32, u32), Pair> = BTreeMap::new();
    for (rank, path) in traces {
        let _ = read(path, &mut |node| {
            if let Some((from, to, tag)) = message(&node, *rank)
                && files.contains_key(&from)
                && files.contains_key(&to)
            {
                let pair = pairs.entry((from, to)).or_default();
                match node.kind {
                    NodeKind::Send => {
                        pair.sent += 1;
                        pair.balance = pair.balance.wrapping_add(mixed(tag));
                    }
                    _ => {
                        pair.received += 1;
                        pair.balance = pair.balance.wrapping_sub(mixed(tag));
                    }
                }
            }
            Ok(())
        });
    }
    let wrong = pairs.into_iter().filter(|(_, pair)| pair.sent != pair.received || pair.balance != 0);
    wrong.take(MOST).map(|((from, to), pair)| described(from, to, pair, &files)).collect()
}

/// More messages would add nothing.
const MOST: usize = 8;

/// Sender, receiver and tag of a message that a node of `rank` sends or receives.
fn message(node: &TraceNode, rank: u32) -> Option<(u32, u32, i128)> {
    let tag = node.integer("comm_tag").unwrap_or(0);
    match node.kind {
        NodeKind::Send => Some((rank, node.rank("comm_dst")?, tag)),
        NodeKind::Receive => Some((node.rank("comm_src")?, rank, tag)),
        _ => None,
    }
}

/// The first node of a pair that has no counterpart, as an error.
fn described(from: u32, to: u32, pair: Pair, files: &BTreeMap<u32, &PathBuf>) -> TraceError {
    let (sent, received) = (nodes(from, to, NodeKind::Send, files), nodes(from, to, NodeKind::Receive, files));
    let more = |own: &BTreeMap<i128, Vec<u64>>, other: &BTreeMap<i128, Vec<u64>>| {
        own.iter().find_map(|(&tag, ids)| {
            let met = other.get(&tag).map_or(0, Vec::len);
            ids.get(met).map(|&id| (id, tag))
        })
    };
    if let Some((id, tag)) = more(&sent, &received) {
        let fact = match pair.received {
            0 => format!("rank {from} sends to rank {to}, which receives nothing from it"),
            _ => format!("rank {from} sends a message with tag {tag} to rank {to}, which never receives it"),
        };
        let remedy =
            format!("add a receive from rank {from} with tag {tag} to the trace of rank {to}, or remove the send");
        return TraceError::new(format!("{}: node {id}", files[&from].display()), fact, remedy);
    }
    let (id, tag) = more(&received, &sent).unwrap_or_default();
    let fact = format!("rank {to} waits for a message with tag {tag} from rank {from}, which never sends it");
    let remedy = format!("add a send to rank {to} with tag {tag} to the trace of rank {from}, or remove the receive");
    TraceError::new(format!("{}: node {id}", files[&to].display()), fact, remedy)
}

/// Nodes of one kind of a pair, by tag.
fn nodes(from: u32, to: u32, kind: NodeKind, files: &BTreeMap<u32, &PathBuf>) -> BTreeMap<i128, Vec<u64>> {
    let own = if kind == NodeKind::Send { from } else { to };
    let mut found: BTreeMap<i128, Vec<u64>> = BTreeMap::new();
    let _ = read(files[&own], &mut |node| {
        if node.kind == kind
            && let Some((a, b, tag)) = message(&node, own)
            && (a, b) == (from, to)
        {
            found.entry(tag).or_default().push(node.id);
        }
        Ok(())
    });
    found
}

/// A tag as a number that does not cancel against others by accident (the finaliser of SplitMix64).
fn mixed(tag: i128) -> u64 {
    let mut z = (tag as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
