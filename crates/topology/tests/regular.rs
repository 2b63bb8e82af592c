//! Regular networks: they have the stated size, their paths lead to the right hosts, and their lanes leave no cycle.

use congestree_topology::graphs::{
    AnyTopology, Arrangement, Clos, Dragonfly, DragonflyPlus, FatTree, HyperX, KAryNTree, Mesh, Topology, Torus,
};
use congestree_topology::loops::{Lanes, credit_loop, credit_loop_among};
use congestree_topology::routing::d_mod_k_by_levels;
use congestree_topology::{EqualCost, Graph, LaneMap, Node, Ports, Routes, Through, Wire};
use congestree_units::{Rate, Span};
use proptest::prelude::*;
use serde_json::{Value, json};

const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

/// A topology as built, with its own routes.
struct Built {
    graph: Graph,
    routes: Routes,
    lanes: u8,
}

fn built(topology: &dyn Topology) -> Built {
    assert_eq!(topology.check(), []);
    let (graph, size) = (topology.build(WIRE), topology.size());
    let counted = [graph.hosts.len(), graph.switches.len(), graph.links.len()].map(|count| count as u64);
    assert_eq!([size.hosts, size.switches, size.links], counted);
    let formula = topology.formula().unwrap();
    let lanes = formula.lanes();
    Built { routes: Routes::by(formula, size.switches as u32, size.hosts as u32), graph, lanes }
}

impl Built {
    /// Whether there is a cycle of waits, with the topology's own lanes or without.
    fn has_cycle(&self, lanes: bool) -> bool {
        if !lanes {
            return credit_loop(&self.graph, &self.routes, None, 0).is_some();
        }
        self.in_lanes(self.lanes, 0)
    }

    /// Whether there is one with this many lanes, used as the topology's routes need them, once more after each turn.
    fn in_lanes(&self, count: u8, turns: u8) -> bool {
        let formula = self.routes.formula().unwrap();
        let next = |through, lane: u8| {
            (lane / self.lanes * self.lanes + formula.lane(through, lane % self.lanes)).min(count - 1)
        };
        let map = LaneMap::by_lane(&self.graph.ports(), count, next).in_phases(self.lanes);
        let lanes = Lanes { map: &map, count, starts: &[(0, 0)] };
        credit_loop(&self.graph, &self.routes, Some(&lanes), turns).is_some()
    }

    /// The largest number of links between two hosts.
    fn longest(&self) -> usize {
        let (ports, hosts) = (self.graph.ports(), self.graph.hosts.len() as u32);
        let pairs = (0..hosts).flat_map(|a| (0..hosts).map(move |b| (a, b))).filter(|(a, b)| a != b);
        pairs.map(|(a, b)| ports.path(&self.routes, a, b).unwrap().len()).max().unwrap()
    }

    /// Whether the formula's paths are those that a search finds.
    fn paths_are_shortest(&self) -> bool {
        let by_formula = EqualCost::by(self.routes.formula().unwrap().as_ref(), &self.graph.ports());
        let searched = EqualCost::of(&self.graph).unwrap();
        let switches = 0..self.graph.switches.len() as u32;
        switches.clone().all(|switch| {
            (0..self.graph.hosts.len() as u32)
                .all(|host| by_formula.candidates(switch, host) == searched.candidates(switch, host))
        })
    }
}

fn comes_from_host(ports: &Ports, through: Through) -> bool {
    matches!(ports.switches[through.switch as usize][usize::from(through.from)].peer, Node::Host(_))
}

fn torus(dimensions: &[u32], hosts_per_switch: u32) -> Torus {
    Torus { dimensions: dimensions.to_vec(), hosts_per_switch }
}

fn hyper_x(dimensions: &[u32], trunks: &[u32], hosts_per_switch: u32) -> HyperX {
    HyperX { dimensions: dimensions.to_vec(), trunks: trunks.to_vec(), hosts_per_switch }
}

fn dragonfly(p: u32, a: u32, h: u32, groups: Option<u32>, arrangement: Arrangement) -> Dragonfly {
    Dragonfly { p, a, h, groups, arrangement, ..Dragonfly::default() }
}

