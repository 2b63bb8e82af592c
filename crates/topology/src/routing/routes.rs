//! Fixed routes: one output port for every switch and destination, in a table or by a formula.

use std::sync::Arc;

use super::Formula;

/// For every switch and every host, the switch's port towards that host.
#[derive(Clone, Debug)]
pub struct Routes {
    switches: u32,
    hosts: u32,
    by: By,
}

#[derive(Clone, Debug)]
enum By {
    /// Ports by switch and host.
    Table(Vec<u16>),
    Formula(Arc<dyn Formula>),
}

impl Routes {
    /// Marks a host that a switch cannot reach.
    pub const NONE: u16 = u16::MAX;

    /// Tables in which no host can be reached yet.
    pub fn empty(switches: usize, hosts: usize) -> Self {
        let by = By::Table(vec![Self::NONE; switches * hosts]);
        Self { switches: switches as u32, hosts: hosts as u32, by }
    }

    /// Routes of a regular network with this number of switches and hosts.
    pub fn by(formula: Arc<dyn Formula>, switches: u32, hosts: u32) -> Self {
        Self { switches, hosts, by: By::Formula(formula) }
    }

    /// The formula that they follow, if there is one.
    pub fn formula(&self) -> Option<&Arc<dyn Formula>> {
        match &self.by {
            By::Formula(formula) => Some(formula),
            By::Table(_) => None,
        }
    }

    /// The local port number by which `switch` forwards to `host`, or [`Routes::NONE`].
    pub fn port(&self, switch: u32, host: u32) -> u16 {
        match &self.by {
            By::Table(next) => next[switch as usize * self.hosts as usize + host as usize],
            By::Formula(formula) => match formula.home(host) {
                (home, port) if home == switch => port,
                (home, _) => {
                    let mut candidates = Vec::new();
                    formula.by_rule(switch, home, &mut candidates);
                    formula.pick(switch, host, &candidates)
                }
            },
        }
    }

    /// Makes `switch` forward to `host` by its local port `port`. Routes by a formula become a table first.
    pub fn set(&mut self, switch: u32, host: u32, port: u16) {
        let place = switch as usize * self.hosts as usize + host as usize;
        match &mut self.by {
            By::Table(next) => next[place] = port,
            By::Formula(_) => {
                let mut next = self.table();
                next[place] = port;
                self.by = By::Table(next);
            }
        }
    }

    /// Writes the ports of one switch, by host id.
    pub fn row(&self, switch: u32, row: &mut Vec<u16>) {
        row.clear();
        match &self.by {
            By::Table(next) => {
                let first = switch as usize * self.hosts as usize;
                row.extend_from_slice(&next[first..first + self.hosts as usize]);
            }
            By::Formula(formula) => {
                // Hosts of one switch are mostly consecutive, and are reached by the same ports.
                let (mut known, mut candidates) = (None, Vec::new());
                for host in 0..self.hosts {
                    let (home, port) = formula.home(host);
                    if home == switch {
                        row.push(port);
                        continue;
                    }
                    if known != Some(home) {
                        candidates.clear();
                        formula.by_rule(switch, home, &mut candidates);
                        known = Some(home);
                    }
                    row.push(formula.pick(switch, host, &candidates));
                }
            }
        }
    }

    /// All ports, by switch and host.
    pub fn table(&self) -> Vec<u16> {
        let (mut all, mut row) = (Vec::new(), Vec::new());
        for switch in 0..self.switches {
            self.row(switch, &mut row);
            all.extend_from_slice(&row);
        }
        all
    }
}

impl PartialEq for Routes {
    fn eq(&self, other: &Self) -> bool {
        let size = |routes: &Routes| (routes.switches, routes.hosts);
        size(self) == size(other) && self.table() == other.table()
    }
}

impl Eq for Routes {}
