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
        let more = shared - self.held.saturating_sub(pool.reserved);
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
        let before = self.held.saturating_sub(pool.reserved);
        self.held -= size - above;
        let shared = self.held.saturating_sub(pool.reserved);
        pool.used -= before - shared;
    }

    /// Returns whether the pause for want of shared memory at this port ends.
    pub(crate) fn ends_shared(&mut self, pool: &SharedMemory, port: AtPort) -> bool {
        let shared = self.held.saturating_sub(pool.reserved);
        self.ends(self.above == 0 && (shared == 0 || shared + pool.offset() <= pool.threshold(port.alpha)))
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
            Threshold::Static { xoff, xon } => match (xoff, xon) {
                (Some(xoff), Some(xon)) => xoff.0.saturating_sub(xon.0),
                _ => 0,
            },
            Threshold::Dynamic { offset, .. } => offset.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Bytes;
    use proptest::prelude::*;

    use super::*;
    use crate::plan::Headroom;

    const OWN: Own = Own { room: 5_000, xoff: 3_000, xon: 1_000 };

    #[test]
    fn a_pause_is_asked_for_above_xoff_and_ends_at_xon() {
        let mut account = Account::of(OWN);
        assert_eq!(account.take(3_000), Taken::Kept);
        assert_eq!(account.take(1), Taken::Crossed);
        assert_eq!(account.take(1_999), Taken::Kept);
        assert_eq!(account.take(1), Taken::Refused);
        let mut given = |size| {
            account.give(size);
            account.ends_own()
        };
        assert!(!given(3_999));
        assert!(given(1));
        assert!(!given(1_000));
    }

    fn pool(threshold: Threshold) -> SharedMemory {
        sharing_headroom(threshold, None)
    }

    fn sharing_headroom(threshold: Threshold, headroom_pool: Option<Bytes>) -> SharedMemory {
        let (size, reserved) = (Bytes(0), Bytes(500));
        let plan = SharedPlan { size, reserved, headroom: Headroom::Needed, headroom_pool, lossy_alpha: 0.5 };
        SharedMemory::new(10_000, &plan, threshold)
    }

    const HALF: Threshold = Threshold::Dynamic { alpha: 0.5, for_rate: None, offset: Bytes(1_000) };

    fn port(headroom: u64) -> AtPort {
        AtPort { headroom, alpha: 0.5 }
    }

    #[test]
    fn a_dynamic_threshold_is_a_share_of_what_is_free() {
        let (mut pool, mut account) = (pool(HALF), Account::default());
        // 500 are reserved; with alpha = 1/2 a third of the 10,000 shared bytes is used when it equals alpha times
        // the rest.
        let mut kept = 0;
        while account.take_shared(&mut pool, 100, port(1_000), None) == Taken::Kept {
            kept += 100;
        }
        assert_eq!((kept, pool.used, account.above), (3_800, 3_300, 100));
        // Another account now has a lower threshold.
        let mut other = Account::default();
        let mut kept = 0;
        while other.take_shared(&mut pool, 100, port(1_000), None) == Taken::Kept {
            kept += 100;
        }
        assert_eq!(kept, 500 + 2_200);
    }

    #[test]
    fn a_full_headroom_refuses_and_a_pause_ends_below_the_offset() {
        let (mut pool, mut account) =
            (pool(Threshold::Static { xoff: Some(Bytes(2_000)), xon: Some(Bytes(500)) }), Account::default());
        assert_eq!(account.take_shared(&mut pool, 2_500, port(300), None), Taken::Kept);
        assert_eq!(account.take_shared(&mut pool, 300, port(300), None), Taken::Crossed);
        assert_eq!(account.take_shared(&mut pool, 1, port(300), None), Taken::Refused);
        account.give_shared(&mut pool, 300 + 1_499);
        assert!(!account.ends_shared(&pool, port(300)));
        account.give_shared(&mut pool, 1);
        assert!(account.ends_shared(&pool, port(300)));
        assert_eq!((account.held, pool.used), (1_000, 500));
    }

    #[test]
    fn a_shared_headroom_is_used_up_by_all_accounts_together() {
        let threshold = Threshold::Static { xoff: Some(Bytes(0)), xon: None };
        let (mut pool, mut accounts) = (sharing_headroom(threshold, Some(Bytes(700))), [Account::default(); 2]);
        for account in &mut accounts {
            assert_eq!(account.take_shared(&mut pool, 500, port(400), None), Taken::Kept, "reserved");
        }
        let [one, other] = &mut accounts;
        assert_eq!(one.take_shared(&mut pool, 400, port(400), None), Taken::Crossed);
        assert_eq!(one.take_shared(&mut pool, 1, port(400), None), Taken::Refused, "most for one");
        assert_eq!(other.take_shared(&mut pool, 301, port(400), None), Taken::Refused, "a byte more than is left");
        assert_eq!(other.take_shared(&mut pool, 300, port(400), None), Taken::Crossed);
        one.give_shared(&mut pool, 100);
        assert_eq!((pool.above, one.above, other.above), (600, 300, 300));
        assert_eq!(other.take_shared(&mut pool, 100, port(400), None), Taken::Kept);
    }

    #[test]
    fn a_lossy_lane_is_bounded_by_the_queue_of_its_output() {
        let (mut pool, mut account) = (pool(HALF), Account::default());
        assert_eq!(account.take_shared(&mut pool, 500, port(0), Some(9_000)), Taken::Kept);
        assert_eq!(account.take_shared(&mut pool, 100, port(0), Some(4_901)), Taken::Refused);
        assert_eq!(account.take_shared(&mut pool, 100, port(0), Some(4_900)), Taken::Kept);
    }

    proptest! {
        #[test]
        fn it_makes_no_difference_whether_what_is_reserved_is_taken_and_given_without_a_question(
            steps in prop::collection::vec((1u64..800, 0usize..3, any::<bool>()), 1..80),
        ) {
            let account = Account::of(Own::reserved(500));
            let threshold = Threshold::Static { xoff: Some(Bytes(600)), xon: Some(Bytes(300)) };
            let [mut asked, mut quiet] = [([account; 3], sharing_headroom(threshold, Some(Bytes(4_000)))); 2];
            let mut kept = [const { Vec::new() }; 3];
            for (size, which, gives) in steps {
                let (one, other) = (&mut asked.0[which], &mut quiet.0[which]);
                if gives {
                    let Some(size) = kept[which].pop() else { continue };
                    one.give_shared(&mut asked.1, size);
                    if !other.give_quietly(size) {
                        other.give_shared(&mut quiet.1, size);
                        other.ends_shared(&quiet.1, port(3_000));
                    }
                    one.ends_shared(&asked.1, port(3_000));
                } else {
                    let lossy = (which == 0).then_some(0);
                    let taken = one.take_shared(&mut asked.1, size, port(3_000), lossy);
                    let took = match other.take_quietly(size) {
                        true => Taken::Kept,
                        false => other.take_shared(&mut quiet.1, size, port(3_000), lossy),
                    };
                    prop_assert_eq!(taken, took);
                    kept[which].extend((taken != Taken::Refused).then_some(size));
                }
                let counts = |account: &Account| (account.held, account.above, account.most, account.pausing);
                prop_assert_eq!(counts(one), counts(other));
                prop_assert_eq!((asked.1.used, asked.1.above), (quiet.1.used, quiet.1.above));
            }
        }

        #[test]
        fn what_is_taken_is_given_back(sizes in prop::collection::vec((1u64..2_000, 0usize..3), 1..60)) {
            let mut pool = sharing_headroom(HALF, Some(Bytes(4_000)));
            let mut accounts = [Account::default(); 3];
            let mut kept = Vec::new();
            for (size, which) in sizes {
                let lossy = (which == 0).then_some(0);
                if accounts[which].take_shared(&mut pool, size, port(3_000), lossy) != Taken::Refused {
                    kept.push((size, which));
                }
                prop_assert!(pool.used <= pool.size);
                let shared: u64 = accounts.iter().map(|account| account.held.saturating_sub(500)).sum();
                prop_assert_eq!(shared, pool.used);
                prop_assert_eq!(accounts.iter().map(|account| account.above).sum::<u64>(), pool.above);
                prop_assert!(pool.above <= pool.headroom);
            }
            for (size, which) in kept {
                accounts[which].give_shared(&mut pool, size);
                accounts[which].ends_shared(&pool, port(3_000));
            }
            prop_assert_eq!((pool.used, pool.above), (0, 0));
            prop_assert!(accounts.iter().all(|account| account.bytes() == 0 && !account.pausing));
        }
    }
}
