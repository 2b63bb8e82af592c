//! Routes of every topology: every host is reached, over the right number of links, and no cycle of waits is possible.

use congestree_topology::graphs::{
    Chain, Clos, Custom, CustomLink, FatTree, KAryNTree, SingleSwitch, TestBed, Topology, TwoSwitch,
};
use congestree_topology::loops::{Lanes, credit_loop, credit_loop_among, describe};
use congestree_topology::routing::{Hop, PortLists, RoutingTable, d_mod_k_by_levels, shortest_path};
use congestree_topology::{EqualCost, Graph, LaneMap, Node, Routes, Through, Wire, path};
use congestree_units::{Rate, Span};
use proptest::prelude::*;
use serde_json::json;
use std::time::{Duration, Instant};

const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

/// The routes of a regular network by its own rule.
fn by_rule(topology: impl Topology) -> Routes {
    let size = topology.size();
    Routes::by(topology.formula().unwrap(), size.switches as u32, size.hosts as u32)
}

/// Links between every pair of hosts, by source and destination.
fn lengths(graph: &Graph, routes: &Routes) -> Vec<Vec<Option<usize>>> {
    let ports = graph.ports();
    let hosts = 0..graph.hosts.len() as u32;
    let row = |a| hosts.clone().map(|b| ports.path(routes, a, b).map(|taken| taken.len())).collect();
    hosts.clone().map(row).collect()
}

/// Every pair is routed, along paths no longer than the shortest ones.
fn assert_shortest(graph: &Graph, routes: &Routes) {
    let found = lengths(graph, routes);
    assert!(found.iter().flatten().all(Option::is_some));
    assert_eq!(found, lengths(graph, &shortest_path(graph).unwrap()));
    assert_eq!(credit_loop(graph, routes, None, 0), None);
}

/// The switches of a clockwise ring with one host each, and the links between neighbours.
fn ring(switches: usize) -> Custom {
    let link = |a: String, b: String| -> CustomLink { serde_json::from_value(json!({"a": a, "b": b})).unwrap() };
    let hosts = (0..switches).map(|i| link(format!("h{i}"), format!("s{i}")));
    let round = (0..switches).map(|i| link(format!("s{i}"), format!("s{}", (i + 1) % switches)));
    Custom {
        hosts: (0..switches).map(|i| format!("h{i}")).collect(),
        switches: (0..switches).map(|i| format!("s{i}")).collect(),
        links: hosts.chain(round).collect(),
        groups: Default::default(),
    }
}

fn clockwise(switches: usize) -> RoutingTable {
    let mut table = RoutingTable::default();
    for switch in 0..switches {
        for host in (0..switches).filter(|&host| host != switch) {
            let next = format!("s{}", (switch + 1) % switches);
            table.0.entry(format!("s{switch}")).or_default().insert(format!("h{host}"), Hop::Node(next));
        }
    }
    table
}

/// Two flows of the shift by `by` that share a direction of a link.
fn shared_link(graph: &Graph, routes: &Routes, by: u32) -> Option<(u32, u32)> {
    let ports = graph.ports();
    let hosts = graph.hosts.len() as u32;
    let mut user = vec![None; 2 * graph.links.len()];
    for source in 0..hosts {
        for port in ports.path(routes, source, (source + by) % hosts).unwrap() {
            if let Some(other) = user[port.channel() as usize].replace(source) {
                return Some((other, source));
            }
        }
    }
    None
}

#[test]
fn small_topologies_are_routed_and_free_of_loops() {
    for graph in [
        TwoSwitch { local: 10, remote: 10 }.build(WIRE),
        SingleSwitch { hosts: 7 }.build(WIRE),
        TestBed::default().build(WIRE),
        Chain { switches: 5, hosts_per_switch: 2 }.build(WIRE),
    ] {
        assert_shortest(&graph, &shortest_path(&graph).unwrap());
    }
}

#[test]
fn the_test_bed_has_a_trunk_of_twice_the_rate() {
    let graph = TestBed::default().build(WIRE);
    assert_eq!(graph.links[7].ab.rate, Rate::from_gbps(16));
    let slow = TestBed { trunk_rate: Some(Rate::from_gbps(1)) }.build(WIRE);
    assert_eq!(slow.links[7].ba.rate, Rate::from_gbps(1));
}

