"""`scheme.route` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Ecmp(Part):
    """Parameters of equal-cost multi-path."""

    _choice: ClassVar[str | None] = "ecmp"

    same_hash: bool = False
    """All switches use the same hash seed."""


@part
class Spray(Part):
    """Parameters of packet spraying."""

    _choice: ClassVar[str | None] = "spray"

    choice: Literal["random", "in-turn"] = "random"
    """How the path of a packet is chosen."""


@part
class Flowlet(Part):
    """Parameters of flowlet switching."""

    _choice: ClassVar[str | None] = "flowlet"

    gap: str = "50 us"
    """Gap between two packets of a flow after which the next packet may take another path. Default 50
    us."""
    entries: int = 4096
    """Entries of a switch's flowlet table: flows that it can tell apart. Default 4096."""
    choice: Literal["random", "least-queue"] = "random"
    """How a new path is chosen."""


@part
class Ugal(Part):
    """Parameters of UGAL."""

    _choice: ClassVar[str | None] = "ugal"

    candidates: int = 1
    """Hosts drawn among all for every packet, whose switches are the intermediate ones; the switch that
    decides and the packet's last one are not used. Default 1."""
    threshold: str = "0 B"
    """Bias towards the minimal path: it is taken even if it is worse by up to this many bytes times links.
    Default 0."""
    knows: Literal["local", "global"] = "local"
    """What the first switch knows about the queues of a path. Default: local."""


@part
class Par(Part):
    """Parameters of PAR."""

    _choice: ClassVar[str | None] = "par"

    candidates: int = 1
    """Hosts drawn among all for every packet at each decision, whose switches are the intermediate ones;
    the switch that decides and the packet's last one are not used. Default 1."""
    threshold: str = "0 B"
    """Bias towards the minimal path: it is taken even if it is worse by up to this many bytes times links.
    Default 0."""
