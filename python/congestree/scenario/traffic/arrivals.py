"""`traffic.arrivals` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Poisson(Part):
    """Random gaps, exponentially distributed."""

    _choice: ClassVar[str | None] = "poisson"

    load: float
    """Wire bytes offered, as a share of the rate of the host's link."""


@dataclass(frozen=True, kw_only=True)
class Steady(Part):
    """A constant rate: a source may have sent so much of the time since its start, and no more.
    Messages are made when the host can send them; with a destination for each of them, none waits
    behind one that is throttled.
    """

    _choice: ClassVar[str | None] = "steady"

    load: float | None = None
    """Wire bytes offered, as a share of the rate of the host's link. Either this or `rate`."""
    rate: str | None = None
    """Payload offered. Either this or `load`."""


@dataclass(frozen=True, kw_only=True)
class OnOff(Part):
    """Greedy while ON, silent while OFF."""

    _choice: ClassVar[str | None] = "on-off"

    on: str
    """Mean length of the ON periods."""
    off: str
    """Mean length of the OFF periods."""


@dataclass(frozen=True, kw_only=True)
class Gaps(Part):
    """One message after the other."""

    _choice: ClassVar[str | None] = "gaps"

    mean: str
    """Mean gap."""
    after: Literal["made", "done"] = "made"
    """Where a gap begins."""


@dataclass(frozen=True, kw_only=True)
class Messages(Part):
    """A number of messages at fixed intervals."""

    _choice: ClassVar[str | None] = "messages"

    count: int = 1
    """How many."""
    every: str | None = None
    """Time from one to the next, or from one burst to the next. Absent: all at once."""
    burst: int = 1
    """So many of them are made at once each time."""


@dataclass(frozen=True, kw_only=True)
class Incast(Part):
    """Incasts with senders drawn at random. `to` is the receiver; with `pattern = "uniform"` it is any
    host, drawn each time.
    """

    _choice: ClassVar[str | None] = "incast"

    senders: int
    """How many of the hosts of `from` send each time."""
    count: int | None = None
    """How many times. Default: once; with a load as often as there is time."""
    every: str | None = None
    """From one time to the next."""
    load: float | None = None
    """Poisson arrivals, in the place of `every`: random gaps, exponentially distributed, before the first
    time, too. Wire bytes of all senders together, as a share of the rates of all links of the hosts of
    `from`."""
