//! Forwarding tables as the loop wants them: small.
//!
//! The tables of a large tree are bigger than a cache, but they repeat themselves: all switches of a level forward
//! most hosts alike. So a table is cut into pages of 64 hosts, equal pages are kept once, and each switch has a list
//! of its pages. The tables of 972 switches for 5,832 hosts shrink from 11 MB to a third of one.

use std::collections::HashMap;

use congestree_topology::Routes;

/// Hosts on a page.
const PAGE: usize = 64;

/// For every switch and host, the local port towards the host.
#[derive(Debug)]
pub(crate) struct Forwarding {
    /// Pages of a switch.
    per_switch: usize,
    /// By switch: where its pages begin in `ports`, in pages.
    pages: Vec<u32>,
    ports: Vec<u16>,
}

impl Forwarding {
    /// The tables of a plan. Every host is reachable in a checked plan.
    pub(crate) fn new(routes: &Routes, switches: u32, hosts: u32) -> Self {
        let mut known: HashMap<Vec<u16>, u32> = HashMap::new();
        let mut tables =
            Forwarding { per_switch: (hosts as usize).div_ceil(PAGE), pages: Vec::new(), ports: Vec::new() };
        let mut row = Vec::new();
        for switch in 0..switches {
            routes.row(switch, &mut row);
            row.resize(tables.per_switch * PAGE, Routes::NONE);
            for page in row.chunks(PAGE) {
                let place = match known.get(page) {
                    Some(&place) => place,
                    None => {
                        let place = (tables.ports.len() / PAGE) as u32;
                        tables.ports.extend_from_slice(page);
                        known.insert(page.to_vec(), place);
                        place
                    }
                };
                tables.pages.push(place);
            }
        }
        tables
    }

    /// The local port by which `switch` forwards to `host`.
    #[inline]
    pub(crate) fn port(&self, switch: u32, host: u32) -> u16 {
        let page = self.pages[switch as usize * self.per_switch + host as usize / PAGE];
        self.ports[page as usize * PAGE + host as usize % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for switch in 0..switches {
            for host in 0..hosts {
                assert_eq!(tables.port(switch, host), routes.port(switch, host));
            }
        }
        assert!(tables.ports.len() < (switches * hosts / 5) as usize, "{}", tables.ports.len());
    }
}
