"""Samples of the readable twin: all links and all waiting packets, at regular times, recorded packet by packet.

A channel is a lane of a link in one direction: (number of the sending port, lane). Ports have numbers, those of hosts
first.
"""

from dataclasses import dataclass, field

from reference import Fabric
from reference.hosts.host import Host
from reference.quantities import choice, span

SOURCE = None
"""In place of a buffer: the packet has not left its host."""


@dataclass
class Waiting:
    """A data packet that waits."""

    buffer: tuple | None  # the channel by which it has arrived
    output: tuple  # the channel by which it leaves
    path: list  # all channels that it still crosses, its output first
    flow: int
    size: int
    front: tuple  # the channel that the first of its queue waits for
    first: bool  # it is the first of its queue
    fits: bool  # flow control allows it to start
    late: bool  # it came in after the slot of a matching had begun, or was held then
    stopped: bool  # its queue is
    over: bool = False  # it has gone over to the buffer of the output

    @property
    def behind(self) -> bool:
        """The first of its queue goes elsewhere."""
        return self.front != self.output


@dataclass
class Sample:
    """The state after all events of an instant."""

    time: int
    rate: dict = field(default_factory=dict)  # by port
    to_host: set = field(default_factory=set)  # ports
    busy: set = field(default_factory=set)  # ports that send, or can take no packet for another reason of their own
    held: set = field(default_factory=set)  # channels for which packets wait, all of them held by flow control
    waiting: list[Waiting] = field(default_factory=list)


class Slots:
    """Outputs of switches that can take no packet: another one is crossing or in its place, or, where switches match in
    slots, was at any time in the present one.
    """

    def __init__(self, fabric):
        self.fabric = fabric
        self.outputs = [output for switch in fabric.switches for output in switch.outputs]
        self.slotted = fabric.setup.arbiter == "islip" and fabric.setup.slotted
        self.length = fabric.switches[0].slot() if self.slotted else 1
        self.seen = 0
        self.used: set = set()

    def closed(self) -> set:
        """The wires whose outputs can take no packet at this moment."""
        most = self.fabric.setup.output_packets
        if self.fabric.setup.crossbar is None:
            return {id(output.wire) for output in self.outputs if output.wire.sending is not None}
        return {id(output.wire) for output in self.outputs if output.crossing or len(output.held) >= most}

    def work_instant(self) -> None:
        """The fabric works its next instant."""
        now = self.fabric.agenda[0][0]
        if self.slotted:
            self.come_to(now, self.closed() if now % self.length else set())
        self.fabric.work_instant()
        if self.slotted:
            self.used |= self.closed()

    def come_to(self, now: int, closed: set) -> None:
        """It is so late; if a slot has begun since, with these outputs closed, they are all that are so far."""
        if now // self.length != self.seen // self.length:
            self.used = closed
        self.seen = now

    def is_late(self, stay, wire) -> bool:
        """The packet came in after the present slot began, or flow control held its output then."""
        began = self.seen // self.length * self.length
        return self.slotted and (stay.arrived > began or wire.blocked_since is not None)


