"""`traffic.program.benchmarks` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...._base import Part, part


@part
class PingPong(Part):
    """A message to and fro."""

    _choice: ClassVar[str | None] = "ping-pong"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """Number of round trips."""


@part
class NaturalRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "natural-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """Number of repetitions."""


@part
class RandomRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "random-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """Number of repetitions."""


@part
class Ptrans(Part):
    """Transposition of a matrix."""

    _choice: ClassVar[str | None] = "ptrans"

    bytes: str
    """Bytes of the matrix at each rank."""
    count: int = 1
    """Number of repetitions."""
    compute: str = "0 ns"
    """Computing time before each transposition."""


@part
class Mpifft(Part):
    """A distributed Fourier transform."""

    _choice: ClassVar[str | None] = "mpifft"

    bytes: str
    """Bytes of the data at each rank; in a transposition one n-th of it goes to each other rank."""
    transposes: int = 3
    """Number of transpositions."""
    compute: str = "0 ns"
    """Computing time before and after each transposition."""
    order: Literal["in-turn", "at-once"] = "in-turn"
    """In which order the messages of a transposition are sent."""
