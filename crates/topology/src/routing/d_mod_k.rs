//! D-mod-K: the digits of the destination choose the way up a tree; the way down is the only one there is.
//!
//! A switch below which the destination lies sends down. Otherwise a switch of level l sends up by port
//! ⌊d / kˡ⌋ mod k for destination d, in a fat tree of radix r likewise with k = r/2. Then a link down
//! carries the traffic of one destination only, and a shift permutation (every host h sends to h + s) shares no link:
//! the tree is non-blocking for it.

use super::Routes;
use crate::graphs::{FatTree, KAryNTree};

/// A tree that D-mod-K knows its way around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Many levels of switches.
    KAryNTree(KAryNTree),
    /// Leaves and spines.
    FatTree(FatTree),
}

impl From<KAryNTree> for Tree {
    fn from(tree: KAryNTree) -> Self {
        Tree::KAryNTree(tree)
    }
}

impl From<FatTree> for Tree {
    fn from(tree: FatTree) -> Self {
        Tree::FatTree(tree)
    }
}

/// The routes of a tree of this shape, as its `build` makes it.
pub fn d_mod_k(tree: impl Into<Tree>) -> Routes {
    match tree.into() {
        Tree::KAryNTree(tree) => k_ary_n_tree(tree),
        Tree::FatTree(tree) => fat_tree(tree),
    }
}

fn k_ary_n_tree(tree: KAryNTree) -> Routes {
    let KAryNTree { k, n } = tree;
    let mut routes = Routes::empty((n * tree.per_level()) as usize, tree.hosts() as usize);
    for level in 0..n {
        // Digits of a host above `level` are the digits of its switch from `level` on.
        let above = k.pow(level);
        for index in 0..tree.per_level() {
            for host in 0..tree.hosts() {
                let digit = host / above % k;
                let below_here = host / above / k == index / above;
                let port = if below_here { digit } else { k + digit };
                routes.set(tree.switch(level, index), host, port as u16);
            }
        }
    }
    routes
}

fn fat_tree(tree: FatTree) -> Routes {
    let (half, leaves) = (tree.half(), tree.leaves());
    let mut routes = Routes::empty(tree.switches() as usize, tree.hosts() as usize);
    for host in 0..tree.hosts() {
        let (home, digit) = (host / half, host % half);
        for leaf in 0..leaves {
            let port = if leaf == home { digit } else { half + digit };
            routes.set(leaf, host, port as u16);
        }
        if tree.layers == 2 {
            for spine in leaves..tree.switches() {
                routes.set(spine, host, home as u16);
            }
            continue;
        }
        let pod = home / half;
        for aggregation in 0..leaves {
            let port = if aggregation / half == pod { home % half } else { half + home % half };
            routes.set(leaves + aggregation, host, port as u16);
        }
        for core in 2 * leaves..tree.switches() {
            routes.set(core, host, pod as u16);
        }
    }
    routes
}
