//! Prefetching: the data that upcoming events will need are fetched before these events are handled.
//!
//! In a large network the packet, port, queue and credits of an event lie anywhere in tens of megabytes. If events were
//! simply handled one after the other, each would wait for memory in turn. What an event needs is found by a chain of
//! three or four loads: from the packet to its output, from there to the input that is next in turn, on to its queue
//! and the packet at its head. Where chains are long, every event is looked at three times as it comes nearer: each
//! step reads what the step before has fetched, and fetches what the next step will read. Where chains are short, a
//! single step is faster. The fetches of different events do not depend on each other, so the memory system serves many
//! of them at once.
//!
//! Prefetching changes no state and decides nothing: without it the run is the same, only slower.

use congestree_kernel::agenda::STEPS;
use congestree_kernel::{Agenda, Entry};
use congestree_probes::Probe;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::tune::variants::Variant;

mod at_hosts;
mod steps;

/// From this number of ports, flows or packets in flight on, they do not fit in the second-level cache.
const MANY: usize = 4096;
/// The same limit for queues: a megabyte of them. A network of 648 hosts on 36-port switches has half as many, and runs
/// 4 % faster (with 12 % fewer instructions) without prefetching.
const MANY_QUEUES: usize = 1 << 17;
/// From this number of ports on, prefetching takes three steps where chains are long: where packets choose their path,
/// and where inputs have queues of any kind. With the three steps, 8,192 hosts with ECMP (49,000 ports) run 2 to 10 %
/// faster, but 1,024 hosts that isolate flows (10,000 ports) 5 % slower, see ADR 10.
const VERY_MANY: usize = 8 * MANY;
/// This many packets in flight take 16 MiB. From there on, where chains are short, each packet is fetched one step
/// before what it points to is looked up. With fewer packets, the extra step gains no more than it costs.
const MANY_PACKETS: usize = 1 << 18;
/// The same limit for one of several parts: packets that came by mail are not stored in the order in which they are
/// handled, so the extra step pays from the size of a second-level cache on.
const MANY_PACKETS_OF_A_PART: usize = 1 << 15;
/// If more ports than this decide in one instant, not all of them are still in the cache when their turn comes.
const CROWD: usize = 2048;
/// Ports that decide are fetched in three steps, this many places apart.
const DECISIONS_AHEAD: usize = 12;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches what the events that have newly come into view will need. Most events are in the same bucket as earlier
    /// ones and so were in view already: for them this is a single test, not a call.
    #[inline(always)]
    pub(crate) fn prefetch(&mut self) {
        if self.agenda.view_has_changed() {
            self.prefetch_view();
        }
    }

    #[inline(never)]
    fn prefetch_view(&mut self) {
        let switches = self.has_far_switches();
        if !switches && !self.has_far_flows() {
            return;
        }
        let is_long_chain = self.has_input_queues() || self.chooses_paths();
        let in_steps = is_long_chain && self.links.outs.len() >= VERY_MANY;
        let many = if self.border.cut() { MANY_PACKETS_OF_A_PART } else { MANY_PACKETS };
        let far_packets = !in_steps && self.packets.live() >= many;
        let steps = if in_steps || self.has_headers() { STEPS } else { 1 + usize::from(far_packets) };
        self.agenda.look_ahead(steps);
        if far_packets {
            self.agenda.in_view(2).iter().for_each(|entry| self.fetch_packet(entry));
        }
        if in_steps {
            self.fetch_in_steps();
        } else if switches {
            self.agenda.in_view(1).iter().for_each(|entry| self.fetch_at_once(entry));
        } else {
            self.agenda.in_view(1).iter().for_each(|entry| self.fetch_at_host(Event::from_rank(entry.rank)));
        }
        if self.has_headers() {
            self.prefetch_connections();
        }
    }

    /// If very many ports decide in this instant, fetches what the ports some places further on will need.
    #[inline(always)]
    pub(crate) fn prefetch_decision(&self, place: usize) {
        if self.deciding.len() > CROWD {
            self.prefetch_one_of_a_crowd(place);
        }
    }

    #[inline(never)]
    fn prefetch_one_of_a_crowd(&self, place: usize) {
        let ahead = |steps| {
            let port = *self.deciding.get(place + steps * DECISIONS_AHEAD)?;
            Some(Entry { at: self.now, rank: Event::Decide { port }.rank() })
        };
        if let Some(entry) = ahead(3) {
            self.fetch_first(Event::from_rank(entry.rank));
        }
        if let Some(entry) = ahead(2) {
            self.fetch_second(&entry);
        }
        if let Some(entry) = ahead(1) {
            self.fetch_at_once(&entry);
            self.packets.fetch_free(DECISIONS_AHEAD);
        }
    }

    /// The tables of switches are too large for a second-level cache.
    #[inline]
    fn has_far_switches(&self) -> bool {
        self.switches.queues.len() >= MANY_QUEUES || self.links.outs.len() >= MANY
    }

    /// The tables of flows or of packets in flight are.
    #[inline]
    fn has_far_flows(&self) -> bool {
        self.ends.flows.len().max(self.packets.live()) >= MANY
    }
}
