//! Minimal routes of regular networks use equal links equally if every host sends to every other.

use std::collections::BTreeMap;

use congestree_topology::graphs::{Arrangement, DragonflyPlus, HyperX, Topology};
use congestree_topology::{Node, Routes, Wire};
use congestree_units::{Rate, Span};

const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

/// By the names of two switches: how many pairs of hosts use each of the links from one to the other.
fn loads(topology: &dyn Topology) -> BTreeMap<[String; 2], Vec<u32>> {
    assert_eq!(topology.check(), []);
    let (graph, size) = (topology.build(WIRE), topology.size());
    let routes = Routes::by(topology.formula().unwrap(), size.switches as u32, size.hosts as u32);
    let ports = graph.ports();
    let mut used = BTreeMap::new();
    let hosts = 0..size.hosts as u32;
    for (from, to) in hosts.clone().flat_map(|from| hosts.clone().map(move |to| (from, to))) {
        if from != to {
            let path = ports.path(&routes, from, to).unwrap();
            path.iter().for_each(|port| *used.entry(port.channel()).or_insert(0) += 1);
        }
    }
    let mut loads: BTreeMap<[String; 2], Vec<u32>> = BTreeMap::new();
    for (switch, own) in ports.switches.iter().enumerate() {
        for port in own.iter().filter(|port| matches!(port.peer, Node::Switch(_))) {
            let ends = [Node::Switch(switch as u32), port.peer].map(|node| graph.name(node).to_owned());
            loads.entry(ends).or_default().push(used.get(&port.channel()).copied().unwrap_or(0));
        }
    }
    loads
}

/// Loads of the links between groups.
fn between_groups(topology: &DragonflyPlus) -> Vec<u32> {
    let all = loads(topology).into_iter();
    all.filter(|(ends, _)| ends.iter().all(|name| name.starts_with("spine"))).flat_map(|(_, loads)| loads).collect()
}

fn assert_equal(loads: &[u32], what: &str) {
    let (least, most) = (loads.iter().min(), loads.iter().max());
    assert!(least == most && least > Some(&0), "{what}: {least:?} to {most:?}");
}

/// Links between groups in each arrangement.
fn assert_groups_are_linked_alike(p: u32, leaves: u32, h: u32, groups: u32) {
    use Arrangement::{Absolute, Circulant, Palmtree, Relative};
    for arrangement in [Absolute, Relative, Palmtree, Circulant] {
        let topology = DragonflyPlus { p, leaves, h, groups: Some(groups), arrangement, ..DragonflyPlus::default() };
        assert_equal(&between_groups(&topology), &format!("{p} {leaves} {h} {groups} {arrangement:?}"));
    }
}

#[test]
fn all_links_between_few_groups_of_a_dragonfly_plus_carry_the_same() {
    for size in 2..5u32 {
        for groups in (2..size + 2).filter(|groups| size.is_multiple_of(groups - 1)) {
            assert_groups_are_linked_alike(size, size, size, groups);
        }
    }
}

#[test]
fn spines_with_more_links_to_a_group_get_more_of_its_traffic() {
    // Three links to two groups: each spine has two to one of them. Multiples of six hosts in a group, for six links.
    assert_groups_are_linked_alike(3, 4, 3, 3);
    assert_groups_are_linked_alike(5, 3, 5, 4);
}

#[test]
fn parallel_links_of_every_dimension_of_a_hyper_x_carry_the_same() {
    for (dimensions, trunks, hosts_per_switch) in
        [(&[4, 4][..], &[4, 4][..], 4), (&[4, 4], &[4, 1], 1), (&[3, 2, 4], &[8, 4, 2], 2)]
    {
        let topology = HyperX { dimensions: dimensions.to_vec(), trunks: trunks.to_vec(), hosts_per_switch };
        for (ends, loads) in loads(&topology) {
            assert_equal(&loads, &format!("{trunks:?} {ends:?}"));
        }
    }
}
