//! Where a packet goes next: forwarding tables, choice between paths, and detours.

pub(crate) mod detour;
pub(crate) mod detours;
pub(crate) mod forwarding;
pub(crate) mod idle_path;
pub(crate) mod next_hop;
pub(crate) mod path_choice;
pub(crate) mod planned;
