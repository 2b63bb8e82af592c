//! The watchdog. A set of outputs is deadlocked if each waits for room in a buffer that only outputs of the set could
//! empty. Nothing is assumed of time-outs: the state of credits and queues decides, so what is merely slow is never
//! reported.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::PacketId;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::link::port::Far;
use crate::observe::outcome::Stop;
use crate::plan::QueueMap;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Looks for deadlock if some output has been held for long, and looks again later.
    pub(crate) fn watch(&mut self) {
        if self.is_suspicious() {
            self.look_for_deadlock();
        }
        if !self.agenda.is_empty() {
            self.schedule(self.now + self.rules.watchdog, Event::Watch);
        }
    }

    /// Some output has been held for long.
    pub(crate) fn is_suspicious(&self) -> bool {
        let long = |since: Time| since != Time::NEVER && self.now.since(since) >= self.rules.watchdog;
        self.links.outs.iter().any(|out| long(out.blocked_since))
    }

    /// Stops the run if packets wait for each other in a circle.
    pub(crate) fn look_for_deadlock(&mut self) {
        if let Some(circle) = self.circle_of_waits() {
            self.records.deadlock = circle;
            self.records.stop = Some(Stop::Deadlock(String::new()));
        }
    }

    /// Outputs (and lanes) each of which waits for the next, the last for the first.
    fn circle_of_waits(&self) -> Option<Vec<(u32, u8)>> {
        if self.elaborate() {
            return self.circle_of_queues();
        }
        let mut stuck = self.outputs_without_room();
        if !stuck.contains(&true) {
            return None;
        }
        let wants = self.wants_of_buffers();
        self.free_upstream(&wants, &mut stuck);
        let first = stuck.iter().position(|&is| is)?;
        let mut path: Vec<(u32, u8)> = Vec::new();
        let port_and_lane = |place: usize| ((place / self.lanes()) as u32, (place % self.lanes()) as u8);
        let mut at = port_and_lane(first);
        loop {
            if let Some(start) = path.iter().position(|&seen| seen == at) {
                return Some(path.split_off(start));
            }
            path.push(at);
            let buffer = self.at(self.links.outs[at.0 as usize].peer, at.1);
            at = port_and_lane(wants[buffer].iter().copied().find(|&place| stuck[place])?);
        }
    }

    /// Outputs and lanes of switches that wait for more room than is there or on its way back. All others may move.
    fn outputs_without_room(&self) -> Vec<bool> {
        let mut stuck: Vec<bool> = vec![false; self.links.out_lanes.len()];
        for (port, out) in self.links.outs.iter().enumerate() {
            for lane in 0..self.lanes() {
                let state = &self.links.out_lanes[port * self.lanes() + lane];
                let waits = out.busy_until <= self.now
                    && state.starved > 0
                    && !state.fits(state.starved.min(u32::from(u16::MAX)) as u16)
                    && self.links.notes.when(state, state.starved).is_none()
                    && self.links.messages.untold(out.peer as usize * self.lanes() + lane) == 0
                    && out.far != Far::Host
                    && (!self.pauses() || self.is_held_for_good(port as u32, lane as u8));
                stuck[port * self.lanes() + lane] = waits;
            }
        }
        stuck
    }

    /// For each buffer the outputs and lanes that its packets wait for, as places in the tables by both.
    fn wants_of_buffers(&self) -> Vec<Vec<usize>> {
        let mut wants: Vec<Vec<usize>> = vec![Vec::new(); self.links.out_lanes.len()];
        for id in self.live_packets() {
            let packet = &self.packets[id];
            if packet.input == NONE || packet.input < self.rules.hosts_len || packet.units == 0 {
                continue;
            }
            let side = self.links.ins[packet.input as usize];
            if self.queue_map() == QueueMap::Single {
                let head = self.switches.queues.head(side.queues as usize + usize::from(packet.lane));
                if head != id && head != PacketId::NONE {
                    continue;
                }
            }
            let (output, lane) = self.next_hop(side, id);
            if self.pauses() && !self.keeps_asking(packet.input, packet.buffer_lane, output) {
                continue;
            }
            wants[self.at(packet.input, packet.buffer_lane)].push(self.at(output, lane));
        }
        wants
    }

    /// Whoever could get room from a buffer that somebody may still empty is not stuck, and so on upstream.
    fn free_upstream(&self, wants: &[Vec<usize>], stuck: &mut [bool]) {
        loop {
            let mut freed = false;
            for port in 0..self.links.outs.len() as u32 {
                for lane in 0..self.lanes() as u8 {
                    let here = self.at(port, lane);
                    if !stuck[here] {
                        continue;
                    }
                    let buffer = self.at(self.links.outs[port as usize].peer, lane);
                    if wants[buffer].is_empty() || wants[buffer].iter().any(|&place| !stuck[place]) {
                        stuck[here] = false;
                        freed = true;
                    }
                }
            }
            if !freed {
                return;
            }
        }
    }
}
