"""Queues by flow at every output, stopped one by one (backpressure flow control, BFC, NSDI 2022).

A packet of lane 0 joins the queue of its flow at its output, whichever input it arrived at. One queue has priority
over all others: it has packets that are not data and, if the rule says so, the first packet of each flow. A packet
that finds its queue too long is charged to the queue of the neighbour that it was sent from: the first such packet
stops that queue, and when the last one has left, the queue may continue. At a host the queue of a flow is its place
there.
"""

from collections import deque
from dataclasses import dataclass

from reference.links.link import NOTICE, Frame
from reference.quantities import choice, given, size, span, time_for
from reference.rng import Rng, mix

LANE = 0


@dataclass
class FlowRule:
    """The rule."""

    queues: int
    flow_ids: int
    hop_round_trip: int | None  # none: from the links
    sticky: int | None  # none: two such round trips
    first_ahead: bool
    in_band: bool
    notice: int  # bytes on the link, or else a time on top of its delay


def read_flow_queues(scheme: dict) -> FlowRule | None:
    """The settings of flow queues in a scheme."""
    kind, parameters = choice(scheme["isolate"])
    if kind != "bfc":
        return None
    way, notice = choice(given(parameters, "notices", "in-band"))
    return FlowRule(
        queues=given(parameters, "queues", 32),
        flow_ids=given(parameters, "flow_ids", 16384),
        hop_round_trip=span(parameters.get("hop_round_trip")) if parameters.get("hop_round_trip") else None,
        sticky=span(parameters["sticky"]) if parameters.get("sticky") else None,
        first_ahead=given(parameters, "first_ahead", True),
        in_band=way == "in-band",
        notice=size(given(notice, "size", "64 B")) if way == "in-band" else span(given(notice, "delay", "0 ns")),
    )


@dataclass
class Known:
    """A flow as an output knows it."""

    queue: int
    packets: int = 0
    idle_since: int = 0


