//! What travels: packets, and the slab that holds those in flight.

mod packet;
mod pool;

pub use packet::{Kind, Packet, PacketId, Sign};
pub use pool::Pool;
