"""A switch: a buffer at each input, queues over it, read ports out of it, an arbiter at each output.

Outputs have no memory. A packet stays in the buffer of its input until its last byte has left through its output. But
if the crossbar has a speed of its own, packets are read at that speed, and an output holds a few of them for its link.
"""

from dataclasses import dataclass

from reference.infiniband import FecnMarker
from reference.lanes import LaneTurn
from reference.link import ARRIVE, LEFT, PACE, TAIL, Packet
from reference.pauses import Memory
from reference.quantities import time_for
from reference.queues import Islip, Queue
from reference.schemes import Marker


@dataclass(eq=False)
class Stay:
    """A packet's stay in a switch."""

    packet: Packet
    input: int
    output: int
    arrived: int  # when it could be routed: its place in first-in first-out order
    passed: int = 0  # how often a younger packet has gone before it while it was the oldest


class Input:
    """One input port: its queues, and how many packets are being read from it.

    `queues[lane, name]` are its queues; with "voq" the name is an output, with "single" there is one without (see
    `Organisation`). `lines[lane, output]` are the queues whose heads wait for an output: the one that was served goes
    to the end. (Oldest-first arbiters see into virtual output queues and need no lines.)
    """

    def __init__(self, upstream, lanes: int):
        self.upstream = upstream  # the wire that comes in here
        self.queues: dict[tuple, Queue] = {}
        self.lines: dict[tuple, list[Queue]] = {}
        self.reading = 0
        self.memory: Memory | None = None  # where senders are paused
        self.held = [0] * lanes  # data packets from arrival until their last byte has left

    def fill(self, lane: int, output: int) -> int:
        """Bytes that wait in a lane for an output, in whichever queues."""
        queues = [queue for (of, _), queue in self.queues.items() if of == lane]
        return sum(stay.packet.size for queue in queues for stay in queue if stay.output == output)

    def waiting(self, lane: int) -> list[Stay]:
        """The data packets that wait in a lane, those being sent excluded."""
        everything = [stay for queue in self.queues.values() for stay in queue]
        return [stay for stay in everything if stay.packet.lane == lane and stay.packet.is_data]


class Output:
    """One output port, and whom its arbiter served last."""

    def __init__(self, port: int, wire, lanes: int, weights):
        self.port = port
        self.wire = wire
        self.last_lane = lanes - 1
        self.turn = LaneTurn(weights) if weights else None
        self.last_input = [-1] * lanes
        self.present = [0] * lanes  # data packets in the switch for this output, the one being sent included
        self.due = [0] * lanes  # marks that its next departures will get
        self.congested = [False] * lanes  # the congestion state of InfiniBand
        self.crossing = False  # a packet is on its way from an input to here (crossbars with a speed of their own)
        self.held: list[tuple[Packet, int]] = []  # packets here, and when each may start on the link
        self.eligible = [0] * lanes  # packets that could have been marked in that state
        self.dice = [None] * lanes  # chance, for those to be marked

    def lanes(self) -> list[int]:
        """The lanes in the order in which they are tried: by weight, or in turn after the one served last."""
        if self.turn is not None:
            return self.turn.lanes()
        lanes = len(self.present)
        return [(self.last_lane + k) % lanes for k in range(1, lanes + 1)]


