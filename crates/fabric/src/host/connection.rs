//! Connections: the transport of each flow at one end, and its receiver at the other.
//!
//! Each end belongs to its host and neither reads the other's state: what one end knows of the other has arrived in a
//! packet. The only exception is what probes are told of a message that has arrived completely, see
//! `observe/transfers.rs`.

use std::collections::VecDeque;

use congestree_schemes::transport::{AnyReceiver, ControlPackets, LossCounts};
use congestree_schemes::{AnyTransport, Transport};
use congestree_units::Time;
use congestree_wire::{FlowId, IndexVec, PacketKind};
use prefetch_index::prefetch_index;

use crate::control::throttles::Throttles;
use crate::plan::{Plan, SchemePlan};

/// The ends of all connections, by flow; empty if there are no transports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    pub(crate) senders: IndexVec<FlowId, ConnectionSender>,
    pub(crate) receivers: IndexVec<FlowId, ConnectionReceiver>,
    /// A message may begin when all packets of the one before have been sent.
    pub(super) follow_on: bool,
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
    pub(super) started: Time,
    /// The earliest timer event on the agenda; never if there is none.
    pub(super) timer_at: Time,
    /// One more than the last packet of the oldest group that is not acknowledged completely.
    pub(super) completes: u32,
    /// Number of messages so far.
    number: u32,
    pub(crate) transport: AnyTransport,
    /// When the group was made.
    created: Time,
    /// Packets of it that were sent again, and timeouts while it was the oldest.
    repeated: Repeated,
    /// Groups before it that are not acknowledged completely, oldest first.
    earlier: VecDeque<EarlierGroup>,
    /// Of an endless group: when the packets that are not acknowledged were first sent.
    first_starts: Option<Box<FirstStarts>>,
}

/// When successive packets were first sent.
#[derive(Clone, Debug, Default)]
struct FirstStarts {
    /// The number of the oldest.
    oldest: u32,
    times: VecDeque<Time>,
}

impl FirstStarts {
    /// A packet starts at `now`, for the first time unless it is known, while all before `acknowledged` have arrived.
    /// Returns when it first started.
    fn note(&mut self, now: Time, sequence: u32, acknowledged: u32) -> Time {
        while self.oldest < acknowledged && self.times.pop_front().is_some() {
            self.oldest += 1;
        }
        if self.times.is_empty() {
            self.oldest = sequence;
        }
        let place = sequence.wrapping_sub(self.oldest) as usize;
        if place == self.times.len() {
            self.times.push_back(now);
        }
        self.times.get(place).copied().unwrap_or(now)
    }
}

/// A message of which every packet has been sent, and not every packet is acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlierGroup {
    /// One more than its last packet.
    pub(crate) end: u32,
    pub(crate) number: u32,
    pub(crate) bytes: u64,
    pub(crate) created: Time,
    pub(crate) started: Time,
    pub(crate) repeated: Repeated,
}

/// How often the sender of a message had to repeat itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeated {
    pub(crate) resent: u32,
    pub(crate) timeouts: u32,
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
    /// In a partitioned network, for probes: the number of each message that is not complete, and one more than its last
    /// packet, as the sender has reported.
    pub(crate) awaits: VecDeque<(u32, u32)>,
    /// Its place among the flows that ask the host for credit.
    pub(super) asker: Option<u32>,
}

