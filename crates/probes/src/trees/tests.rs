//! Trees in hand-made samples. Channels are written "A>B", hosts in lower case; a packet is 1,000 bytes.

use std::collections::HashMap;

use congestree_units::{Span, Time};

use super::analyse::{Branch, Forest, Tree, analyse};
use super::history::History;
use super::sample::{Backlog, Channel, FabricSample, NextChannels, SOURCE};
use crate::{Names, Values};

const PACKET: u64 = 1000;

/// A network of named channels in some state.
#[derive(Default)]
struct World {
    names: Vec<String>,
    next: HashMap<(u32, u32), u32>,
    sample: FabricSample,
}

impl NextChannels for World {
    fn next(&self, channel: u32, destination: u32, _label: u64) -> Option<u32> {
        self.next.get(&(channel, destination)).copied()
    }
}

/// A packet of a flow, the first of its queue.
fn waits(flow: u32, buffer: u32, output: u32) -> Backlog {
    let (destination, front) = (flow, output);
    let bytes = PACKET;
    Backlog { buffer, output, flow, destination, label: 0, bytes, front, over: false, stopped: false, fits: true }
}

impl World {
    fn channel(&mut self, name: &str) -> u32 {
        if let Some(known) = self.names.iter().position(|n| n == name) {
            return known as u32;
        }
        self.names.push(name.into());
        let to_host = name.ends_with(char::is_lowercase);
        self.sample.channels.push(Channel { rate: 8, to_host, busy: false, held: false });
        self.sample.ends.push(0);
        self.sample.packet = PACKET;
        self.names.len() as u32 - 1
    }

    /// The packets of a flow, whose number is also its destination, take this route.
    fn route(&mut self, flow: u32, channels: &str) -> &mut Self {
        let ids: Vec<u32> = channels.split(' ').map(|name| self.channel(name)).collect();
        for pair in ids.windows(2) {
            self.next.insert((pair[0], flow), pair[1]);
        }
        self
    }

    fn held(&mut self, channels: &str) -> &mut Self {
        for name in channels.split(' ') {
            let id = self.channel(name);
            self.sample.channels[id as usize].held = true;
        }
        self
    }

    fn busy(&mut self, channels: &str) -> &mut Self {
        for name in channels.split(' ') {
            let id = self.channel(name);
            self.sample.channels[id as usize].busy = true;
        }
        self
    }

    /// Packets of a flow wait in the buffer behind a channel.
    fn waits(&mut self, flow: u32, buffer: &str, packets: u64) -> &mut Self {
        let buffer = self.channel(buffer);
        let output = self.next[&(buffer, flow)];
        self.add(Backlog { bytes: packets * PACKET, ..waits(flow, buffer, output) })
    }

    /// A packet waits behind packets for another channel.
    fn hol_blocked(&mut self, flow: u32, buffer: &str, front: &str) -> &mut Self {
        let (buffer, front) = (self.channel(buffer), self.channel(front));
        let output = self.next[&(buffer, flow)];
        self.add(Backlog { front, ..waits(flow, buffer, output) })
    }

    /// Packets have crossed to the buffer of their output.
    fn over(&mut self, flow: u32, buffer: &str, packets: u64) -> &mut Self {
        let buffer = self.channel(buffer);
        let output = self.next[&(buffer, flow)];
        self.add(Backlog { bytes: packets * PACKET, over: true, ..waits(flow, buffer, output) })
    }

    /// A packet of a flow waits in its host for a channel.
    fn at_host(&mut self, flow: u32, output: &str) -> &mut Self {
        let output = self.channel(output);
        self.add(waits(flow, SOURCE, output))
    }

    /// They are isolated in a queue that is stopped, in a switch or in their host.
    fn stopped(&mut self, flow: u32, buffer: &str, output: &str, packets: u64) -> &mut Self {
        let buffer = if buffer.is_empty() { SOURCE } else { self.channel(buffer) };
        let (output, bytes) = (self.channel(output), packets * PACKET);
        self.add(Backlog { bytes, stopped: true, ..waits(flow, buffer, output) })
    }

