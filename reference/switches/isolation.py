"""Congested flows set aside: FBICM, CCFIT, HFDI and EcoCC (Gran, Papers V and VI).

Every input has *lines*. A line says that packets for certain destinations, by a certain output, belong to one
congestion tree, and which queue is theirs. The output upstream of that input knows its lines. A line is created when a
normal queue grows above a threshold and declares the root of a tree, or when a packet that a line downstream lists
comes to the head of a normal queue. All of this applies to data in lane 0; other packets count only in the length of a
queue.
"""

from dataclasses import dataclass

from reference.marks.infiniband import FecnMarker
from reference.quantities import choice, given, size, span
from reference.switches.queues import Queue

LANE = 0
NEVER = float("inf")
BY_DESTINATION = ("fbicm", "ccfit")  # the others are by output


@dataclass
class IsolationRule:
    """The rule; thresholds are packets."""

    queues: int  # set-aside queues of an input
    lines: int
    destinations: int  # that a line lists at most
    detect: int
    detect_above: bool
    suspect: str
    local: bool  # a root has a set-aside queue
    needs_credit: bool
    high: float
    low: int
    stop: int  # a queue above this allocates upstream, and later stops
    go: int
    stop_at: str
    root_stops: bool
    root_release: str
    kept: bool  # a queue that is empty and stopped is kept until it may send
    hosts_skip_stopped: bool  # packets to destinations of a stopped line wait outside a host's memory
    in_band: bool
    notice: int  # bytes on the link, or else a time on top of its delay


def read_isolation(scheme: dict) -> IsolationRule | None:
    """The settings of isolation in a scheme."""
    kind, parameters = choice(scheme["isolate"])
    if kind not in (*BY_DESTINATION, "hfdi", "ecocc"):
        return None
    way, notice = choice(given(parameters, "notices", "out-of-band"))
    by_destination = kind in BY_DESTINATION
    high = given(parameters, "high", 4 if by_destination else 6)
    queues = given(parameters, "queues", 2)
    return IsolationRule(
        queues=queues,
        lines=queues if by_destination else given(parameters, "lines", 9),
        destinations=given(parameters, "destinations", 1 if by_destination else 16),
        detect=given(parameters, "detect", 8) if by_destination else high,
        detect_above=given(parameters, "detect_above", False) if by_destination else True,
        suspect=given(parameters, "suspect", "head"),
        local=by_destination or given(parameters, "local", False),
        needs_credit=not by_destination and given(parameters, "needs_credit", True),
        high=high if kind != "fbicm" else NEVER,
        low=given(parameters, "low", 2 if by_destination else 4),
        stop=given(parameters, "stop", 10) if by_destination else high,
        go=given(parameters, "go", 4) if by_destination else given(parameters, "low", 4),
        stop_at=given(parameters, "stop_at", "allocation" if by_destination else "next-packet"),
        root_stops=given(parameters, "root_stops", True),
        root_release=given(parameters, "root_release", "empty"),
        kept=by_destination,
        hosts_skip_stopped=given(parameters, "hosts_skip_stopped", kind == "ecocc"),
        in_band=way == "in-band",
        notice=size(given(notice, "size", "64 B")) if way == "in-band" else span(given(notice, "delay", "0 ns")),
    )


@dataclass(eq=False)
class Known:
    """A line of the input downstream, as an output knows it."""

    hops: int
    destinations: list[int]
    stopped: bool = False


@dataclass(eq=False)
class Line:
    """A line of an input."""

    number: int
    output: int
    hops: int  # switches up to the root, both included
    destinations: list[int]
    queue: Queue  # set aside, or the normal one of a root
    feeds: Known | None = None  # the downstream line that its packets go to
    allocated: bool = False  # whether the upstream output knows it
    stops: bool = False  # whether the upstream queue is stopped
    fell: bool = False  # has been at the lower threshold since it was allocated upstream
    counts: bool = False  # whether it counts in the congestion state of its output


class KnownLines(dict):
    """The lines of the input at the far end of a link, by number, as its near end knows them."""

    def hear(self, what: str, number: int, hops: int, destinations: list[int]) -> Known:
        """Process a notice; returns what has changed."""
        if what == "allocate" and number not in self:
            self[number] = Known(hops, [])
        known = self[number]
        known.destinations += destinations
        if what in ("stop", "go"):
            known.stopped = what == "stop"
        if what == "release":
            del self[number]
        return known

    def listing(self, destination: int) -> list[Known]:
        """The lines that list a destination."""
        return [self[number] for number in sorted(self) if destination in self[number].destinations]

    def stops(self, destination: int) -> bool:
        """Whether one of them is stopped for it at present."""
        return any(known.stopped for known in self.listing(destination))


class RootMarker(FecnMarker):
    """Marks at the roots that are found: an output is congested while any queue counts for it."""

    def queue_changed(self, output, lane: int, taken: int = 0) -> None:
        """The lengths of queues are checked where packets are set aside."""

    def starts(self, packet, output) -> None:
        """A data packet starts on this output: is it marked?"""
        output.congested[LANE] = output.roots > 0
        super().starts(packet, output)
