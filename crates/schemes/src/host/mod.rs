//! What hosts do about congestion, as receivers and as sources.
//!
//! | role          | what it decides                                                          |
//! |---------------|--------------------------------------------------------------------------|
//! | [`notify`]    | how a mark comes back to its source                                      |
//! | [`react`]     | how fast a source may go on; [`cct_table`] is InfiniBand's table for it  |
//! | [`transport`] | what is sent next, and again, where links lose                           |
//! | [`paths`]     | which of many paths a packet of a transport takes                        |
//!
//! [`acks`] says which packets one ACK answers.

pub mod acks;
pub mod cct_table;
pub mod notify;
pub mod paths;
pub mod react;
pub mod transport;
