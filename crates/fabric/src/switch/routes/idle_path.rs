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
    /// Number of such stages side by side over which the packets of a flow may be spread.
    beside: u64,
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
    /// The legs from one host to another, in order; `rate_of` says at which rate a port sends.
    fn legs(&self, from: HostId, to: HostId, rate_of: impl Fn(PortId) -> u16) -> impl Iterator<Item = Leg> {
        let crossbar = self.switches.crossbar.speed.as_ref().map(|speed| speed.rate());
        let (mut next, mut crosses, mut beside) = (Some(from.port()), false, 1);
        let mut choices = 1;
        iter::from_fn(move || {
            let port = next?;
            if let Some(rate) = crossbar.filter(|_| std::mem::take(&mut crosses)) {
                return Some(Leg { rate, head: Span::ZERO, whole: false, beside });
            }
            beside *= std::mem::replace(&mut choices, 1);
            let out = &self.links.outs[port];
            let side = &self.links.ins[out.peer];
            if out.far == Far::Host {
                next = None;
            } else {
                next = Some(PortId(side.base.0 + u32::from(self.switches.routes.port(side.switch, to))));
                choices = self.switches.path_choice.spread_over(side.switch, to);
            }
            crosses = true;
            let rate = self.links.rates[usize::from(rate_of(port))].rate();
            Some(Leg { rate, head: out.head_delay, whole: out.far == Far::StoreForward, beside })
        })
    }

    /// The legs without faults. Where packets of a flow spread over several paths, the links of each step of the way
    /// are as many as can be reached from the source, and as can reach the destination.
    fn built_legs(&self, from: HostId, to: HostId) -> Vec<Leg> {
        let rate_of = |port: PortId| self.links.faults.built_rate(port, self.links.outs[port].rate);
        let mut legs: Vec<Leg> = self.legs(from, to, rate_of).collect();
        if legs.iter().any(|leg| leg.beside > 1) {
            let back: Vec<Leg> = self.legs(to, from, rate_of).collect();
            let places = legs.len();
            for (leg, back) in legs.iter_mut().zip(back.iter().rev().skip(back.len().saturating_sub(places))) {
                leg.beside = leg.beside.min(back.beside);
            }
        }
        legs
    }

    /// The legs as they are now.
    fn present_legs(&self, from: HostId, to: HostId) -> impl Iterator<Item = Leg> {
        self.legs(from, to, |port| self.links.outs[port].rate)
    }

    /// How many switches are on the path.
    pub(crate) fn switches_between(&self, from: HostId, to: HostId) -> u32 {
        let legs = self.present_legs(from, to).count() as u32;
        if self.switches.crossbar.speed.is_some() { legs / 2 } else { legs - 1 }
    }

    /// From the start of a packet at one host until its tail is in at another.
    pub(crate) fn idle_time(&self, from: HostId, to: HostId, size: Bytes) -> Span {
        let mut legs = self.present_legs(from, to);
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
    /// transmission time so far after the first one. The last packet follows behind them. Where switches spread the
    /// packets of a flow over several links, each of these takes its share of them. Links have the rates that they have
    /// without faults.
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
        for leg in self.built_legs(source, destination) {
            let time = Span(leg.rate.time_for(full).0 / leg.beside);
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
