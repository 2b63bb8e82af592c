"""`links.destination_lanes` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..._base import Part, part


@part
class BySwitch(Part):
    """Lanes that are used in turn."""

    _choice: ClassVar[str | None] = "by-switch"

    lanes: Sequence[int] | None = None
    """The lanes. Absent: all of links.lanes."""


@part
class Modulo(Part):
    """Lanes that are used in turn."""

    _choice: ClassVar[str | None] = "modulo"

    lanes: Sequence[int] | None = None
    """The lanes. Absent: all of links.lanes."""


@part
class Given(Part):
    """The lane of each host, given one by one."""

    _choice: ClassVar[str | None] = "given"

    lanes: dict[str, int]
    """The lane of each host, by the name of the host."""
