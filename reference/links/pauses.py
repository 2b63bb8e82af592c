"""Priority flow control (PFC, IEEE 802.1Qbb): an input that runs out of room in a lane pauses its neighbour there.

No room is promised. An input counts its bytes; when they exceed a threshold, it sends a frame to the sender, which
starts no packet in that lane until another frame ends the pause (or the pause expires). Frames take bytes on the wire
and go before packets. At most one frame per lane waits, and it carries the state at the time when it is sent.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from reference.links.link import PAUSE, REFRESH
from reference.links.watchdog import read_watchdog
from reference.quantities import choice, given, rate, size, span, time_for

QUANTUM = 64  # bytes: a pause is counted in the time of 512 bits
UNTIL_TOLD = "until told"


@dataclass
class Pfc:
    """The rule."""

    lossless: set[int]
    xoff: int | None  # none: as late as the headroom allows
    xon: int | None  # none: two packets below
    per_queue: bool
    frame: int
    response: int
    quanta: int | None  # none: a pause lasts until it is ended by a message
    alpha: float | None  # of shared memory that is free; none: thresholds are fixed
    for_rate: int | None  # of ports of this rate, in proportion elsewhere
    offset: int  # below such a threshold a pause ends
    watchdog: object | None
    storms: list[tuple] = field(default_factory=list)  # host, lane, start, stop


def read_pfc(parameters: dict, lanes: int, hosts: list[str]) -> Pfc:
    """The settings of PFC in a scenario."""
    kind, threshold = choice(given(parameters, "threshold", "static"))
    dynamic = kind == "dynamic"
    _, lasts = choice(given(parameters, "pause_duration", "until-xon"))
    storms = [
        (hosts.index(storm["host"]), given(storm, "lane", 0), span(given(storm, "start", "0 ns")), storm.get("stop"))
        for storm in given(parameters, "storms", [])
    ]
    return Pfc(
        lossless=set(given(parameters, "lossless", range(lanes))),
        xoff=size(threshold["xoff"]) if threshold.get("xoff") else None,
        xon=size(threshold["xon"]) if threshold.get("xon") else None,
        per_queue=given(parameters, "counts", "input") == "queue",
        frame=size(given(parameters, "frame", "64 B")),
        response=span(given(parameters, "response", "0 ns")),
        quanta=given(lasts, "count", 65535) if lasts or parameters.get("pause_duration") == "quanta" else None,
        alpha=given(threshold, "alpha", 0.125) if dynamic else None,
        for_rate=rate(threshold.get("for_rate")),
        offset=size(given(threshold, "offset", "3 kB")),
        watchdog=read_watchdog(parameters.get("watchdog")),
        storms=[(host, lane, start, span(stop) if stop else None) for host, lane, start, stop in storms],
    )


class Loss(NamedTuple):
    """A packet found no room in a lossless lane: where a run with `losses = "stop"` ends."""

    at: int  # time, ps
    node: object  # the switch or host
    link: str  # over which it arrived
    lane: int
    size: int  # bytes
    held: int  # bytes that are held for the same lane, and queue if queues are counted


class Memory:
    """The memory of one input port, lane by lane, and the decision when to pause the neighbour.

    `incoming` is the wire that arrives here, `outgoing` the one on which frames go back. Bytes are counted by lane, or
    by queue: `key` says which.
    """

    def __init__(self, fabric, node, number: int, incoming, outgoing, room: list[int], fixed: bool):
        self.fabric = fabric
        self.rule: Pfc = fabric.setup.pfc
        self.node = node
        self.number = number
        self.outgoing = outgoing
        self.incoming = incoming
        self.room = room
        self.held = defaultdict(int)
        self.over: set = set()  # what is above its threshold, by lane and key; and storms
        self.lighter: list = []  # lanes and keys of which packets have started in this instant
        self.refresh_at = {}
        packet = fabric.setup.mtu + fabric.setup.header
        spare = self.headroom(incoming, node)
        self.xoff = [self.rule.xoff if fixed and self.rule.xoff is not None else full - spare for full in room]
        self.xoff = [max(0, xoff) for xoff in self.xoff]
        self.xon = [max(0, xoff - 2 * packet) for xoff in self.xoff]
        if fixed and self.rule.xon is not None:
            self.xon = [min(self.rule.xon, xoff) for xoff in self.xoff]
        if not fixed or self.rule.xoff is None:
            for lane, full in enumerate(room):
                if full < spare:
                    self.xoff[lane] = self.xon[lane] = 0

    def headroom(self, incoming, node) -> int:
        """Bytes that may arrive after a pause was requested. If the link is slow for a time and then fast again, a
        packet that started slowly may be completed while the link is fast."""
        whole, back = incoming.own_rate, self.outgoing.own_rate
        rates = [(whole, whole, back)]  # of the link, of the packet that triggers the pause, of the return path
        for (slow, returns), (slow_back, _) in zip(incoming.slow, self.outgoing.slow, strict=True):
            rates.append((slow, slow, slow_back))
            if returns:
                rates.append((whole, slow, slow_back))
        return max(self.headroom_at(incoming, node, *of) for of in rates)

    def headroom_at(self, incoming, node, rate: int, crossing: int, back: int) -> int:
        """The bytes that the link carries until the sender obeys, in all but the last picosecond, and a packet more.
        If the link retransmits: the bytes that it carries until then, counted from the last acknowledgement that the
        sender has by then, the packet that triggered the pause, and a full replay buffer."""
        setup = self.fabric.setup
        packet = max(setup.mtu + setup.header, setup.ack)
        window = self.round_of(incoming, node, crossing, back)
        if setup.checks is not None and setup.checks.retry:
            replays = min(setup.checks.bytes, setup.checks.frames * packet)
            return (window - incoming.delay - self.outgoing.delay) * rate // (8 * 10**12) + packet + replays
        packets = 1 if hasattr(node, "outputs") and self.cut_through() else 2
        return (window - 1) * rate // (8 * 10**12) + packets * packet

    def cut_through(self) -> bool:
        """Whether packets count before their tails have arrived; links that check frames wait for the tails."""
        return self.fabric.setup.cut_through and self.fabric.setup.checks is None

    def round_of(self, incoming, node, crossing: int, back: int) -> int:
        """From the start of the packet that makes the port ask until the sender obeys, at worst."""
        setup = self.fabric.setup
        packet = max(setup.mtu + setup.header, setup.ack)
        isolate = setup.flow_queues or setup.isolation
        notice = isolate.notice if isolate is not None and isolate.in_band else 0
        notice = max(notice, setup.regions.notice if setup.regions is not None else 0)
        told = time_for(max(packet, self.rule.frame, notice), back) - 1
        told += len(self.rule.lossless) * time_for(self.rule.frame, back)
        window = incoming.delay + told + self.outgoing.delay + self.rule.response
        if hasattr(node, "outputs"):
            fastest = max(output.wire.own_rate for output in node.outputs)
            matching = max(0, time_for(packet, crossing) - time_for(packet, fastest))
            window += setup.forwarding_delay + (matching if self.cut_through() else 0)
        return window

    def swing(self, lane: int) -> int:
        """Bytes between starting and ending a pause."""
        return self.xoff[lane] - self.xon[lane] if lane in self.rule.lossless else 0

    def below_pause(self, lane: int) -> int:
        """Bytes that may be held before the neighbour is paused, if it ever is."""
        return min(self.xoff[lane], self.room[lane]) if lane in self.rule.lossless else self.room[lane]

    def take(self, lane: int, key, nbytes: int, queued: int = 0) -> bool:
        """A packet needs room: is there any? (`queued` bytes wait for its output, which matters in shared memory.)"""
        if self.held[lane, key] + nbytes > self.room[lane]:
            return False
        self.held[lane, key] += nbytes
        if lane in self.rule.lossless and self.held[lane, key] > self.xoff[lane]:
            self.ask(lane, key)
        return True

    def lose(self, lane: int, key, nbytes: int) -> None:
        """A packet has found no room."""
        if lane in self.rule.lossless:
            held = self.bytes_of(lane, key)
            self.fabric.losses.append(Loss(self.fabric.now, self.node, self.incoming.name, lane, nbytes, held))

    def bytes_of(self, lane: int, key) -> int:
        """Bytes that are held."""
        return self.held[lane, key]

    def give(self, lane: int, key, nbytes: int) -> None:
        """A packet starts, so room is free again. Whether this ends a pause is checked after all starts."""
        self.held[lane, key] -= nbytes
        self.lighter.append((lane, key))

    def has_come_down(self, lane: int, key) -> bool:
        """Whether there is no reason to pause any more."""
        return self.held[lane, key] <= self.xon[lane]

    def end_pauses(self) -> None:
        """All decisions are made: end the pauses that are no longer needed."""
        for lane, key in self.lighter:
            if self.has_come_down(lane, key):
                self.ask_no_more(lane, key, late=True)
        self.lighter = []

    def drained(self, lane: int, nbytes: int) -> None:
        """A host has taken a packet out: a pause may end before any decision."""
        self.held[lane, None] -= nbytes
        if self.has_come_down(lane, None):
            self.ask_no_more(lane, None, late=False)

    def is_asking(self, lane: int) -> bool:
        """Whether there is a reason to pause this lane."""
        return any(of == lane for of, _ in self.over)

    def ask(self, lane: int, key) -> None:
        """There is a reason to pause: the first one is sent to the neighbour."""
        before = self.is_asking(lane)
        self.over.add((lane, key))
        if not before:
            self.tell(lane, late=False)

    def ask_no_more(self, lane: int, key, late: bool) -> None:
        """A reason to pause is gone: when the last one is, the neighbour is notified."""
        if (lane, key) in self.over:
            self.over.remove((lane, key))
            if not self.is_asking(lane):
                self.tell(lane, late)

    def tell(self, lane: int, late: bool) -> None:
        """Send the present state to the neighbour: before packets that start in this instant, or (`late`) after."""
        quanta = 0
        self.refresh_at[lane] = None
        if self.is_asking(lane):
            quanta = self.rule.quanta or UNTIL_TOLD
            if self.rule.quanta:
                half = time_for(QUANTUM * self.rule.quanta, self.incoming.rate) // 2
                self.refresh_at[lane] = self.fabric.now + half
                self.fabric.at(
                    self.fabric.now + half, PAUSE, (self.number, REFRESH, lane), self.node, self.refresh, lane
                )
        self.outgoing.tell_pause(lane, quanta, late)

    def refresh(self, lane: int) -> None:
        """Half of the pause is over: renew it."""
        if self.refresh_at.get(lane) == self.fabric.now:
            self.tell(lane, late=False)