#[test]
fn along_a_chain_a_path_has_one_link_a_step() {
    let graph = Chain { switches: 4, hosts_per_switch: 3 }.build(WIRE);
    let found = lengths(&graph, &shortest_path(&graph).unwrap());
    assert_eq!(found[0][1], Some(2));
    assert_eq!(found[0][11], Some(5));
    assert_eq!(graph.hosts[11], "S4_3");
}

#[test]
fn in_a_tree_a_path_climbs_to_the_first_common_switch() {
    let tree = KAryNTree { k: 2, n: 3 };
    let found = lengths(&tree.build(WIRE), &by_rule(tree));
    assert_eq!(found[0][1..8], [2, 4, 4, 6, 6, 6, 6].map(Some));
}

#[test]
fn equal_paths_are_shared_out_by_destination() {
    let graph = FatTree::new(8).build(WIRE);
    let routes = shortest_path(&graph).unwrap();
    // Host 9 is on leaf 2; ports 4 to 7 of leaf 0 lead to the four spines.
    assert_eq!(routes.port(0, 9), 4 + 9 % 4);
    assert_eq!(routes, by_rule(FatTree::new(8)));
}

#[test]
fn choices_on_the_way_up_a_tree_go_by_one_digit_after_the_other() {
    for tree in [KAryNTree { k: 4, n: 3 }, KAryNTree { k: 2, n: 4 }, KAryNTree { k: 3, n: 2 }] {
        assert_eq!(shortest_path(&tree.build(WIRE)).unwrap(), by_rule(tree));
    }
    for tree in [FatTree { radix: 6, layers: 3 }, FatTree { radix: 12, layers: 3 }] {
        assert_eq!(shortest_path(&tree.build(WIRE)).unwrap(), by_rule(tree));
    }
}

#[test]
fn parallel_links_down_share_the_destinations_that_use_their_spine() {
    // With as many hosts as links up at a leaf, and with twice as many.
    for (hosts, spines, bundle) in [(8, 2, 2), (4, 2, 2), (12, 6, 2), (12, 4, 3), (18, 9, 2)] {
        let (down, up, bundles) = (vec![hosts, 4], vec![spines], vec![bundle]);
        let clos = Clos { down, up, bundle: bundles, rates: vec![], delays: vec![], rails: 1, planes: 1 };
        let graph = clos.build(WIRE);
        for routes in [shortest_path(&graph).unwrap(), d_mod_k_by_levels(&graph).unwrap(), by_rule(clos)] {
            assert_balanced(&graph, &routes, 4, hosts / (spines * bundle));
        }
    }
}

/// Every link down from a spine carries the traffic to this many hosts, and every link up to this many of each leaf.
fn assert_balanced(graph: &Graph, routes: &Routes, leaves: u32, each: u32) {
    let ports = graph.ports();
    let hosts = graph.hosts.len() as u32;
    let home = |host| ports.switch_of(host).unwrap();
    let mut down = vec![0; 2 * graph.links.len()];
    for leaf in 0..leaves {
        let mut up = vec![0; ports.switches[leaf as usize].len()];
        for host in (0..hosts).filter(|&host| home(host) != leaf) {
            let port = routes.port(leaf, host);
            up[usize::from(port)] += 1;
            let Node::Switch(spine) = ports.switches[leaf as usize][usize::from(port)].peer else { panic!() };
            if leaf == (home(host) + 1) % leaves {
                down[ports.switches[spine as usize][usize::from(routes.port(spine, host))].channel() as usize] += 1;
            }
        }
        assert!(up.iter().all(|&count| count == 0 || count == each * (leaves - 1)), "{up:?}");
    }
    assert!(down.iter().all(|&count| count == 0 || count == each), "{down:?}");
}

/// No loops, this many links from the first host to the last, and no link that two flows of a shift share.
fn assert_nonblocking(tree: FatTree, links: usize, shifts: [u32; 4]) {
    let (graph, routes) = (tree.build(WIRE), by_rule(tree));
    assert_eq!(credit_loop(&graph, &routes, None, 0), None);
    assert_eq!(path(&graph, &routes, 0, tree.hosts() - 1).unwrap().len(), links);
    for by in shifts {
        assert_eq!(shared_link(&graph, &routes, by), None, "shift by {by}");
    }
}

#[test]
fn the_432_host_tree_of_three_layers_is_routed_without_loops() {
    assert_nonblocking(FatTree { radix: 12, layers: 3 }, 7, [1, 6, 36, 100]);
}

