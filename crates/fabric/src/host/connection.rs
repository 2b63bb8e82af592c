//! Connections: the transport of each flow at one end, and its receiver at the other.
//!
//! Each end belongs to the host that it is at, and neither looks into the other: what one knows of the other has come in a
//! packet. Only what probes are told of a message that is all in takes both, see `observe/transfers.rs`.

use congestree_schemes::transport::{AnyReceiver, ControlPackets, LossCounts};
use congestree_schemes::{AnyTransport, Transport};
use congestree_units::Time;
use congestree_wire::{FlowId, IndexVec, PacketKind};
use prefetch_index::prefetch_index;

use crate::plan::Plan;

/// The ends of all connections, by flow; empty if nothing repairs losses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    pub(crate) senders: IndexVec<FlowId, ConnectionSender>,
    pub(crate) receivers: IndexVec<FlowId, ConnectionReceiver>,
}

/// The sending end of a flow with a transport. What every packet needs is in its first cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct ConnectionSender {
    /// First packet of the group being sent, and one more than its last.
    pub(super) first: u32,
    pub(crate) end: u32,
    /// The packet that the transport wants to send next, as of the last time that anything has changed.
    pub(super) due: Option<u32>,
    /// Payload of the group; zero if it is endless, or all of it has been acknowledged.
    pub(crate) bytes: u64,
    /// When its first packet started, or of a group without end the first packet of this life of its flow; never before that.
    pub(crate) started: Time,
    /// The earliest timer event on the agenda; never if there is none.
    pub(super) timer_at: Time,
    pub(crate) transport: AnyTransport,
    /// What had gone wrong before this group.
    pub(crate) before: LossCounts,
    /// Messages so far.
    pub(crate) number: u32,
}

/// The receiving end.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct ConnectionReceiver {
    pub(crate) answers: AnyReceiver,
    /// The earliest timer event on the agenda; never if there is none.
    pub(super) timer_at: Time,
    /// Data packets that came in but were of no use.
    pub discarded: u64,
    /// In a network in parts: one more than the last packet of the message that is sent, as the sender has told for probes.
    pub(crate) awaits: Option<u32>,
    /// Its place among those who ask the host for credit.
    pub(super) asker: Option<u32>,
}

impl Connections {
    /// Those of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let Some(answers) = plan.scheme.transport.build_receiver() else { return Self::default() };
        let sender = ConnectionSender {
            transport: plan.scheme.transport.build(),
            first: 0,
            end: 0,
            due: None,
            bytes: 0,
            started: Time::NEVER,
            number: 0,
            before: LossCounts::default(),
            timer_at: Time::NEVER,
        };
        let receiver = ConnectionReceiver { answers, timer_at: Time::NEVER, discarded: 0, awaits: None, asker: None };
        Self { senders: vec![sender; plan.flows.len()].into(), receivers: vec![receiver; plan.flows.len()].into() }
    }

    /// Takes in the ends that a part of the network has: the sending or, if asked so, the receiving end of a flow.
    pub(crate) fn take_from(&mut self, part: &Self, has: impl Fn(FlowId, bool) -> bool) {
        for id in part.senders.ids() {
            if has(id, false) {
                self.senders[id] = part.senders[id].clone();
            }
            if has(id, true) {
                self.receivers[id] = part.receivers[id].clone();
            }
        }
    }

    /// Fetches into the cache what a packet finds that comes in at the receiving or at the sending end of a flow.
    #[inline]
    pub(crate) fn fetch(&self, kind: PacketKind, flow: FlowId) {
        match kind {
            PacketKind::Data => {
                self.receivers.prefetch(flow);
                prefetch_index(std::slice::from_ref(&self.receivers[flow].discarded), 0);
            }
            PacketKind::Ack | PacketKind::Cnp => self.senders.prefetch(flow),
        }
    }

    /// And what its transport finds, once the sending end itself is near.
    #[inline]
    pub(crate) fn fetch_transport(&self, flow: FlowId) {
        self.senders[flow].transport.fetch();
    }

    /// What went wrong so far, and the control packets so far, as the sender of a flow knows of them.
    pub(crate) fn told(&self, flow: FlowId) -> (LossCounts, ControlPackets) {
        self.senders
            .get(flow)
            .map(|sender| (sender.transport.loss_counts(), sender.transport.control()))
            .unwrap_or_default()
    }
}

impl ConnectionSender {
    /// Everything it was given is acknowledged.
    pub(super) fn is_idle(&self) -> bool {
        self.transport.acknowledged() == self.end
    }
}

impl ConnectionReceiver {
    /// Data packets that have arrived for good: passed on in order, or kept for it.
    pub(crate) fn useful(&self) -> u64 {
        u64::from(self.answers.expected()) + self.answers.held()
    }
}
