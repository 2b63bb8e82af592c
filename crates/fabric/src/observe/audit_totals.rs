//! The totals that audits compare with: the room behind every link.

use congestree_units::Bytes;

use crate::link::credits::UNLIMITED;
use crate::link::port::Far;
use crate::plan::{CreditUnit, Plan, QueueMap, SwitchPlan};

/// The totals that audits compare with.
#[derive(Clone, Debug)]
pub(crate) struct AuditTotals {
    /// The switches, unless room is not counted.
    switch: Option<SwitchPlan>,
    /// Units of room in a host's receive buffer.
    host: u32,
    /// The bytes of a unit, if room is counted in blocks of bytes.
    block: Option<Bytes>,
}

impl AuditTotals {
    pub(crate) fn new(plan: &Plan) -> Self {
        let counted = plan.flow_control.unit != CreditUnit::Pause;
        Self {
            switch: counted.then(|| plan.switch.clone()),
            host: plan.adapter.receive_units.filter(|_| counted).unwrap_or(UNLIMITED),
            block: match plan.flow_control.unit {
                CreditUnit::Block(block) => Some(block),
                _ => None,
            },
        }
    }

    /// The total number of units that may be promised in a lane behind a link, either into a host or into a switch with
    /// `radix` ports, not counting what its queues have for themselves.
    pub(super) fn room(&self, far: Far, lane: usize, radix: u16) -> u32 {
        match (far, &self.switch) {
            (Far::Host, _) => self.host,
            (_, Some(switch)) => switch.credit_units(lane, radix).0,
            (_, None) => UNLIMITED,
        }
    }

    /// The bytes for which there is room in a lane behind a link, whatever packets take of it: none if room is not
    /// counted in blocks, or if each destination has room of its own.
    pub(super) fn bytes(&self, far: Far, lane: usize) -> Option<u64> {
        let units = match (far, &self.switch) {
            (Far::Host, _) => self.host,
            (_, Some(switch)) if switch.queues != QueueMap::PerDestination => switch.buffer_units[lane],
            _ => UNLIMITED,
        };
        self.block.filter(|_| units != UNLIMITED).map(|block| u64::from(units) * block.0)
    }
}
