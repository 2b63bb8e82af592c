//! The parts of congestion management in hosts, as receivers and as sources.
//!
//! | role          | what it decides                                                          |
//! |---------------|--------------------------------------------------------------------------|
//! | [`notify`]    | how a mark is reported to its source                                     |
//! | [`react`]     | how fast a source may send; [`cct_table`] is InfiniBand's table for it   |
//! | [`transport`] | what is sent next, and what is sent again on lossy links                 |
//! | [`paths`]     | which of many paths a packet of a transport takes                        |
//!
//! [`acks`] says which packets one ACK acknowledges, [`bounds`] what holds a flow back on its path.

pub mod acks;
pub mod bounds;
pub mod cct_table;
mod link_view;
pub mod notify;
pub mod paths;
pub mod react;
pub mod transport;
