//! Times on the path between two hosts when nothing else uses it: the round trip that is given to reactions and
//! windows, and the time to which completions are compared. Links have the rates that they have without faults.

use std::iter;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Rate, Span};
use congestree_wire::{FlowId, HostId, PortId};

use crate::fabric::Fabric;
use crate::link::port::Far;
use crate::tune::variants::Variant;

/// One stage of a path: a link, or a crossbar with a speed of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathLeg {
    pub(super) rate: Rate,
    /// From the start of a packet until its head is at the next leg.
    pub(super) head: Span,
    /// The next stage waits for the tail (store-and-forward).
    pub(super) whole: bool,
    /// Number of such stages side by side over which the packets of a flow may be spread.
    pub(super) beside: u64,
}

impl PathLeg {
    /// From the start of a packet until it may start at the next leg. Before a faster leg it is held back, so that
    /// the leg does not run out of its bytes.
    fn passes(&self, next: &PathLeg, size: Bytes) -> Span {
        let time = self.rate.time_for(size);
        self.head + if self.whole { time } else { Span(time.0.saturating_sub(next.rate.time_for(size).0)) }
    }

    /// From the start of a packet on the last leg until its tail is in.
    fn delivers(&self, size: Bytes) -> Span {
        self.head + self.rate.time_for(size)
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The legs from one host to another, in order. With the label of a flow they are those that switches choose by it.
    fn legs(&self, from: HostId, to: HostId, label: Option<u64>) -> impl Iterator<Item = PathLeg> {
        let crossbar = self.switches.crossbar.speed.as_ref().map(|speed| speed.rate());
        let (mut next, mut crosses, mut beside) = (Some(from.port()), false, 1);
        let mut choices = 1;
        iter::from_fn(move || {
            let port = next?;
            if let Some(rate) = crossbar.filter(|_| std::mem::take(&mut crosses)) {
                return Some(PathLeg { rate, head: Span::ZERO, whole: false, beside });
            }
            beside *= std::mem::replace(&mut choices, 1);
            let out = &self.links.outs[port];
            let side = &self.links.ins[out.peer];
            if out.far == Far::Host {
                next = None;
            } else {
                let chosen = label.and_then(|label| self.switches.path_choice.foretell(side.switch, to, label));
                let local = chosen.unwrap_or_else(|| self.switches.routes.port(side.switch, to));
                next = Some(PortId(side.base.0 + u32::from(local)));
                choices = self.switches.path_choice.spread_over(side.switch, to);
            }
            crosses = true;
            let rate = self.links.rates[usize::from(self.links.faults.built_rate(port, out.rate))].rate();
            Some(PathLeg { rate, head: out.head_delay, whole: out.far == Far::StoreForward, beside })
        })
    }

    /// The legs of a flow. Where its packets spread over several paths, the links of each step of the way are as many
    /// as can be reached from the source, and as can reach the destination.
    fn legs_of_flow(&self, from: HostId, to: HostId, label: Option<u64>) -> Vec<PathLeg> {
        let mut legs: Vec<PathLeg> = self.legs(from, to, label).collect();
        if legs.iter().any(|leg| leg.beside > 1) {
            let back: Vec<PathLeg> = self.legs(to, from, None).collect();
            let places = legs.len();
            for (leg, back) in legs.iter_mut().zip(back.iter().rev().skip(back.len().saturating_sub(places))) {
                leg.beside = leg.beside.min(back.beside);
            }
        }
        legs
    }

    /// How many switches are on the path.
    pub(crate) fn switches_between(&self, from: HostId, to: HostId) -> u32 {
        let legs = self.legs(from, to, None).count() as u32;
        if self.switches.crossbar.speed.is_some() { legs / 2 } else { legs - 1 }
    }

    /// From the start of a packet at one host until its tail is in at another.
    pub(crate) fn idle_time(&self, from: HostId, to: HostId, size: Bytes) -> Span {
        time_over(self.legs(from, to, None), size)
    }

    /// From the start of a full packet at one host until its ACK is in there.
    pub(crate) fn idle_round_trip(&self, from: HostId, to: HostId) -> Span {
        let (there, back) = (self.rules.adapter.full(), self.rules.adapter.ack);
        self.idle_time(from, to, there) + self.rules.adapter.ack_turnaround + self.idle_time(to, from, back)
    }

    /// From making a message until its last byte is in, with no window or throttle in force: the host sends one
    /// packet after another, and each passes from leg to leg as it would in the switches. Where these choose a path for
    /// each packet, the packets take the links side by side in turn; where they choose one for each flow, it is that of
    /// this one.
    pub(crate) fn ideal_time(&self, flow: FlowId, source: HostId, destination: HostId, bytes: u64) -> Span {
        let (mtu, header) = (self.rules.adapter.mtu.0, self.rules.adapter.header.0);
        let packets = bytes.div_ceil(mtu).max(1);
        let full = Bytes(mtu + header);
        let last = Bytes(bytes - (packets - 1) * mtu + header);
        let legs = self.legs_of_flow(source, destination, self.label_of_flow(flow));
        let bus = |size| self.rules.adapter.injection_rate.map_or(Span::ZERO, |rate| rate.time_for(size));
        // How long a packet occupies a leg.
        let takes = |place: usize, size: Bytes| {
            let time = legs[place].rate.time_for(size);
            if place == 0 { time.max(bus(size)) } else { time }
        };
        let alike = alike(&legs, packets);
        let final_one = packets - alike - 1;
        let mut under_way: Vec<(Span, u64)> =
            (0..=final_one).map(|number| (self.ends.posting.cost(), number)).collect();
        // When each link of a leg is free.
        let mut free = Vec::new();
        for (place, leg) in legs.iter().enumerate() {
            free.clear();
            free.resize(leg.beside.min(packets) as usize, Span::ZERO);
            for (at, number) in &mut under_way {
                let size = if *number == final_one { last } else { full };
                let free = &mut free[(*number % leg.beside) as usize];
                let start = (*at).max(*free);
                // Of two packets that have come by different links it is up to the switch which of them waits.
                if *number < final_one || leg.beside == 1 {
                    *free = start + takes(place, size);
                }
                *at = start + legs.get(place + 1).map_or_else(|| leg.delivers(size), |next| leg.passes(next, size));
            }
            // The last packet, which is shorter, may pass some that take other links.
            if leg.beside > 1 {
                under_way.sort_by_key(|&(at, _)| at);
            }
        }
        let slowest = legs.iter().enumerate().map(|(place, leg)| alike / leg.beside * takes(place, full).0).max();
        under_way.last().map_or(Span::ZERO, |&(at, _)| at) + Span(slowest.unwrap_or(0))
    }
}

/// From the start of a packet on the first of these legs until its tail has come over the last.
pub(super) fn time_over(legs: impl IntoIterator<Item = PathLeg>, size: Bytes) -> Span {
    let mut legs = legs.into_iter();
    let Some(mut at) = legs.next() else { return Span::ZERO };
    let mut start = Span::ZERO;
    for next in legs {
        start = start + at.passes(&next, size);
        at = next;
    }
    start + at.delivers(size)
}

/// How many packets of a message can be left out, because each of them only adds its share of the time of the slowest
/// links: whole rounds over all links side by side.
///
/// A full packet starts at a leg when chains of others that wait for the same link have left: of every leg j some rounds
/// of b_j packets, each with the time of its links. If there are `most` packets or more that are not in a round of the
/// slowest links, some of them make whole rounds of these, which take longer. So all but `most` times `most` are in
/// rounds of the slowest links; the last packet can pass as many again on each leg.
fn alike(legs: &[PathLeg], packets: u64) -> u64 {
    let most = legs.iter().map(|leg| leg.beside).max().unwrap_or(1);
    let settled = most.saturating_mul(most + legs.len() as u64) + 1;
    let round = legs.iter().fold(1u64, |all, leg| (all / divisor(all, leg.beside)).saturating_mul(leg.beside));
    packets.saturating_sub(settled) / round * round
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