    fn add(&mut self, waiting: Backlog) -> &mut Self {
        self.sample.waiting.push(waiting);
        self
    }

    fn forest(&self) -> Forest {
        analyse(&self.sample, self)
    }

    /// The only tree.
    fn tree(&self) -> Tree {
        let mut trees = self.forest().trees;
        assert_eq!(trees.len(), 1, "{trees:?}");
        trees.remove(0)
    }

    /// The branches of a tree as "A>B 1", with a star if only victims wait for it.
    fn branches(&self, tree: &Tree) -> Vec<String> {
        let text =
            |b: &Branch| format!("{} {}{}", self.names[b.channel as usize], b.depth, if b.carries { "" } else { "*" });
        let mut all: Vec<String> = tree.branches.iter().map(text).collect();
        all.sort();
        all
    }

    fn root(&self, tree: &Tree) -> &str {
        &self.names[tree.root as usize]
    }
}

/// Two switches: flows 0 and 1 are local to B, 2 comes from A, all for c; 3 is the victim, from A to v.
fn spreading() -> World {
    let mut world = World::default();
    world.route(0, "k>B B>c").route(1, "l>B B>c").route(2, "a>A A>B B>c").route(3, "w>A A>B B>v");
    world.busy("B>c").held("k>B l>B A>B a>A w>A");
    world.waits(0, "k>B", 4).waits(1, "l>B", 4).waits(2, "A>B", 3);
    world.waits(2, "a>A", 4).waits(3, "w>A", 4).at_host(0, "k>B").at_host(2, "a>A").at_host(3, "w>A");
    world
}

#[test]
fn one_root_its_branches_and_the_victim_behind_them() {
    let world = spreading();
    let tree = world.tree();
    assert_eq!(world.root(&tree), "B>c");
    assert_eq!(world.branches(&tree), ["A>B 1", "a>A 2", "k>B 1", "l>B 1", "w>A 2*"]);
    assert_eq!(tree.depth(), 2);
    assert_eq!((&tree.contributors[..], &tree.victims[..]), (&[0, 1, 2][..], &[3][..]));
    assert_eq!((tree.backlog, tree.bytes), (11 * PACKET, 15 * PACKET));
    assert_eq!(world.forest().held_between, [3]);
    assert_eq!(world.forest().held_inside, [0; 0]);
    assert!(!tree.slow_host);
}

#[test]
fn a_busy_link_that_holds_nobody_is_no_tree() {
    let mut world = spreading();
    for channel in &mut world.sample.channels {
        channel.held = false;
    }
    assert_eq!(world.forest(), Forest { held_inside: vec![2, 3], ..Forest::default() });
}

#[test]
fn two_roots_share_a_branch() {
    let mut world = World::default();
    world
        .route(0, "a>S S>B B>c")
        .route(1, "b>S S>B B>d")
        .route(2, "w>S S>B B>v")
        .route(3, "k>B B>c")
        .route(4, "l>B B>d");
    world.busy("B>c B>d").held("S>B a>S b>S w>S k>B l>B");
    world.waits(0, "S>B", 2).waits(1, "S>B", 2).waits(3, "k>B", 4).waits(4, "l>B", 4);
    world.waits(0, "a>S", 4).waits(1, "b>S", 4).waits(2, "w>S", 4);
    let forest = world.forest();
    let roots: Vec<&str> = forest.trees.iter().map(|tree| world.root(tree)).collect();
    assert_eq!(roots, ["B>c", "B>d"]);
    assert_eq!(world.branches(&forest.trees[0]), ["S>B 1", "a>S 2", "b>S 2*", "k>B 1", "w>S 2*"]);
    assert_eq!((&forest.trees[0].contributors[..], &forest.trees[0].victims[..]), (&[0, 3][..], &[1, 2][..]));
    assert_eq!((&forest.trees[1].contributors[..], &forest.trees[1].victims[..]), (&[1, 4][..], &[0, 2][..]));
    assert_eq!(forest.held_between, [2], "whoever feeds a tree where it waits has itself to blame");
}

