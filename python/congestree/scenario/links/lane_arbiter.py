"""`links.lane_arbiter` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Weight(Part):
    """An entry of a table of lanes."""

    lane: int
    """The lane."""
    weight: int
    """Units of 64 bytes that it may send at a stretch; 0: none."""


@dataclass(frozen=True, kw_only=True)
class Weighted(Part):
    """Tables of lanes and weights. Lanes of the high table go first, until they have used up their
    limit.
    """

    _choice: ClassVar[str | None] = "weighted"

    high: tuple[Weight, ...] = ()
    """Lanes that go first."""
    low: tuple[Weight, ...] = ()
    """The other lanes."""
    limit: int = 255
    """When the high table has sent more than this many units of 4 KiB, a packet of the low one may go
    first; 255: never. Default 255."""


@dataclass(frozen=True, kw_only=True)
class Strict(Part):
    """Lanes that go before others."""

    _choice: ClassVar[str | None] = "strict"

    order: tuple[int, ...] | None = None
    """Lanes in the order in which they may go. Absent: the highest first."""


@dataclass(frozen=True, kw_only=True)
class Share(Part):
    """What a lane may send when its turn comes."""

    lane: int
    """The lane."""
    quantum: str
    """Bytes, at least a packet; what is left over is kept for its next turn."""


@dataclass(frozen=True, kw_only=True)
class Drr(Part):
    """Lanes that share a link by bytes."""

    _choice: ClassVar[str | None] = "drr"

    first: tuple[int, ...] | None = None
    """Lanes that go before all others, in this order."""
    shares: tuple[Share, ...]
    """The others, which take turns in this order."""
