//! The parts of congestion management in switches.
//!
//! | role          | what it decides                                              |
//! |---------------|--------------------------------------------------------------|
//! | [`isolate`]   | which packets are isolated from the rest                     |
//! | [`mark`]      | which packets are marked                                     |
//! | [`route`]     | which of several paths a packet takes                        |
//! | [`schedule`]  | which flows may use an output now; [`regional`] has RCM's rules |
//!
//! [`telemetry`] is what they write into packets.

pub mod isolate;
pub mod mark;
pub mod regional;
pub mod route;
pub mod schedule;
pub mod telemetry;