#[test]
fn a_buffer_with_a_few_packets_for_a_root_is_not_its_branch() {
    let mut world = World::default();
    world.route(0, "a>S S>B B>c").route(1, "b>S S>B B>d").route(3, "k>B B>c").route(4, "l>B B>d");
    world.busy("B>c B>d").held("S>B a>S k>B l>B");
    world.waits(0, "S>B", 1).waits(1, "S>B", 4).waits(3, "k>B", 4).waits(4, "l>B", 4).waits(1, "b>S", 4);
    let forest = world.forest();
    assert_eq!(world.branches(&forest.trees[0]), ["k>B 1"]);
    assert_eq!(world.branches(&forest.trees[1]), ["S>B 1", "l>B 1"]);
}

#[test]
fn a_slow_host_is_a_root_even_for_one_flow() {
    let mut world = World::default();
    world.route(0, "a>A A>B B>h").route(1, "w>A A>B B>v");
    world.held("B>h A>B a>A w>A").waits(0, "A>B", 4).waits(0, "a>A", 4).waits(1, "w>A", 1);
    let tree = world.tree();
    assert_eq!((world.root(&tree), tree.slow_host), ("B>h", true));
    assert_eq!(world.branches(&tree), ["A>B 1", "a>A 2", "w>A 2*"]);
    assert_eq!(tree.victims, [1]);
}

#[test]
fn a_chain_of_branches_is_one_tree_with_its_root_at_the_end() {
    let mut world = World::default();
    world.route(0, "a>S S>T T>U U>h").route(1, "b>T T>U U>h").route(2, "c>U U>h");
    world.busy("U>h").held("a>S b>T c>U S>T T>U");
    world.waits(0, "a>S", 4).waits(0, "S>T", 4).waits(1, "b>T", 4).waits(2, "c>U", 4);
    world.waits(0, "T>U", 2).waits(1, "T>U", 2).at_host(2, "c>U");
    let tree = world.tree();
    assert_eq!(world.root(&tree), "U>h");
    assert_eq!(world.branches(&tree), ["S>T 2", "T>U 1", "a>S 3", "b>T 2", "c>U 1"]);
    assert_eq!((tree.depth(), tree.contributors.len(), tree.victims.len()), (3, 3, 0));
}

#[test]
fn waits_in_a_cycle_come_to_an_end() {
    let mut world = World::default();
    world.route(0, "A>B B>C C>h").route(1, "B>C C>A A>i").route(2, "C>A A>B B>j");
    world.held("A>B B>C C>A").waits(0, "A>B", 4).waits(1, "B>C", 4).waits(2, "C>A", 4);
    assert_eq!(world.forest(), Forest::default(), "nobody is the root of a deadlock");
    world.route(3, "k>B B>C").route(4, "A>B B>m").route(5, "l>B B>m");
    world.busy("B>m").waits(4, "A>B", 2).waits(5, "l>B", 4);
    let tree = world.tree();
    assert_eq!(world.root(&tree), "B>m");
    assert_eq!(world.branches(&tree), ["A>B 1", "B>C 3*", "C>A 2*"]);
}

#[test]
fn a_link_held_by_the_way_of_its_credits_alone_can_be_a_root() {
    let mut world = World::default();
    world.route(0, "a>S S>T T>h").route(1, "b>S S>T T>h").held("S>T a>S b>S").waits(0, "a>S", 4).waits(1, "b>S", 4);
    assert_eq!(world.root(&world.tree()), "S>T");
}

