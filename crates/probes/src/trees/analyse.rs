//! From a sample of the fabric to the congestion trees in it. Pure: a sample goes in, trees come out.
//!
//! - A **root** is a channel that is asked for more than it can carry, and is not itself held by what lies downstream.
//!   That is so if it sends (or can take no packet for another reason of its own), and the inputs that have packets for
//!   it are together faster than it is, or two full packets or more wait for it (left over from such a time). Or it
//!   ends at a host that does not take packets as fast as they come: then flow control holds it, but nothing lies
//!   downstream.
//! - A **branch** is a channel that flow control holds because the buffer it feeds is full of packets that wait for the
//!   root, or for another branch of the same root. A buffer is full of packets for a channel if at least a quarter of
//!   its bytes wait for it, or more than for any other. The channels by which packets that an isolation scheme has
//!   stopped would go to the root are branches, too, if no other root follows on their way: they are held for these
//!   packets alone.
//! - **Contributors** are flows with packets that wait in the tree and will cross the root; **victims** have packets
//!   that wait for a branch, or behind packets for one, and will not cross the root.
//! - A root that holds nothing is a busy link, not a tree.

use std::collections::{BTreeMap, BTreeSet};

use super::sample::{Backlog, FabricSample, NextChannels, SOURCE};

/// A congestion tree at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The overloaded channel.
    pub root: u32,
    /// The bottleneck is the host at its end: it takes packets too slowly, has too small a receive buffer for the round
    /// trip of the link, or pauses the link though it has room.
    pub slow_host: bool,
    /// Bytes that wait for the root itself.
    pub backlog: u64,
    /// Bytes of contributors in the tree, those before the root included.
    pub bytes: u64,
    /// Channels that are held because of the root, by id.
    pub branches: Vec<Branch>,
    /// Flows with packets that wait in the tree for the root, by id.
    pub contributors: Vec<u32>,
    /// Flows with packets that wait in the tree and do not use the root, by id.
    pub victims: Vec<u32>,
}

/// A channel that is held because of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The channel.
    pub channel: u32,
    /// Links from its far end to the root, the root included: 1 for a channel that feeds the root's switch.
    pub depth: u32,
    /// Packets for the root wait for it or in the buffer behind it; otherwise only victims do.
    pub carries: bool,
}

impl Tree {
    /// Counts waiting packets in the tree, as a contributor if they will cross its root, otherwise as a victim.
    fn take_in(&mut self, waiting: &Backlog, uses_root: bool) {
        if !uses_root {
            self.victims.push(waiting.flow);
            return;
        }
        self.contributors.push(waiting.flow);
        if waiting.buffer != SOURCE {
            self.bytes += waiting.bytes;
        }
        // Packets that have crossed to the buffer of their output are in the buffer of no branch.
        let buffer = if waiting.over { SOURCE } else { waiting.buffer };
        for channel in [waiting.front, buffer] {
            if let Ok(place) = self.branches.binary_search_by_key(&channel, |branch| branch.channel) {
                self.branches[place].carries = true;
            }
        }
    }

    /// Hops from the root to its farthest branch.
    pub fn depth(&self) -> u32 {
        self.branches.iter().filter(|branch| branch.carries).map(|branch| branch.depth).max().unwrap_or(0)
    }
}

/// What is found in a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forest {
    /// The trees, by root.
    pub trees: Vec<Tree>,
    /// Flows that wait behind trees of which they are not part, by id.
    pub held_between: Vec<u32>,
    /// Flows that wait inside a switch although their output could send at once, by id.
    pub held_inside: Vec<u32>,
}

/// The trees in a sample.
pub fn analyse(sample: &FabricSample, routes: &dyn NextChannels) -> Forest {
    let mut blame = Blame::of(sample);
    let roots = blame.roots(sample);
    blame.stops(sample, routes, &roots);
    let mut trees: Vec<Tree> = Vec::new();
    for root in roots {
        let branches = blame.branches(root);
        if !branches.is_empty() {
            let channel = sample.channels[root as usize];
            trees.push(Tree {
                root,
                slow_host: channel.held && channel.to_host,
                backlog: blame.asked[&root].bytes,
                bytes: 0,
                branches,
                contributors: Vec::new(),
                victims: Vec::new(),
            });
        }
    }
    let mut forest = Forest { trees, ..Forest::default() };
    forest.assign(sample, routes);
    forest
}

/// Which channels wait for which.
struct Blame {
    /// By channel that packets wait for: what its inputs have for it.
    asked: BTreeMap<u32, Asked>,
    /// By channel: the held channels whose buffers are full of packets for it.
    feeders: BTreeMap<u32, Vec<u32>>,
    /// By root and channel: the channels by which stopped packets would come to it on their way to the root.
    stopped: BTreeMap<(u32, u32), BTreeSet<u32>>,
    /// By channel: it is held, and the cause is known.
    explained: Vec<bool>,
}

/// What the inputs of a switch have for a channel.
#[derive(Clone, Debug, Default)]
struct Asked {
    bytes: u64,
    /// The links that brought it, by the ports that send on them.
    links: BTreeSet<u32>,
}

impl Asked {
    /// Bits per second that come in by these links.
    fn rates(&self, sample: &FabricSample) -> u64 {
        self.links.iter().map(|&link| sample.channels[link as usize * sample.lanes()].rate).sum()
    }
}

