//! Input queues of any organisation.
//!
//! The two plain organisations, a queue for each output and a single queue, need less (`arrival.rs` and
//! `departure.rs`). Here an input has any number of queues, each of which is read one packet at a time. The queue map
//! (`queue_map.rs`) says which one a packet joins, and the head of *any* queue may request *any* output. The queues
//! of an input that request the same output form a list; a queue that was served goes to its end. Besides the queues
//! of the map an input may have some that are *set aside*. No packet joins these on arrival: an isolation scheme
//! moves heads of queues into them ([`Fabric::move_head`]) and stops queues ([`Fabric::stop_queue`]).
//!
//! With one queue for each destination (VOQnet), there are as many queues behind a link as there are destinations to
//! which its sender forwards over it. So they are numbered by sender and destination; over all links of a switch that
//! is one queue for each host.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{HostId, PacketId, PortId, QueueId};
use prefetch_index::prefetch_index;

use crate::fabric::Fabric;
use crate::link::port::In;
use crate::switch::queues::inputs::{InputQueue, NONE, RequestList, RequestListAt};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The queue that a packet to `destination` joins at `input`; its room is charged to that queue if queues have
    /// room of their own.
    #[inline]
    pub(crate) fn queue_at(&self, input: PortId, lane: u8, destination: HostId) -> QueueId {
        let (side, inputs) = (&self.links.ins[input], &self.switches.inputs);
        let port = || self.switches.routes.port(side.switch, destination);
        inputs.first[input] + self.input_map().number(lane, port, destination, side.radix, inputs.hosts)
    }

    /// The queue that a packet joins at `input`, given that input's port.
    #[inline(always)]
    pub(crate) fn queue_to(&self, side: &In, input: PortId, lane: u8, port: u16, destination: HostId) -> QueueId {
        let inputs = &self.switches.inputs;
        inputs.first[input] + self.input_map().number(lane, || port, destination, side.radix, inputs.hosts)
    }

    /// Prefetches the list of an input's queues that request an output, see `tune/prefetch.rs`.
    #[inline(always)]
    pub(crate) fn fetch_request_list(&self, output: PortId, lane: u8, input: PortId) {
        let (inputs, out) = (&self.switches.inputs, &self.links.outs[output]);
        match inputs.request_list_at(self.input_map(), input, lane, (output - out.base) as u16, out.radix) {
            RequestListAt::Queue(queue) => inputs.queues.prefetch(queue),
            RequestListAt::Own(place) => prefetch_index(&inputs.request_lists, place),
        }
    }

    /// The list of an input's queues that request an output, given by its number in the switch.
    #[inline(always)]
    fn request_list_mut(&mut self, side: &In, input: PortId, lane: u8, port: u16) -> &mut RequestList {
        let map = self.input_map();
        let inputs = &mut self.switches.inputs;
        match inputs.request_list_at(map, input, lane, port, side.radix) {
            RequestListAt::Queue(queue) => &mut inputs.queues[queue].requesters,
            RequestListAt::Own(place) => &mut inputs.request_lists[place],
        }
    }

    /// A packet joins the end of a queue. Returns the output that the queue now requests, if it did not request it
    /// before.
    #[inline]
    pub(crate) fn join(&mut self, input: PortId, queue: QueueId, id: PacketId) -> Option<PortId> {
        let state = &mut self.switches.inputs.queues[queue];
        state.packets += 1;
        if !state.list.push(&mut self.packets, id) {
            return None;
        }
        self.watch_head(queue);
        self.request_output(input, queue)
    }

    /// Takes the head out of a queue, and withdraws its request. Call [`Fabric::request_output`] once the packet
    /// behind it may be looked at.
    #[inline]
    pub(crate) fn take_head(&mut self, input: PortId, queue: QueueId) -> PacketId {
        self.watch_departure(input, queue);
        self.withdraw_request(input, queue);
        let state = &mut self.switches.inputs.queues[queue];
        let id = state.list.head;
        state.list.pop(&self.packets);
        state.packets -= 1;
        id
    }

    /// Moves the head of a queue to the end of another queue of the same input: by pointer, in no time; its room
    /// stays where it is. Returns the outputs that the two queues newly request.
    pub(crate) fn move_head(&mut self, input: PortId, from: QueueId, to: QueueId) -> [Option<PortId>; 2] {
        let id = self.take_head(input, from);
        [self.join(input, to, id), self.request_output(input, from)]
    }

    /// The head of a queue requests its output, if there is a head and it may. Returns the output if the request is
    /// new.
    #[inline]
    pub(crate) fn request_output(&mut self, input: PortId, queue: QueueId) -> Option<PortId> {
        let state = &self.switches.inputs.queues[queue];
        let head = state.list.head;
        if head == PacketId::NONE || state.stopped || state.requested != NONE {
            return None;
        }
        let side = self.links.ins[input];
        let first = self.switches.inputs.isolated_queues(input).start;
        let number = (queue - first) as u16;
        let lane = state.lane;
        // What is the same for all packets of a queue need not be read from the head, which may not be in the cache.
        let in_map = u32::from(number).checked_sub(self.switches.inputs.isolated_per_input);
        let port = in_map.and_then(|number| self.input_map().output_of(number, lane, side.radix));
        let port = port.unwrap_or_else(|| self.packets[head].port);
        let list = self.request_list_mut(&side, input, lane, port);
        let last = std::mem::replace(&mut list.last, number);
        let output = side.base + u32::from(port);
        if last == NONE {
            list.first = number;
            self.request(output, lane, input - side.base);
        } else {
            self.switches.inputs.queues[first + u32::from(last)].next = number;
        }
        let state = &mut self.switches.inputs.queues[queue];
        state.requested = port;
        (state.previous, state.next) = (last, NONE);
        Some(output)
    }

    /// A queue no longer requests anything.
    #[inline]
    pub(crate) fn withdraw_request(&mut self, input: PortId, queue: QueueId) {
        let state = &mut self.switches.inputs.queues[queue];
        let InputQueue { requested: port, previous, next, lane, .. } = *state;
        if port == NONE {
            return;
        }
        state.requested = NONE;
        let side = self.links.ins[input];
        let list = self.request_list_mut(&side, input, lane, port);
        if previous == NONE && next == NONE {
            *list = RequestList::EMPTY;
            self.end_request(side.base + u32::from(port), lane, input - side.base);
            return;
        }
        if previous == NONE {
            list.first = next;
        }
        if next == NONE {
            list.last = previous;
        }
        let first = self.switches.inputs.isolated_queues(input).start;
        if previous != NONE {
            self.switches.inputs.queues[first + u32::from(previous)].next = next;
        }
        if next != NONE {
            self.switches.inputs.queues[first + u32::from(next)].previous = previous;
        }
    }

    /// The output that the head of a queue requests.
    pub(crate) fn requested_output(&self, queue: QueueId) -> Option<PortId> {
        let port = self.switches.inputs.queues[queue].requested;
        (port != NONE).then(|| self.links.ins[self.switches.inputs.owners[queue]].base + u32::from(port))
    }

    /// From now on the head of a queue may not request its output, or may again. Returns the output that it newly
    /// requests.
    pub(crate) fn stop_queue(&mut self, input: PortId, queue: QueueId, stopped: bool) -> Option<PortId> {
        self.watch_stop(input, queue, stopped);
        self.switches.inputs.queues[queue].stopped = stopped;
        if stopped {
            self.withdraw_request(input, queue);
            return None;
        }
        self.request_output(input, queue)
    }

    /// The first queue of `input` that requests `output`, if there is one; continue with [`Fabric::next_requester`].
    #[inline]
    pub(crate) fn first_requester(&self, output: PortId, lane: u8, input: PortId) -> Option<QueueId> {
        let inputs = &self.switches.inputs;
        let side = &self.links.ins[input];
        let number =
            match inputs.request_list_at(self.input_map(), input, lane, (output - side.base) as u16, side.radix) {
                RequestListAt::Queue(queue) => inputs.queues[queue].requesters.first,
                RequestListAt::Own(place) => inputs.request_lists[place].first,
            };
        (number != NONE).then(|| inputs.isolated_queues(input).start + u32::from(number))
    }

    /// The queue of `input` behind this one in its list of requests.
    #[inline]
    pub(crate) fn next_requester(&self, input: PortId, queue: QueueId) -> Option<QueueId> {
        let number = self.switches.inputs.queues[queue].next;
        (number != NONE).then(|| self.switches.inputs.isolated_queues(input).start + u32::from(number))
    }
}