#[test]
fn a_single_queue_holds_its_own_packets_inside_the_switch() {
    let mut world = World::default();
    world.route(0, "a>S S>h").route(1, "a>S S>i").route(2, "b>S S>h");
    world
        .busy("S>h")
        .held("a>S b>S")
        .waits(0, "a>S", 1)
        .hol_blocked(1, "a>S", "S>h")
        .waits(0, "a>S", 1)
        .waits(2, "b>S", 4);
    let forest = world.forest();
    assert_eq!((&forest.trees[0].victims[..], &forest.held_inside[..]), (&[1][..], &[1][..]));
    assert_eq!(forest.trees.len(), 1, "S>i is idle: what waits for it is no tree");
    assert_eq!(forest.held_between, [0; 0]);
}

#[test]
fn what_its_own_link_has_no_credit_for_is_held_by_that() {
    let mut world = World::default();
    world.route(0, "a>S S>h").route(1, "a>S S>i").busy("S>h").waits(0, "a>S", 1).hol_blocked(1, "a>S", "S>h");
    assert_eq!(world.forest().held_inside, [1]);
    world.sample.waiting[1].fits = false;
    assert_eq!(world.forest().held_inside, [0; 0]);
}

#[test]
fn an_input_with_several_queues_has_several_that_stand_first() {
    let mut world = World::default();
    world.route(0, "a>S S>h").route(1, "a>S S>i").route(2, "a>S S>j").route(3, "b>S S>h");
    world
        .busy("S>h S>j")
        .held("a>S b>S")
        .waits(0, "a>S", 1)
        .hol_blocked(1, "a>S", "S>h")
        .waits(2, "a>S", 1)
        .waits(3, "b>S", 4);
    assert_eq!(world.tree().victims, [1], "it stands behind what waits for S>h, and not behind what waits for S>j");
}

#[test]
fn a_link_of_which_two_lanes_bring_packets_is_not_twice_as_fast() {
    let mut world = World::default();
    for channel in ["a>S", "lane 1 of a>S", "S>h", "lane 1 of S>h"] {
        world.channel(channel);
    }
    world.next.extend([((0, 0), 2), ((1, 1), 2)]);
    world.busy("S>h").held("a>S").waits(0, "a>S", 1).waits(1, "lane 1 of a>S", 1);
    world.sample.packet = 4 * PACKET;
    assert_eq!(world.forest().trees.len(), 1, "two links");
    world.sample.ends.truncate(2);
    assert_eq!(world.forest().trees, [], "two lanes of one");
}

#[test]
fn what_has_gone_over_to_its_output_asks_for_it_and_fills_no_branch() {
    let mut world = World::default();
    world.route(0, "a>S S>h").route(1, "a>S S>i").busy("S>h S>i").held("a>S");
    world.over(0, "a>S", 9).waits(1, "a>S", 1);
    assert_eq!(world.forest().trees, [], "a>S is not full of packets for S>h");
    world.waits(0, "a>S", 1);
    let tree = world.tree();
    assert_eq!((world.root(&tree), tree.bytes, tree.backlog), ("S>h", 10 * PACKET, 10 * PACKET));
}

#[test]
fn what_is_left_of_a_crowd_still_makes_a_root() {
    let mut world = World::default();
    world.route(0, "a>S S>h").busy("S>h").held("a>S").waits(0, "a>S", 1);
    assert_eq!(world.forest().trees.len(), 0, "one packet of one input is on its way");
    world.waits(0, "a>S", 1);
    assert_eq!(world.forest().trees.len(), 1);
}

