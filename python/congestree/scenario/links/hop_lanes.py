"""`links.hop_lanes` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class HopLane(Part):
    """Ways through a switch, and the lanes in which packets leave."""

    switch: str | None = None
    """Name of the switch. Absent: all of them."""
    from_: str | int | None = field(default=None, metadata={"key": "from"})
    """Name of the node that packets come from, or number of the port by which they come in. Absent: any."""
    to: str | int | None = None
    """Name of the node that they go to, or number of the port by which they leave. Absent: any."""
    lanes: tuple[int, ...]
    """The lane for each lane, or service level, from 0 on; what is beyond the end is left as it was."""


@dataclass(frozen=True, kw_only=True)
class ByLane(Part):
    """Ways through switches and their lanes; where several match, the last one holds."""

    _choice: ClassVar[str | None] = "by-lane"

    hops: tuple[HopLane, ...]
    """The ways through switches."""


@dataclass(frozen=True, kw_only=True)
class ByService(Part):
    """Ways through switches and their lanes; where several match, the last one holds."""

    _choice: ClassVar[str | None] = "by-service"

    hops: tuple[HopLane, ...]
    """The ways through switches."""