fn clos(down: &[u32], up: &[u32], bundle: &[u32]) -> Clos {
    Clos {
        down: down.to_vec(),
        up: up.to_vec(),
        bundle: bundle.to_vec(),
        rates: vec![],
        delays: vec![],
        rails: 1,
        planes: 1,
    }
}

#[test]
fn the_balanced_dragonfly_of_72_hosts_is_that_of_the_paper() {
    // Kim and others, Fig. 5: p = h = 2, a = 4 makes 9 groups of 4 switches.
    let built = built(&dragonfly(2, 4, 2, None, Arrangement::Absolute));
    assert_eq!((built.graph.hosts.len(), built.graph.switches.len()), (72, 36));
    assert!(built.graph.ports().switches.iter().all(|own| own.len() == 7));
    // Host, local, global, local, host.
    assert_eq!(built.longest(), 5);
    assert!(built.has_cycle(false) && !built.has_cycle(true));
}

#[test]
fn whoever_is_asked_again_on_a_dragonfly_needs_its_lanes_three_times() {
    for dragonfly in
        [dragonfly(2, 4, 2, None, Arrangement::Absolute), dragonfly(1, 3, 2, Some(4), Arrangement::Palmtree)]
    {
        let built = built(&dragonfly);
        assert!(!built.in_lanes(6, 2) && built.in_lanes(5, 2));
        assert!(!built.in_lanes(4, 1) && built.in_lanes(4, 2));
    }
}

#[test]
fn a_dragonfly_plus_has_up_to_three_links_between_switches_and_needs_no_lanes() {
    let built = built(&DragonflyPlus { p: 2, leaves: 2, spines: Some(3), h: 2, ..DragonflyPlus::default() });
    assert_eq!((built.graph.hosts.len(), built.graph.switches.len()), (28, 35));
    assert_eq!(built.longest(), 5);
    assert!(!built.has_cycle(false));
}

#[test]
fn a_torus_needs_two_lanes_and_a_mesh_one() {
    let ring = built(&torus(&[5], 1));
    assert!(ring.has_cycle(false) && !ring.has_cycle(true));
    let grid = built(&torus(&[5, 3, 2], 2));
    assert_eq!((grid.graph.hosts.len(), grid.graph.links.len()), (60, 60 + 30 + 30 + 15));
    assert!(grid.has_cycle(false) && !grid.has_cycle(true));
    assert_eq!(grid.longest(), 2 + 2 + 1 + 1);
    let small = built(&torus(&[4, 4], 1));
    assert!(small.lanes == 1 && !small.has_cycle(false));
    let mesh = built(&Mesh { dimensions: vec![4, 3], hosts_per_switch: 1 });
    assert!(!mesh.has_cycle(false));
    assert_eq!(mesh.longest(), 2 + 3 + 2);
}

#[test]
fn a_hyper_x_is_crossed_in_as_many_links_as_it_has_dimensions() {
    let built = built(&hyper_x(&[3, 4], &[2, 1], 2));
    assert_eq!(built.graph.ports().switches[0].len(), 2 + 2 * 2 + 3);
    assert_eq!(built.longest(), 4);
    assert!(!built.has_cycle(false));
    // All minimal paths at once need a lane for each dimension.
    let equal_cost = EqualCost::of(&built.graph).unwrap();
    assert!(credit_loop_among(&built.graph, &equal_cost, None).is_some());
}

#[test]
fn an_oversubscribed_clos_with_bundles_is_routed_as_a_tree_written_out() {
    for (down, up, bundle) in [
        (&[4, 3][..], &[2][..], &[][..]),
        (&[2, 3, 4], &[3, 2], &[1, 2]),
        (&[3, 2, 2], &[1, 2], &[3, 1]),
        (&[5], &[], &[]),
    ] {
        let clos = built(&clos(down, up, bundle));
        assert_eq!(clos.routes, d_mod_k_by_levels(&clos.graph).unwrap(), "{down:?} {up:?} {bundle:?}");
        assert!(clos.paths_are_shortest() && !clos.has_cycle(false));
    }
}

