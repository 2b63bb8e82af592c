//! What travels: packets, the slab that holds those in flight, and the ids of all parts of a network.

mod ids;
mod index_vec;
mod packet;
mod pool;

pub use ids::{FlowId, HostId, Id, PacketId, PortId, QueueId, SwitchId};
pub use index_vec::IndexVec;
pub use packet::{Packet, PacketKind, Sign};
pub use pool::Pool;
