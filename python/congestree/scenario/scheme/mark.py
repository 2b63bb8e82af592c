"""`scheme.mark` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Naive(Part):
    """Parameters of naive marking."""

    _choice: ClassVar[str | None] = "naive"

    trigger: int | None = None
    """Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's
    buffer, or with pfc below its XOFF threshold. Required where an input has no buffer of its own."""


@part
class InputTriggered(Part):
    """Parameters of input-triggered marking."""

    _choice: ClassVar[str | None] = "input-triggered"

    trigger: int | None = None
    """Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's
    buffer, or with pfc below its XOFF threshold. Required where an input has no buffer of its own."""
    feedback: Literal["counters", "scan"] = "counters"
    """How marks are applied."""
    exempt_blocked: str | None = None
    """Outputs that flow control has blocked within this time are not marked. Default: no exception."""


@part
class InputOutputTriggered(Part):
    """Parameters of input-output-triggered marking."""

    _choice: ClassVar[str | None] = "input-output-triggered"

    trigger: int | None = None
    """Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's
    buffer, or with pfc below its XOFF threshold. Where an input has no buffer of its own, none is ever
    full."""
    output_threshold: int = 8
    """The trigger: a packet arrives and more than this many packets for its output are in the switch.
    Default 8."""


@part
class OutputTriggered(Part):
    """Parameters of output-triggered marking."""

    _choice: ClassVar[str | None] = "output-triggered"

    output_threshold: int = 8
    """The trigger: a packet arrives and more than this many packets for its output are in the switch.
    Default 8."""


@part
class Fecn(Part):
    """Parameters of FECN marking."""

    _choice: ClassVar[str | None] = "fecn"

    threshold: int = 15
    """Threshold weight: 0 never marks, 1 marks late, 15 marks early. Weight w means (16 - w)/16 of the
    input buffer of a lane. Default 15."""
    enter: str | None = None
    """Queue fill above which an output enters the congestion state; replaces `threshold`."""
    gap: str = "2560 B"
    """Hysteresis: the congestion state is left when the fill is at least this much below the entry
    threshold. "0 B": a single threshold. Default 2560 B, one and a quarter packets of 2 KiB, or down to an
    empty queue if the threshold is lower."""
    fill: Literal["voq", "sum", "sum-per-input"] = "voq"
    """Which queue fill is compared with the threshold."""
    victim_mask: Literal["none", "hosts", "all", "ports"] = "hosts"
    """Which outputs may enter the congestion state while they have no credits (Victim_Mask)."""
    packet_size: str = "512 B"
    """Data packets that are smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked packets, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, drawn at random; replaces `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to be marked are chosen."""


@part
class Thresholds(Part):
    """Thresholds of a lane."""

    min: str
    """Up to this queue length nothing is marked (Kmin)."""
    max: str
    """Above this queue length every packet is marked as it leaves (Kmax)."""
    probability: float
    """Marking probability at a queue length of `max` (Pmax)."""


@part
class Red(Part):
    """Parameters of random early detection."""

    _choice: ClassVar[str | None] = "red"

    min: str = "100 kB"
    """Up to this queue length nothing is marked (Kmin). Default 100 kB."""
    max: str = "400 kB"
    """Above this queue length every packet is marked as it leaves (Kmax). Default 400 kB. Equal to `min`: a
    step."""
    probability: float = 0.2
    """Marking probability at a queue length of `max` (Pmax). Default 0.2."""
    for_rate: str | None = None
    """The thresholds are for a link of this rate, and scale in proportion to other rates. Absent: the same
    for all rates."""
    spare_last_hop: bool | None = None
    """No marking on the last hop to a host: a receiver that grants credit controls that queue itself."""
    lane_thresholds: Sequence[Thresholds] | None = None
    """Thresholds of each lane, from lane 0 on, if the lanes differ."""


@part
class Root(Part):
    """Parameters of marking at declared roots."""

    _choice: ClassVar[str | None] = "root"

    packet_size: str = "512 B"
    """Data packets that are smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked packets, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, drawn at random; replaces `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to be marked are chosen."""
    only_set_aside: bool | None = None
    """Only packets of set-aside queues are marked, not the other packets that leave through the root (ICI).
    Default false."""


@part
class Tcd(Part):
    """Parameters of ternary congestion detection."""

    _choice: ClassVar[str | None] = "tcd"

    threshold: str = "100 kB"
    """An output that flow control does not block is congested while more than this waits for it (K).
    Default 100 kB."""
    for_rate: str | None = None
    """The threshold is for a link of this rate, and scales in proportion to other rates. Absent: the same
    for all rates."""
    longest_on: str | None = None
    """An output that has been free to send for longer than this is no longer undetermined (T_max). Absent:
    computed for each link from its flow control and `slack`."""
    slack: float = 0.05
    """Least excess of arrivals over departures at a next switch that fills up and blocks an output, as a
    share of the link rate (epsilon). Default 0.05."""
