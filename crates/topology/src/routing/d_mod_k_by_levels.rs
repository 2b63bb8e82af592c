//! D-mod-K on a tree that was listed link by link: the levels are recognised, and missing links are avoided.
//!
//! Hosts are numbered from left to right below the tree: leaves in the order in which a walk from the top finds them,
//! hosts by port. On the way up to destination number j, a switch of level l takes the up-port ⌊j / (w₀·…·w_{l-1})⌋ mod
//! (number of its up-ports), where w is the largest number of parents of a switch of that level, and ports to different
//! parents come before parallel links to the same one, as in parallel-ports generalised fat trees (Zahavi 2011). Among
//! parallel links down, ⌊j / (w₀·…·w_{l-1})⌋ decides as well. On k-ary n-trees and fat trees these are exactly the
//! routes of [`d_mod_k`](super::d_mod_k).
//!
//! If no path down leads to the destination beyond an up-port, because links are missing, the next up-port in turn is
//! used. No route goes down and then up, so there is no credit loop.

use super::Routes;
use crate::levels::levels;
use crate::{Diagnostic, Graph, Node, Ports};

/// The routes of a tree of levels; or the reason why there are none.
pub fn d_mod_k_by_levels(graph: &Graph) -> Result<Routes, Diagnostic> {
    let ports = graph.ports();
    let level = levels(graph, &ports).map_err(|fact| {
        let remedy = "route it by shortest-path or by a table";
        Diagnostic::new("", format!("this is not a tree of levels: {fact}"), remedy)
    })?;
    let tree = Levelled::new(&ports, level);
    let mut routes = Routes::empty(graph.switches.len(), graph.hosts.len());
    let starts: Vec<u32> = (0..graph.switches.len() as u32).filter(|&s| has_hosts(&ports, s)).collect();
    let rank = tree.ranks(&ports, graph.hosts.len());
    for home in &starts {
        let paths = tree.paths_to(&ports, *home);
        if let Some(&cut_off) = starts.iter().find(|&&start| !paths.reaches[start as usize]) {
            let [from, to] = [cut_off, *home].map(|switch| &graph.switches[switch as usize]);
            let fact = format!("no way leads up and then down from `{from}` to the hosts of `{to}`");
            return Err(Diagnostic::new("", fact, "route it by shortest-path or by a table"));
        }
        for port in ports.switches[*home as usize].iter() {
            let Node::Host(host) = port.peer else { continue };
            for switch in 0..graph.switches.len() as u32 {
                if switch == *home {
                    routes.set(switch, host, ports.hosts[host as usize][0].peer_port);
                } else if let Some(port) = tree.port(switch, rank[host as usize], &paths, &ports) {
                    routes.set(switch, host, port);
                }
            }
        }
    }
    Ok(routes)
}

fn has_hosts(ports: &Ports, switch: u32) -> bool {
    ports.switches[switch as usize].iter().any(|port| matches!(port.peer, Node::Host(_)))
}

/// A tree of levels, as its switches see it.
struct Levelled {
    level: Vec<u32>,
    /// By switch: ports up, those to different parents first.
    up: Vec<Vec<u16>>,
    /// By switch: ports down, those to different children first.
    down: Vec<Vec<u16>>,
    /// By level: the product of the numbers of parents below it.
    divisor: Vec<u32>,
    /// Switches from the highest level to the lowest.
    from_above: Vec<u32>,
}

/// The paths to the hosts of one switch.
struct PathsTo {
    /// By switch: ports down that lead there; empty unless the hosts are below.
    down: Vec<Vec<u16>>,
    /// By switch: whether a path up and then down leads there.
    reaches: Vec<bool>,
}