#[test]
fn a_tree_offers_all_its_links_up_and_one_down_and_no_choice_closes_a_cycle() {
    let tree = FatTree { radix: 6, layers: 3 };
    let graph = tree.build(WIRE);
    let equal_cost = EqualCost::of(&graph).unwrap();
    assert_eq!(credit_loop_among(&graph, &equal_cost, None), None);
    let host = tree.hosts() - 1;
    let (aggregation, core) = (tree.leaves(), 2 * tree.leaves());
    assert_eq!(equal_cost.candidates(0, host), [3, 4, 5]);
    assert_eq!(equal_cost.candidates(aggregation, host), [3, 4, 5]);
    assert_eq!(equal_cost.candidates(core, host), [5]);
    assert_eq!(equal_cost.candidates(tree.leaves() - 1, host), [0u16; 0]);
    let routes = shortest_path(&graph).unwrap();
    for switch in (0..tree.switches()).filter(|&switch| switch != host / 3) {
        assert!(equal_cost.candidates(switch, host).contains(&routes.port(switch, host)), "{switch}");
    }
}

#[test]
fn a_square_that_goes_round_both_ways_closes_a_cycle() {
    let mut graph = Graph::default();
    for i in 0..4 {
        let switch = graph.add_switch(format!("S{i}"));
        let host = graph.add_host(format!("h{i}"));
        graph.connect(host, switch, WIRE);
    }
    for i in 0..4 {
        graph.connect(Node::Switch(i), Node::Switch((i + 1) % 4), WIRE);
    }
    let equal_cost = EqualCost::of(&graph).unwrap();
    assert_eq!(equal_cost.candidates(0, 2).len(), 2);
    assert!(credit_loop_among(&graph, &equal_cost, None).is_some());
}

#[test]
fn the_648_host_tree_is_routed_without_loops() {
    assert_nonblocking(FatTree::new(36), 5, [1, 18, 100, 647]);
}

#[test]
fn a_link_down_carries_one_destination_only() {
    let tree = KAryNTree { k: 3, n: 3 };
    let (graph, routes) = (tree.build(WIRE), by_rule(tree));
    let ports = graph.ports();
    let mut carries = vec![None; 2 * graph.links.len()];
    for source in 0..27 {
        for destination in (0..27).filter(|&destination| destination != source) {
            for port in ports.path(&routes, source, destination).unwrap() {
                // Links are listed from below to above, so the reverse direction is down.
                if !port.at_a {
                    let known = carries[port.channel() as usize].get_or_insert(destination);
                    assert_eq!(*known, destination);
                }
            }
        }
    }
}

#[test]
fn a_clockwise_ring_has_a_credit_loop_and_it_is_named() {
    let graph = ring(4).build(WIRE);
    let routes = clockwise(4).routes(&graph).unwrap();
    let cycle = credit_loop(&graph, &routes, None, 0).unwrap();
    assert_eq!(describe(&graph, &cycle), "s0->s1, s1->s2, s2->s3, s3->s0");
    assert_eq!((cycle[0].from, cycle[0].to), (Node::Switch(0), Node::Switch(1)));
}

#[test]
fn a_ring_whose_packets_change_lanes_somewhere_has_none() {
    let graph = ring(4).build(WIRE);
    let routes = clockwise(4).routes(&graph).unwrap();
    let ports = graph.ports();
    let between = |through: Through, port: u16| {
        matches!(ports.switches[through.switch as usize][usize::from(port)].peer, Node::Switch(_))
    };
    // A packet that leaves s0 for s1 does so in the second lane, and stays there.
    let crosses = |through: Through| through.switch == 0 && between(through, through.to);
    let map = LaneMap::by_lane(&ports, 2, |through, lane| if crosses(through) { 1 } else { lane });
    let starts = [(0, 0)];
    let lanes = Lanes { map: &map, count: 2, starts: &starts };
    assert_eq!(credit_loop(&graph, &routes, Some(&lanes), 0), None);
    // With packets that start in the second lane already, there is a cycle as with one lane.
    let lanes = Lanes { starts: &[(1, 0)], ..lanes };
    let cycle = credit_loop(&graph, &routes, Some(&lanes), 0).unwrap();
    assert_eq!(describe(&graph, &cycle), "s0->s1 lane 1, s1->s2 lane 1, s2->s3 lane 1, s3->s0 lane 1");
    // And also if the lane is that of the service level all the way.
    let map = LaneMap::by_service(&ports, |_, service| service);
    let lanes = Lanes { map: &map, count: 2, starts: &starts };
    assert!(credit_loop(&graph, &routes, Some(&lanes), 0).is_some());
}

