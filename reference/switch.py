"""A switch: a buffer at each input, queues over it, read ports out of it, an arbiter at each output.

Outputs have no memory. A packet stays in the buffer of its input until its last byte has left through its output.
"""

from collections import deque
from dataclasses import dataclass

from reference.infiniband import FecnMarker
from reference.lanes import LaneTurn
from reference.link import ARRIVE, TAIL, Packet
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

    `queues[lane, output]` is the FIFO of packets that wait for an output ("voq"); with a "single" queue per lane,
    it is `queues[lane, None]`, and only the head of it may be forwarded.
    """

    def __init__(self, upstream, lanes: int):
        self.upstream = upstream  # the wire that comes in here
        self.queues: dict[tuple, deque[Stay]] = {}
        self.reading = 0
        self.held = [0] * lanes  # data packets from arrival until their last byte has left

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
        self.marker = FecnMarker(self.setup.fecn, self) if self.setup.fecn else Marker(self.setup.mark, self)

    def add_port(self, out, back) -> None:
        """The next port: `out` leaves from here, `back` comes in here."""
        out.sender_port = back.receiver_port = len(self.outputs)
        self.outputs.append(Output(len(self.outputs), out, self.setup.lanes, self.setup.lane_weights))
        self.inputs.append(Input(back, self.setup.lanes))

    # ---- what happens to it -------------------------------------------------------------------------------------

    def expect(self, packet: Packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way in. When can it leave again?

        Cut-through: a forwarding delay after its head has come in, or as much later as it takes that a faster
        output never runs out of bytes. Store-and-forward: a forwarding delay after its tail has come in.
        """
        port = wire.receiver_port
        output = self.outputs[self.fabric.routes[self.number][packet.destination]]
        if self.setup.cut_through:
            ready = head_in + max(0, wire.time_for(packet) - output.wire.time_for(packet))
        else:
            ready = tail_in
        ready += self.setup.forwarding_delay
        stay = Stay(packet, port, output.port, ready)
        self.fabric.at(ready, ARRIVE, port, self, self.arrive, stay)
        if packet.is_data:
            self.fabric.at(max(tail_in, ready), TAIL, port, self, self.marker.tail_in, self.inputs[port], packet.lane)

    def arrive(self, stay: Stay) -> None:
        """The packet joins its queue."""
        self.queue_of(stay).append(stay)
        lane = stay.packet.lane
        if stay.packet.is_data:
            self.inputs[stay.input].held[lane] += 1
            self.outputs[stay.output].present[lane] += 1
            self.marker.arrived(self.outputs[stay.output], lane)
        self.marker.queue_changed(self.outputs[stay.output], lane)

    def left(self, stay: Stay) -> None:
        """Its last byte has left: the room it took in its input buffer is free, and so is a read port."""
        entry = self.inputs[stay.input]
        entry.reading -= 1
        if stay.packet.is_data:
            entry.held[stay.packet.lane] -= 1
            self.outputs[stay.output].present[stay.packet.lane] -= 1
        entry.upstream.give_back(stay.packet, self.fabric.now)

    def queue_of(self, stay: Stay) -> deque[Stay]:
        """The queue in which a packet waits."""
        output = stay.output if self.setup.queues == "voq" else None
        return self.inputs[stay.input].queues.setdefault((stay.packet.lane, output), deque())

    # ---- what it decides ----------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Every idle output starts a packet if it can; outputs decide in rotating order."""
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

    def choose(self, output: Output) -> tuple[Stay | None, bool]:
        """The packet that this output starts now, if any; and whether it is blocked: idle, although a packet could
        be read for it, for lack of credit."""
        if output.wire.sending is not None:
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
            for stay in self.candidates(port, output, lane)[:1]:
                if self.can_read(port):
                    if output.wire.fits(stay.packet):
                        return stay, False
                    blocked = True
        return None, blocked

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
        if self.setup.queues == "voq":
            return list(queues.get((lane, output.port), ()))
        return [stay for stay in list(queues.get((lane, None), ()))[:1] if stay.output == output.port]

    def can_read(self, port: int) -> bool:
        """A read port of this input is free."""
        return self.setup.read_ports is None or self.inputs[port].reading < self.setup.read_ports

    def start(self, stay: Stay, output: Output) -> None:
        """Send the packet; mark it if a mark is due."""
        lane = stay.packet.lane
        if self.setup.arbiter == "fifo":
            oldest = self.in_order(output, lane)[0]
            if oldest is not stay:
                oldest.passed += 1
        first = self.queue_of(stay).popleft()
        assert first is stay, "within a queue nobody passes"
        self.inputs[stay.input].reading += 1
        output.last_lane, output.last_input[lane] = lane, stay.input
        if output.turn is not None:
            output.turn.sends(lane, stay.packet.size)
        self.marker.queue_changed(output, lane, stay.packet.units)
        if stay.packet.is_data:
            self.marker.starts(stay.packet, output)
        output.wire.send(stay.packet, then=lambda: self.left(stay))
