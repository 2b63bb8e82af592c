//! Trees over time. A tree lives on as long as its root is seen again within [`PATIENCE`] samples; otherwise it has died,
//! and a tree that grows in the same place later is a new one.

use std::collections::{BTreeMap, BTreeSet};

use congestree_units::{Span, Time};

use super::analyse::Forest;
use crate::{Column, LINK_NAME, Names, Table};

/// Samples within which a root must be seen again.
const PATIENCE: u32 = 2;

/// All trees so far.
#[derive(Debug)]
pub(super) struct History {
    every: Span,
    lanes: u32,
    /// Number of trees born so far.
    born: u32,
    /// By root: the trees that are alive.
    living: BTreeMap<u32, Living>,
    samples: Vec<TreeRow>,
    links: Vec<LinkRow>,
    /// By tree, flow and whether it suffers.
    flows: BTreeMap<(u32, u32, bool), Attendance>,
    /// By flow.
    losses: BTreeMap<u32, Loss>,
}

#[derive(Debug, Default)]
struct Living {
    id: u32,
    /// Samples since the root was last seen.
    missed: u32,
    seen: Time,
    /// By channel: depth, whether it carries, and since when.
    links: BTreeMap<u32, (u32, bool, Time)>,
}

#[derive(Clone, Copy, Debug)]
struct TreeRow {
    at: Time,
    tree: u32,
    root: u32,
    slow_host: bool,
    depth: u32,
    branches: u32,
    held_links: u32,
    bytes: u64,
    backlog: u64,
    contributors: u32,
    victims: u32,
}

#[derive(Clone, Copy, Debug)]
struct LinkRow {
    tree: u32,
    channel: u32,
    depth: u32,
    carries: bool,
    from: Time,
    to: Time,
}

#[derive(Clone, Copy, Debug)]
struct Attendance {
    first: Time,
    last: Time,
    samples: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Loss {
    between: u64,
    inside: u64,
    /// Either of the two, or both at once.
    either: u64,
}

impl History {
    pub(super) fn new(every: Span, lanes: u32) -> Self {
        Self {
            every,
            lanes,
            born: 0,
            living: BTreeMap::new(),
            samples: Vec::new(),
            links: Vec::new(),
            flows: BTreeMap::new(),
            losses: BTreeMap::new(),
        }
    }

    /// Records what was found in a sample.
    pub(super) fn add(&mut self, at: Time, forest: &Forest) {
        for tree in &forest.trees {
            let living = self.living.entry(tree.root).or_insert_with(|| {
                self.born += 1;
                Living { id: self.born - 1, ..Living::default() }
            });
            living.missed = 0;
            living.seen = at;
            let id = living.id;
            self.samples.push(TreeRow {
                at,
                tree: id,
                root: tree.root,
                slow_host: tree.slow_host,
                depth: tree.depth(),
                branches: tree.branches.iter().filter(|branch| branch.carries).count() as u32,
                held_links: tree.branches.iter().filter(|branch| !branch.carries).count() as u32,
                bytes: tree.bytes,
                backlog: tree.backlog,
                contributors: tree.contributors.len() as u32,
                victims: tree.victims.len() as u32,
            });
            let now: BTreeMap<u32, (u32, bool)> =
                tree.branches.iter().map(|branch| (branch.channel, (branch.depth, branch.carries))).collect();
            self.links.extend(living.change(&now, at));
            let roles = [(&tree.contributors, false), (&tree.victims, true)];
            for (flow, suffers) in roles.into_iter().flat_map(|(list, suffers)| list.iter().map(move |f| (*f, suffers)))
            {
                let entry = self.flows.entry((id, flow, suffers));
                let attendance = entry.or_insert(Attendance { first: at, last: at, samples: 0 });
                attendance.last = at;
                attendance.samples += 1;
            }
        }
        for flow in &forest.held_between {
            self.losses.entry(*flow).or_default().between += 1;
        }
        for flow in &forest.held_inside {
            self.losses.entry(*flow).or_default().inside += 1;
        }
        let held: BTreeSet<u32> = forest.held_between.iter().chain(&forest.held_inside).copied().collect();
        for flow in held {
            self.losses.entry(flow).or_default().either += 1;
        }
        let links = &mut self.links;
        let every = self.every;
        self.living.retain(|_, living| {
            if living.seen == at {
                return true;
            }
            if living.missed == 0 {
                links.extend(living.change(&BTreeMap::new(), living.seen + every));
            }
            living.missed += 1;
            living.missed < PATIENCE
        });
    }

