//! The records of a run: counts, fingerprints, and why it stopped.

use congestree_units::Time;
use congestree_wire::{Packet, PortId};

use crate::observe::audit_totals::AuditTotals;
use crate::observe::baseline::Baseline;
use crate::observe::isolation_watch::IsolationTables;
use crate::observe::outcome::Stop;
use crate::plan::Plan;
use crate::plan::rules::FabricRules;

/// The records of a run; nothing that happens in a network depends on them.
pub(crate) struct Records {
    pub events: u64,
    pub packet_hops: u64,
    /// Sum of hashes over all that was sent, which does not depend on the order within an instant.
    pub trajectory: u64,
    /// Sum of hashes over all that came in, likewise.
    pub results: u64,
    /// Nothing reads what has come in before this instant.
    pub unseen_until: Time,
    pub audit: Option<AuditTotals>,
    pub stop: Option<Stop>,
    /// Some flow has missed packets (`FlowCold::missed`); as long as this is false nothing need be searched for them.
    pub any_missed: bool,
    /// The cycle of waits that ended the run.
    pub deadlock: Vec<(PortId, u8)>,
    /// Counts at the end of the warm-up, by port and by flow.
    pub before: Baseline,
    /// What probes of isolation need.
    pub isolation: IsolationTables,
}

impl Records {
    /// Empty records.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            events: 0,
            packet_hops: 0,
            trajectory: 0,
            results: 0,
            unseen_until: Time::START,
            audit: plan.measure.audit.then(|| AuditTotals::new(plan)),
            stop: None,
            any_missed: false,
            deadlock: Vec::new(),
            before: Baseline::default(),
            isolation: IsolationTables::default(),
        }
    }

    /// A packet starts on the link out of a port.
    #[inline(always)]
    pub(crate) fn packet_sent(&mut self, now: Time, port: PortId, packet: &Packet) {
        let how = u64::from(packet.flow.0) << 1 | u64::from(packet.marked());
        self.sent(now, port, packet.sequence, how);
    }

    /// A frame for the neighbour starts on the link out of a port.
    #[inline(always)]
    pub(crate) fn frame_sent(&mut self, now: Time, port: PortId, bytes: u32) {
        self.sent(now, port, bytes, u64::MAX);
    }

    /// A packet that was damaged starts once more on the link out of a port.
    #[inline(always)]
    pub(crate) fn frame_repeated(&mut self, now: Time, port: PortId, bytes: u32) {
        self.sent(now, port, bytes, u64::MAX - 1);
    }

    /// Something starts on the link out of a port: which one or how large, and of what kind.
    #[inline(always)]
    fn sent(&mut self, now: Time, port: PortId, which: u32, kind: u64) {
        let hash = scramble(now.0, u64::from(port.0) << 32 | u64::from(which), kind);
        self.trajectory = self.trajectory.wrapping_add(hash);
    }

    /// A useful data packet has arrived at its host.
    #[inline(always)]
    pub(crate) fn packet_came_in(&mut self, now: Time, packet: &Packet) {
        let which = u64::from(packet.flow.0) << 32 | u64::from(packet.sequence);
        self.results = self.results.wrapping_add(scramble(now.0, which, u64::from(packet.marked())));
    }

    /// Notes when something next reads what has come in: at a check for deadlock (which come at regular intervals), or
    /// at the end of the warm-up or of the run.
    pub(crate) fn set_next_check(&mut self, now: Time, rules: &FabricRules) {
        let check = (now.0.checked_div(rules.deadlock_timeout.0))
            .map_or(Time::NEVER, |past| Time((past + 1) * rules.deadlock_timeout.0));
        let warm_up = if now < rules.warm_up { rules.warm_up } else { Time::NEVER };
        self.unseen_until = check.min(warm_up).min(rules.end);
    }
}

/// Hashes what happened to 64 bits. The hashes are added up, so their order within an instant does not matter.
#[inline]
fn scramble(a: u64, b: u64, c: u64) -> u64 {
    let x = (a ^ c.rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
