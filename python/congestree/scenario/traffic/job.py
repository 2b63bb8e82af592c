"""`traffic.job` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class ByRail(Part):
    """Rail by rail."""

    _choice: ClassVar[str | None] = "by-rail"

    node: int
    """Hosts of a node, neighbours in `from`: adapters, each on a rail of its own."""


@dataclass(frozen=True, kw_only=True)
class PlacementGiven(Part):
    """A placement written out."""

    _choice: ClassVar[str | None] = "given"

    hosts: tuple[str, ...]
    """The host of every rank, from rank 0 on; hosts may be named several times."""


@dataclass(frozen=True, kw_only=True)
class Straggler(Part):
    """Ranks that compute more slowly than others."""

    ranks: tuple[int, ...]
    """Which."""
    factor: float
    """So many times as long as the program says."""


@dataclass(frozen=True, kw_only=True)
class Job(Part):
    """Where the ranks of the application are, and how they run."""

    ranks: int | None = None
    """Number of ranks. Absent: as a GOAL file says; otherwise per_host for each host of `from`."""
    per_host: int | None = None
    """Most ranks on one host. Absent: as few as there is room for."""
    placement: ByRail | PlacementGiven | Literal["linear", "round-robin", "random"] = "linear"
    """Which rank is on which host of `from`."""
    repeat: int = 1
    """How often each rank runs its program, once after the other. Nobody waits for other ranks in
    between."""
    send_end: Literal["left", "acknowledged", "delivered"] = "left"
    """When a send has finished, so that what waits for it may start."""
    overhead: str = "0 ns"
    """Time that each send takes on its processor before the message goes, and each receive when the message
    is in."""
    rendezvous: str | None = None
    """Messages of at least this size are announced, and sent when the receiver has posted the receive.
    Absent: none is."""
    memory_rate: str | None = None
    """Rate at which a rank copies messages to ranks of its own host, one after the other. Absent: at
    once."""
    memory_delay: str = "0 ns"
    """From the end of such a copy until the message is there."""
    stragglers: tuple[Straggler, ...] | None = None
    """Ranks whose computations take longer."""
