//! Foresight: what the events in view are about is touched before they are handled.
//!
//! In a large network every event finds its packet, port, queue and credits somewhere in tens of megabytes. Handled
//! one after the other, events would wait for memory one after the other. The loads below do not depend on each
//! other from event to event, so the memory serves many at once, and the handling finds it all in the cache.
//! Nothing is changed and nothing is decided here: leaving it out gives the same run, slower.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::Feeds;
use congestree_wire::PacketId;

use crate::arbiter::next_in;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::shape::Shape;

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// Touches what the events that have come into view are about.
    #[inline]
    pub(crate) fn foresee(&mut self) {
        let (lanes, words) = (self.lanes(), self.words());
        let round_robin_voq =
            self.queue_map() == QueueMap::Voq && self.arbiter() == ArbiterPlan::RoundRobin && lanes == 1;
        let entries = self.agenda.in_view();
        if entries.is_empty() {
            return;
        }
        let mut touched = 0;
        for entry in entries {
            match Event::from_rank(entry.rank) {
                Event::Arrive { input, packet } => {
                    let side = self.ins[input as usize];
                    let local = self.routes.port(side.switch, self.packets[packet].destination);
                    let output = side.base as usize + usize::from(local);
                    let queue = side.queues as usize + usize::from(local);
                    let lane = &self.out_lanes[output * lanes];
                    touched ^= u32::from(self.outs[output].rate) ^ self.notes.touch(lane);
                    touched ^= self.queues.get(queue).map_or(0, |list| list.head.0);
                    touched ^= self.out_lanes[side.sender as usize * lanes].credit;
                }
                Event::Decide { port } => {
                    let lane = &self.out_lanes[port as usize * lanes];
                    touched ^= u32::from(self.outs[port as usize].rate) ^ self.notes.touch(lane);
                    if port < self.hosts_len {
                        let host = &self.hosts[port as usize];
                        touched ^= host.turn;
                        for &id in &self.generators[host.first_generator as usize..host.end_generator as usize] {
                            let source = &self.sources[id as usize];
                            if let (Feeds::PerDestination { base }, Some(next)) =
                                (source.plan().feeds, source.upcoming())
                            {
                                touched ^= self.flows[(base + next) as usize].host;
                            }
                        }
                    } else if round_robin_voq {
                        let set = &self.requests[port as usize * words..][..words];
                        if let Some(local) = next_in(set, usize::from(lane.turn) + 1) {
                            let base = self.outs[port as usize].base;
                            let side = self.ins[base as usize + local];
                            let head = self.queues[(side.queues + port - base) as usize].head;
                            if head != PacketId::NONE {
                                touched ^= self.packets[head].size;
                            }
                            touched ^= self.out_lanes[side.sender as usize].credit;
                        }
                    }
                }
                Event::Deliver { packet, .. } => {
                    touched ^= self.receipts[self.packets[packet].flow as usize].packets;
                }
                Event::Source { source, .. } => {
                    let source = &self.sources[source as usize];
                    let flow = match source.plan().feeds {
                        Feeds::One(flow) | Feeds::Each(flow) => Some(flow),
                        Feeds::PerDestination { base } => source.upcoming().map(|host| base + host),
                    };
                    touched ^= flow.map_or(0, |flow| self.flows[flow as usize].host);
                }
                _ => {}
            }
        }
        std::hint::black_box(touched);
    }
}