    /// The run is over.
    pub(super) fn finish(&mut self, end: Time) {
        for living in self.living.values_mut() {
            self.links.extend(living.change(&BTreeMap::new(), end));
        }
    }

    pub(super) fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.links.sort_by_key(|row| (row.tree, row.from, row.channel));
        vec![self.tree_table(names), self.link_table(names), self.flow_table(), self.loss_table()]
    }

    fn tree_table(&self, names: &Names) -> Table {
        let rows = &self.samples;
        let all = |pick: fn(&TreeRow) -> u32| rows.iter().map(pick).collect::<Vec<u32>>();
        let size = |pick: fn(&TreeRow) -> u64| rows.iter().map(pick).collect::<Vec<u64>>();
        let time: Vec<f64> = rows.iter().map(|row| row.at.as_secs()).collect();
        let slow: Vec<bool> = rows.iter().map(|row| row.slow_host).collect();
        let root: Vec<u32> = rows.iter().map(|row| row.root / self.lanes).collect();
        let lane: Vec<u32> = rows.iter().map(|row| row.root % self.lanes).collect();
        let name: Vec<String> = root.iter().map(|&port| names.ports[port as usize].clone()).collect();
        Table {
            name: "trees",
            columns: vec![
                Column::new("time", "s", "time of the sample", time),
                Column::new("tree", "", "number of the tree, in order of appearance", all(|row| row.tree)),
                Column::new("root", "", "port that sends on the link at the root of the tree", root),
                Column::new("name", "", "from->to of that link; parallel links share it: root tells them apart", name),
                Column::new("lane", "", "lane of the tree", lane),
                Column::new(
                    "slow_host",
                    "",
                    "whether the bottleneck is the host at the end of the root link, which takes packets too slowly, has too small a receive buffer for the round trip of the link, or pauses it",
                    slow,
                ),
                Column::new("depth", "", "links from the root to the farthest branch", all(|row| row.depth)),
                Column::new("branches", "", "held links with packets for the root waiting", all(|row| row.branches)),
                Column::new("held_links", "", "other held links, with only victims waiting", all(|row| row.held_links)),
                Column::new("bytes", "B", "bytes that wait in switches for the root", size(|row| row.bytes)),
                Column::new("backlog", "B", "the part of these bytes at the root's switch", size(|row| row.backlog)),
                Column::new(
                    "contributors",
                    "",
                    "flows with packets in the tree for its root",
                    all(|row| row.contributors),
                ),
                Column::new("victims", "", "flows with packets in the tree, not for its root", all(|row| row.victims)),
            ],
        }
    }

