//! What switches do about congestion.
//!
//! | role          | what it decides                                          |
//! |---------------|----------------------------------------------------------|
//! | [`isolate`]   | what is set aside from the rest                          |
//! | [`mark`]      | which packets are marked                                 |
//! | [`route`]     | which of several ways a packet takes                     |
//! | [`schedule`]  | who may use an output now; [`regional`] has RCM's rules  |
//!
//! [`telemetry`] is what they write into packets.

pub mod isolate;
pub mod mark;
pub mod regional;
pub mod route;
pub mod schedule;
pub mod telemetry;
