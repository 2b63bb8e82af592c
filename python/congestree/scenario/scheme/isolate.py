"""`scheme.isolate` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class OutOfBand(Part):
    """Notices on wires of their own."""

    _choice: ClassVar[str | None] = "out-of-band"

    delay: str = "0 ns"
    """Time that a notice takes on top of the propagation delay of the link. Default 0."""


@dataclass(frozen=True, kw_only=True)
class InBand(Part):
    """Notices on the link."""

    _choice: ClassVar[str | None] = "in-band"

    size: str = "64 B"
    """Bytes of a notice on the wire. Default 64 B."""


@dataclass(frozen=True, kw_only=True)
class Fbicm(Part):
    """Parameters of FBICM. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "fbicm"

    queues: int = 2
    """Set-aside queues (CFQs) of an input and of a host, and lines of its memory. Default 2."""
    destinations: int = 1
    """Destinations that a line lists. Default 1."""
    detect: int = 8
    """A normal queue with more packets than this declares the destination of `suspect` congested. Default
    8."""
    detect_above: bool = False
    """It does so with every packet above the threshold, not only with the one that crosses it. Default
    false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Whose destination is declared congested."""
    stop: int = 10
    """A queue with more packets than this stops the queue upstream; the first time it also allocates it.
    Default 10."""
    go: int = 4
    """At this many packets or fewer it lets it go. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop follows the allocation."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Ccfit(Part):
    """Parameters of CCFIT. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ccfit"

    queues: int = 2
    """Set-aside queues (CFQs) of an input and of a host, and lines of its memory. Default 2."""
    destinations: int = 1
    """Destinations that a line lists. Default 1."""
    detect: int = 8
    """A normal queue with more packets than this declares the destination of `suspect` congested. Default
    8."""
    detect_above: bool = False
    """It does so with every packet above the threshold, not only with the one that crosses it. Default
    false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Whose destination is declared congested."""
    high: int = 4
    """A queue one hop from the root counts in the congestion state of its output from above this many
    packets. Default 4."""
    low: int = 2
    """It no longer counts at this many packets or fewer. Default 2."""
    stop: int = 10
    """A queue with more packets than this stops the queue upstream; the first time it also allocates it.
    Default 10."""
    go: int = 4
    """At this many packets or fewer it lets it go. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop follows the allocation."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Hfdi(Part):
    """Parameters of HFDI. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "hfdi"

    queues: int = 2
    """Set-aside queues (HPQs) of an input and of a host. Default 2."""
    lines: int = 9
    """Lines of the memory of an input: one for each set-aside queue and each virtual output queue that is
    the root of a tree. Default 9."""
    destinations: int = 16
    """Destinations that a line lists; packets for others stay where they are. Default 16."""
    high: int = 6
    """A queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """At this many packets or fewer it no longer is (LTh). Default 4."""
    local: bool = False
    """The root has a set-aside queue of its own. Default false."""
    needs_credit: bool = True
    """A root is only declared at an output that has credit for another packet. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop follows the allocation."""
    root_stops: bool = True
    """The virtual output queue of a root stops the queues upstream as well; otherwise it only allocates
    them. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the line of a root is given up."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Ecocc(Part):
    """Parameters of EcoCC. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ecocc"

    queues: int = 2
    """Set-aside queues (HPQs) of an input and of a host. Default 2."""
    lines: int = 9
    """Lines of the memory of an input: one for each set-aside queue and each virtual output queue that is
    the root of a tree. Default 9."""
    destinations: int = 16
    """Destinations that a line lists; packets for others stay where they are. Default 16."""
    high: int = 6
    """A queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """At this many packets or fewer it no longer is (LTh). Default 4."""
    needs_credit: bool = True
    """A root is only declared at an output that has credit for another packet. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop follows the allocation."""
    root_stops: bool = True
    """The virtual output queue of a root stops the queues upstream as well; otherwise it only allocates
    them. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the line of a root is given up."""
    hosts_skip_stopped: bool = True
    """A host hands no packet to its link that is for a destination of a stopped line. Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Bfc(Part):
    """Parameters of BFC."""

    _choice: ClassVar[str | None] = "bfc"

    queues: int = 32
    """Queues of every output for flows. Default 32."""
    flow_ids: int = 16384
    """Flows that an output can tell apart: two of the same hash are one to it. Default 16384."""
    hop_round_trip: str | None = None
    """From a packet's start upstream until a stop that it causes is obeyed there. Absent: as long as it
    takes at most over the links into the switch, a packet on the way back waited for."""
    sticky: str | None = None
    """A flow without packets keeps its queue for so long. Absent: twice hop_round_trip."""
    first_ahead: bool = True
    """The first packet of a flow goes by a queue that is served before all others, and never stopped.
    Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How stops and gos travel. Default: on the link, 64 B."""
