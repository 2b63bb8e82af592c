//! The topologies: one file each, with its parameters, what is sensible, and how it is built.
//!
//! Every `build` is a pure function of its parameters and of the [`Wire`](crate::Wire) that links are made of.
//! `check` says all that is wrong at once; `build` may be called when it says nothing. Links of hosts come first,
//! in the order of host ids, so that the low ports of a switch lead to its hosts. A new topology is a file in the folder of its
//! kind and a line of the list below.

#[macro_use]
mod list;

mod global_links;
mod grid;
mod limits;
mod topology;

pub use global_links::Arrangement;
pub use limits::{MAX_HOSTS, MAX_PORTS, MAX_RADIX, MAX_REGULAR_ROUTES, MAX_ROUTES};
pub use topology::{Size, Topology};
pub use written::custom::CustomLink;

topologies! {
    small {
        /// Two switches A and B with one link between them: the smallest network with a congestion tree and victims.
        TwoSwitch = two_switch::TwoSwitch,
        /// One switch S with all hosts on it.
        SingleSwitch = single_switch::SingleSwitch,
        /// Seven hosts on two switches with a link of their own rate between them.
        TestBed = test_bed::TestBed,
        /// Senders on one switch, receivers on another, and one link that all share.
        Dumbbell = dumbbell::Dumbbell,
        /// Switches in a row with hosts on each: the parking lot.
        Chain = chain::Chain,
    }
    trees {
        /// Several levels of switches with k links down and k links up each.
        KAryNTree = k_ary_n_tree::KAryNTree,
        /// Three-stage fat tree of switches of one radix.
        FatTree = fat_tree::FatTree,
        /// Levels of switches with as many links down and up as are given: oversubscribed, with rails, or in several planes.
        Clos = clos::Clos,
    }
    direct {
        /// Groups of switches that are all linked to each other, and groups likewise.
        Dragonfly = dragonfly::Dragonfly,
        /// Groups of leaves and spines, and every group linked to each other by its spines.
        DragonflyPlus = dragonfly_plus::DragonflyPlus,
        /// A grid in which the switches of every row are all linked to each other.
        HyperX = hyper_x::HyperX,
        /// A grid whose rows are rings.
        Torus = torus::Torus,
        /// A grid whose rows are open at their ends.
        Mesh = mesh::Mesh,
    }
    written {
        /// Any network, written link by link.
        Graph = custom::Custom,
    }
}
