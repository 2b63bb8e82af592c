//! Connections: the transport of each flow at one end, and its receiver at the other.
//!
//! Each end belongs to its host and neither reads the other's state: what one end knows of the other has arrived in a
//! packet. The only exception is what probes are told of a message that has arrived completely, see
//! `observe/transfers.rs`.

use congestree_schemes::transport::{AnyReceiver, ControlPackets, LossCounts};
use congestree_schemes::{AnyTransport, Transport};
use congestree_units::Time;
use congestree_wire::{FlowId, IndexVec, PacketKind};
use prefetch_index::prefetch_index;

use crate::plan::Plan;

/// The ends of all connections, by flow; empty if there are no transports.
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
    /// The packet that the transport wants to send next, as of the last change of its state.
    pub(super) due: Option<u32>,
    /// Payload of the group; zero if the group is endless, or all of it has been acknowledged.
    pub(crate) bytes: u64,
    /// When its first packet started (of an endless group: the first packet of this life of its flow); never before
    /// that.
    pub(crate) started: Time,
    /// The earliest timer event on the agenda; never if there is none.
    pub(super) timer_at: Time,
    pub(crate) transport: AnyTransport,
    /// Loss counts before this group.
    pub(crate) before: LossCounts,
    /// Number of messages so far.
    pub(crate) number: u32,
}

/// The receiving end.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct ConnectionReceiver {
    pub(crate) answers: AnyReceiver,
    /// The earliest timer event on the agenda; never if there is none.
    pub(super) timer_at: Time,
    /// Data packets that arrived but were of no use.
    pub discarded: u64,
    /// In a partitioned network: one more than the last packet of the message being sent, as the sender has reported
    /// for probes.
    pub(crate) awaits: Option<u32>,
    /// Its place among the flows that ask the host for credit.
    pub(super) asker: Option<u32>,
}

impl Connections {
    /// The connections of a plan.
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

    /// Merges the ends that a part of the network has: the sending end of a flow or, if `has` is asked for it, the
    /// receiving end.
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

    /// Prefetches what a packet needs that arrives at the receiving or at the sending end of a flow.
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

    /// Prefetches what its transport needs, once the sending end itself is in the cache.
    #[inline]
    pub(crate) fn fetch_transport(&self, flow: FlowId) {
        self.senders[flow].transport.fetch();
    }

    /// Losses and control packets so far, as far as the sender of a flow knows.
    pub(crate) fn told(&self, flow: FlowId) -> (LossCounts, ControlPackets) {
        self.senders
            .get(flow)
            .map(|sender| (sender.transport.loss_counts(), sender.transport.control()))
            .unwrap_or_default()
    }
}

impl ConnectionSender {
    /// Everything it was given has been acknowledged.
    pub(super) fn is_idle(&self) -> bool {
        self.transport.acknowledged() == self.end
    }
}

impl ConnectionReceiver {
    /// Data packets that have arrived for good: delivered in order, or kept for that.
    pub(crate) fn useful(&self) -> u64 {
        u64::from(self.answers.expected()) + self.answers.held()
    }
}