#[test]
fn rails_put_the_adapters_of_a_server_on_different_leaves() {
    let clos = Clos { rails: 2, ..clos(&[3, 4], &[2], &[]) };
    let built = built(&clos);
    let ports = built.graph.ports();
    let leaf = |host| ports.switch_of(host).unwrap();
    // Two units of three servers: hosts 0, 2, 4 on leaf 0 and 1, 3, 5 on leaf 1.
    assert_eq!((0..12).map(leaf).collect::<Vec<_>>(), [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]);
    assert_eq!(built.graph.groups[1], ("rail1".to_owned(), vec![1, 3, 5, 7, 9, 11]));
    assert_eq!(built.longest(), 4);
    assert_eq!(built.routes, d_mod_k_by_levels(&built.graph).unwrap());
}

#[test]
fn planes_do_not_meet_above_the_adapters() {
    let clos = Clos { planes: 2, rates: vec![Rate::from_gbps(200), Rate::from_gbps(400)], ..clos(&[2, 3], &[2], &[]) };
    let built = built(&clos);
    assert_eq!(&built.graph.switches[..2], ["nic0", "nic1"]);
    assert_eq!(built.graph.switches.len(), 6 + 6 + 4);
    let rates: Vec<u64> = built.graph.links.iter().map(|link| link.ab.rate.0 / 1_000_000_000).collect();
    assert_eq!((rates[0], rates[6], rates[20]), (400, 200, 400));
    // Leaves of even number are in plane 0, and so are spines.
    for link in &built.graph.links[18..] {
        let (Node::Switch(leaf), Node::Switch(spine)) = (link.a, link.b) else { panic!("links of spines") };
        assert_eq!((leaf - 6) % 2, (spine - 12) % 2);
    }
    assert!(built.paths_are_shortest() && !built.has_cycle(false));
}

#[test]
fn valiants_detours_need_the_lanes_twice() {
    let dragonfly = built(&dragonfly(1, 3, 1, None, Arrangement::Palmtree));
    assert!(!dragonfly.in_lanes(4, 1) && dragonfly.in_lanes(3, 1));
    let ring = built(&torus(&[5, 5], 1));
    assert!(!ring.in_lanes(4, 1) && ring.in_lanes(3, 1));
    let mesh = built(&Mesh { dimensions: vec![3, 3], hosts_per_switch: 1 });
    assert!(!mesh.in_lanes(2, 1) && mesh.in_lanes(1, 1));
    let hyper_x = built(&hyper_x(&[3, 3], &[], 1));
    assert!(!hyper_x.in_lanes(2, 1) && hyper_x.in_lanes(1, 1));
}

#[test]
fn detours_in_lanes_of_a_service_level_are_searched_in_the_lanes_of_that_level() {
    let full = built(&hyper_x(&[3], &[], 4));
    let ports = full.graph.ports();
    // Service level 0 stays in lane 0; level 1 does so as well, or changes to lane 1 after its first link.
    let has_cycle = |changes: u8, starts: &[(u8, u8)]| {
        let next = |through, service: u8| if comes_from_host(&ports, through) { 0 } else { service.min(1) * changes };
        let map = LaneMap::by_service(&ports, next);
        let lanes = Lanes { map: &map, count: 2, starts };
        credit_loop(&full.graph, &full.routes, Some(&lanes), 1).is_some()
    };
    assert!(!has_cycle(1, &[(0, 1)]) && has_cycle(1, &[(0, 0)]));
    assert!(has_cycle(0, &[(0, 1)]));
    // One level with a cycle is enough.
    assert!(has_cycle(1, &[(0, 0), (0, 1)]) && !has_cycle(1, &[(0, 1), (0, 2), (1, 1)]));
}

