//! The topologies: one file each, with its parameters, what is sensible, and how it is built.
//!
//! Every `build` is a pure function of its parameters and of the [`Wire`](crate::Wire) that links are made of.
//! `check` says all that is wrong at once; `build` may be called when it says nothing. Links of hosts come first,
//! in the order of host ids, so that the low ports of a switch lead to its hosts.

mod chain;
mod custom;
mod dumbbell;
mod fat_tree;
mod k_ary_n_tree;
mod limits;
mod single_switch;
mod test_bed;
mod two_switch;

pub use chain::Chain;
pub use custom::{Custom, CustomLink};
pub use dumbbell::Dumbbell;
pub use fat_tree::FatTree;
pub use k_ary_n_tree::KAryNTree;
pub use limits::{MAX_HOSTS, MAX_PORTS, MAX_RADIX, MAX_ROUTES};
pub use single_switch::SingleSwitch;
pub use test_bed::TestBed;
pub use two_switch::TwoSwitch;
