"""`traffic.pattern` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar

from ..._base import Part, part


@part
class HotSpot(Part):
    """Destinations with hot spots."""

    _choice: ClassVar[str | None] = "hot-spot"

    to: str | tuple[str, ...]
    """The hot hosts: a host, a group, or a list of those."""
    fraction: float
    """Share of the messages that go to them."""


@part
class Shift(Part):
    """Destinations at a fixed distance."""

    _choice: ClassVar[str | None] = "shift"

    by: int
    """Distance from source to destination, in host ids."""


@part
class Moving(Part):
    """A hot host that changes."""

    _choice: ClassVar[str | None] = "moving"

    to: tuple[str, ...]
    """The hot hosts in turn; after the last comes the first. A source sends nothing while it is the hot
    host itself."""
    every: str
    """How long each host is hot, counted from the start of the run."""


@part
class Groups(Part):
    """Destinations within groups."""

    _choice: ClassVar[str | None] = "groups"

    size: int
    """Number of hosts in a group."""
