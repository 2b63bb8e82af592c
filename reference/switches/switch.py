"""A switch: a buffer at each input, queues over it, read ports out of it, an arbiter at each output.

Usually outputs have no memory: a packet stays in the buffer of its input until its last byte has left through its
output. But if the crossbar has a speed of its own, packets are read at that speed, and an output holds a few of them
for its link. And where outputs have a buffer, packets cross to it at once as long as the next one fits: from the
inputs in turn, and from the buffer first come, first served.
"""

from functools import partial

from reference.links.link import ARRIVE, TAIL, Packet
from reference.links.pauses import Memory
from reference.links.watchdog import Watchdog
from reference.marks.counts import Marker
from reference.marks.infiniband import FecnMarker
from reference.marks.np_ecn import NpEcnMarker
from reference.marks.red import RedMarker
from reference.marks.ternary import TernaryMarker
from reference.quantities import time_for
from reference.reactions.telemetry import Port
from reference.regions.region import Region
from reference.switches.bounded import OutputQueue
from reference.switches.deciding import Deciding
from reference.switches.flow_queues import LANE, FlowQueues
from reference.switches.isolation import RootMarker
from reference.switches.memory import Pool, SharedMemory
from reference.switches.ports import Input, Output, Stay
from reference.switches.queues import Queue
from reference.switches.set_aside import Lines


