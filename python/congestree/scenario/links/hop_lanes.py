"""`links.hop_lanes` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar

from ..._base import Part, part


@part
class HopLane(Part):
    """Paths through a switch, and the lanes in which packets leave it."""

    switch: str | None = None
    """Name of the switch. Absent: all of them."""
    from_: str | int | None = field(default=None, metadata={"key": "from"})
    """Where packets come from: the name of the neighbouring node, or the number of the ingress port.
    Absent: any."""
    to: str | int | None = None
    """Where packets go: the name of the neighbouring node, or the number of the egress port. Absent:
    any."""
    lanes: Sequence[int]
    """The outgoing lane for each incoming lane, or for each service level, from 0 on. Lanes beyond the end
    of the list stay unchanged."""


@part
class ByLane(Part):
    """Paths through switches and their lanes; where several entries match, the last one applies."""

    _choice: ClassVar[str | None] = "by-lane"

    hops: Sequence[HopLane]
    """Entries with a path through a switch and its lanes."""


@part
class ByService(Part):
    """Paths through switches and their lanes; where several entries match, the last one applies."""

    _choice: ClassVar[str | None] = "by-service"

    hops: Sequence[HopLane]
    """Entries with a path through a switch and its lanes."""