#[test]
fn levels_without_a_cycle_of_their_own_can_wait_for_each_other() {
    let full = built(&hyper_x(&[3], &[], 1));
    let ports = full.graph.ports();
    // Level 1 goes from lane 0 to lane 1, level 2 back.
    let next = |through, service: u8| (u8::from(comes_from_host(&ports, through)) + service) % 2;
    let map = LaneMap::by_service(&ports, next);
    let has_cycle = |starts: &[(u8, u8)]| {
        let lanes = Lanes { map: &map, count: 2, starts };
        credit_loop(&full.graph, &full.routes, Some(&lanes), 1).is_some()
    };
    assert!(!has_cycle(&[(0, 1)]) && !has_cycle(&[(0, 2)]) && has_cycle(&[(0, 1), (0, 2)]));
}

#[test]
fn no_detour_exists_between_two_switches() {
    let pair = built(&hyper_x(&[2], &[], 2));
    assert!(!pair.in_lanes(1, 1) && built(&hyper_x(&[3], &[], 2)).in_lanes(1, 1));
}

#[test]
fn what_makes_no_sense_is_said_at_its_field() {
    let said = |topology: &dyn Topology| {
        topology.check().iter().map(|diagnostic| diagnostic.to_string()).collect::<Vec<_>>().join("\n")
    };
    let fields = [
        (
            said(&dragonfly(2, 4, 2, Some(6), Arrangement::Absolute)),
            "groups: the 8 global links of a group (a·h) cannot be shared evenly by 5 others; make it 9, 5, 3, 2",
        ),
        (said(&dragonfly(0, 4, 2, None, Arrangement::Absolute)), "p: `p` is 0; make it at least 1"),
        (said(&torus(&[4, 1], 1)), "dimensions.1: dimension 1 has 1 switches; make it at least 2, or leave it out"),
        (
            said(&torus(&[], 0)),
            "hosts_per_switch: `hosts_per_switch` is 0; make it at least 1\ndimensions: there are 0 dimensions; give the sizes of 1 to 16 dimensions, such as [4, 4]",
        ),
        (
            said(&hyper_x(&[4, 4], &[1], 2)),
            "trunks: there are 2 dimensions, and 1 trunks; give one number for each dimension, or leave it out",
        ),
        (said(&clos(&[4, 4], &[], &[])), "up: `down` has 2 levels, and `up` 0 numbers; give 1 of them"),
        (said(&clos(&[4, 0], &[2], &[])), "down.1: it is 0; make it at least 1"),
        (
            said(&Clos { rails: 3, ..clos(&[4, 4], &[2], &[]) }),
            "rails: 3 rails need as many leaves side by side, and `down` has 4; make `down.1` a multiple of it",
        ),
        (
            said(&Clos { rails: 8, ..clos(&[32], &[], &[]) }),
            "rails: 8 rails need as many leaves side by side, and `down` has 1; make `down.1` a multiple of it",
        ),
    ];
    for (said, wanted) in fields {
        assert_eq!(said, wanted);
    }
    let huge = [
        said(&torus(&[u32::MAX; 4], 2)),
        said(&dragonfly(60_000, 60_000, 5, None, Arrangement::Absolute)),
        said(&clos(&[u32::MAX, u32::MAX, 9], &[2, 2], &[])),
        said(&DragonflyPlus { p: 9, leaves: 70_000, h: 70_000, ..DragonflyPlus::default() }),
    ];
    assert!(huge.iter().all(|said| said.contains("more than the limit")), "{huge:?}");
}