class Looking:
    """The run of a scenario, sampled at regular times."""

    def __init__(self, scenario: dict, every: int):
        self.fabric = fabric = Fabric(scenario)
        self.wires = [wire for node in [*fabric.hosts, *fabric.switches] for wire in node.wires_out()]
        self.number = {id(wire): port for port, wire in enumerate(self.wires)}
        self.samples: list[Sample] = []
        self.every = every
        self.slots = Slots(fabric)
        self.hashes = choice((scenario.get("scheme") or {}).get("route") or "none")[0] == "ecmp"
        due = every
        while due <= fabric.setup.duration:
            while fabric.agenda and fabric.agenda[0][0] <= due:
                self.slots.work_instant()
            self.samples.append(self.sample(due))
            due += every

    def channel(self, wire, lane: int) -> tuple:
        """A lane of a wire."""
        return self.number[id(wire)], lane

    def sample(self, now: int) -> Sample:
        """The current state."""
        sample = Sample(now)
        self.slots.come_to(now, self.slots.closed())
        for port, wire in enumerate(self.wires):
            sample.rate[port] = wire.rate
            if isinstance(wire.receiver, Host):
                sample.to_host.add(port)
            if wire.sending is not None or self.repeats(wire) or id(wire) in self.slots.used:
                sample.busy.add(port)
        self.fabric.now = now
        for host in self.fabric.hosts:
            self.sample_host(host, sample)
        for switch in self.fabric.switches:
            self.sample_switch(switch, sample)
        asked = {}
        for waits in sample.waiting:
            if waits.first and not waits.behind and not waits.stopped:
                asked.setdefault(waits.output, []).append(waits.fits)
        sample.held = {output for output, able in asked.items() if not any(able)}
        return sample

    @staticmethod
    def repeats(wire) -> bool:
        """It sends again, or keeps as much as it may until that is acknowledged."""
        return wire.checked is not None and (wire.checked.has_replays() or wire.checked.is_full())

    def sample_host(self, host, sample: Sample) -> None:
        """A packet of every flow that could send, were it not for others or for flow control."""
        held, host.held = host.held, set()
        for place, flow in enumerate(host.flows):
            if self.waits_for_link(host, flow):
                packet = host.packet_of(flow)
                output = self.channel(host.wire, flow.lane)
                path = self.path(host.wire, flow.lane, packet)
                fits = host.wire.fits(packet)
                sample.waiting.append(
                    Waiting(SOURCE, output, path, flow.number, packet.size, output, True, fits, False, place in held)
                )
        host.held = held

    def waits_for_link(self, host, flow) -> bool:
        """It has a packet, and pace and host allow it as soon as the link is free."""
        fabric, now = self.fabric, self.fabric.now
        if not flow.queue or now < flow.queue[0][2].ready:
            return False
        tails = [time for time, *_, action, _ in fabric.agenda if action == host.wire.left]
        fabric.now = max(tails, default=now)
        allowed = host.may_send(flow)
        fabric.now = now
        return allowed

    def sample_switch(self, switch, sample: Sample) -> None:
        """All data packets that wait in a switch, queue by queue."""
        for stays, stopped, over in self.queues(switch):
            front = None
            for place, stay in enumerate(stays):
                wire = switch.outputs[stay.output].wire
                output = self.channel(wire, stay.lane)
                front = front or output
                if not stay.packet.is_data:
                    continue
                buffer = self.channel(switch.inputs[stay.input].upstream, stay.came_in)
                path = self.path(wire, stay.lane, stay.packet)
                how = (
                    stay.packet.flow.number,
                    stay.packet.size,
                    front,
                    place == 0,
                    wire.fits(stay.packet),
                    self.slots.is_late(stay, wire),
                    stopped,
                    over,
                )
                sample.waiting.append(Waiting(buffer, output, path, *how))

    def queues(self, switch):
        """The packets of every queue in order, whether it is stopped, and whether it is in the buffer of an output."""
        lanes, setup = range(self.fabric.setup.lanes), self.fabric.setup
        if setup.arbiter == "fifo" and setup.organisation.kind == "voq":
            for output in switch.outputs:
                yield from ((switch.in_order(output, lane), False, False) for lane in lanes)
        else:
            for entry in switch.inputs:
                yield from ((queue, False, False) for queue in entry.queues.values())
        for output in switch.outputs:
            yield from ((queue, False, True) for queue in output.waiting)
            if output.by_flow is not None:
                yield output.by_flow.ahead, False, False
                for number, queue in enumerate(output.by_flow.queues):
                    yield queue, number in output.by_flow.stopped, False

    def path(self, wire, lane: int, packet) -> list:
        """The channels from a wire to where a packet goes."""
        path = [self.channel(wire, lane)]
        while not isinstance(wire.receiver, Host):
            switch, came_by = wire.receiver, wire.receiver_port
            hashed = self.fabric.ways.port(switch, packet) if self.hashes else None
            port = hashed if self.hashes else self.fabric.routes[switch.number][packet.destination]
            lane = self.fabric.hop_lanes.next(switch.number, came_by, port, lane, packet.flow.service)
            wire = switch.outputs[port].wire
            path.append(self.channel(wire, lane))
        return path


def samples_of(scenario: dict) -> Looking:
    """The samples that a scenario requests."""
    return Looking(scenario, span(scenario["measure"]["sampling_interval"]))