impl Blame {
    fn of(sample: &FabricSample) -> Self {
        // All that takes room in a buffer, and by channel what of it waits for that channel.
        let mut contents: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let mut asking: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let mut asked: BTreeMap<u32, Asked> = BTreeMap::new();
        for waiting in sample.waiting.iter().filter(|waiting| waiting.buffer != SOURCE && !waiting.is_hol_blocked()) {
            let place = (waiting.buffer, waiting.output);
            if !waiting.over {
                *contents.entry(place).or_default() += waiting.bytes;
            }
            if !waiting.stopped {
                let asked = asked.entry(waiting.output).or_default();
                asked.bytes += waiting.bytes;
                asked.links.insert(waiting.buffer / sample.lanes() as u32);
                if !waiting.over {
                    *asking.entry(place).or_default() += waiting.bytes;
                }
            }
        }
        let mut blame = Blame {
            asked,
            feeders: BTreeMap::new(),
            stopped: BTreeMap::new(),
            explained: vec![false; sample.channels.len()],
        };
        let of_buffer = |buffer: u32| contents.range((buffer, 0)..=(buffer, u32::MAX));
        for buffer in 0..sample.channels.len() as u32 {
            if !sample.channels[buffer as usize].held {
                continue;
            }
            let total: u64 = of_buffer(buffer).map(|(_, bytes)| bytes).sum();
            let most: u64 = of_buffer(buffer).map(|(_, &bytes)| bytes).max().unwrap_or(0);
            for (&(_, output), &bytes) in of_buffer(buffer) {
                let channel = sample.channels[output as usize];
                let stopped = asking.get(&(buffer, output)) != Some(&bytes);
                if (channel.held || channel.busy || stopped) && (4 * bytes >= total || bytes == most) {
                    blame.feeders.entry(output).or_default().push(buffer);
                    blame.explained[buffer as usize] = true;
                }
            }
        }
        blame
    }

    /// Stopped packets count for the last root on their way: the channels up to it are held for them.
    fn stops(&mut self, sample: &FabricSample, routes: &dyn NextChannels, roots: &[u32]) {
        for waiting in sample.waiting.iter().filter(|waiting| waiting.stopped) {
            let channels: Vec<u32> = path(waiting, routes).collect();
            let Some(last) = channels.iter().rposition(|channel| roots.contains(channel)) else { continue };
            for pair in channels[..=last].windows(2) {
                self.stopped.entry((channels[last], pair[1])).or_default().insert(pair[0]);
            }
        }
    }

    /// Channels that are overloaded and wait for no other.
    fn roots(&self, sample: &FabricSample) -> Vec<u32> {
        let is_root = |(&output, asked): (&u32, &Asked)| {
            let channel = sample.channels[output as usize];
            let slow_host = channel.held && channel.to_host;
            let able = if channel.held { !self.explained[output as usize] } else { channel.busy };
            let too_much = asked.rates(sample) > channel.rate || asked.bytes >= 2 * sample.packet;
            (slow_host || (able && too_much)).then_some(output)
        };
        self.asked.iter().filter_map(is_root).collect()
    }

    /// All channels that are held because of a root, with their distance from it.
    fn branches(&self, root: u32) -> Vec<Branch> {
        let mut found: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut edge, mut depth) = (vec![root], 0);
        while !edge.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for output in edge {
                let stopped = self.stopped.get(&(root, output)).into_iter().flatten();
                for &feeder in self.feeders.get(&output).into_iter().flatten().chain(stopped) {
                    if feeder != root && !found.contains_key(&feeder) {
                        found.insert(feeder, depth);
                        next.push(feeder);
                    }
                }
            }
            edge = next;
        }
        let stops = |channel| self.stopped.iter().any(|(&(of, _), by)| of == root && by.contains(&channel));
        found.into_iter().map(|(channel, depth)| Branch { channel, depth, carries: stops(channel) }).collect()
    }
}

impl Forest {
    /// Decides for all waiting packets whether they feed a tree or suffer from one.
    fn assign(&mut self, sample: &FabricSample, routes: &dyn NextChannels) {
        let mut at_root: BTreeMap<u32, usize> = BTreeMap::new();
        let mut at_branch: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, tree) in self.trees.iter().enumerate() {
            at_root.insert(tree.root, index);
            for branch in &tree.branches {
                at_branch.entry(branch.channel).or_default().push(index);
            }
        }
        let mut used: Vec<usize> = Vec::new();
        for waiting in &sample.waiting {
            let own = sample.channels[waiting.output as usize];
            let free = !own.busy && !own.held && waiting.fits && waiting.buffer != SOURCE && !waiting.stopped;
            if free {
                self.held_inside.push(waiting.flow);
            }
            // A packet behind others waits for the channel that they wait for.
            let waits_for = waiting.front;
            // A channel that flow control does not hold is a branch only for stopped packets.
            let concerned = waiting.stopped || sample.channels[waits_for as usize].held;
            let held = at_branch.get(&waits_for).filter(|_| concerned).map_or(&[][..], Vec::as_slice);
            let here = || held.iter().chain(at_root.get(&waits_for)).copied();
            if here().next().is_none() {
                continue;
            }
            used.clear();
            used.extend(path(waiting, routes).filter_map(|channel| at_root.get(&channel)));
            let mut feeds = false;
            for index in here() {
                let uses_root = used.contains(&index);
                self.trees[index].take_in(waiting, uses_root);
                feeds |= uses_root;
            }
            if !feeds && !free {
                self.held_between.push(waiting.flow);
            }
        }
        for list in [&mut self.held_between, &mut self.held_inside] {
            sort_out(list);
        }
        for tree in &mut self.trees {
            sort_out(&mut tree.contributors);
            sort_out(&mut tree.victims);
        }
    }
}

/// The channels that packets still have to cross.
fn path<'a>(waiting: &Backlog, routes: &'a dyn NextChannels) -> impl Iterator<Item = u32> + 'a {
    let (destination, label) = (waiting.destination, waiting.label);
    std::iter::successors(Some(waiting.output), move |&channel| routes.next(channel, destination, label))
}

fn sort_out(list: &mut Vec<u32>) {
    list.sort_unstable();
    list.dedup();
}