/// A tree over time: it grows by a branch, is missed once, dies, and is born again.
#[test]
fn trees_are_followed_from_birth_to_death() {
    let world = spreading();
    let grown = world.forest();
    let mut young = grown.clone();
    young.trees[0].branches.retain(|branch| branch.depth == 1);
    let mut history = History::new(Span(1_000_000_000_000), 1);
    let nothing = Forest::default();
    for (second, forest) in [&young, &grown, &nothing, &grown, &nothing, &nothing, &young].into_iter().enumerate() {
        history.add(Time::START + Span(1_000_000_000_000 * (second as u64 + 1)), forest);
    }
    history.finish(Time::START + Span(8_000_000_000_000));
    let names = Names { ports: world.names.clone(), ..Names::default() };
    let tables = history.tables(&names);
    let column = |table: usize, name: &str| {
        let table = &tables[table];
        table.columns.iter().find(|column| column.name == name).map(|column| column.values.clone()).unwrap()
    };
    assert_eq!(column(0, "time"), Values::F64(vec![1.0, 2.0, 4.0, 7.0]));
    assert_eq!(column(0, "tree"), Values::U32(vec![0, 0, 0, 1]), "missed once it lives on, missed twice it has died");
    assert_eq!(column(0, "depth"), Values::U32(vec![1, 2, 2, 1]));
    assert_eq!(column(0, "branches"), Values::U32(vec![3, 4, 4, 3]));
    assert_eq!(column(0, "held_links"), Values::U32(vec![0, 1, 1, 0]));
    // k>B (port 0) is in the tree from 1 to 3, from 4 to 5, and, in the second tree, to the end.
    let Values::U32(ports) = column(1, "port") else { panic!("ports are numbers") };
    let (Values::F64(from), Values::F64(to)) = (column(1, "from"), column(1, "to")) else { panic!("times") };
    let first: Vec<(f64, f64)> = (0..ports.len()).filter(|&r| ports[r] == 0).map(|r| (from[r], to[r])).collect();
    assert_eq!(first, [(1.0, 3.0), (4.0, 5.0), (7.0, 8.0)]);
    assert_eq!(column(2, "flow"), Values::U32(vec![0, 1, 2, 3, 0, 1, 2, 3]));
    assert_eq!(column(2, "time"), Values::F64(vec![3.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0]));
    assert_eq!(column(3, "flow"), Values::U32(vec![3]));
    assert_eq!(column(3, "held_by_trees"), Values::F64(vec![4.0]));
}

#[test]
fn a_flow_held_in_both_ways_at_a_sample_has_lost_that_time_once() {
    let both = Forest { held_between: vec![1, 2], held_inside: vec![1, 3], ..Forest::default() };
    let mut history = History::new(Span(1_000_000_000_000), 1);
    history.add(Time::START + Span(1_000_000_000_000), &both);
    let tables = history.tables(&Names::default());
    let column = |name: &str| tables[3].columns.iter().find(|column| column.name == name).unwrap().values.clone();
    assert_eq!(column("flow"), Values::U32(vec![1, 2, 3]));
    assert_eq!(column("held_by_trees"), Values::F64(vec![1.0, 1.0, 0.0]));
    assert_eq!(column("held_in_switch"), Values::F64(vec![1.0, 0.0, 1.0]));
    assert_eq!(column("lost"), Values::F64(vec![1.0, 1.0, 1.0]));
}

#[test]
fn what_is_stopped_makes_branches_for_itself_and_for_nobody_else() {
    let mut world = World::default();
    // Flow 0 and 1 crowd h; 2 shares the route of 0, and 0 waits stopped in A and in its host.
    world.route(0, "k>A A>B B>h").route(1, "l>B B>h").route(2, "m>A A>B B>v");
    world.busy("B>h A>B").waits(1, "l>B", 4).waits(0, "A>B", 3).stopped(0, "k>A", "A>B", 5).stopped(0, "", "k>A", 1);
    world.waits(2, "m>A", 2);
    let tree = world.tree();
    assert_eq!(world.root(&tree), "B>h");
    assert_eq!(world.branches(&tree), ["A>B 1", "k>A 2"]);
    assert_eq!((&tree.contributors[..], &tree.victims[..]), (&[0, 1][..], &[][..]));
    let forest = world.forest();
    assert_eq!((forest.held_inside, forest.held_between), (vec![], vec![]), "nobody stands behind what is stopped");
}
