//! Queues of any kind at the inputs of switches.
//!
//! The two plain organisations, a queue for each output and a single queue, need less (`Switches::queues`, in `arrival.rs` and
//! `departure.rs`). Here an input has any number of queues, read one packet at a time each, a packet joins the one that the queue map says, and the head of *any* queue
//! may call for *any* output. The queues of an input that call for the same output stand in a line: the one that was
//! served goes to its end. Beyond the queues of the map an input may have some *set aside*, which nothing joins by
//! itself: a part that isolates congested flows moves heads into them ([`Fabric::move_head`]) and hushes queues
//! ([`Fabric::stop_queue`]).
//!
//! With one queue for each destination (VOQnet) the queues behind a link are as many as there are destinations that its
//! sender forwards over it, so they are numbered by sender and destination: over all links of a switch that is one
//! queue for each host.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{HostId, PacketId, PortId, QueueId};
use prefetch_index::prefetch_index;

use crate::fabric::Fabric;
use crate::link::port::In;
use crate::switch::queues::inputs::{InputQueue, LineAt, NOBODY, RequestList};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The queue that a packet to `destination` joins at `input`, and whose room it takes if queues have room of their own.
    #[inline]
    pub(crate) fn queue_at(&self, input: PortId, lane: u8, destination: HostId) -> QueueId {
        let (side, inputs) = (&self.links.ins[input], &self.switches.inputs);
        let port = || self.switches.routes.port(side.switch, destination);
        inputs.first[input] + self.input_map().number(lane, port, destination, side.radix, inputs.hosts)
    }

    /// The queue that a packet joins at `input`, whose port is known.
    #[inline(always)]
    pub(crate) fn queue_to(&self, side: &In, input: PortId, lane: u8, port: u16, destination: HostId) -> QueueId {
        let inputs = &self.switches.inputs;
        inputs.first[input] + self.input_map().number(lane, || port, destination, side.radix, inputs.hosts)
    }

    /// Fetches the callers of an input for an output, see `tune/prefetch.rs`.
    #[inline(always)]
    pub(crate) fn fetch_line(&self, output: PortId, lane: u8, input: PortId) {
        let (inputs, out) = (&self.switches.inputs, &self.links.outs[output]);
        match inputs.line_at(self.input_map(), input, lane, (output - out.base) as u16, out.radix) {
            LineAt::Queue(queue) => inputs.queues.prefetch(queue),
            LineAt::Own(place) => prefetch_index(&inputs.lines, place),
        }
    }

    /// The callers of an input for an output, by its number in the switch.
    #[inline(always)]
    fn line(&mut self, side: &In, input: PortId, lane: u8, port: u16) -> &mut RequestList {
        let map = self.input_map();
        let inputs = &mut self.switches.inputs;
        match inputs.line_at(map, input, lane, port, side.radix) {
            LineAt::Queue(queue) => &mut inputs.queues[queue].line,
            LineAt::Own(place) => &mut inputs.lines[place],
        }
    }

    /// A packet joins the end of a queue. Answers the output that the queue now calls for, if it did not call before.
    #[inline]
    pub(crate) fn join(&mut self, input: PortId, queue: QueueId, id: PacketId) -> Option<PortId> {
        let state = &mut self.switches.inputs.queues[queue];
        state.packets += 1;
        if !state.list.push(&mut self.packets, id) {
            return None;
        }
        self.watch_head(queue);
        self.call(input, queue)
    }

    /// Takes the head out of a queue, which stops calling. Call [`Fabric::call`] when what follows may be looked at.
    #[inline]
    pub(crate) fn take_head(&mut self, input: PortId, queue: QueueId) -> PacketId {
        self.watch_departure(input, queue);
        self.withdraw(input, queue);
        let state = &mut self.switches.inputs.queues[queue];
        let id = state.list.head;
        state.list.pop(&self.packets);
        state.packets -= 1;
        id
    }

    /// Moves the head of a queue to the end of another of the same input: by pointer, in no time, its room stays where
    /// it is. Answers the outputs that the two queues newly call for.
    pub(crate) fn move_head(&mut self, input: PortId, from: QueueId, to: QueueId) -> [Option<PortId>; 2] {
        let id = self.take_head(input, from);
        [self.join(input, to, id), self.call(input, from)]
    }

    /// The head of a queue calls for its output, if there is one and it may. Answers the output if the call is new.
    #[inline]
    pub(crate) fn call(&mut self, input: PortId, queue: QueueId) -> Option<PortId> {
        let state = &self.switches.inputs.queues[queue];
        let head = state.list.head;
        if head == PacketId::NONE || state.stopped || state.calls != NOBODY {
            return None;
        }
        let side = self.links.ins[input];
        let first = self.switches.inputs.set_aside(input).start;
        let number = (queue - first) as u16;
        let lane = state.lane;
        // What all packets of a queue go by need not be asked of the head, which may be far away.
        let in_map = u32::from(number).checked_sub(self.switches.inputs.aside);
        let port = in_map.and_then(|number| self.input_map().output_of(number, lane, side.radix));
        let port = port.unwrap_or_else(|| self.packets[head].port);
        let line = self.line(&side, input, lane, port);
        let last = std::mem::replace(&mut line.last, number);
        let output = side.base + u32::from(port);
        if last == NOBODY {
            line.first = number;
            self.request(output, lane, input - side.base);
        } else {
            self.switches.inputs.queues[first + u32::from(last)].behind = number;
        }
        let state = &mut self.switches.inputs.queues[queue];
        state.calls = port;
        (state.before, state.behind) = (last, NOBODY);
        Some(output)
    }

    /// A queue stops calling.
    #[inline]
    pub(crate) fn withdraw(&mut self, input: PortId, queue: QueueId) {
        let state = &mut self.switches.inputs.queues[queue];
        let InputQueue { calls: port, before, behind, lane, .. } = *state;
        if port == NOBODY {
            return;
        }
        state.calls = NOBODY;
        let side = self.links.ins[input];
        let line = self.line(&side, input, lane, port);
        if before == NOBODY && behind == NOBODY {
            *line = RequestList::EMPTY;
            self.end_request(side.base + u32::from(port), lane, input - side.base);
            return;
        }
        if before == NOBODY {
            line.first = behind;
        }
        if behind == NOBODY {
            line.last = before;
        }
        let first = self.switches.inputs.set_aside(input).start;
        if before != NOBODY {
            self.switches.inputs.queues[first + u32::from(before)].behind = behind;
        }
        if behind != NOBODY {
            self.switches.inputs.queues[first + u32::from(behind)].before = before;
        }
    }

    /// The output for which the head of a queue of `input` calls.
    pub(crate) fn called_for(&self, queue: QueueId) -> Option<PortId> {
        let port = self.switches.inputs.queues[queue].calls;
        (port != NOBODY).then(|| self.links.ins[self.switches.inputs.owners[queue]].base + u32::from(port))
    }

    /// From now on the head of a queue may not call, or may again. Answers the output that it newly calls for.
    pub(crate) fn stop_queue(&mut self, input: PortId, queue: QueueId, stopped: bool) -> Option<PortId> {
        self.watch_stop(input, queue, stopped);
        self.switches.inputs.queues[queue].stopped = stopped;
        if stopped {
            self.withdraw(input, queue);
            return None;
        }
        self.call(input, queue)
    }

    /// The first queue that `input` has in line for `output`, if there is one; walk on with [`Fabric::behind`].
    #[inline]
    pub(crate) fn first_in_line(&self, output: PortId, lane: u8, input: PortId) -> Option<QueueId> {
        let inputs = &self.switches.inputs;
        let side = &self.links.ins[input];
        let number = match inputs.line_at(self.input_map(), input, lane, (output - side.base) as u16, side.radix) {
            LineAt::Queue(queue) => inputs.queues[queue].line.first,
            LineAt::Own(place) => inputs.lines[place].first,
        };
        (number != NOBODY).then(|| inputs.set_aside(input).start + u32::from(number))
    }

    /// The queue of `input` behind this one in its line.
    #[inline]
    pub(crate) fn behind(&self, input: PortId, queue: QueueId) -> Option<QueueId> {
        let number = self.switches.inputs.queues[queue].behind;
        (number != NOBODY).then(|| self.switches.inputs.set_aside(input).start + u32::from(number))
    }
}
