"""`links.faults` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Failure(Part):
    """A failure of one link, or of links drawn at random. Give either link or share."""

    link: Sequence[str] | None = None
    """The two ends of the link."""
    number: int | None = None
    """Which of several links between the two fails, counted from 1 in the order of the ports of the first:
    2 is the link that is called "A->B (2)". Absent: all of them fail."""
    share: float | None = None
    """Share of the links between switches that fail, drawn at random; at least one link. With 0 none
    fails."""
    seed: int | None = None
    """Seed for drawing the links. Absent: that of the run."""
    at: str = "0 ns"
    """When the failure begins."""
    until: str | None = None
    """When the failure ends. Absent: at the end of the run."""
    rate: str | None = None
    """Rate of the link during the failure, in both directions. Absent: the link is down."""
    keeps: float | None = None
    """Share of its rate that the link keeps during the failure. Absent: the link is down."""


@part
class SubnetManager(Part):
    """A subnet manager, which computes new routes."""

    _choice: ClassVar[str | None] = "subnet-manager"

    delay: str
    """Time from a link going down or coming up until the new tables are in all switches."""


@part
class Faults(Part):
    """Links that fail during the run. Absent: no link fails."""

    failures: Sequence[Failure] = ()
    """The failures: which links, and when."""
    reroute: SubnetManager | Literal["none", "local"] = "none"
    """How routes adapt to failed links. Default "none"."""
    head_of_queue_lifetime: str = "1.073741824 s"
    """When a link has been down for this long, switches drop the packets that wait for it and all that
    arrive for it later (HOQLife of InfiniBand: 4.096 us times a power of two). Default 1.073741824 s, as
    OpenSM sets it (code 18). With "0 ns" packets for a port that is down are dropped at once, as those that
    InfiniBand counts in PortXmitDiscards."""