#[test]
fn a_ring_of_three_on_shortest_paths_has_none() {
    let graph = ring(3).build(WIRE);
    assert_eq!(credit_loop(&graph, &shortest_path(&graph).unwrap(), None, 0), None);
}

#[test]
fn traffic_that_cannot_exist_makes_no_loop() {
    // Without the hosts of s1 and s3 no packet passes through s0 or s2: all end there.
    let mut custom = ring(4);
    custom.hosts = vec!["h0".into(), "h2".into()];
    custom.links.retain(|link| link.a != "h1" && link.a != "h3");
    let graph = custom.build(WIRE);
    let mut table = clockwise(4);
    for entries in table.0.values_mut() {
        entries.retain(|host, _| host == "h0" || host == "h2");
    }
    assert_eq!(credit_loop(&graph, &table.routes(&graph).unwrap(), None, 0), None);
}

#[test]
fn a_cycle_through_the_last_switch_is_found_too() {
    let graph = ring(4).build(WIRE);
    let table: RoutingTable = serde_json::from_str(r#"{"s0": {"h0": "s1"}}"#).unwrap();
    let said = table.routes(&graph).unwrap_err();
    assert!(said[0].fact.ends_with("s0 -> s1 -> s0"), "{}", said[0]);
}

#[test]
fn mistakes_in_a_table_are_named() {
    let graph = ring(4).build(WIRE);
    let text =
        r#"{"s9": {"h0": "s0"}, "s0": {"h9": "s1", "h2": "s2", "h3": "h0"}, "s1": {"h3": "s2"}, "s2": {"h3": "s1"}}"#;
    let table: RoutingTable = serde_json::from_str(text).unwrap();
    let said: Vec<_> = table.routes(&graph).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "s0.h2: `s2` is not next to `s0`; name one of its neighbours: h0, s1, s3",
            "s0.h3: `h0` is another host, and hosts do not forward; send packets for `h3` to `h3` itself or to a switch",
            "s0.h9: there is no host `h9`; name a host of the topology",
            "s9: there is no switch `s9`; name a switch of the topology",
            "s1.h3: packets for `h3` would go round in a loop: s1 -> s2 -> s1; let one of these switches send them out of the loop",
        ]
    );
}

#[test]
fn trees_written_out_are_routed_as_the_ready_made_ones() {
    for (k, n) in [(2, 1), (2, 4), (3, 3), (4, 2)] {
        let tree = KAryNTree { k, n };
        assert_eq!(d_mod_k_by_levels(&tree.build(WIRE)).unwrap(), by_rule(tree), "{k}-ary {n}-tree");
    }
    for radix in [2, 4, 10] {
        let tree = FatTree::new(radix);
        assert_eq!(d_mod_k_by_levels(&tree.build(WIRE)).unwrap(), by_rule(tree), "radix {radix}");
    }
}

#[test]
fn a_tree_with_missing_and_parallel_links_is_routed_without_loops() {
    let mut graph = KAryNTree { k: 3, n: 3 }.build(WIRE);
    graph.links.retain(|link| (link.a, link.b) != (Node::Switch(0), Node::Switch(9)));
    graph.connect(Node::Switch(1), Node::Switch(9), WIRE);
    let routes = d_mod_k_by_levels(&graph).unwrap();
    assert_shortest(&graph, &routes);
}

#[test]
fn a_network_without_levels_is_not_routed_by_digits() {
    let said = d_mod_k_by_levels(&ring(4).build(WIRE)).unwrap_err().to_string();
    assert!(said.starts_with("this is not a tree of levels: `s0` and `s1` both have hosts"), "{said}");
}

#[test]
fn port_lists_say_the_same_as_the_routes_they_were_made_of() {
    let graph = KAryNTree { k: 2, n: 3 }.build(WIRE);
    let routes = shortest_path(&graph).unwrap();
    let lists = PortLists::of(&graph, &routes);
    assert_eq!(lists.0["s0_0"][..4], [1, 2, 3, 4]);
    assert_eq!(lists.routes(&graph).unwrap(), routes);
}

