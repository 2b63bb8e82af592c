"""The state of a switch at each of its ports, and what it knows about a packet."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from reference.links.lanes import LaneTurn, ScheduleTurn
from reference.links.link import Packet
from reference.links.pauses import Memory
from reference.switches.isolation import KnownLines
from reference.switches.queues import Queue


@dataclass(eq=False)
class Stay:
    """A packet's stay in a switch."""

    packet: Packet
    input: int
    output: int
    came_in: int  # the lane in which it arrived: its room here belongs to that lane
    lane: int  # the lane in which it leaves
    arrived: int  # when it could be routed: its place in first-in first-out order
    queue: Queue | None = None  # the one in which it waits, or was; none where flows have queues
    aside: bool = False  # that is a set-aside queue
    charged: bool = False  # to the queue that it came from, see `flow_queues`
    passed: int = 0  # how often a younger packet was sent before it while it was the oldest


class Input:
    """One input port: its queues, and how many packets are being read from it.

    `queues[lane, name]` are its queues, by the lane in which their packets leave; with "voq" the name is an output,
    with "single" there is one without (see `Organisation`). `lines[lane, output]` are the queues whose heads wait for
    an output: the one that was served goes to the end. (Oldest-first arbiters see into virtual output queues and need
    no lines.)
    """

    def __init__(self, upstream, lanes: int):
        self.upstream = upstream  # the wire that arrives here
        self.queues: dict[tuple, Queue] = defaultdict(Queue)
        self.lines: dict[tuple, list[Queue]] = defaultdict(list)
        self.reading = 0
        self.memory: Memory | None = None  # where senders are paused
        self.held = [0] * lanes  # data packets from arrival until their last byte has left
        self.charges: Counter = Counter()  # packets charged to each queue of the neighbour
        self.gone_over: list[Stay] = []  # packets that wait in the buffer of an output
        self.aside = None  # what is set aside, see `set_aside`

    def fill(self, lane: int, output: int) -> int:
        """Bytes that have arrived here and wait in a lane for an output, in any queues."""
        here = 0
        for (of, _), queue in self.queues.items():
            if of == lane:
                for stay in queue:
                    if stay.output == output:
                        here += stay.packet.size
        for stay in self.gone_over:
            if stay.output == output and stay.lane == lane:
                here += stay.packet.size
        return here

    def waiting(self) -> list[Stay]:
        """The data packets that wait, those being sent excluded."""
        return [stay for queue in self.queues.values() for stay in queue if stay.packet.is_data]


class Output:
    """One output port, and what its arbiter served last."""

    def __init__(self, port: int, wire, lanes: int, weights, schedule):
        self.port = port
        self.wire = wire
        self.last_lane = lanes - 1
        self.turn = LaneTurn(weights) if weights else None
        self.schedule = wire.schedule = ScheduleTurn(schedule) if schedule else None
        self.attempt = None  # that of the packet that was chosen
        self.last_input = [-1] * lanes
        self.waiting_here = 0  # packets in the switch that wait for it
        self.present = [0] * lanes  # data packets in the switch for this output, the one being sent included
        self.due = [0] * lanes  # marks that its next departures will get
        self.congested = [False] * lanes  # the congestion state of InfiniBand
        self.crossing = False  # a packet is crossing from an input to here (crossbars with a speed of their own)
        self.held: list[tuple[Packet, int]] = []  # packets here, and when each may start on the link
        self.behind: list[Packet] = []  # those of them that have not started
        self.waiting: list[list[Stay]] = [[] for _ in range(lanes)]  # packets in its buffer
        self.eligible = [0] * lanes  # packets that could have been marked in that state
        self.rng = [None] * lanes  # random stream, for those to be marked
        self.bounded = None  # the limit of the waiting bytes here, if there is one
        self.by_flow = None  # flow queues, if it has any
        self.known = KnownLines()  # at the far end of its link
        self.roots = 0  # queues that count in its congestion state, see `set_aside`
        self.telemetry = None  # the telemetry that it writes into packets, if any
        self.region = None  # its congested region, see `regions`

    def lanes(self) -> list[int]:
        """The lanes in the order in which they are tried: by weight, or in turn after the one served last."""
        if self.turn is not None:
            return self.turn.lanes()
        lanes = len(self.present)
        return [(self.last_lane + k) % lanes for k in range(1, lanes + 1)]

    def tries(self) -> list[tuple]:
        """The lanes in that order: each with the most bytes of a packet, and its place among those that share."""
        if self.schedule is None:
            return [(lane, float("inf"), None) for lane in self.lanes()]
        self.wire.forget_if_idle()
        return self.schedule.tries()
