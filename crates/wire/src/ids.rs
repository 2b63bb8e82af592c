//! Ids: numbers that count things of one kind. Each kind is a type of its own, so that ids of different kinds cannot be
//! mixed up.
//!
//! They cost nothing: an id is a `u32`. The number is public for code that needs it as a number (tables of results,
//! random numbers, fingerprints, and the crates that know nothing of the fabric). Things with successive ids belong
//! together: `id + n` is the id `n` places on, and the difference of two ids is how far apart they are. Tables that are
//! indexed by ids are [`IndexVec`](crate::IndexVec)s.

use std::fmt;
use std::ops::{Add, Range, Sub};

/// A type that indexes the rows of a table.
pub trait Id: Copy {
    /// The id of the row at this place.
    fn of(index: usize) -> Self;
    /// The place of its row.
    fn place(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $Id(pub u32);

        impl $Id {
            /// No id: the end of a list, or not set yet.
            pub const NONE: Self = Self(u32::MAX);

            /// The id of the row at this place of a table.
            #[inline(always)]
            pub const fn from_index(index: usize) -> Self {
                Self(index as u32)
            }

            /// The place of its row in a table.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The ids of a range, one after the other.
            #[inline(always)]
            pub fn each(range: Range<Self>) -> impl DoubleEndedIterator<Item = Self> {
                (range.start.0..range.end.0).map(Self)
            }
        }

        impl Id for $Id {
            #[inline(always)]
            fn of(index: usize) -> Self {
                Self::from_index(index)
            }

            #[inline(always)]
            fn place(self) -> usize {
                self.index()
            }
        }

        impl Add<u32> for $Id {
            type Output = Self;
            #[inline(always)]
            fn add(self, places: u32) -> Self {
                Self(self.0 + places)
            }
        }

        impl Sub<u32> for $Id {
            type Output = Self;
            #[inline(always)]
            fn sub(self, places: u32) -> Self {
                Self(self.0 - places)
            }
        }

        impl Sub for $Id {
            type Output = u32;
            #[inline(always)]
            fn sub(self, other: Self) -> u32 {
                self.0 - other.0
            }
        }

        impl fmt::Display for $Id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A packet's place in the [`crate::Pool`].
    PacketId
    /// A flow: an ordered series of packets from one host.
    FlowId
    /// A host, as the graph counts them.
    HostId
    /// A port: the ports of the hosts come first, then those of the switches, each switch's in the order of its links.
    /// A port id stands for the sending side of a link, and for the receiving side of the link in the opposite
    /// direction.
    PortId
    /// A switch, as the graph counts them.
    SwitchId
    /// A queue of an input of a switch, counted through all inputs.
    QueueId
}

// The ports of hosts come first, and each host has one, so the number of a host is also that of its port. These two
// functions convert one into the other.

impl HostId {
    /// The port of this host.
    #[inline(always)]
    pub const fn port(self) -> PortId {
        PortId(self.0)
    }
}

impl PortId {
    /// The host that this port belongs to. The caller knows that it is the port of a host.
    #[inline(always)]
    pub const fn host(self) -> HostId {
        HostId(self.0)
    }
}