class Switch:
    """One switch."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.inputs: list[Input] = []
        self.outputs: list[Output] = []
        self.turn = 0  # the output that decides first
        self.islip = None
        self.marker = FecnMarker(self.setup.fecn, self) if self.setup.fecn else Marker(self.setup.mark, self)

    def add_port(self, out, back) -> None:
        """The next port: `out` leaves from here, `back` comes in here."""
        out.sender_port = back.receiver_port = len(self.outputs)
        self.outputs.append(Output(len(self.outputs), out, self.setup.lanes, self.setup.lane_weights))
        self.inputs.append(Input(back, self.setup.lanes))

    def make_memory(self) -> None:
        """Senders are paused: every input counts what it holds."""
        for port, (entry, output) in enumerate(zip(self.inputs, self.outputs, strict=True)):
            buffers = self.setup.buffer_units
            entry.memory = Memory(self.fabric, self, port, entry.upstream, output.wire, buffers, fixed=True)

    def wires_out(self) -> list:
        """The wires that leave from here."""
        return [output.wire for output in self.outputs]

    def counted_for(self, stay: Stay):
        """What the bytes of a packet count for: its input, or its queue."""
        return stay.output if self.setup.pfc.per_queue else None

    def account(self, packet: Packet):
        """The queue whose room a packet takes here."""
        output = self.fabric.routes[self.number][packet.destination]
        return self.setup.organisation.queue_of(packet.destination, output)

    # ---- what happens to it -------------------------------------------------------------------------------------

    def expect(self, packet: Packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way in. When can it leave again?

        Cut-through: a forwarding delay after its head has come in, or as much later as it takes that a faster
        output never runs out of bytes. Store-and-forward: a forwarding delay after its tail has come in.
        """
        port = wire.receiver_port
        output = self.outputs[self.fabric.routes[self.number][packet.destination]]
        if self.setup.cut_through:
            ready = head_in + max(0, wire.time_for(packet) - self.passage(packet, output))
        else:
            ready = tail_in
        ready += self.setup.forwarding_delay
        stay = Stay(packet, port, output.port, ready)
        self.fabric.at(ready, ARRIVE, port, self, self.arrive, stay)
        if packet.is_data:
            self.fabric.at(max(tail_in, ready), TAIL, port, self, self.marker.tail_in, self.inputs[port], packet.lane)

    def arrive(self, stay: Stay) -> None:
        """The packet joins its queue, unless there is no room where nobody promised any."""
        memory = self.inputs[stay.input].memory
        if memory is not None and not memory.take(stay.packet.lane, self.counted_for(stay), stay.packet.size):
            return
        queue, lane = self.queue_of(stay), stay.packet.lane
        queue.append(stay)
        if len(queue) == 1:
            self.line_of(stay).append(queue)
        if stay.packet.is_data:
            self.inputs[stay.input].held[lane] += 1
            self.outputs[stay.output].present[lane] += 1
            self.marker.arrived(self.outputs[stay.output], lane)
        self.marker.queue_changed(self.outputs[stay.output], lane)

    def left(self, stay: Stay) -> None:
        """Its last byte has left: the room it took in its input buffer is free, and so is a read port."""
        entry = self.inputs[stay.input]
        entry.reading -= 1
        self.queue_of(stay).being_read = False
        if stay.packet.is_data:
            entry.held[stay.packet.lane] -= 1
            self.outputs[stay.output].present[stay.packet.lane] -= 1
        entry.upstream.give_back(stay.packet, self.fabric.now)

    def queue_of(self, stay: Stay) -> Queue:
        """The queue in which a packet waits."""
        name = self.setup.organisation.queue_of(stay.packet.destination, stay.output)
        return self.inputs[stay.input].queues.setdefault((stay.packet.lane, name), Queue())

    def line_of(self, stay: Stay) -> list[Queue]:
        """The line of queues in which a head waits."""
        return self.inputs[stay.input].lines.setdefault((stay.packet.lane, stay.output), [])

    def passage(self, packet: Packet, output: Output) -> int:
        """How long the packet is read from its input."""
        return time_for(packet.size, self.setup.crossbar) if self.setup.crossbar else output.wire.time_for(packet)

    # ---- what it decides ----------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Every idle output starts a frame or a packet if it can; outputs decide in rotating order."""
        for output in self.outputs:
            output.wire.send_frame()
        for output in self.outputs:
            self.depart(output)
        if self.setup.arbiter == "islip":
            return self.decide_together()
        first = self.turn
        for k in range(len(self.outputs)):
            output = self.outputs[(first + k) % len(self.outputs)]
            stay, _ = self.choose(output)
            if stay is not None:
                self.start(stay, output)
                self.turn = (output.port + 1) % len(self.outputs)
        for output in self.outputs:
            stay, blocked = self.choose(output)
            assert stay is None, "one round of decisions is enough"
            output.wire.note_blocked(blocked)

    def decide_together(self) -> None:
        """Inputs and outputs are matched: until nobody is left, or once in each slot."""
        self.islip = self.islip or Islip(len(self.outputs))
        if self.setup.slotted:
            rate = self.setup.crossbar or max(wire.rate for wire in self.fabric.wires)
            slot = time_for(self.setup.mtu + self.setup.header, rate)
            if any(queue for entry in self.inputs for queue in entry.queues.values()):
                self.fabric.at((self.fabric.now // slot + 1) * slot, PACE, 0, self, lambda: None)
            if self.fabric.now % slot:
                return
        ports, rounds = range(len(self.outputs)), self.setup.iterations or float("inf")
        matched = True
        while matched:
            requests = {(i, o) for i in ports for o in ports if self.offer(i, self.outputs[o])[0]}
            limit = float("inf") if self.setup.read_ports is None else self.setup.read_ports
            matched = self.islip.match(requests, [limit - entry.reading for entry in self.inputs], rounds)
            for i, o in matched:
                self.start(self.offer(i, self.outputs[o])[0], self.outputs[o])
            if self.setup.slotted:
                break
        for output in self.outputs:
            offers = [self.offer(port, output) for port in ports]
            output.wire.note_blocked(any(lacks for _, lacks in offers) and not any(stay for stay, _ in offers))

    def offer(self, port: int, output: Output) -> tuple[Stay | None, bool]:
        """What an input has for an idle output, in the next of its lanes that can send; and whether something lacks
        credit."""
        blocked = False
        for lane in output.lanes() if self.is_open(output) else []:
            stay, lacks_credit = self.head_of_line(port, output, lane)
            if stay is not None:
                return stay, False
            blocked = blocked or lacks_credit
        return None, blocked

    def choose(self, output: Output) -> tuple[Stay | None, bool]:
        """The packet that this output starts now, if any; and whether it is blocked: idle, although a packet could
        be read for it, for lack of credit."""
        if not self.is_open(output):
            return None, False
        blocked = False
        for lane in output.lanes():
            if self.setup.arbiter == "fifo":
                stay, lacks_credit = self.oldest(output, lane)
            else:
                stay, lacks_credit = self.next_in_turn(output, lane)
            if stay is not None:
                return stay, False
            blocked = blocked or lacks_credit
        return None, blocked

    def next_in_turn(self, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """Round robin: the first input after the last one served whose head can be read and fits the credits."""
        blocked = False
        for k in range(1, len(self.inputs) + 1):
            port = (output.last_input[lane] + k) % len(self.inputs)
            stay, lacks_credit = self.head_of_line(port, output, lane)
            if stay is not None:
                return stay, False
            blocked = blocked or lacks_credit
        return None, blocked

    def head_of_line(self, port: int, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """Of the heads at an input that wait for this output, the first that can be read and fits the credits."""
        line = self.inputs[port].lines.get((lane, output.port), ()) if self.can_read(port) else ()
        readable = [queue[0] for queue in line if not queue.being_read]
        fitting = [stay for stay in readable if output.wire.fits(stay.packet)]
        return (fitting[0], False) if fitting else (None, bool(readable))

    def oldest(self, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """First in, first out; packets whose input is busy are passed.

        A packet that was passed `bypass_limit` times as the oldest is passed no more: the output waits for its input.
        A packet that lacks credit is never passed: the output waits for credit. (So a read port that becomes busy can
        only ever keep packets from going; nobody gains by it.)
        """
        limit = self.setup.bypass_limit
        for stay in self.in_order(output, lane):
            if not output.wire.fits(stay.packet):
                return None, self.can_read(stay.input)
            if self.can_read(stay.input):
                return stay, False
            if limit is not None and stay.passed >= limit:
                return None, False
        return None, False

    def in_order(self, output: Output, lane: int) -> list[Stay]:
        """All candidates for an output, the oldest first; at equal times the lower input first."""
        found = [stay for port in range(len(self.inputs)) for stay in self.candidates(port, output, lane)]
        return sorted(found, key=lambda stay: (stay.arrived, stay.input))

    def candidates(self, port: int, output: Output, lane: int) -> list[Stay]:
        """The packets at an input that this output may see, in order: all for it, or only the head of all."""
        queues = self.inputs[port].queues
        if self.setup.organisation.kind == "voq":
            return list(queues.get((lane, output.port), ()))
        return [stay for stay in list(queues.get((lane, None), ()))[:1] if stay.output == output.port]

    def can_read(self, port: int) -> bool:
        """A read port of this input is free."""
        return self.setup.read_ports is None or self.inputs[port].reading < self.setup.read_ports

    def is_open(self, output: Output) -> bool:
        """A packet can start from an input to this output."""
        if self.setup.crossbar is None:
            return output.wire.sending is None
        return not output.crossing and len(output.held) < self.setup.output_packets

    def start(self, stay: Stay, output: Output) -> None:
        """Send the packet; mark it if a mark is due."""
        lane = stay.packet.lane
        if self.setup.arbiter == "fifo":
            oldest = self.in_order(output, lane)[0]
            if oldest is not stay:
                oldest.passed += 1
        queue = self.queue_of(stay)
        self.line_of(stay).remove(queue)
        assert queue.popleft() is stay, "within a queue nobody passes"
        queue.being_read = True
        if queue:
            self.line_of(queue[0]).append(queue)
        self.inputs[stay.input].reading += 1
        if self.setup.pfc is not None:
            self.inputs[stay.input].memory.give(lane, self.counted_for(stay), stay.packet.size, late=True)
        output.last_lane, output.last_input[lane] = lane, stay.input
        if output.turn is not None:
            output.turn.sends(lane, stay.packet.size)
        self.marker.queue_changed(output, lane, stay.packet.units)
        if stay.packet.is_data:
            self.marker.starts(stay.packet, output)
        if self.setup.crossbar is None:
            output.wire.send(stay.packet, then=lambda: self.left(stay))
        else:
            self.cross(stay, output)

    def cross(self, stay: Stay, output: Output) -> None:
        """The packet goes over to its output; it may start on the link so that its last byte is over in time."""
        output.wire.take(stay.packet)
        over = self.fabric.now + self.passage(stay.packet, output)
        earliest = max(self.fabric.now, over - output.wire.time_for(stay.packet))
        output.crossing = True
        output.held.append((stay.packet, earliest))

        def is_over() -> None:
            output.crossing = False
            self.left(stay)

        self.fabric.at(over, LEFT, output.port, self, is_over)
        if earliest > self.fabric.now:
            self.fabric.at(earliest, PACE, output.port, self, lambda: None)
        self.depart(output)

    def depart(self, output: Output) -> None:
        """An idle link takes the first packet that its output holds; it is held until its tail has left."""
        if output.wire.sending is None and output.held and self.fabric.now >= output.held[0][1]:
            output.wire.start(output.held[0][0], then=lambda: output.held.pop(0))
