//! Links whose frames are looked at before they go on.
//!
//! Elsewhere a link is perfect, and a packet goes on from its head. Where links may damage what they carry, the far end
//! waits for the whole frame and looks at its checksum. What it then does with a damaged one is one of two things: without
//! retry the packet is lost, and told so; with retry (Link-Level Retry, UEC 1.0 section 5.1) it is sent again on the same link,
//! with all that came behind it, so that the network above sees neither loss nor another order, only time.
//!
//! Control words (`Ack`, `Nack`) are frames between neighbours (`link/frames.rs`): 8 bytes that go in band at the next packet
//! boundary, before any packet.

mod check;
pub(crate) mod ends;
pub(crate) mod errors;
pub(super) mod receiver;
mod replay;
mod retry;
mod sender;
