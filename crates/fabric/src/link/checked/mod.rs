//! Links whose receiver checks each frame before it is forwarded.
//!
//! Elsewhere a link is perfect, and a packet is forwarded from its head. Where links may damage what they carry, the
//! far end waits for the whole frame and looks at its checksum. Without retry a damaged packet is lost, and reported as
//! such. With retry (Link-Level Retry, UEC 1.0 section 5.1) it is sent again on the same link, together with
//! everything that came behind it, so that the network above sees neither loss nor reordering, only delay.
//!
//! Control words (`Ack`, `Nack`) are frames between neighbours (`link/frames.rs`): 8 bytes sent in band at the next
//! packet boundary, before any packet.

mod check;
pub(crate) mod ends;
pub(crate) mod errors;
pub(super) mod receiver;
mod replay;
mod retry;
mod sender;
