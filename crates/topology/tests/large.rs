//! Large regular networks: they are built, and their routes are found free of cycles, within seconds of processor time
//! (whatever else the machine does) and with little memory.
//!
//! Too slow without optimisation: `cargo test --release -p congestree-topology --test large -- --ignored`.

use std::time::Duration;

use congestree_topology::graphs::{Clos, Dragonfly, DragonflyPlus, FatTree, HyperX, Topology, Torus};
use congestree_topology::loops::{Lanes, credit_loop, credit_loop_among};
use congestree_topology::{EqualCost, LaneMap, Routes, Through, Wire};
use congestree_units::{Rate, Span};

const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

/// Processor time of this thread, as Linux counts it.
struct Worked(Duration);

impl Worked {
    fn so_far() -> Self {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts what a thread has done");
        let nanoseconds = told.split(' ').next().and_then(|text| text.parse().ok()).expect("nanoseconds come first");
        Self(Duration::from_nanos(nanoseconds))
    }

    fn elapsed(&self) -> Duration {
        Self::so_far().0 - self.0
    }
}

/// The largest amount of memory that this process has used, in KiB.
fn most_memory() -> u64 {
    let told = std::fs::read_to_string("/proc/self/status").expect("Linux tells the state of a process");
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the most memory is among it");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number of KiB")
}

#[test]
#[ignore = "seconds with optimisation, minutes without"]
fn networks_of_65_536_hosts_and_more_are_built_and_checked_in_ten_seconds() {
    let clos = r#"{"down": [32, 32, 64], "up": [16, 32]}"#;
    let dragonfly = Dragonfly { p: 12, a: 24, h: 12, ..Dragonfly::default() };
    let plus = DragonflyPlus { p: 16, leaves: 16, h: 16, ..DragonflyPlus::default() };
    let topologies: [(&str, &dyn Topology); 6] = [
        ("dragonfly", &dragonfly),
        ("dragonfly+", &plus),
        ("hyper-x", &HyperX { dimensions: vec![16; 3], trunks: vec![], hosts_per_switch: 16 }),
        ("torus", &Torus { dimensions: vec![16; 3], hosts_per_switch: 16 }),
        ("clos", &serde_json::from_str::<Clos>(clos).unwrap()),
        ("fat-tree", &FatTree { radix: 74, layers: 3 }),
    ];
    for (name, topology) in topologies {
        let start = Worked::so_far();
        let (graph, size) = (topology.build(WIRE), topology.size());
        assert!(size.hosts >= 65_536);
        let built = start.elapsed();
        let formula = topology.formula().unwrap();
        let lanes = formula.lanes();
        let ports = graph.ports();
        let map = (lanes > 1)
            .then(|| LaneMap::by_lane(&ports, lanes, |through, lane| formula.lane(through, lane)).in_phases(lanes));
        let mapped = start.elapsed();
        let routes = Routes::by(formula.clone(), size.switches as u32, size.hosts as u32);
        let lanes = map.as_ref().map(|map| Lanes { map, count: lanes, starts: &[(0, 0)] });
        assert_eq!(credit_loop(&graph, &routes, lanes.as_ref(), 0), None);
        let fixed = start.elapsed();
        if matches!(name, "clos" | "fat-tree") {
            let equal_cost = EqualCost::by(formula.as_ref(), &ports);
            println!("  paths after {:.1?}", start.elapsed());
            assert_eq!(credit_loop_among(&graph, &equal_cost, None), None);
        }
        if name == "hyper-x" {
            // A lane for each dimension, as `by-hop` has them.
            let within = |through: Through| usize::from(through.from.min(through.to)) >= 16;
            let map = LaneMap::by_lane(&ports, 3, |through, lane| (lane + u8::from(within(through))).min(2));
            let (equal_cost, lanes) =
                (EqualCost::by(formula.as_ref(), &ports), Lanes { map: &map, count: 3, starts: &[(0, 0)] });
            assert_eq!(credit_loop_among(&graph, &equal_cost, Some(&lanes)), None);
        }
        let all = start.elapsed();
        let mut row = Vec::new();
        (0..size.switches as u32).for_each(|switch| routes.row(switch, &mut row));
        let rows = start.elapsed();
        println!(
            "{name}: built {built:.1?}, lanes {mapped:.1?}, checked {fixed:.1?}, with all paths {all:.1?}, rows {rows:.1?}"
        );
        println!("  {} MiB at most so far", most_memory() >> 10);
        assert!(most_memory() < 2 << 20, "{name}: {} KiB", most_memory());
        assert!(rows < Duration::from_secs(10), "{name}: {rows:.1?}");
    }
}