class Switch(Deciding):
    """One switch."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.inputs: list[Input] = []
        self.outputs: list[Output] = []
        self.turn = 0  # the output that decides first
        self.islip = None
        self.marker = self.make_marker()

    def make_marker(self):
        """What marks packets here."""
        if self.setup.fecn:
            return FecnMarker(self.setup.fecn, self)
        if self.setup.roots:
            return RootMarker(self.setup.roots, self)
        if self.setup.red:
            return RedMarker(self.setup.red, self)
        if self.setup.ternary:
            return TernaryMarker(self.setup.ternary, self)
        if self.setup.mark.kind == "np-ecn":
            return NpEcnMarker(self)
        return Marker(self.setup.mark, self)

    def add_port(self, out, back) -> None:
        """The next port: `out` leaves from here, `back` arrives here."""
        out.sender_port = back.receiver_port = len(self.outputs)
        setup = self.setup
        self.outputs.append(Output(len(self.outputs), out, setup.lanes, setup.lane_weights, setup.lane_schedule))
        self.inputs.append(Input(back, self.setup.lanes))
        if setup.flow_queues is not None:
            self.outputs[-1].by_flow = FlowQueues(setup.flow_queues, self, self.outputs[-1])
        if setup.isolation is not None:
            self.inputs[-1].aside = Lines(setup.isolation, self, len(self.inputs) - 1)
        if setup.regions is not None:
            self.outputs[-1].region = Region(setup.regions, self, self.outputs[-1])
        if setup.lossy:
            self.outputs[-1].bounded = OutputQueue(self, self.outputs[-1])
        if setup.telemetry is not None:
            self.outputs[-1].telemetry = Port(setup.telemetry, self)

    def make_memory(self) -> None:
        """Senders are paused: every input counts the bytes that it holds."""
        pool = Pool(self, self.setup.shared_memory) if self.setup.shared_memory else None
        for port, (entry, output) in enumerate(zip(self.inputs, self.outputs, strict=True)):
            place = self.fabric, self, port, entry.upstream, output.wire
            if pool is not None:
                entry.memory = SharedMemory(*place, pool)
            else:
                entry.memory = Memory(*place, self.setup.buffer_units, fixed=True)
            if self.setup.pfc.watchdog is not None:
                queued = partial(self.queued, output)
                output.wire.watchdog = Watchdog(self.setup.pfc.watchdog, output.wire, queued)

    def port_number(self, output: Output) -> int:
        """The number of a port among all: hosts first, then the switches in turn."""
        before = sum(len(switch.outputs) for switch in self.fabric.switches[: self.number])
        return len(self.fabric.hosts) + before + output.port

    def queued(self, output: Output, lane: int) -> int:
        """Bytes that wait for the link of an output in a lane, wherever they are."""
        by_flow = output.by_flow.bytes() if output.by_flow and lane == LANE else 0
        behind = sum(packet.size for packet in output.behind if packet.lane == lane)
        return by_flow + behind + sum(entry.fill(lane, output.port) for entry in self.inputs)

    def receives_without_end(self) -> bool:
        """Whether receivers have no buffer limit: no, its buffers are simulated."""
        return False

    def wires_out(self) -> list:
        """The wires that leave from here."""
        return [output.wire for output in self.outputs]

    def memories(self) -> list[Memory]:
        """The memories that may pause neighbours."""
        return [entry.memory for entry in self.inputs if entry.memory is not None]

    def counted_for(self, stay: Stay):
        """The account of the bytes of a packet: its input, or its queue."""
        return stay.output if self.setup.pfc.per_queue else None

    def account(self, packet: Packet):
        """The queue whose room a packet takes here; where routes may change all queues share the room."""
        if self.fabric.detours.name or self.fabric.faults.any:
            return None
        output = self.fabric.routes[self.number][packet.destination]
        return self.setup.organisation.queue_of(packet.destination, output)

    # ---- what happens to it -------------------------------------------------------------------------------------

    def expect(self, packet: Packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way to this switch. When can it leave again?

        Cut-through: a forwarding delay after its head has arrived, or as much later as is necessary so that a faster
        output never runs out of bytes. Store-and-forward: a forwarding delay after its tail has arrived.
        """
        soonest = head_in if self.setup.cut_through and wire.checked is None else tail_in
        soonest += self.setup.forwarding_delay
        place = self.number, wire.receiver_port
        self.fabric.at(soonest, ARRIVE, place, self, self.route, packet, wire, tail_in - head_in, tail_in)

    def route(self, packet: Packet, wire, time_in: int, tail_in: int) -> None:
        """A packet can be routed, if it was not lost. It takes `time_in` to arrive, and has arrived at `tail_in`."""
        if not wire.comes_in(packet):
            return
        port, came_in, now = wire.receiver_port, packet.lane, self.fabric.now
        output = self.fabric.ways.port(self, packet)
        lane = self.fabric.hop_lanes.next(self.number, port, output, came_in, packet.flow.service)
        stay = Stay(packet, port, output, came_in, lane, now)
        if self.fabric.detours.name:
            self.fabric.detours.choose(self, stay)
        if self.setup.cut_through and wire.checked is None:
            stay.arrived += max(0, time_in - self.passage(packet, self.outputs[stay.output]))
        if packet.is_data and self.marker.on_input:
            whole = max(tail_in, stay.arrived)
            self.fabric.at(whole, TAIL, port, self, self.marker.tail_in, self.inputs[port], came_in)
        if stay.arrived > now:
            self.fabric.at(stay.arrived, ARRIVE, (self.number, port), self, self.arrive, stay)
        else:
            self.arrive(stay)

    def arrive(self, stay: Stay) -> None:
        """The packet joins its queue, unless there is no room (only where senders need no credit)."""
        memory, packet, output = self.inputs[stay.input].memory, stay.packet, self.outputs[stay.output]
        packet.lane = stay.lane
        if memory is not None:
            place = stay.came_in, self.counted_for(stay), packet.size
            if not memory.take(*place, queued=self.queued(output, stay.lane)):
                return memory.lose(*place)
        if output.bounded is not None and not output.bounded.admit(stay):
            return
        lane = stay.lane
        self.join(stay)
        if output.region is not None:
            output.region.joined(stay)
        if stay.packet.is_data:
            self.inputs[stay.input].held[stay.came_in] += 1
            self.outputs[stay.output].present[lane] += 1
            self.marker.arrived(output, lane)
        self.marker.queue_changed(output, lane)
        self.move_over(output)
        aside = self.inputs[stay.input].aside
        if aside is not None and lane == LANE and stay.packet.is_data:
            aside.joined(stay.queue)

    def join(self, stay: Stay) -> None:
        """It is in its queue, and requests its output if it is the first there."""
        self.outputs[stay.output].waiting_here += 1
        if self.flows_of(stay) is not None:
            return self.flows_of(stay).join(stay)
        stay.queue = self.queue_for(stay)
        stay.queue.append(stay)
        self.calls(stay.queue)

    def calls(self, queue: Queue) -> None:
        """The head of a queue waits for its output, behind the heads of others, unless it does already or may not."""
        if queue and queue.caller is None and not queue.stopped:
            queue.caller = self.line_of(queue[0])
            queue.caller.append(queue)

    def calls_no_more(self, queue: Queue) -> None:
        """It requests nothing."""
        if queue.caller is not None:
            queue.caller.remove(queue)
            queue.caller = None

    def flows_of(self, stay: Stay) -> FlowQueues | None:
        """The queues of flows in which a packet waits, if it waits in such."""
        return self.outputs[stay.output].by_flow if stay.lane == LANE else None

    def hear_of_queue(self, port: int, queue: int, stop: bool) -> None:
        """A queue of an output is stopped, or released."""
        stopped = self.outputs[port].by_flow.stopped
        (stopped.add if stop else stopped.discard)(queue)

    def hear_of_line(self, port: int, what: str, *says) -> None:
        """Process a notice about a line: packets here that belong to its tree follow it."""
        known = self.outputs[port].known.hear(what, *says)
        name = self.setup.organisation.queue_of(None, port)
        for entry in self.inputs:
            entry.aside.hears(what, known, entry.queues.get((LANE, name)))

    def hear_of_region(self, port: int, *says) -> None:
        """Process a notice of congestion: packets may no longer be held."""
        self.outputs[port].region.hear(*says)
        self.move_over(self.outputs[port])

    def left(self, stay: Stay) -> None:
        """Its last byte has left: the room it took in its input buffer is free, and so is a read port."""
        entry = self.inputs[stay.input]
        if self.setup.output_buffer is None:
            entry.reading -= 1
            if self.flows_of(stay) is None:
                stay.queue.being_read = False
        self.is_gone(stay)
        entry.upstream.give_back(stay.packet, stay.came_in, self.fabric.now)

    def is_gone(self, stay: Stay) -> None:
        """It no longer counts among the data packets in the switch."""
        if stay.packet.is_data:
            self.inputs[stay.input].held[stay.came_in] -= 1
            self.outputs[stay.output].present[stay.lane] -= 1

    def queue_for(self, stay: Stay) -> Queue:
        """The queue that a packet joins. Its destination may be another before it has left, if it is on a detour."""
        name = self.setup.organisation.queue_of(stay.packet.destination, stay.output)
        return self.inputs[stay.input].queues[stay.lane, name]

    def line_of(self, stay: Stay) -> list[Queue]:
        """The line of queues in which a head waits."""
        return self.inputs[stay.input].lines[stay.lane, stay.output]

    def passage(self, packet: Packet, output: Output) -> int:
        """How long reading the packet from its input takes."""
        return time_for(packet.size, self.setup.crossbar) if self.setup.crossbar else output.wire.time_for(packet)
