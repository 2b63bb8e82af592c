"""`scheme.isolate` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class OutOfBand(Part):
    """Notices on wires of their own."""

    _choice: ClassVar[str | None] = "out-of-band"

    delay: str = "0 ns"
    """Extra time of a notice, in addition to the propagation delay of the link. Default 0."""


@part
class InBand(Part):
    """Notices on the link."""

    _choice: ClassVar[str | None] = "in-band"

    size: str = "64 B"
    """Size of a notice on the wire. Default 64 B."""


@part
class Fbicm(Part):
    """Parameters of FBICM. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "fbicm"

    queues: int = 2
    """Set-aside queues (CFQs) of an input port and of a host, each with a line in its CAM. Default 2."""
    destinations: int = 1
    """Destinations that a CAM line can list. Default 1."""
    detect: int = 8
    """Detection threshold: a normal queue with more packets than this declares the destination of `suspect`
    congested. Default 8."""
    detect_above: bool = False
    """Detection happens with every packet above the threshold, not only with the one that crosses it.
    Default false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Which packet's destination is declared congested."""
    stop: int = 10
    """Stop threshold: a set-aside queue with more packets than this stops the queue upstream. The first
    time it also has that queue allocated. Default 10."""
    go: int = 4
    """Go threshold: at this many packets or fewer the queue upstream may send again. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop is sent, relative to the allocation of the queue upstream."""
    hosts_skip_stopped: bool = False
    """A host gives its link no packets for the destinations of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices (allocate, stop, go, release) travel between switches."""


@part
class Ccfit(Part):
    """Parameters of CCFIT. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ccfit"

    queues: int = 2
    """Set-aside queues (CFQs) of an input port and of a host, each with a line in its CAM. Default 2."""
    destinations: int = 1
    """Destinations that a CAM line can list. Default 1."""
    detect: int = 8
    """Detection threshold: a normal queue with more packets than this declares the destination of `suspect`
    congested. Default 8."""
    detect_above: bool = False
    """Detection happens with every packet above the threshold, not only with the one that crosses it.
    Default false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Which packet's destination is declared congested."""
    high: int = 4
    """High threshold: a set-aside queue one hop from the root puts its output into the congestion state
    when it holds more packets than this. Default 4."""
    low: int = 2
    """Low threshold: at this many packets or fewer the queue no longer does so. Default 2."""
    stop: int = 10
    """Stop threshold: a set-aside queue with more packets than this stops the queue upstream. The first
    time it also has that queue allocated. Default 10."""
    go: int = 4
    """Go threshold: at this many packets or fewer the queue upstream may send again. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop is sent, relative to the allocation of the queue upstream."""
    hosts_skip_stopped: bool = False
    """A host gives its link no packets for the destinations of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices (allocate, stop, go, release) travel between switches."""


@part
class Hfdi(Part):
    """Parameters of HFDI. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "hfdi"

    queues: int = 2
    """Set-aside queues (HPQs) of an input port and of a host. Default 2."""
    lines: int = 9
    """CAM lines of an input port: one for each set-aside queue, and one for each virtual output queue that
    is the root of a congestion tree. Default 9."""
    destinations: int = 16
    """Destinations that a CAM line can list; packets for further destinations are not moved. Default 16."""
    high: int = 6
    """High threshold: a queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """Low threshold: at this many packets or fewer it is no longer congested (LTh). Default 4."""
    local: bool = False
    """The root, too, has a set-aside queue. Default false."""
    needs_credit: bool = True
    """Only an output that has credit for another packet can be declared a root. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop is sent, relative to the allocation of the queue upstream."""
    root_stops: bool = True
    """The virtual output queue of a root also stops the queues upstream; otherwise it only has them
    allocated. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the CAM line of a root is released."""
    hosts_skip_stopped: bool = False
    """A host gives its link no packets for the destinations of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices (allocate, stop, go, release) travel between switches."""


@part
class Ecocc(Part):
    """Parameters of EcoCC. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ecocc"

    queues: int = 2
    """Set-aside queues (HPQs) of an input port and of a host. Default 2."""
    lines: int = 9
    """CAM lines of an input port: one for each set-aside queue, and one for each virtual output queue that
    is the root of a congestion tree. Default 9."""
    destinations: int = 16
    """Destinations that a CAM line can list; packets for further destinations are not moved. Default 16."""
    high: int = 6
    """High threshold: a queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """Low threshold: at this many packets or fewer it is no longer congested (LTh). Default 4."""
    needs_credit: bool = True
    """Only an output that has credit for another packet can be declared a root. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop is sent, relative to the allocation of the queue upstream."""
    root_stops: bool = True
    """The virtual output queue of a root also stops the queues upstream; otherwise it only has them
    allocated. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the CAM line of a root is released."""
    hosts_skip_stopped: bool = True
    """A host gives its link no packets for the destinations of a stopped line. Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices (allocate, stop, go, release) travel between switches."""


@part
class Bfc(Part):
    """Parameters of BFC."""

    _choice: ClassVar[str | None] = "bfc"

    queues: int = 32
    """Flow queues of every output. Default 32."""
    flow_ids: int = 16384
    """Flow identifiers (hash values) of an output: two flows with the same hash are one to it. Default
    16384."""
    hop_round_trip: str | None = None
    """One-hop round-trip time: from the start of a packet upstream until a stop that it causes takes effect
    there. Absent: the longest such time over the links into the switch, including the wait for one packet
    on the way back."""
    sticky: str | None = None
    """Time for which a flow without packets keeps its queue. Absent: twice hop_round_trip."""
    first_ahead: bool = True
    """The first packet of a flow goes through a high-priority queue that is never stopped. Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How stop and go notices travel. Default: on the link, 64 B."""