#[test]
fn mistakes_in_port_lists_are_named() {
    let graph = ring(4).build(WIRE);
    let text = r#"{"s9": [1], "s0": [1, 2], "s1": [9, 1, 0, 1], "s2": [0, 0, 1, 0], "s3": [0, 0, 0, 1]}"#;
    let lists: PortLists = serde_json::from_str(text).unwrap();
    let said: Vec<_> = lists.routes(&graph).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "s0: there are 2 ports here and 4 hosts; write one port number for each host, in the order of the hosts; 0 for the shortest way",
            "s1.0: port 9 of `s1` has no link; its ports with a link are 1, 2, 3",
            "s1.3: `h1` is another host, and hosts do not forward; send packets for `h3` to `h3` itself or to a switch",
            "s9: there is no switch `s9`; name a switch of the topology",
        ]
    );
}

#[test]
fn a_table_may_choose_among_parallel_links_by_port() {
    let mut graph = Graph::default();
    let (a, b) = (graph.add_switch("a"), graph.add_switch("b"));
    let (x, y) = (graph.add_host("x"), graph.add_host("y"));
    for (one, other) in [(x, a), (y, b), (a, b), (a, b)] {
        graph.connect(one, other, WIRE);
    }
    let table: RoutingTable = serde_json::from_str(r#"{"a": {"y": 3}, "b": {"x": "a"}}"#).unwrap();
    let routes = table.routes(&graph).unwrap();
    assert_eq!((routes.port(0, 1), routes.port(1, 0)), (2, 1));
    let wrong: RoutingTable = serde_json::from_str(r#"{"a": {"y": 7}}"#).unwrap();
    let said = wrong.routes(&graph).unwrap_err()[0].to_string();
    assert_eq!(said, "a.y: port 7 of `a` has no link; its ports with a link are 1, 2, 3");
}

/// Two leaves with two links to each of two spines; of eight hosts every other one is at the second leaf.
fn doubled_tree() -> Graph {
    let mut graph = Graph::default();
    let leaves = ["A", "B"].map(|name| graph.add_switch(name));
    let spines = ["S", "T"].map(|name| graph.add_switch(name));
    for host in 0..8 {
        let node = graph.add_host(format!("h{host}"));
        graph.connect(node, leaves[host % 2], WIRE);
    }
    for (leaf, spine) in leaves.into_iter().flat_map(|leaf| spines.map(|spine| (leaf, spine))) {
        graph.connect(leaf, spine, WIRE);
        graph.connect(leaf, spine, WIRE);
    }
    graph
}

/// The table with these next nodes; `None` is not written.
fn table_of(graph: &Graph, next: impl Fn(usize, usize) -> Option<String>) -> RoutingTable {
    let mut table = RoutingTable::default();
    for (at, switch) in graph.switches.iter().enumerate() {
        for (of, host) in graph.hosts.iter().enumerate() {
            let hop = next(at, of).map(|node| (host.clone(), Hop::Node(node)));
            table.0.entry(switch.clone()).or_default().extend(hop);
        }
    }
    table
}

#[test]
fn a_table_of_the_next_nodes_of_shortest_paths_says_the_same_as_these() {
    for graph in [doubled_tree(), KAryNTree { k: 3, n: 3 }.build(WIRE)] {
        let (ports, routes) = (graph.ports(), shortest_path(&graph).unwrap());
        let next = |switch: usize, host: usize| {
            let port = routes.port(switch as u32, host as u32);
            Some(graph.name(ports.switches[switch][usize::from(port)].peer).to_string())
        };
        assert_eq!(table_of(&graph, next).routes(&graph).unwrap(), routes);
    }
}

#[test]
fn a_table_shares_parallel_links_out_where_it_leads_elsewhere_than_shortest_paths() {
    // All hosts by one of two spines, or round by the one whose link is not the shortest way.
    let mut round = doubled_tree();
    round.connect(Node::Switch(0), Node::Switch(1), WIRE);
    for graph in [doubled_tree(), round] {
        let only = |switch: usize, host: usize| (switch < 2 && host % 2 != switch).then(|| "T".to_string());
        let routes = table_of(&graph, only).routes(&graph).unwrap();
        for leaf in 0..2 {
            let mut taken: Vec<u16> =
                (0..8).filter(|host| host % 2 != leaf).map(|host| routes.port(leaf, host)).collect();
            taken.sort_unstable();
            assert!(taken[0] == taken[1] && taken[1] < taken[2] && taken[2] == taken[3], "{taken:?}");
        }
    }
}

#[test]
fn the_largest_tree_of_the_papers_is_ready_at_once() {
    let tree = KAryNTree { k: 18, n: 3 };
    let start = Instant::now();
    let (graph, routes) = (tree.build(WIRE), by_rule(tree));
    let built = start.elapsed();
    assert_eq!(credit_loop(&graph, &routes, None, 0), None);
    let checked = start.elapsed();
    let short = shortest_path(&graph).unwrap();
    println!("built {built:?}, loops {:?}, shortest {:?}", checked - built, start.elapsed() - checked);
    assert_eq!((graph.hosts.len(), graph.switches.len()), (5832, 972));
    assert_eq!(credit_loop(&graph, &short, None, 0), None);
    // Generous, for unoptimised builds on a busy machine; 0.1 s is usual.
    assert!(checked < Duration::from_secs(20));
}

proptest! {
    /// Whatever the tree, D-mod-K reaches every host by shortest paths and without loops.
    #[test]
    fn every_tree_is_routed(k in 2u32..5, n in 1u32..4) {
        let tree = KAryNTree { k, n };
        assert_shortest(&tree.build(WIRE), &by_rule(tree));
    }

    /// The same holds on fat trees of two and three layers.
    #[test]
    fn every_fat_tree_is_routed(half in 1u32..5) {
        for layers in [2, 3] {
            let tree = FatTree { radix: 2 * half, layers };
            assert_shortest(&tree.build(WIRE), &by_rule(tree));
        }
    }

    /// The flows of a shift permutation share no link direction.
    #[test]
    fn shifts_share_no_link(k in 2u32..5, n in 1u32..5, by in 0u32..256, fat in any::<bool>()) {
        let (fat_tree, tree) = (FatTree::new(2 * k), KAryNTree { k, n });
        let (graph, routes) =
            if fat { (fat_tree.build(WIRE), by_rule(fat_tree)) } else { (tree.build(WIRE), by_rule(tree)) };
        let by = by % graph.hosts.len() as u32;
        prop_assert_eq!(shared_link(&graph, &routes, by), None);
    }

    /// A random connected network is routed by shortest paths.
    #[test]
    fn random_networks_are_routed(parents in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
                                  extra in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..8)) {
        let mut graph = tree_of(&parents);
        let count = graph.switches.len();
        for (a, b) in extra {
            let (a, b) = (a.index(count) as u32, b.index(count) as u32);
            if a != b {
                graph.connect(Node::Switch(a), Node::Switch(b), WIRE);
            }
        }
        let apart = switches_apart(&graph);
        for (a, row) in lengths(&graph, &shortest_path(&graph).unwrap()).iter().enumerate() {
            for (b, length) in row.iter().enumerate() {
                prop_assert_eq!(*length, Some(apart[a][b] + 2), "from host {} to {}", a, b);
            }
        }
    }

    /// Trees of switches cannot have a credit loop, whatever they look like.
    #[test]
    fn trees_are_free_of_loops(parents in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
        let graph = tree_of(&parents);
        prop_assert_eq!(credit_loop(&graph, &shortest_path(&graph).unwrap(), None, 0), None);
    }
}

/// A tree of switches, each with a host: switch i + 1 is linked to one of those before it.
fn tree_of(parents: &[prop::sample::Index]) -> Graph {
    let mut graph = Graph::default();
    let switches: Vec<_> = (0..=parents.len()).map(|i| graph.add_switch(format!("s{i}"))).collect();
    for (i, &switch) in switches.iter().enumerate() {
        let host = graph.add_host(format!("h{i}"));
        graph.connect(host, switch, WIRE);
    }
    for (i, parent) in parents.iter().enumerate() {
        graph.connect(switches[i + 1], switches[parent.index(i + 1)], WIRE);
    }
    graph
}

/// Links between every pair of switches, by the algorithm of Floyd and Warshall.
fn switches_apart(graph: &Graph) -> Vec<Vec<usize>> {
    let count = graph.switches.len();
    let mut apart = vec![vec![usize::MAX / 2; count]; count];
    (0..count).for_each(|s| apart[s][s] = 0);
    for link in &graph.links {
        if let (Node::Switch(a), Node::Switch(b)) = (link.a, link.b) {
            (apart[a as usize][b as usize], apart[b as usize][a as usize]) = (1, 1);
        }
    }
    for (via, a, b) in (0..count).flat_map(|via| (0..count).flat_map(move |a| (0..count).map(move |b| (via, a, b)))) {
        apart[a][b] = apart[a][b].min(apart[a][via] + apart[via][b]);
    }
    apart
}
