"""`traffic.program.benchmarks` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ...._base import Part


@dataclass(frozen=True, kw_only=True)
class PingPong(Part):
    """A message to and fro."""

    _choice: ClassVar[str | None] = "ping-pong"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often it goes to and fro."""


@dataclass(frozen=True, kw_only=True)
class NaturalRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "natural-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often."""


@dataclass(frozen=True, kw_only=True)
class RandomRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "random-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often."""


@dataclass(frozen=True, kw_only=True)
class Ptrans(Part):
    """Transposition of a matrix."""

    _choice: ClassVar[str | None] = "ptrans"

    bytes: str
    """What each rank has of the matrix."""
    count: int = 1
    """How often."""
    compute: str = "0 ns"
    """Computation before each transposition."""


@dataclass(frozen=True, kw_only=True)
class Mpifft(Part):
    """A distributed Fourier transform."""

    _choice: ClassVar[str | None] = "mpifft"

    bytes: str
    """What each rank has of the data; an n-th of it goes to each other rank in a transposition."""
    transposes: int = 3
    """How many transpositions."""
    compute: str = "0 ns"
    """Computation before and after each of them."""
    order: Literal["in-turn", "at-once"] = "in-turn"
    """How the messages of a transposition follow each other."""
