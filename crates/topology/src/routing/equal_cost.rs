//! All shortest paths: for every switch the ports that lead one switch nearer to a host, for switches that choose among
//! them.
//!
//! On a k-ary n-tree or a fat tree these are all ports up, until the host is below; then it is the only port that leads
//! down to it. On a dragonfly, by its own rule, they are those of the shortest paths with at most one link between
//! groups, and not those by a third group, which may be as short.

use std::collections::HashMap;

use super::shortest_path::{FAR, distances, ports_nearer, reachable};
use super::{Formula, Unroutable};
use crate::{Graph, Ports};

/// Switches with hosts on a page.
const PAGE: usize = 64;

/// For every switch, and every switch with hosts, the ports on a shortest path.
///
/// A table of all pairs would be larger than a cache, but it is repetitive: it is cut into pages, and equal pages are
/// stored once.
#[derive(Clone, Debug, Default)]
pub struct EqualCost {
    /// By host: the position of its switch among the switches with hosts.
    homes: Vec<u32>,
    /// Pages of a switch.
    per_switch: usize,
    /// By switch, and position over `PAGE`: where the page begins in `sets`.
    pages: Vec<u32>,
    /// By position on a page: where the ports are in `ports`, and how many there are.
    sets: Vec<CandidateSet>,
    ports: Vec<u16>,
}

/// Where the ports of a set are, and how many there are.
pub type CandidateSet = (u32, u16);

impl EqualCost {
    /// The paths of a network; or the hosts that cannot be reached.
    pub fn of(graph: &Graph) -> Result<Self, Unroutable> {
        let ports = graph.ports();
        reachable(graph, &ports)?;
        Ok(Self::of_ports(&ports))
    }

    /// The paths over the given ports; a host that cannot be reached has none.
    pub fn of_ports(ports: &Ports) -> Self {
        let homes = Homes::of(ports);
        let mut known = Known::default();
        let places = homes.roots.len();
        let mut all = vec![(0, 0); ports.switches.len() * places];
        for (place, &root) in homes.roots.iter().enumerate() {
            let distance = distances(ports, root);
            for switch in (0..ports.switches.len()).filter(|&switch| distance[switch] != FAR) {
                let set: Vec<u16> = ports_nearer(ports, &distance, switch).collect();
                all[switch * places + place] = known.place_of(&set);
            }
        }
        let mut written = Written::default();
        all.chunks(places.max(1)).for_each(|row| written.write(row));
        written.with(homes, known.ports)
    }

    /// The minimal paths of a regular network.
    pub fn by(formula: &dyn Formula, ports: &Ports) -> Self {
        let homes = Homes::of(ports);
        let (mut known, mut set) = (Known::default(), Vec::new());
        let (mut written, mut row) = (Written::default(), Vec::new());
        for switch in 0..ports.switches.len() as u32 {
            row.clear();
            row.extend(homes.roots.iter().map(|&root| {
                set.clear();
                if root != switch {
                    formula.candidates(switch, root, &mut set);
                }
                known.place_of(&set)
            }));
            written.write(&row);
        }
        written.with(homes, known.ports)
    }

    /// The ports by which `switch` leads closer to `host`; none if the host is on this switch.
    #[inline]
    pub fn candidates(&self, switch: u32, host: u32) -> &[u16] {
        self.ports(self.set(switch, host))
    }

    /// Where those ports are, and how many there are.
    #[inline]
    pub fn set(&self, switch: u32, host: u32) -> CandidateSet {
        let home = self.homes[host as usize] as usize;
        let page = self.pages[switch as usize * self.per_switch + home / PAGE];
        self.sets[page as usize + home % PAGE]
    }

    /// The ports of a set.
    #[inline]
    pub fn ports(&self, (first, length): CandidateSet) -> &[u16] {
        &self.ports[first as usize..first as usize + usize::from(length)]
    }

    /// Every set of at least two ports from which a switch chooses, perhaps several times.
    pub fn choices(&self) -> impl Iterator<Item = (u32, &[u16])> {
        self.pages.iter().enumerate().flat_map(move |(number, &page)| {
            let sets = self.sets[page as usize..page as usize + PAGE].iter().filter(|(_, length)| *length > 1);
            sets.map(move |&(first, length)| {
                ((number / self.per_switch) as u32, &self.ports[first as usize..first as usize + usize::from(length)])
            })
        })
    }
}

/// Switches with hosts, in the order of hosts.
struct Homes {
    /// By host: the position of its switch.
    of_host: Vec<u32>,
    /// By position: the switch.
    roots: Vec<u32>,
}

impl Homes {
    fn of(ports: &Ports) -> Self {
        let mut place = vec![u32::MAX; ports.switches.len()];
        let (mut roots, mut of_host) = (Vec::new(), Vec::new());
        for host in 0..ports.hosts.len() as u32 {
            // A host without a switch is one of two hosts that are linked to each other: no switch forwards to it.
            let home = ports.switch_of(host).unwrap_or(0);
            if place[home as usize] == u32::MAX {
                place[home as usize] = roots.len() as u32;
                roots.push(home);
            }
            of_host.push(place[home as usize]);
        }
        Self { of_host, roots }
    }
}

/// The existing sets: equal ones are stored once.
#[derive(Default)]
struct Known {
    ports: Vec<u16>,
    places: HashMap<Vec<u16>, CandidateSet>,
    /// The set that was requested last: neighbours mostly have the same paths.
    last: (Vec<u16>, CandidateSet),
}

impl Known {
    fn place_of(&mut self, set: &[u16]) -> CandidateSet {
        if self.last.0 != set {
            let place = *self.places.entry(set.to_vec()).or_insert_with(|| {
                let first = self.ports.len() as u32;
                self.ports.extend_from_slice(set);
                (first, set.len() as u16)
            });
            self.last = (set.to_vec(), place);
        }
        self.last.1
    }
}

/// The existing pages: equal ones are stored once.
#[derive(Default)]
struct Written {
    pages: Vec<u32>,
    sets: Vec<CandidateSet>,
    places: HashMap<Vec<CandidateSet>, u32>,
}

impl Written {
    /// Appends the sets of the next switch, by position.
    fn write(&mut self, row: &[CandidateSet]) {
        for part in row.chunks(PAGE) {
            let mut page = part.to_vec();
            page.resize(PAGE, (0, 0));
            let place = *self.places.entry(page).or_insert_with_key(|page| {
                let place = self.sets.len() as u32;
                self.sets.extend_from_slice(page);
                place
            });
            self.pages.push(place);
        }
    }

    fn with(self, homes: Homes, ports: Vec<u16>) -> EqualCost {
        let per_switch = homes.roots.len().div_ceil(PAGE);
        EqualCost { homes: homes.of_host, per_switch, pages: self.pages, sets: self.sets, ports }
    }
}
