"""`traffic.pattern` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..._base import Part, part


@part
class HotSpot(Part):
    """Destinations with hot spots."""

    _choice: ClassVar[str | None] = "hot-spot"

    to: str | Sequence[str]
    """The hot hosts: a host, a group, or a list of those."""
    fraction: float
    """Probability that a message goes to one of them, all equally likely. If it does not, or if a host
    draws itself, it goes to a random other host, hot ones included: with a fraction of 0.3 and one hot host
    among 8, that host gets 0.3 + 0.7 / 7 = 0.4 of the messages of each other host."""


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

    to: Sequence[str]
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
