//! Forwarding tables in the form that the event loop needs: small.
//!
//! The tables of a large tree are bigger than a cache, but they repeat themselves: all switches of a level forward
//! most hosts alike. So a table is cut into pages of 64 hosts, equal pages are kept once, and each switch has a list
//! of its pages. The tables of 972 switches for 5,832 hosts shrink from 11 MB to a third of one.
//!
//! Where routes follow a formula, a page is written out only if no switch of the same kind has had the same paths on
//! it before: large networks have hundreds of millions of entries, but few distinct pages.

use std::collections::HashMap;
use std::sync::Arc;

use congestree_topology::Routes;
use congestree_topology::routing::Formula;
use congestree_wire::{HostId, SwitchId};

use crate::plan::Plan;

/// Hosts on a page.
const PAGE: usize = 64;

/// For every switch and host, the local port towards the host. A copy shares it.
#[derive(Clone, Debug)]
pub(crate) struct Forwarding {
    /// Number of pages of a switch.
    per_switch: usize,
    /// By switch: where its pages begin in `ports`, in pages.
    pages: Arc<[u32]>,
    ports: Arc<[u16]>,
}

impl Forwarding {
    /// The tables of a plan. Every host is reachable in a checked plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        Self::new(&plan.routes, plan.graph.switches.len() as u32, plan.graph.hosts.len() as u32)
    }

    /// The tables of routes.
    pub(crate) fn new(routes: &Routes, switches: u32, hosts: u32) -> Self {
        let per_switch = (hosts as usize).div_ceil(PAGE);
        let mut written = Written::default();
        let mut pages = Vec::with_capacity(switches as usize * per_switch);
        if let Some(formula) = routes.formula() {
            written.by_formula(&mut pages, formula.as_ref(), switches, hosts);
        } else {
            let mut row = Vec::new();
            for switch in 0..switches {
                routes.row(switch, &mut row);
                row.resize(per_switch * PAGE, Routes::NONE);
                pages.extend(row.chunks(PAGE).map(|page| written.place_of(page)));
            }
        }
        Forwarding { per_switch, pages: pages.into(), ports: written.ports.into() }
    }

    /// The local port by which `switch` forwards to `host`.
    #[inline]
    pub(crate) fn port(&self, switch: SwitchId, host: HostId) -> u16 {
        let page = self.pages[switch.index() * self.per_switch + host.index() / PAGE];
        self.ports[page as usize * PAGE + host.index() % PAGE]
    }
}

/// The distinct pages.
#[derive(Default)]
struct Written {
    ports: Vec<u16>,
    known: HashMap<Vec<u16>, u32>,
}

impl Written {
    /// The place of a page, which is added if it is new.
    fn place_of(&mut self, page: &[u16]) -> u32 {
        if let Some(&place) = self.known.get(page) {
            return place;
        }
        let place = (self.ports.len() / PAGE) as u32;
        self.ports.extend_from_slice(page);
        self.known.insert(page.to_vec(), place);
        place
    }

    /// Appends the places of the pages of all switches whose routes follow a formula.
    fn by_formula(&mut self, places: &mut Vec<u32>, formula: &dyn Formula, switches: u32, hosts: u32) {
        let pages = pages(formula, hosts);
        let mut sets = Sets::default();
        let mut seen: HashMap<PageKey, u32> = HashMap::new();
        let (mut key, mut ports) = (PageKey::default(), Vec::new());
        for switch in 0..switches {
            key.kind = formula.kind(switch);
            for (number, page) in pages.iter().enumerate() {
                key.sets.clear();
                key.sets.extend(page.runs.iter().map(|run| sets.number(formula, switch, run.home)));
                let has_own_hosts = key.sets.contains(&OWN);
                let differs_by_host = has_own_hosts || key.sets.iter().any(|&set| sets.all[set as usize].len() > 1);
                key.page = if differs_by_host { number as u32 } else { page.shape };
                // No other switch has the same hosts.
                let known = if has_own_hosts { None } else { seen.get(&key) };
                if let Some(&place) = known {
                    places.push(place);
                    continue;
                }
                sets.write(formula, switch, &page.runs, &key.sets, &mut ports);
                let place = self.place_of(&ports);
                if !has_own_hosts {
                    seen.insert(key.clone(), place);
                }
                places.push(place);
            }
        }
    }
}

/// Everything that the ports on a page depend on, where routes follow a formula.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct PageKey {
    /// The shape of the page; or its number, where the choice of path (or the port of the switch's own hosts) differs
    /// from host to host.
    page: u32,
    /// The kind of switch.
    kind: u32,
    /// By run of hosts: the set of paths to them.
    sets: Vec<u32>,
}

/// Stands in place of a set for hosts of the switch itself.
const OWN: u32 = u32::MAX;

/// Consecutive hosts of one switch.
struct Run {
    home: u32,
    first: u32,
    end: u32,
}

struct Page {
    runs: Vec<Run>,
    /// The first page whose runs have the same lengths.
    shape: u32,
}