    fn link_table(&self, names: &Names) -> Table {
        let rows = &self.links;
        let all = |pick: fn(&LinkRow) -> u32| rows.iter().map(pick).collect::<Vec<u32>>();
        let port: Vec<u32> = rows.iter().map(|row| row.channel / self.lanes).collect();
        let lane: Vec<u32> = rows.iter().map(|row| row.channel % self.lanes).collect();
        let name: Vec<String> = port.iter().map(|&port| names.ports[port as usize].clone()).collect();
        let carries: Vec<bool> = rows.iter().map(|row| row.carries).collect();
        let from: Vec<f64> = rows.iter().map(|row| row.from.as_secs()).collect();
        let to: Vec<f64> = rows.iter().map(|row| row.to.as_secs()).collect();
        Table {
            name: "tree_links",
            columns: vec![
                Column::new("tree", "", "number of the tree", all(|row| row.tree)),
                Column::new("port", "", "port that sends on a link held because of its root", port),
                Column::new("name", "", LINK_NAME, name),
                Column::new("lane", "", "lane", lane),
                Column::new(
                    "depth",
                    "",
                    "links from its far end to the root, the root link included",
                    all(|row| row.depth),
                ),
                Column::new(
                    "carries",
                    "",
                    "whether packets for the root wait for it or in the buffer behind it, not only packets of victims",
                    carries,
                ),
                Column::new("from", "s", "time of the first sample that saw the link so", from),
                Column::new("to", "s", "time of the first sample that no longer saw it so", to),
            ],
        }
    }

    fn flow_table(&self) -> Table {
        let each = |pick: fn(&(u32, u32, bool)) -> u32| self.flows.keys().map(pick).collect::<Vec<u32>>();
        let seconds =
            |pick: fn(&Attendance) -> Time| self.flows.values().map(|a| pick(a).as_secs()).collect::<Vec<f64>>();
        let role = |suffers: bool| if suffers { "victim" } else { "contributor" };
        let roles: Vec<String> = self.flows.keys().map(|key| role(key.2).to_owned()).collect();
        let time: Vec<f64> = self.flows.values().map(|a| self.lasting(a.samples)).collect();
        Table {
            name: "tree_flows",
            columns: vec![
                Column::new("tree", "", "number of the tree", each(|key| key.0)),
                Column::new("flow", "", "a flow with packets in the tree", each(|key| key.1)),
                Column::new("role", "", "contributor: its packets were for the root; victim: they were not", roles),
                Column::new(
                    "first",
                    "s",
                    "time of the first sample that saw the flow in this role",
                    seconds(|a| a.first),
                ),
                Column::new("last", "s", "time of the last such sample", seconds(|a| a.last)),
                Column::new("time", "s", "number of such samples times the sampling interval", time),
            ],
        }
    }

    fn loss_table(&self) -> Table {
        let flow: Vec<u32> = self.losses.keys().copied().collect();
        let between: Vec<f64> = self.losses.values().map(|loss| self.lasting(loss.between)).collect();
        let inside: Vec<f64> = self.losses.values().map(|loss| self.lasting(loss.inside)).collect();
        let lost: Vec<f64> = self.losses.values().map(|loss| self.lasting(loss.either)).collect();
        Table {
            name: "tree_losses",
            columns: vec![
                Column::new("flow", "", "a flow that lost time to head-of-line blocking", flow),
                Column::new(
                    "held_by_trees",
                    "s",
                    "time with packets held by trees whose roots they do not use, to within the sampling interval",
                    between,
                ),
                Column::new(
                    "held_in_switch",
                    "s",
                    "time with packets held inside a switch by other packets although their own link was free, to within the sampling interval",
                    inside,
                ),
                Column::new(
                    "lost",
                    "s",
                    "time with packets held in either way; a flow may have packets held in both ways at once",
                    lost,
                ),
            ],
        }
    }

    fn lasting(&self, samples: u64) -> f64 {
        Span(self.every.0 * samples).as_secs()
    }
}

impl Living {
    /// Sets the links of the tree; returns those that are no longer links of it.
    fn change(&mut self, now: &BTreeMap<u32, (u32, bool)>, at: Time) -> Vec<LinkRow> {
        let tree = self.id;
        let mut over = Vec::new();
        self.links.retain(|&channel, &mut (depth, carries, from)| {
            let stays = now.get(&channel) == Some(&(depth, carries));
            if !stays {
                over.push(LinkRow { tree, channel, depth, carries, from, to: at });
            }
            stays
        });
        for (&channel, &(depth, carries)) in now {
            self.links.entry(channel).or_insert((depth, carries, at));
        }
        over
    }
}
