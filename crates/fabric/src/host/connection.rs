//! A connection: the transport of a flow, and the receiver at its other end.

use congestree_schemes::transport::{Control, OtherEnd, Tally};
use congestree_schemes::{AnyTransport, Transport};
use congestree_units::Time;

use crate::plan::Plan;

/// The two ends of a flow with a transport.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(super) sender: AnyTransport,
    pub(super) receiver: OtherEnd,
    /// First packet of the group being sent, and one more than its last.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Payload of the group; zero if it is endless, or all of it has been acknowledged.
    pub(super) bytes: u64,
    /// When its first packet started; never before that.
    pub(super) started: Time,
    /// Messages so far.
    pub(super) number: u32,
    /// What had gone wrong before this group.
    pub(super) before: Tally,
    /// The earliest timer event on the agenda for either end; never if there is none.
    pub(super) timer_at: [Time; 2],
    /// Data packets that came in but were of no use.
    pub discarded: u64,
    /// Its place among those who ask the receiving host for credit.
    pub(super) asker: Option<u32>,
}

/// The connections of a plan; none if it has no transport.
pub(crate) fn connections(plan: &Plan) -> Vec<Connection> {
    let Some(receiver) = plan.scheme.transport.other_end() else { return Vec::new() };
    let connection = Connection {
        sender: plan.scheme.transport.build(),
        receiver,
        first: 0,
        end: 0,
        bytes: 0,
        started: Time::NEVER,
        number: 0,
        before: Tally::default(),
        timer_at: [Time::NEVER; 2],
        discarded: 0,
        asker: None,
    };
    vec![connection; plan.flows.len()]
}

impl Connection {
    /// Everything it was given is acknowledged.
    pub(super) fn rests(&self) -> bool {
        self.sender.acknowledged() == self.end
    }

    /// What went wrong so far.
    pub(crate) fn tally(&self) -> Tally {
        self.sender.tally()
    }

    /// Control packets so far.
    pub(crate) fn control(&self) -> Control {
        self.sender.control()
    }

    /// Data packets that have arrived for good: passed on in order, or kept for it.
    pub(crate) fn useful(&self) -> u64 {
        u64::from(self.receiver.expected()) + self.receiver.held()
    }
}