/// All topologies of the list whose size can be chosen.
#[test]
fn no_switch_has_more_ports_than_can_be_numbered() {
    let links: Vec<_> = (0..70_000).map(|host| json!({"a": format!("h{host}"), "b": "s"})).collect();
    let hosts: Vec<_> = (0..70_000).map(|host| format!("h{host}")).collect();
    let is_accepted = |described: &Value| {
        let topology: AnyTopology = serde_json::from_value(described.clone()).unwrap();
        topology.parameters().unwrap().check().is_empty()
    };
    let refused = [
        json!({"two-switch": {"local": 70_000, "remote": 1}}),
        json!({"two-switch": {"local": 1, "remote": 70_000}}),
        json!({"single-switch": {"hosts": 70_000}}),
        json!({"dumbbell": {"pairs": 70_000}}),
        json!({"chain": {"switches": 2, "hosts_per_switch": 70_000}}),
        json!({"k-ary-n-tree": {"k": 70_000, "n": 1}}),
        json!({"fat-tree": {"radix": 140_000}}),
        json!({"clos": {"down": [70_000], "up": []}}),
        json!({"dragonfly": {"p": 70_000, "a": 2, "h": 1}}),
        json!({"dragonfly-plus": {"p": 70_000, "leaves": 2, "h": 1}}),
        json!({"hyper-x": {"dimensions": [2], "hosts_per_switch": 70_000}}),
        json!({"torus": {"dimensions": [2], "hosts_per_switch": 70_000}}),
        json!({"torus": {"dimensions": [2], "hosts_per_switch": 65_534}}),
        json!({"mesh": {"dimensions": [2], "hosts_per_switch": 70_000}}),
        json!({"mesh": {"dimensions": [2], "hosts_per_switch": 65_535}}),
        json!({"graph": {"hosts": hosts, "switches": ["s"], "links": links}}),
    ];
    let accepted: Vec<_> = refused.iter().filter(|&described| is_accepted(described)).collect();
    assert!(accepted.is_empty(), "{accepted:?}");
    for grid in ["torus", "mesh"] {
        assert!(is_accepted(&json!({grid: {"dimensions": [2], "hosts_per_switch": 65_533}})));
    }
}

proptest! {
    #[test]
    fn paths_that_a_formula_says_are_those_that_a_search_finds(
        dimensions in prop::collection::vec(2u32..6, 1..4), hosts in 1u32..3, k in 2u32..4, n in 1u32..4,
    ) {
        let open = Mesh { dimensions: dimensions.clone(), hosts_per_switch: hosts };
        let full = hyper_x(&dimensions, &dimensions.iter().map(|size| size % 2 + 1).collect::<Vec<_>>(), hosts);
        let topologies: [&dyn Topology; 6] =
            [&torus(&dimensions, hosts), &open, &full, &KAryNTree { k, n }, &FatTree::new(2 * k), &FatTree { radix: 2 * k, layers: 3 }];
        for topology in topologies {
            let built = built(topology);
            prop_assert!(built.paths_are_shortest(), "{dimensions:?}");
            prop_assert!(!built.has_cycle(true));
        }
    }

    #[test]
    fn dragonflies_are_crossed_by_one_global_link(
        p in 1u32..3, a in 1u32..5, h in 1u32..3, few in any::<bool>(), which in 0usize..4,
    ) {
        let arrangement = [Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree, Arrangement::Circulant][which];
        let groups = (few && (a * h) % 2 == 0).then_some(a * h / 2 + 1);
        let plain = built(&dragonfly(p, a, h, groups, arrangement));
        let plus = built(&DragonflyPlus { p, leaves: a, spines: Some(a), h, groups, arrangement, ..Default::default() });
        for built in [plain, plus] {
            let ports = built.graph.ports();
            let hosts = built.graph.hosts.len() as u32;
            let group = |node| match node {
                Node::Switch(switch) => built.graph.switches[switch as usize].split('_').next().unwrap().replace("leaf", "").replace("spine", "").replace('r', ""),
                Node::Host(_) => String::new(),
            };
            for (from, to) in (0..hosts).flat_map(|from| (0..hosts).map(move |to| (from, to))).filter(|(from, to)| from != to) {
                let taken = ports.path(&built.routes, from, to).unwrap();
                let nodes: Vec<Node> = taken.iter().map(|port| port.peer).filter(|node| matches!(node, Node::Switch(_))).collect();
                let changes = nodes.windows(2).filter(|pair| group(pair[0]) != group(pair[1])).count();
                prop_assert_eq!(changes, usize::from(group(nodes[0]) != group(*nodes.last().unwrap())));
                prop_assert!(taken.len() <= 5);
            }
            prop_assert!(!built.has_cycle(true));
            prop_assert!(!built.in_lanes(2 * built.lanes, 1));
        }
    }
}
