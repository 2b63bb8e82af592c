//! What the books must add up to: the room that there is behind every link.

use crate::link::credits::UNLIMITED;
use crate::link::port::Far;
use crate::plan::{CreditUnit, Plan, SwitchPlan};

/// What the books must add up to.
#[derive(Clone, Debug)]
pub(crate) struct Audit {
    /// The switches, unless nobody counts what there is room for.
    switch: Option<SwitchPlan>,
    /// Units of room in a host.
    host: u32,
}

impl Audit {
    pub(crate) fn new(plan: &Plan) -> Self {
        let counted = plan.flow_control.unit != CreditUnit::Pause;
        Self {
            switch: counted.then(|| plan.switch.clone()),
            host: plan.adapter.receive_units.filter(|_| counted).unwrap_or(UNLIMITED),
        }
    }

    /// Units that may be promised in all in a lane behind a link into a host, or into a switch with so many ports; beside what
    /// queues there have for themselves.
    pub(super) fn room(&self, far: Far, lane: usize, radix: u16) -> u32 {
        match (far, &self.switch) {
            (Far::Host, _) => self.host,
            (_, Some(switch)) => switch.rooms(lane, radix).0,
            (_, None) => UNLIMITED,
        }
    }
}
