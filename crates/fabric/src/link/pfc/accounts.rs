//! Memory of switches and hosts that pause their senders: what is taken, what is free, and when to pause.
//!
//! Nothing reserves room in advance here. Room is taken when a packet is routable (at a host: when its last byte has
//! arrived) and given back when it starts to be sent (at a host: when it has been drained). An *account* counts the
//! bytes of one input port and lane, or of one queue of it. There are two kinds of memory:
//!
//! - *Own memory.* An account holds at most `room`. It asks for a pause when it holds more than `xoff`, until it
//!   holds `xon` or less.
//! - *Memory shared* by all ports of a switch. An account has `reserved` bytes for itself; beyond those it takes
//!   shared memory, up to a threshold that is either fixed, or alpha times the free shared memory. A packet that would
//!   exceed the threshold goes into the headroom of the account, and a pause is asked for. The pause may end when the
//!   headroom is empty and the account is `offset` below its threshold; this is checked when bytes of the account have
//!   left. The headroom of an account is either kept for it alone, or is the most that it may have of a headroom that
//!   all accounts of the switch share.
//!
//! A lane that never pauses drops packets that find no room. In shared memory these are packets that would bring the
//! queue of their output above alpha times the free shared memory.

use crate::link::pfc::headroom::Loop;
use crate::plan::{Plan, SharedPlan, Threshold};

/// Whether a packet may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// There is room.
    Kept,
    /// There is room, and the sender must be paused from now on.
    Crossed,
    /// There is no room.
    Refused,
}

/// Bytes of an input port and lane, or of a queue, and the most that it may hold. Both are in one cache line, since
/// every packet that comes in or leaves needs both.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Account {
    /// Bytes below the threshold.
    pub held: u64,
    /// Bytes in the headroom.
    pub above: u64,
    /// It asks for a pause.
    pub pausing: bool,
    /// Most that it has held at once.
    pub most: u64,
    /// What it may hold in own memory; with shared memory, what it may hold whatever the state of the shared memory.
    own: Own,
}

/// Limits of an account's own memory. If the memory is shared, they apply to the reserved bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Own {
    /// Most bytes.
    pub room: u64,
    /// A pause is asked for above this, if ever.
    pub xoff: u64,
    /// The pause ends at or below this.
    pub xon: u64,
}

/// What a port may use of shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtPort {
    /// Headroom of each lossless lane: bytes for what comes in after a pause was asked for.
    pub headroom: u64,
    /// If thresholds are dynamic: each account may use this times the free shared memory.
    pub alpha: f64,
}

/// Shared memory of one switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedMemory {
    /// Bytes that all accounts share.
    pub size: u64,
    /// How many of these bytes are in use.
    pub used: u64,
    /// Bytes of headroom that all accounts share; the maximum value if each has its own.
    pub headroom: u64,
    /// How many bytes of headroom are in use.
    pub above: u64,
    /// Bytes reserved for each account.
    reserved: u64,
    threshold: Threshold,
    lossy_alpha: f64,
}

impl Own {
    /// Limits of a lane at an input port with `room` bytes, as in the plan; `None` if the headroom does not fit in.
    pub(crate) fn of(plan: &Plan, room: u64, lossless: bool, port: &Loop, is_host: bool) -> Option<Own> {
        if !lossless {
            return Some(Own { room, xoff: u64::MAX, xon: u64::MAX });
        }
        let exact = || room.checked_sub(port.headroom().0);
        let (xoff, xon) = match plan.pfc.as_ref()?.threshold {
            Threshold::Static { xoff, xon } if !is_host => (xoff.map(|xoff| xoff.0).or_else(exact)?, xon),
            _ => (exact()?, None),
        };
        let by_default = xoff.saturating_sub(2 * plan.largest().0);
        Some(Own { room, xoff, xon: xon.map_or(by_default, |xon| xon.0.min(xoff)) })
    }

    /// Bytes reserved beside shared memory. Then every departure may end a pause, which has to be checked.
    pub(crate) fn reserved(room: u64) -> Self {
        Self { room, xoff: room, xon: u64::MAX }
    }
}

impl Account {
    /// An empty account with these limits.
    pub(crate) fn of(own: Own) -> Self {
        Self { own, ..Self::default() }
    }

