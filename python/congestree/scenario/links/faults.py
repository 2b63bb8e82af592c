"""`links.faults` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Failure(Part):
    """A failure of one link, or of some drawn at random. Give link or share."""

    link: tuple[str, ...] | None = None
    """The two ends of the link; all links between the two if there are several."""
    share: float | None = None
    """The share of the links between switches that fail, drawn at random; at least one of them."""
    seed: int | None = None
    """Seed by which they are drawn. Absent: that of the run."""
    at: str = "0 ns"
    """From when on."""
    until: str | None = None
    """Until when. Absent: to the end of the run."""
    rate: str | None = None
    """The rate of the link in the meantime, in both directions. Absent: it is down."""
    keeps: float | None = None
    """The share of its rate that it keeps. Absent: it is down."""


@dataclass(frozen=True, kw_only=True)
class SubnetManager(Part):
    """Somebody who finds new routes."""

    _choice: ClassVar[str | None] = "subnet-manager"

    delay: str
    """From a link going down or coming up until the new tables are in all switches."""


@dataclass(frozen=True, kw_only=True)
class Faults(Part):
    """Links that fail while the run goes on. Absent: none does."""

    failures: tuple[Failure, ...] = ()
    """What fails, and when."""
    reroute: SubnetManager | Literal["none", "local"] = "none"
    """How routes follow. Default "none"."""
    head_of_queue_lifetime: str = "1.073741824 s"
    """Switches drop what waits for a link that has been down for so long, and what comes for it after that
    (HOQLife of InfiniBand: 4.096 us times a power of two). Default 1.073741824 s, as OpenSM sets it (code
    18). With "0 ns" a port that is down drops at once, as the discards of InfiniBand's PortXmitDiscards."""