impl Levelled {
    fn new(ports: &Ports, level: Vec<u32>) -> Self {
        let side = |switch: usize, is_up: bool| {
            let mut seen: Vec<u32> = Vec::new();
            let mut found: Vec<(usize, u16)> = Vec::new();
            for (at, port) in ports.switches[switch].iter().enumerate() {
                if let Node::Switch(peer) = port.peer
                    && (level[peer as usize] > level[switch]) == is_up
                {
                    found.push((seen.iter().filter(|&&other| other == peer).count(), at as u16));
                    seen.push(peer);
                }
            }
            found.sort();
            let different = found.iter().filter(|(earlier, _)| *earlier == 0).count();
            (found.into_iter().map(|(_, port)| port).collect::<Vec<u16>>(), different as u32)
        };
        let highest = level.iter().copied().max().unwrap_or(0) as usize;
        let mut widest = vec![1u32; highest + 1];
        let mut up = Vec::new();
        for switch in 0..level.len() {
            let (ports_up, parents) = side(switch, true);
            widest[level[switch] as usize] = widest[level[switch] as usize].max(parents);
            up.push(ports_up);
        }
        let down = (0..level.len()).map(|switch| side(switch, false).0).collect();
        let mut divisor = vec![1u32; highest + 1];
        for l in 1..=highest {
            divisor[l] = divisor[l - 1].saturating_mul(widest[l - 1]);
        }
        let mut from_above: Vec<u32> = (0..level.len() as u32).collect();
        from_above.sort_by_key(|&switch| std::cmp::Reverse(level[switch as usize]));
        Self { level, up, down, divisor, from_above }
    }

    /// The number of each host in the order from left to right below the tree.
    fn ranks(&self, ports: &Ports, hosts: usize) -> Vec<u32> {
        let mut rank = vec![u32::MAX; hosts];
        let (mut next, mut seen) = (0, vec![false; self.level.len()]);
        for &top in &self.from_above {
            let mut walk = vec![top];
            while let Some(switch) = walk.pop() {
                if std::mem::replace(&mut seen[switch as usize], true) {
                    continue;
                }
                let own = &ports.switches[switch as usize];
                for port in own {
                    if let Node::Host(host) = port.peer {
                        rank[host as usize] = next;
                        next += 1;
                    }
                }
                for &port in self.down[switch as usize].iter().rev() {
                    if let Node::Switch(child) = own[usize::from(port)].peer {
                        walk.push(child);
                    }
                }
            }
        }
        rank
    }

    /// The paths to the hosts of the switch `home`.
    fn paths_to(&self, ports: &Ports, home: u32) -> PathsTo {
        let count = self.level.len();
        let mut paths = PathsTo { down: vec![Vec::new(); count], reaches: vec![false; count] };
        let leads_to = |switch: u32, port: u16, good: &dyn Fn(usize) -> bool| match ports.switches[switch as usize]
            [usize::from(port)]
        .peer
        {
            Node::Switch(peer) => good(peer as usize),
            Node::Host(_) => false,
        };
        for &switch in self.from_above.iter().rev().filter(|&&s| self.level[s as usize] > self.level[home as usize]) {
            let below = |peer: usize| peer == home as usize || !paths.down[peer].is_empty();
            let down = self.down[switch as usize].iter().copied().filter(|&port| leads_to(switch, port, &below));
            paths.down[switch as usize] = down.collect();
        }
        for &switch in &self.from_above {
            let up = |peer: usize| paths.reaches[peer];
            paths.reaches[switch as usize] = switch == home
                || !paths.down[switch as usize].is_empty()
                || self.up[switch as usize].iter().any(|&port| leads_to(switch, port, &up));
        }
        paths
    }

    /// The port by which `switch` sends to the host of number `rank`.
    fn port(&self, switch: u32, rank: u32, paths: &PathsTo, ports: &Ports) -> Option<u16> {
        let digit = (rank / self.divisor[self.level[switch as usize] as usize]) as usize;
        let down = &paths.down[switch as usize];
        if !down.is_empty() {
            return Some(down[digit % down.len()]);
        }
        let up = &self.up[switch as usize];
        let leads_there = |&port: &u16| match ports.switches[switch as usize][usize::from(port)].peer {
            Node::Switch(peer) => paths.reaches[peer as usize],
            Node::Host(_) => false,
        };
        (0..up.len()).map(|turn| up[(digit + turn) % up.len()]).find(leads_there)
    }
}
