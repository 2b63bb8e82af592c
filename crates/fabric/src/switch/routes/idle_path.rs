//! Times on the path between two hosts when nothing else uses it: the round trip that is given to reactions and
//! windows, and the time to which completions are compared.

use std::iter;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Rate, Span};
use congestree_wire::{HostId, PortId};

use crate::fabric::Fabric;
use crate::link::port::Far;
use crate::tune::variants::Variant;

/// One stage of a path: a link, or a crossbar with a speed of its own.
#[derive(Clone, Copy, Debug)]
struct Leg {
    rate: Rate,
    /// From the start of a packet until its head is at the next leg.
    head: Span,
    /// The next stage waits for the tail (store-and-forward).
    whole: bool,
}

impl Leg {
    /// From the start of a packet until it may start at the next leg. Before a faster leg it is held back, so that
    /// the leg does not run out of its bytes.
    fn passes(&self, next: &Leg, size: Bytes) -> Span {
        let time = self.rate.time_for(size);
        self.head + if self.whole { time } else { Span(time.0.saturating_sub(next.rate.time_for(size).0)) }
    }

    /// From the start of a packet on the last leg until its tail is in.
    fn delivers(&self, size: Bytes) -> Span {
        self.head + self.rate.time_for(size)
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The legs from one host to another, in order.
    fn legs(&self, from: HostId, to: HostId) -> impl Iterator<Item = Leg> {
        let crossbar = self.switches.crossbar.speed.as_ref().map(|speed| speed.rate());
        let (mut next, mut crosses) = (Some(from.port()), false);
        iter::from_fn(move || {
            let port = next?;
            if let Some(rate) = crossbar.filter(|_| std::mem::take(&mut crosses)) {
                return Some(Leg { rate, head: Span::ZERO, whole: false });
            }
            let out = &self.links.outs[port];
            let side = &self.links.ins[out.peer];
            let behind = || PortId(side.base.0 + u32::from(self.switches.routes.port(side.switch, to)));
            (next, crosses) = ((out.far != Far::Host).then(behind), true);
            let rate = self.links.rates[usize::from(out.rate)].rate();
            Some(Leg { rate, head: out.head_delay, whole: out.far == Far::StoreForward })
        })
    }

    /// How many switches are on the path.
    pub(crate) fn switches_between(&self, from: HostId, to: HostId) -> u32 {
        let legs = self.legs(from, to).count() as u32;
        if self.switches.crossbar.speed.is_some() { legs / 2 } else { legs - 1 }
    }

    /// From the start of a packet at one host until its tail is in at another.
    pub(crate) fn idle_time(&self, from: HostId, to: HostId, size: Bytes) -> Span {
        let mut legs = self.legs(from, to);
        let Some(mut at) = legs.next() else { return Span::ZERO };
        let mut start = Span::ZERO;
        for next in legs {
            start = start + at.passes(&next, size);
            at = next;
        }
        start + at.delivers(size)
    }

    /// From the start of a full packet at one host until its ACK is in there.
    pub(crate) fn idle_round_trip(&self, from: HostId, to: HostId) -> Span {
        let (there, back) = (self.rules.adapter.full(), self.rules.adapter.ack);
        self.idle_time(from, to, there) + self.rules.adapter.ack_turnaround + self.idle_time(to, from, back)
    }

    /// From making a message until its last byte is in, with no window or throttle in force: the host sends one
    /// packet after another, and each passes from leg to leg as it would in the switches.
    ///
    /// All packets but the last are of the same size, so the k-th of them starts at a leg k times the longest
    /// transmission time so far after the first one. The last packet follows behind them.
    pub(crate) fn ideal_time(&self, source: HostId, destination: HostId, bytes: u64) -> Span {
        let (mtu, header) = (self.rules.adapter.mtu.0, self.rules.adapter.header.0);
        let packets = bytes.div_ceil(mtu).max(1);
        let full = Bytes(mtu + header);
        let last = Bytes(bytes - (packets - 1) * mtu + header);
        let posted = self.ends.posting.cost();
        let host_bus = self.rules.adapter.injection_rate.map_or(Span::ZERO, |rate| rate.time_for(full));
        // At the current leg: when the first packet starts, the distance between starts so far, and when the last
        // packet starts.
        let (mut first, mut distance, mut start) = (posted, host_bus, posted);
        let mut before: Option<Leg> = None;
        for leg in self.legs(source, destination) {
            let time = leg.rate.time_for(full);
            distance = distance.max(time);
            let gap = if before.is_none() { distance } else { time };
            if let Some(before) = before.replace(leg) {
                first = first + before.passes(&leg, full);
                start = start + before.passes(&leg, last);
            }
            if packets > 1 {
                // The packet before the last one must have left this leg.
                start = start.max(first + Span((packets - 2) * distance.0) + gap);
            }
        }
        start + before.map_or(Span::ZERO, |leg| leg.delivers(last))
    }
}
