//! Deadlock among queues, in elaborate switches (see `observe/waits/deadlock.rs`).
//!
//! A head is stuck if room that it lacks can only come from heads that are stuck. Where queues have room of their own,
//! that is the head of the one queue which it would join; where they share, any head behind the link (and lane) can
//! make room. Heads that could go but for a read port or a busy output are not stuck, nor are those for hosts.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::PacketId;

use crate::fabric::Fabric;
use crate::host::flow::NONE;
use crate::link::port::Far;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Outputs (and lanes) each of which waits for the next, the last for the first.
    pub(crate) fn circle_of_queues(&self) -> Option<Vec<(u32, u8)>> {
        // By queue: the queues of which one must move before its head can; empty if it may move.
        let coming = self.coming();
        let mut waits: Vec<Vec<u32>> =
            (0..self.switches.inputs.queues.len() as u32).map(|queue| self.waits_for(queue, &coming)).collect();
        loop {
            let free = |queue: &u32| waits[*queue as usize].is_empty();
            let moved: Vec<usize> =
                (0..waits.len()).filter(|&queue| !waits[queue].is_empty() && waits[queue].iter().any(free)).collect();
            if moved.is_empty() {
                break;
            }
            moved.into_iter().for_each(|queue| waits[queue].clear());
        }
        let mut at = waits.iter().position(|waits| !waits.is_empty())? as u32;
        let mut path: Vec<u32> = Vec::new();
        while !path.contains(&at) {
            path.push(at);
            at = *waits[at as usize].first()?;
        }
        let start = path.iter().position(|&seen| seen == at)?;
        let output = |queue: &u32| Some((self.called_for(*queue)?, self.switches.inputs.queues[*queue as usize].lane));
        path[start..].iter().map(output).collect()
    }

    /// By queue: packets that have room behind a link and are not in a queue there yet. Those will be, and may go on.
    fn coming(&self) -> Vec<i64> {
        let mut coming: Vec<i64> = self.switches.inputs.queues.iter().map(|queue| -i64::from(queue.packets)).collect();
        for id in self.live_packets() {
            let packet = &self.packets[id];
            if packet.input != NONE && packet.input >= self.rules.hosts_len {
                coming[self.queue_at(packet.input, packet.lane, packet.destination) as usize] += 1;
            }
        }
        coming
    }

    /// The queues behind the link for which the head of a queue calls, if only they can make room for it.
    fn waits_for(&self, queue: u32, coming: &[i64]) -> Vec<u32> {
        let state = &self.switches.inputs.queues[queue as usize];
        let head = state.list.head;
        let Some(output) = self.called_for(queue) else { return Vec::new() };
        if head == PacketId::NONE || self.open_at(output) > self.now {
            return Vec::new();
        }
        let packet = &self.packets[head];
        let (lane, destination) = (state.lane, packet.destination);
        let out = &self.links.outs[output as usize];
        if out.far == Far::Host
            || self.rooms_return(output, lane)
            || self.has_room(output, lane, destination, packet.units)
            || (self.pauses() && !self.is_held_for_good(output, lane))
        {
            return Vec::new();
        }
        let waiting = |queue: u32| self.switches.inputs.queues[queue as usize].list.head != PacketId::NONE;
        if self.room_is_own(output, lane) {
            let account = self.queue_at(out.peer, lane, destination);
            return if waiting(account) && coming[account as usize] == 0 { vec![account] } else { Vec::new() };
        }
        let behind = |&queue: &u32| self.switches.inputs.queues[queue as usize].lane == lane;
        if self.switches.inputs.of_input(out.peer).filter(behind).map(|queue| coming[queue as usize]).sum::<i64>() > 0 {
            return Vec::new();
        }
        let keeps = |queue: u32| {
            let output = self.called_for(queue);
            !self.pauses() || output.is_none_or(|output| self.keeps_asking(out.peer, lane, output))
        };
        self.switches.inputs.of_input(out.peer).filter(behind).filter(|&queue| waiting(queue) && keeps(queue)).collect()
    }
}