/// Bytes that the scheme takes for each flow at the start of a run: the transport at both of its ends, and its reaction
/// point if each flow has one of its own from the start.
pub fn bytes_of_a_flow(scheme: &SchemePlan) -> u64 {
    let ends = match scheme.transport.repairs() {
        true => size_of::<ConnectionSender>() + size_of::<ConnectionReceiver>() + scheme.transport.build().boxed(),
        false => 0,
    };
    (ends + Throttles::bytes_of_a_flow(&scheme.react)) as u64
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
            timer_at: Time::NEVER,
            completes: 0,
            number: 0,
            created: Time::START,
            repeated: Repeated::default(),
            earlier: VecDeque::new(),
            first_starts: None,
        };
        let awaits = VecDeque::new();
        let receiver = ConnectionReceiver { answers, timer_at: Time::NEVER, discarded: 0, awaits, asker: None };
        Self {
            senders: vec![sender; plan.flows.len()].into(),
            receivers: vec![receiver; plan.flows.len()].into(),
            follow_on: plan.scheme.transport.follows_on(),
        }
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
    /// Whether the next message may begin, or an endless group once more.
    pub(super) fn may_begin(&self, follows_on: bool) -> bool {
        match follows_on {
            true => self.transport.sent() == self.end,
            false => self.transport.acknowledged() == self.end && self.bytes == 0,
        }
    }

    /// A message of so many bytes and packets begins, made at `created`. The one before may still be under way.
    pub(super) fn begin_message(&mut self, bytes: u64, packets: u32, created: Time) {
        if self.bytes > 0 {
            let &mut Self { end, number, bytes, created, started, repeated, .. } = self;
            self.earlier.push_back(EarlierGroup { end, number, bytes, created, started, repeated });
        }
        self.first = self.end;
        self.end = self.first.saturating_add(packets).min(u32::MAX - 1);
        self.completes = self.earlier.front().map_or(self.end, |group| group.end);
        self.number += 1;
        (self.bytes, self.created, self.started, self.repeated) = (bytes, created, Time::NEVER, Repeated::default());
    }

    /// A group without end begins.
    pub(super) fn begin_endless(&mut self) {
        self.first = self.end;
        (self.end, self.completes, self.bytes) = (u32::MAX, u32::MAX, 0);
    }

    /// A packet of a group without end starts; returns when it started for the first time.
    pub(super) fn first_start(&mut self, now: Time, sequence: u32) -> Time {
        let acknowledged = self.transport.acknowledged();
        self.first_starts.get_or_insert_default().note(now, sequence, acknowledged)
    }

    /// A group without end is over.
    pub(super) fn cut(&mut self, now: Time) {
        self.end = self.transport.on_cut(now);
        self.completes = self.end;
    }

    /// Whether the oldest message under way is acknowledged completely. Then it is no longer under way.
    pub(super) fn completes_one(&mut self) -> bool {
        if self.bytes == 0 || self.transport.acknowledged() < self.completes {
            return false;
        }
        if self.earlier.pop_front().is_none() {
            self.bytes = 0;
        }
        self.completes = self.earlier.front().map_or(self.end, |group| group.end);
        true
    }

    /// The messages that are not acknowledged completely, oldest first.
    pub(crate) fn under_way(&self) -> impl Iterator<Item = EarlierGroup> {
        let &Self { end, number, bytes, created, started, repeated, .. } = self;
        let newest = (bytes > 0).then_some(EarlierGroup { end, number, bytes, created, started, repeated });
        self.earlier.iter().copied().chain(newest)
    }

    /// The message under way that a packet belongs to, and the number from which on packets belong to it or are
    /// acknowledged.
    pub(crate) fn carries(&self, sequence: u32) -> Option<(u32, EarlierGroup)> {
        let place = self.place_of(sequence);
        let begin = place.checked_sub(1).map_or(0, |before| self.earlier[before].end);
        Some(begin).zip(self.under_way().nth(place))
    }

    /// The message of a packet that was sent before: when it was made, its payload, and one more than its last packet.
    fn message_of(&self, sequence: u32) -> (Time, u64, u32) {
        match self.earlier.get(self.place_of(sequence)) {
            Some(group) => (group.created, group.bytes, group.end),
            None => (self.created, self.bytes, self.end),
        }
    }

    /// Payload of a packet, if that of a full one is `mtu`.
    #[inline]
    pub(super) fn payload_of(&self, sequence: u32, mtu: u64) -> u64 {
        let (bytes, end) = match sequence >= self.first {
            true => (self.bytes, self.end),
            false => {
                let (_, bytes, end) = self.message_of(sequence);
                (bytes, end)
            }
        };
        if bytes > 0 && sequence.wrapping_add(1) == end { (bytes - 1) % mtu + 1 } else { mtu }
    }

    /// A packet is sent once more. Returns when its message was made, and one more than the last packet of that.
    pub(super) fn repeats(&mut self, sequence: u32) -> (Time, u32) {
        self.repeated_of(sequence).resent += 1;
        let (created, _, end) = self.message_of(sequence);
        (created, end)
    }

    /// There was no answer for too long; this counts for the oldest message under way.
    pub(super) fn times_out(&mut self) {
        let oldest = self.transport.acknowledged();
        self.repeated_of(oldest).timeouts += 1;
    }

    /// The place of the message of a packet among the earlier ones; none of them if it is the newest.
    fn place_of(&self, sequence: u32) -> usize {
        self.earlier.partition_point(|group| group.end <= sequence)
    }

    fn repeated_of(&mut self, sequence: u32) -> &mut Repeated {
        match self.earlier.get_mut(self.place_of(sequence)) {
            Some(group) => &mut group.repeated,
            None => &mut self.repeated,
        }
    }
}

impl ConnectionReceiver {
    /// Data packets that have arrived for good: delivered in order, or kept for that.
    pub(crate) fn useful(&self) -> u64 {
        u64::from(self.answers.expected()) + self.answers.held()
    }
}