/// The hosts of every page, grouped into runs by their switches.
fn pages(formula: &dyn Formula, hosts: u32) -> Vec<Page> {
    let mut shapes: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut pages = Vec::new();
    for first in (0..hosts).step_by(PAGE) {
        let mut runs: Vec<Run> = Vec::new();
        for host in first..hosts.min(first + PAGE as u32) {
            let home = formula.home(host).0;
            match runs.last_mut().filter(|run| run.home == home) {
                Some(run) => run.end = host + 1,
                None => runs.push(Run { home, first: host, end: host + 1 }),
            }
        }
        let lengths = runs.iter().map(|run| run.end - run.first).collect();
        let shape = *shapes.entry(lengths).or_insert(pages.len() as u32);
        pages.push(Page { runs, shape });
    }
    pages
}

/// The distinct sets of paths, by number.
#[derive(Default)]
struct Sets {
    all: Vec<Vec<u16>>,
    known: HashMap<Vec<u16>, u32>,
    candidates: Vec<u16>,
    /// The last query (from, to) and its answer: the hosts of a switch may continue on the next page.
    last: Option<(u32, u32, u32)>,
}

impl Sets {
    /// The number of the set of paths from a switch to another one; [`OWN`] to itself.
    fn number(&mut self, formula: &dyn Formula, switch: u32, home: u32) -> u32 {
        if home == switch {
            return OWN;
        }
        let before = match self.last {
            Some((from, to, number)) if (from, to) == (switch, home) => return number,
            last => last.map(|(.., number)| number),
        };
        self.candidates.clear();
        formula.by_rule(switch, home, &mut self.candidates);
        // Neighbouring switches mostly use the same paths.
        let number = match before.filter(|&number| self.all[number as usize] == self.candidates) {
            Some(number) => number,
            None => self.find(),
        };
        self.last = Some((switch, home, number));
        number
    }

    /// The number of the current set of paths, which may be new.
    fn find(&mut self) -> u32 {
        if let Some(&number) = self.known.get(&self.candidates) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(self.candidates.clone());
        self.known.insert(self.candidates.clone(), number);
        number
    }

    /// Writes a page: the ports by which a switch forwards to these hosts, given the set of paths of each run.
    fn write(&self, formula: &dyn Formula, switch: u32, runs: &[Run], sets: &[u32], ports: &mut Vec<u16>) {
        ports.clear();
        for (run, &set) in runs.iter().zip(sets) {
            ports.extend((run.first..run.end).map(|host| match set {
                OWN => formula.home(host).1,
                _ => formula.pick(switch, host, &self.all[set as usize]),
            }));
        }
        ports.resize(PAGE, Routes::NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_topology::graphs::{Clos, Dragonfly, DragonflyPlus, FatTree, HyperX, KAryNTree, Topology, Torus};

    #[test]
    fn pages_say_what_the_tables_say_in_less_room() {
        let (switches, hosts) = (50u32, 1000u32);
        let mut routes = Routes::empty(switches as usize, hosts as usize);
        for switch in 0..switches {
            for host in 0..hosts {
                let local = host / 20 == switch;
                routes.set(switch, host, if local { host % 20 } else { 20 + host % 16 } as u16);
            }
        }
        let tables = Forwarding::new(&routes, switches, hosts);
        assert_same_ports(&tables, &routes, switches, hosts);
        assert!(tables.ports.len() < (switches * hosts / 5) as usize, "{}", tables.ports.len());
    }

    #[test]
    fn pages_of_a_formula_say_what_it_says() {
        let topologies: [&dyn Topology; 10] = [
            &DragonflyPlus { p: 5, leaves: 4, h: 4, groups: Some(3), ..DragonflyPlus::default() },
            &DragonflyPlus { p: 3, leaves: 4, h: 3, groups: Some(3), ..DragonflyPlus::default() },
            &HyperX { dimensions: vec![5, 4, 3], trunks: vec![2, 3, 4], hosts_per_switch: 3 },
            &Dragonfly { p: 3, a: 6, h: 2, ..Dragonfly::default() },
            &Dragonfly { p: 5, a: 4, h: 3, groups: Some(5), ..Dragonfly::default() },
            &Torus { dimensions: vec![5, 4, 6], hosts_per_switch: 3 },
            &FatTree { radix: 12, layers: 3 },
            &KAryNTree { k: 5, n: 4 },
            &clos(&[6, 5, 4], &[4, 3], &[1, 2], 1),
            &clos(&[8, 12], &[6], &[], 4),
        ];
        for topology in topologies {
            assert_eq!(topology.check(), []);
            let size = topology.size();
            let (switches, hosts) = (size.switches as u32, size.hosts as u32);
            let routes = Routes::by(topology.formula().unwrap(), switches, hosts);
            assert_same_ports(&Forwarding::new(&routes, switches, hosts), &routes, switches, hosts);
        }
    }

    fn clos(down: &[u32], up: &[u32], bundle: &[u32], rails: u32) -> Clos {
        let (rates, delays) = (Vec::new(), Vec::new());
        Clos { down: down.to_vec(), up: up.to_vec(), bundle: bundle.to_vec(), rates, delays, rails, planes: 1 }
    }

    fn assert_same_ports(tables: &Forwarding, routes: &Routes, switches: u32, hosts: u32) {
        let mut row = Vec::new();
        for switch in 0..switches {
            routes.row(switch, &mut row);
            let paged: Vec<u16> = (0..hosts).map(|host| tables.port(SwitchId(switch), HostId(host))).collect();
            assert_eq!(paged, row, "switch {switch}");
        }
    }
}
