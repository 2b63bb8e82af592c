//! Combined input and output queues: a crossbar moves packets from the virtual output queues of the inputs into a queue
//! at each output.
//!
//! The queue at an output (and lane) has room for a given number of bytes. As long as the next packet fits, the
//! crossbar takes it from the inputs in turn, at once: the crossbar is as fast as it needs to be. So a packet leaves
//! the memory of its input when it crosses, and inputs hold only what finds no room at its output. From there on
//! packets go first come, first served.
//! (Sizes of queues: Regional Congestion Mitigation, section 4.1.)

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{PacketId, PortId};

use crate::fabric::Fabric;
use crate::switch::arbiter::{Decision, QueuePosition};
use crate::switch::round_robin::next_in;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Packets cross that find room: those of a lane, or of all lanes, if a window may have held them back.
    pub(crate) fn cross(&mut self, output: PortId, lane: u8) {
        match self.regions() {
            true => self.let_go(output),
            false => self.fill_output(output, lane),
        }
    }

    /// Moves packets that find room to the output, from its inputs in turn.
    #[inline(never)]
    pub(crate) fn fill_output(&mut self, output: PortId, lane: u8) {
        let place = self.at(output, lane);
        let room = self.switches.output_buffers.room.unwrap_or(0);
        let base = self.links.outs[output].base;
        loop {
            let (id, before) = match self.next_to_cross(output, lane) {
                Decision::Send { id, place } => (id, place.before()),
                Decision::Wait { input_free, .. } => return self.wake_by(output, input_free),
                Decision::Nothing => return,
            };
            let (input, size, buffer_lane) =
                (self.packets[id].input, self.packets[id].size, self.packets[id].buffer_lane);
            if self.switches.output_buffers.held[place] + u64::from(size) > room {
                return;
            }
            self.pop_voq(output, lane, input, id, before);
            self.leave_memory(input, output, buffer_lane, size);
            self.control_crossed(input, output, lane, id);
            self.switches.output_buffers.held[place] += u64::from(size);
            self.links.out_lanes[place].turn = (input - base) as u16;
            let queue = self.queue_at_output(output, lane);
            self.switches.queues.change(queue, |list| list.push(&mut self.packets, id));
        }
    }

    /// The packet that crosses next: the head of the next input in turn, or one that a region lets through.
    fn next_to_cross(&mut self, output: PortId, lane: u8) -> Decision {
        if self.paces_flows(output) {
            return self.next_in_region(output, lane);
        }
        let place = self.at(output, lane);
        let Some(local) = next_in(self.requests(place), usize::from(self.links.out_lanes[place].turn) + 1) else {
            return Decision::Nothing;
        };
        let id = self.head(output, lane, self.links.outs[output].base + local as u32);
        Decision::Send { id, place: QueuePosition::Head }
    }

    /// The packet that has waited longest at the output.
    pub(crate) fn first_at_output(&mut self, output: PortId, lane: u8) -> Decision {
        let place = self.at(output, lane);
        let state = &self.links.out_lanes[place];
        match self.switches.queues.head(self.queue_at_output(output, lane)) {
            PacketId::NONE => Decision::Nothing,
            id if state.fits(self.packets[id].units) => Decision::Send { id, place: QueuePosition::Head },
            id => Decision::Wait {
                starved: u32::from(self.packets[id].units),
                blocked: true,
                input_free: congestree_units::Time::NEVER,
            },
        }
    }

    /// A packet leaves the output, and others cross.
    pub(crate) fn leave_output(&mut self, output: PortId, lane: u8, id: PacketId, before: Option<PacketId>) {
        let place = self.at(output, lane);
        self.switches.output_buffers.held[place] -= u64::from(self.packets[id].size);
        let queue = self.queue_at_output(output, lane);
        self.switches.queues.change(queue, |list| list.unlink(&mut self.packets, before));
        self.cross(output, lane);
    }
}
