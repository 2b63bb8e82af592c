"""`traffic.pattern` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class HotSpot(Part):
    """Destinations with hot spots."""

    _choice: ClassVar[str | None] = "hot-spot"

    to: str | tuple[str, ...]
    """The hot hosts: a host, a group, or a list of those."""
    fraction: float
    """Share of the messages that go to them."""


@dataclass(frozen=True, kw_only=True)
class Shift(Part):
    """Destinations at a fixed distance."""

    _choice: ClassVar[str | None] = "shift"

    by: int
    """Distance from source to destination, in host ids."""


@dataclass(frozen=True, kw_only=True)
class Moving(Part):
    """A hot host that changes."""

    _choice: ClassVar[str | None] = "moving"

    to: tuple[str, ...]
    """The hot hosts in turn; after the last comes the first. A source sends nothing while it is the hot
    host itself."""
    every: str
    """How long each host is hot, counted from the start of the run."""


@dataclass(frozen=True, kw_only=True)
class Groups(Part):
    """Destinations within groups."""

    _choice: ClassVar[str | None] = "groups"

    size: int
    """Number of hosts in a group."""
