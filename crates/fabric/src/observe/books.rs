//! What the books must add up to: the room that there is behind every link.

use crate::link::credits::UNLIMITED;
use crate::link::links::room_at;
use crate::link::port::Far;
use crate::plan::{Plan, SwitchPlan};

/// What the books must add up to.
#[derive(Clone, Debug)]
pub(crate) struct Audit {
    /// Room by lane behind a link into a switch, and into a host.
    pub(super) switch_room: Vec<u32>,
    pub(super) host_room: Vec<u32>,
    /// The switches, and room in a host, where room is booked by queue.
    booked: Option<(SwitchPlan, u32)>,
}

impl Audit {
    pub(crate) fn new(plan: &Plan) -> Self {
        let room = |far| (0..plan.lanes).map(|lane| room_at(plan, far, lane)).collect();
        let booked = plan.switch.books_rooms().then(|| {
            let host = plan.adapter.receive_units.unwrap_or(UNLIMITED);
            (plan.switch.clone(), host)
        });
        Self { switch_room: room(Far::CutThrough), host_room: room(Far::Host), booked }
    }

    /// Units that the queues behind a link into a switch share at first, or those of a host.
    pub(super) fn pool(&self, far: Far, lane: usize, radix: u16) -> u32 {
        match &self.booked {
            Some((_, host)) if far == Far::Host => *host,
            Some((switch, _)) => switch.rooms(lane, radix).0,
            None => 0,
        }
    }
}