    /// All bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        self.held + self.above
    }

    /// Bytes below the threshold that it has taken from the shared memory of its switch.
    pub(crate) fn shared(&self, pool: &SharedMemory) -> u64 {
        self.held.saturating_sub(pool.reserved)
    }

    /// Takes room in own memory, if there is room and this asks for no new pause. Returns whether it did.
    #[inline(always)]
    pub(super) fn take_quietly(&mut self, size: u64) -> bool {
        let held = self.held + size;
        let quiet = held <= self.own.room && (held <= self.own.xoff || self.pausing);
        if quiet {
            (self.held, self.most) = (held, self.most.max(held + self.above));
        }
        quiet
    }

    /// Gives room back, if all is in own memory and no pause ends by this. Returns whether it did.
    #[inline(always)]
    pub(super) fn give_quietly(&mut self, size: u64) -> bool {
        let quiet = self.held <= self.own.room && (!self.pausing || self.held > self.own.xon.saturating_add(size));
        if quiet {
            self.held -= size;
        }
        quiet
    }

    /// Takes room in own memory.
    pub(crate) fn take(&mut self, size: u64) -> Taken {
        if self.held + size > self.own.room {
            return Taken::Refused;
        }
        self.held += size;
        self.most = self.most.max(self.held);
        self.cross(self.held > self.own.xoff)
    }

    /// Gives room back. Whether a pause ends is checked separately.
    pub(crate) fn give(&mut self, size: u64) {
        self.held -= size;
    }

    /// Returns whether the pause for want of own memory ends.
    pub(crate) fn ends_own(&mut self) -> bool {
        self.ends(self.held <= self.own.xon)
    }

    /// Takes room in shared memory at this port. In a lane that never pauses the bound applies to the bytes that wait
    /// for the packet's output in that lane, given as `Some`.
    pub(crate) fn take_shared(
        &mut self,
        pool: &mut SharedMemory,
        size: u64,
        port: AtPort,
        lossy: Option<u64>,
    ) -> Taken {
        let shared = (self.held + size).saturating_sub(pool.reserved);
        let more = shared - self.shared(pool);
        let free = pool.size - pool.used;
        let below = match lossy {
            None => shared <= pool.threshold(port.alpha),
            Some(queued) => queued + size <= (pool.lossy_alpha * free as f64) as u64,
        };
        if more == 0 || (more <= free && below) {
            self.held += size;
            pool.used += more;
            self.most = self.most.max(self.bytes());
            return Taken::Kept;
        }
        if lossy.is_some() || self.above + size > port.headroom || pool.above + size > pool.headroom {
            return Taken::Refused;
        }
        self.above += size;
        pool.above += size;
        self.most = self.most.max(self.bytes());
        self.cross(true)
    }

    /// Gives room back, from the headroom first. Whether a pause ends is checked separately: others may give room
    /// back at the same instant.
    pub(crate) fn give_shared(&mut self, pool: &mut SharedMemory, size: u64) {
        let above = size.min(self.above);
        self.above -= above;
        pool.above -= above;
        let before = self.shared(pool);
        self.held -= size - above;
        pool.used -= before - self.shared(pool);
    }

    /// Returns whether the pause for want of shared memory at this port ends.
    pub(crate) fn ends_shared(&mut self, pool: &SharedMemory, port: AtPort) -> bool {
        let shared = self.shared(pool);
        self.ends(
            self.above == 0 && (shared == 0 || shared.saturating_add(pool.offset()) <= pool.threshold(port.alpha)),
        )
    }

    fn cross(&mut self, over: bool) -> Taken {
        if !over || self.pausing {
            return Taken::Kept;
        }
        self.pausing = true;
        Taken::Crossed
    }

    fn ends(&mut self, under: bool) -> bool {
        let ends = self.pausing && under;
        self.pausing &= !ends;
        ends
    }
}

impl SharedMemory {
    /// Shared memory of this size after reserves and headroom.
    pub(crate) fn new(size: u64, plan: &SharedPlan, threshold: Threshold) -> Self {
        let headroom = plan.headroom_pool.map_or(u64::MAX, |pool| pool.0);
        let (reserved, lossy_alpha) = (plan.reserved.0, plan.lossy_alpha);
        Self { size, used: 0, headroom, above: 0, reserved, threshold, lossy_alpha }
    }

    /// The most shared memory that an account of a port with this alpha may use now.
    fn threshold(&self, alpha: f64) -> u64 {
        match self.threshold {
            Threshold::Static { xoff, .. } => xoff.map_or(self.size, |xoff| xoff.0),
            Threshold::Dynamic { .. } => (alpha * (self.size - self.used) as f64) as u64,
        }
    }

    /// A pause ends this far below the threshold (bytes).
    pub(crate) fn offset(&self) -> u64 {
        match self.threshold {
            Threshold::Static { xoff, xon } => {
                let most = xoff.map_or(self.size, |xoff| xoff.0);
                xon.map_or(0, |xon| most.saturating_sub(xon.0))
            }
            Threshold::Dynamic { offset, .. } => offset.0,
        }
    }
}

#[cfg(test)]
mod tests;