class FlowQueues:
    """The queues of one output."""

    def __init__(self, rule: FlowRule, switch, output):
        self.rule = rule
        self.switch = switch
        self.output = output
        self.queues: list[deque] = [deque() for _ in range(rule.queues)]
        self.ahead: deque = deque()
        self.stopped: set[int] = set()
        self.known: dict[int, Known] = {}
        self.place: dict = {}  # by stay: the id of a packet's flow and its queue; none: the priority queue
        self.left = [0] * rule.queues  # bytes of a turn
        self.turn = rule.queues - 1
        self.rng = None
        self.counts = {"given": 0, "shared": 0, "kept": 0, "charged": 0, "stops": 0, "gos": 0}

    def bytes(self) -> int:
        """The bytes that wait in all queues."""
        return sum(stay.packet.size for queue in [self.ahead, *self.queues] for stay in queue)

    def active(self) -> list[int]:
        """The queues with packets that may be sent."""
        return [number for number, queue in enumerate(self.queues) if queue and number not in self.stopped]

    # ---- which queue --------------------------------------------------------------------------------------------

    def join(self, stay) -> None:
        """A packet joins its queue; if that is too long now, the packet is charged to the queue that it came from."""
        packet, switch = stay.packet, self.switch
        if not packet.is_data or (self.rule.first_ahead and packet.sequence == 0):
            self.place[stay] = None
            self.ahead.append(stay)
            return
        flow = mix(packet.flow.unique) % self.rule.flow_ids
        known = self.known.get(flow)
        if known is None or not self.keeps(known):
            known = self.known[flow] = Known(self.free_queue())
        elif not known.packets:
            self.counts["kept"] += 1
        known.packets += 1
        self.place[stay] = flow, known.queue
        self.queues[known.queue].append(stay)
        held = sum(other.packet.size for other in self.queues[known.queue])
        share = max(1, len(self.active()))
        if held * share * 8 * 10**12 > round_trip(switch, self.rule) * self.output.wire.rate:
            self.charge(stay)

    def keeps(self, known: Known) -> bool:
        """Whether the flow has packets here, or had some recently."""
        sticky = 2 * round_trip(self.switch, self.rule) if self.rule.sticky is None else self.rule.sticky
        return known.packets > 0 or self.switch.fabric.now - known.idle_since <= sticky

    def free_queue(self) -> int:
        """The first empty queue, preferably one that may send and that no flow keeps; any if none is empty."""
        self.counts["given"] += 1
        kept = {known.queue for known in self.known.values() if self.keeps(known)}
        empty = [number for number, queue in enumerate(self.queues) if not queue]
        if empty:
            return min(empty, key=lambda number: (number in self.stopped, number in kept, number))
        self.counts["shared"] += 1
        if self.rng is None:
            self.rng = Rng(self.switch.setup.seed, "flow queues", self.switch.port_number(self.output))
        return min(int(self.rng.unit() * self.rule.queues), self.rule.queues - 1)

    # ---- who goes -----------------------------------------------------------------------------------------------

    def next(self):
        """The packet to send next, if any can be sent; and whether one lacks credit."""
        wire = self.output.wire
        if self.ahead:
            fits = wire.fits(self.ahead[0].packet)
            return (self.ahead[0], False) if fits else (None, True)
        active = self.active()
        order = sorted(active, key=lambda queue: (queue - self.turn - 1) % self.rule.queues)
        if self.turn in active and self.queues[self.turn][0].packet.size <= self.left[self.turn]:
            order.insert(0, self.turn)
        for queue in order:
            if wire.fits(self.queues[queue][0].packet):
                return self.queues[queue][0], False
        return None, bool(order)

    def leave(self, stay) -> None:
        """The chosen packet leaves: it may be the last one because of which a neighbour's queue was stopped."""
        place, nbytes = self.place.pop(stay), stay.packet.size
        if place is None:
            assert self.ahead.popleft() is stay, "first come, first served"
            stay.packet.queue = self.rule.queues
            return
        flow, queue = place
        assert self.queues[queue].popleft() is stay, "within a queue nobody passes"
        self.known[flow].packets -= 1
        self.known[flow].idle_since = self.switch.fabric.now
        if queue != self.turn or nbytes > self.left[queue]:
            self.end_turn(queue)
            self.left[queue] += self.switch.setup.mtu + self.switch.setup.header
        self.left[queue] -= nbytes
        if not self.queues[queue]:
            self.left[queue] = 0
        self.discharge(stay)
        stay.packet.queue = queue

    def end_turn(self, queue: int) -> None:
        """The turn passes on; a queue that could have continued, or is empty, loses the rest of its quantum."""
        before, self.turn = self.turn, queue
        waits = before in self.active() and self.queues[before][0].packet.size > self.left[before]
        if before != queue and not waits:
            self.left[before] = 0

    # ---- who is told --------------------------------------------------------------------------------------------

    def charge(self, stay) -> None:
        """The packet is charged to the queue that it came from; the first one stops it."""
        entry, queue = self.switch.inputs[stay.input], stay.packet.queue
        stay.charged = True
        self.counts["charged"] += 1
        entry.charges[queue] += 1
        if entry.charges[queue] == 1:
            self.counts["stops"] += 1
            self.tell(stay.input, queue, stop=True)

    def discharge(self, stay) -> None:
        """The packet has left; the last one releases the queue."""
        entry, queue = self.switch.inputs[stay.input], stay.packet.queue
        if stay.charged:
            entry.charges[queue] -= 1
            if entry.charges[queue] == 0:
                self.counts["gos"] += 1
                self.tell(stay.input, queue, stop=False)

    def tell(self, port: int, queue: int, stop: bool) -> None:
        """Notify the neighbour; notices caused by packets that start are sent after all starts of this instant."""
        fabric, wire = self.switch.fabric, self.switch.outputs[port].wire
        upstream = wire.back
        hear = upstream.sender.hear_of_queue
        says = upstream.sender_port, queue, stop
        if self.rule.in_band:
            frame = Frame(self.rule.notice, 0, None, says, hear, rank=queue)
            (wire.line_up if stop else wire.late_frames.append)(frame)
        else:
            heard = fabric.now + wire.delay + self.rule.notice
            fabric.at(heard, NOTICE, wire.receiver_port, wire.receiver, hear, *says)


def round_trip(switch, rule: FlowRule) -> int:
    """From a packet's start upstream until a stop that it causes takes effect: the most over all incoming links."""
    if rule.hop_round_trip is not None:
        return rule.hop_round_trip
    full = switch.setup.mtu + switch.setup.header

    def of(there, back) -> int:
        notice = time_for(full, back.rate) + time_for(rule.notice, back.rate) if rule.in_band else rule.notice
        return there.delay + switch.setup.forwarding_delay + time_for(full, there.rate) + notice + back.delay

    return max(of(entry.upstream, output.wire) for entry, output in zip(switch.inputs, switch.outputs, strict=True))
