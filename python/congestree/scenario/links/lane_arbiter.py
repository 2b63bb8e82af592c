"""`links.lane_arbiter` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..._base import Part, part


@part
class Weight(Part):
    """An entry of a table of the lane arbiter."""

    lane: int
    """The lane."""
    weight: int
    """How much the lane may send in one turn, in units of 64 bytes; 0: nothing. Each packet counts as whole
    units, rounded up."""


@part
class Weighted(Part):
    """Tables of lanes and weights. Lanes of the high table go first, until they have used up their
    limit.
    """

    _choice: ClassVar[str | None] = "weighted"

    high: Sequence[Weight] = ()
    """The high-priority table."""
    low: Sequence[Weight] = ()
    """The low-priority table."""
    limit: int = 255
    """Limit of the high-priority table, in units of 4 KiB: when it has sent more than this, one packet of
    the low-priority table may go first. 255: no limit. Default 255."""


@part
class Strict(Part):
    """Lanes that go before others."""

    _choice: ClassVar[str | None] = "strict"

    order: Sequence[int] | None = None
    """The lanes, highest priority first. Absent: the lane with the highest number first."""


@part
class Share(Part):
    """A lane and its quantum."""

    lane: int
    """The lane."""
    quantum: str
    """Bytes that the lane may send in one turn, at least a packet. What is left over is kept for its next
    turn."""


@part
class Drr(Part):
    """Lanes that share a link by bytes."""

    _choice: ClassVar[str | None] = "drr"

    first: Sequence[int] | None = None
    """Lanes with strict priority over all others, in this order."""
    shares: Sequence[Share]
    """The other lanes, which take turns in this order."""
