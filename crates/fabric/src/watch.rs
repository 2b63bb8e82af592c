//! What probes of isolation are told beyond the fabric's own state: what outputs were offered when one of them is declared
//! a root, who stands behind whom in a queue, and what hosts let past their stops and throttles.
//!
//! Nothing of it is kept, or looked at, unless a probe asks. It holds where switches are elaborate (`elaborate.rs`).

use congestree_kernel::Agenda;
use congestree_probes::{Detection, Past, Probe, Stood};
use congestree_schemes::isolate::cam::Waiting;
use congestree_units::{Span, Time};
use congestree_wire::{Kind, PacketId};

use crate::credits::UNLIMITED;
use crate::fabric::Fabric;
use crate::plan::CreditUnit;
use crate::shape::Shape;

/// What came for an output since something has been waiting for it without a break, in normal queues. What is set aside
/// may be stopped, and asks for nothing then: it counts when it crosses.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// Data packets that wait for it in normal queues.
    waiting: u32,
    since: Time,
    bytes: u64,
}

/// Tables that grow when they are used.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// By output.
    offers: Vec<Offer>,
    /// By queue: when its head came to be its head.
    heads: Vec<Time>,
    /// By packet: behind packets of which classes it has stood in its queue, and for how long.
    stood: Vec<Vec<(u16, Span)>>,
}

/// The place of an id in a table, which grows as far.
fn at<T: Clone>(table: &mut Vec<T>, id: usize, fresh: T) -> &mut T {
    if table.len() <= id {
        table.resize(id + 1, fresh);
    }
    &mut table[id]
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// A data packet of so many bytes waits for an output from now on.
    #[inline]
    pub(crate) fn watch_offer(&mut self, output: u32, bytes: u32) {
        if !self.probe.wants_detections() {
            return;
        }
        let idle = Offer { waiting: 0, since: self.now, bytes: 0 };
        let offer = at(&mut self.watch.offers, output as usize, idle);
        if offer.waiting == 0 {
            *offer = idle;
        }
        offer.waiting += 1;
        offer.bytes += u64::from(bytes);
    }

    /// It crosses, from a normal queue or from one set aside.
    #[inline]
    pub(crate) fn watch_carried(&mut self, output: u32, bytes: u32, aside: bool) {
        if !self.probe.wants_detections() {
            return;
        }
        let Some(offer) = self.watch.offers.get_mut(output as usize) else { return };
        match aside {
            true => offer.bytes += u64::from(bytes),
            false => offer.waiting -= 1,
        }
    }

    /// It is set aside.
    pub(crate) fn watch_aside(&mut self, output: u32, bytes: u32) {
        if self.probe.wants_detections() {
            let offer = &mut self.watch.offers[output as usize];
            offer.waiting -= 1;
            offer.bytes -= u64::from(bytes);
        }
    }

    /// A queue of an input has declared the output of `packet` the root of a tree.
    pub(crate) fn watch_declared(&mut self, input: u32, queue: u32, packet: Waiting) {
        if !self.probe.wants_detections() {
            return;
        }
        let side = self.ins[input as usize];
        let output = side.base + u32::from(packet.output);
        let offer = self.watch.offers[output as usize];
        let rate = self.rates[usize::from(self.outs[output as usize].rate)].rate();
        let capacity = rate.as_bytes_per_sec() * self.now.since(offer.since).as_secs();
        let list = self.inputs.queues[queue as usize].list;
        let data = || list.iter(&self.packets).filter(|id| self.packets[*id].kind == Kind::Data);
        let theirs = data().filter(|id| self.output_of(*id, input) == output).count() as u32;
        let detection = Detection {
            at: self.now,
            input: self.outs[input as usize].peer,
            output,
            destination: packet.destination,
            held: data().count() as u32,
            theirs,
            waiting: offer.waiting,
            since: offer.since,
            offered: offer.bytes,
            capacity: capacity as u64,
        };
        self.probe.detected(detection);
    }

    /// The output that a packet at an input waits for.
    fn output_of(&self, id: PacketId, input: u32) -> u32 {
        let side = &self.ins[input as usize];
        side.base + u32::from(self.routes.port(side.switch, self.packets[id].destination))
    }

    /// A queue that was empty has a head.
    #[inline]
    pub(crate) fn watch_head(&mut self, queue: u32) {
        if self.probe.wants_behind() {
            *at(&mut self.watch.heads, queue as usize, self.now) = self.now;
        }
    }

    /// The head of a queue is about to leave it: data packets behind it that are for other outputs stood behind it.
    #[inline]
    pub(crate) fn watch_departure(&mut self, input: u32, queue: u32) {
        if self.probe.wants_behind() {
            self.note_departure(input, queue);
        }
    }

    fn note_departure(&mut self, input: u32, queue: u32) {
        let list = self.inputs.queues[queue as usize].list;
        let first = self.packets[list.head];
        let output = self.output_of(list.head, input);
        let front = self.rests[first.flow as usize].class;
        let head_since = self.watch.heads[queue as usize];
        let behind: Vec<PacketId> = list.iter(&self.packets).skip(1).collect();
        for id in behind {
            let packet = &self.packets[id];
            if first.kind != Kind::Data || packet.kind != Kind::Data || self.output_of(id, input) == output {
                continue;
            }
            let time = self.now.since(head_since.max(packet.ready));
            let stood = at(&mut self.watch.stood, id.0 as usize, Vec::new());
            match stood.iter_mut().find(|(class, _)| *class == front) {
                Some((_, sum)) => *sum = *sum + time,
                None => stood.push((front, time)),
            }
        }
        self.watch.heads[queue as usize] = self.now;
        let Some(stood) = self.watch.stood.get_mut(list.head.0 as usize) else { return };
        for (class_in_front, time) in std::mem::take(stood) {
            self.probe.stood_behind(Stood { at: self.now, class: front, front: class_in_front, time });
        }
    }

    /// A host takes a packet of so many bytes from a flow.
    #[inline]
    pub(crate) fn watch_gate(&mut self, host: u32, flow: u32, size: u32) {
        if !self.probe.wants_gates() {
            return;
        }
        let mirror = self.isolation.mirrors.get(host as usize);
        let destination = self.flows[flow as usize].target;
        let listed = mirror.is_some_and(|mirror| mirror.listing(destination).next().is_some());
        let stopped = mirror.is_some_and(|mirror| mirror.stops_destination(destination));
        let (limit, pacer) = (self.limit_of(flow), self.pacer(flow));
        let time = self.rates[usize::from(self.outs[host as usize].rate)].time(size);
        self.probe.let_past(Past { at: self.now, host, pacer, time, limit, listed, stopped });
    }

    /// Bytes that flow control lets a port send in a lane now; NaN where no credits are counted, or every queue has its own
    /// and the destination is not known.
    pub(crate) fn credit_of(&self, port: u32, lane: u8, destination: Option<u32>) -> f64 {
        let unit = match self.flow_control.unit {
            CreditUnit::Slot => self.adapter.full(),
            CreditUnit::Block(block) => block,
            CreditUnit::None | CreditUnit::Pause => return f64::NAN,
        };
        let units = match self.elaborate() && self.books_rooms() {
            true => self.room_left(port, lane, destination),
            false => {
                let state = &self.out_lanes[self.at(port, lane)];
                let counted = state.credit != UNLIMITED;
                counted.then(|| u64::from(state.credit) + self.notes.due(state, self.now))
            }
        };
        units.map_or(f64::NAN, |units| (units * unit.0) as f64)
    }
}
