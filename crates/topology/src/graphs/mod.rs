//! The topologies: one file each, with its parameters, their checks, and its construction.
//!
//! Every `build` is a pure function of its parameters and of the [`Wire`](crate::Wire) that links are made of. `check`
//! reports all errors at once; `build` may be called if there are none. Links of hosts come first, in the order of host
//! ids, so that the low ports of a switch lead to its hosts. A new topology is a file in the folder of its kind and a
//! line of the list below.

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
        /// Senders on one switch, receivers on another, and one link between them that all share.
        Dumbbell = dumbbell::Dumbbell,
        /// Switches in a row with hosts on each: the parking lot.
        Chain = chain::Chain,
    }
    trees {
        /// Several levels of switches, each with k links down and k links up.
        KAryNTree = k_ary_n_tree::KAryNTree,
        /// Fat tree of two or three layers, of switches of one radix.
        FatTree = fat_tree::FatTree,
        /// Folded Clos with given numbers of links down and up at each level: may be oversubscribed, have rails, or
        /// several planes.
        Clos = clos::Clos,
    }
    direct {
        /// Groups of fully connected switches; the groups are fully connected, too.
        Dragonfly = dragonfly::Dragonfly,
        /// Groups of leaves and spines; the spines connect every group to every other.
        DragonflyPlus = dragonfly_plus::DragonflyPlus,
        /// A grid in which the switches of every row are fully connected.
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
