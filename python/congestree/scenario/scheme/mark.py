"""`scheme.mark` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Naive(Part):
    """Parameters of naive marking."""

    _choice: ClassVar[str | None] = "naive"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""


@dataclass(frozen=True, kw_only=True)
class InputTriggered(Part):
    """Parameters of input-triggered marking."""

    _choice: ClassVar[str | None] = "input-triggered"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""
    feedback: Literal["counters", "scan"] = "counters"
    """How marks are applied."""
    exempt_blocked: str | None = None
    """A trigger spares outputs that flow control has held within this time. Default: none are spared."""


@dataclass(frozen=True, kw_only=True)
class InputOutputTriggered(Part):
    """Parameters of input-output-triggered marking."""

    _choice: ClassVar[str | None] = "input-output-triggered"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""
    output_threshold: int = 8
    """An arrival that makes the packets for an output more than this many is a trigger. Default 8."""


@dataclass(frozen=True, kw_only=True)
class OutputTriggered(Part):
    """Parameters of output-triggered marking."""

    _choice: ClassVar[str | None] = "output-triggered"

    output_threshold: int = 8
    """An arrival that makes the packets for an output more than this many is a trigger. Default 8."""


@dataclass(frozen=True, kw_only=True)
class Fecn(Part):
    """Parameters of FECN marking."""

    _choice: ClassVar[str | None] = "fecn"

    threshold: int = 15
    """Weight of the threshold: 0 never marks, 1 marks late, 15 early. Weight w stands for (16 - w)/16 of
    the input buffer of a lane. Default 15."""
    enter: str | None = None
    """The state is entered when the fill is above this; takes the place of `threshold`."""
    gap: str = "2560 B"
    """The state is left when the fill is at least this much below the entry threshold. "0 B": a single
    threshold. Default 2560 B, one and a quarter packets of 2 KiB, or down to an empty queue if the
    threshold is lower."""
    fill: Literal["voq", "sum", "sum-per-input"] = "voq"
    """Which fill is compared with the threshold."""
    victim_mask: Literal["none", "hosts", "all", "ports"] = "hosts"
    """Which outputs may enter the state without credits."""
    packet_size: str = "512 B"
    """Data packets smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked ones, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, at random; takes the place of `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to mark are chosen."""


@dataclass(frozen=True, kw_only=True)
class Thresholds(Part):
    """Thresholds of a lane."""

    min: str
    """While no more than this waits for the output, nothing is marked (Kmin)."""
    max: str
    """When more than this waits, all that leaves is marked (Kmax)."""
    probability: float
    """Share that is marked when `max` waits (Pmax)."""


@dataclass(frozen=True, kw_only=True)
class Red(Part):
    """Parameters of random early detection."""

    _choice: ClassVar[str | None] = "red"

    min: str = "100 kB"
    """While no more than this waits for the output, nothing is marked (Kmin). Default 100 kB."""
    max: str = "400 kB"
    """When more than this waits, all that leaves is marked (Kmax). Default 400 kB. The same as `min`: a
    step."""
    probability: float = 0.2
    """Share that is marked when `max` waits (Pmax). Default 0.2."""
    for_rate: str | None = None
    """The thresholds are those of a link of this rate, and in proportion at other rates. Absent: the same
    at all."""
    spare_last_hop: bool | None = None
    """Switches do not mark on the last hop to a host: a receiver that grants credit controls that queue
    itself."""
    lane_thresholds: tuple[Thresholds, ...] | None = None
    """Thresholds of the lanes from lane 0 on, where they are not all as above."""


@dataclass(frozen=True, kw_only=True)
class Root(Part):
    """Parameters of marking at declared roots."""

    _choice: ClassVar[str | None] = "root"

    packet_size: str = "512 B"
    """Data packets smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked ones, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, at random; takes the place of `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to mark are chosen."""
    only_set_aside: bool | None = None
    """Only packets of queues that were set aside are marked: whoever else leaves by the root never is
    (ICI). Default false."""


@dataclass(frozen=True, kw_only=True)
class Tcd(Part):
    """Parameters of ternary congestion detection."""

    _choice: ClassVar[str | None] = "tcd"

    threshold: str = "100 kB"
    """An output that is not held is congested while more than this waits for it (K). Default 100 kB."""
    for_rate: str | None = None
    """The threshold is that of a link of this rate, and in proportion at other rates. Absent: the same at
    all."""
    longest_on: str | None = None
    """An output that has not been held for longer than this is not held any more (T_max). Absent: for each
    link what follows from its flow control and `slack`."""
    slack: float = 0.05
    """Share of the link by which what comes in exceeds what goes on, at an output held by its successor, at
    the least (epsilon). Default 0.05."""
