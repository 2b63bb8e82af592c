"""`traffic.job` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ..._base import Part, part


@part
class ByRail(Part):
    """Rail by rail."""

    _choice: ClassVar[str | None] = "by-rail"

    node: int
    """Hosts of a node, which follow each other in `from`: the adapters of a server, each on a rail of its
    own."""


@part
class PlacementGiven(Part):
    """A placement given rank by rank."""

    _choice: ClassVar[str | None] = "given"

    hosts: Sequence[str]
    """The host of every rank, from rank 0 on; hosts may be named several times."""


@part
class Straggler(Part):
    """Ranks that compute more slowly than others."""

    ranks: Sequence[int]
    """The slow ranks."""
    factor: float
    """Computations take this many times as long as the program says."""


@part
class Job(Part):
    """Placement and execution of the application's ranks."""

    ranks: int | None = None
    """Number of ranks. Absent: that of the GOAL file; otherwise per_host for each host of `from`."""
    per_host: int | None = None
    """The most ranks on one host. Absent: the smallest number that fits all ranks."""
    placement: ByRail | PlacementGiven | Literal["linear", "round-robin", "random"] = "linear"
    """How ranks are placed on the hosts of `from`."""
    repeat: int = 1
    """Number of times each rank runs its program, one after another. Ranks do not wait for each other in
    between."""
    send_end: Literal["left", "acknowledged", "delivered"] = "left"
    """When a send is complete, so that operations that depend on it may start."""
    overhead: str = "0 ns"
    """Processor time of each send, before the message leaves, and of each receive, after the message has
    arrived."""
    rendezvous: str | None = None
    """Rendezvous threshold: messages of at least this size are announced, and sent when the receiver has
    posted the receive. Messages inside nodes and hosts, which do not use the network, are sent at once.
    Absent: all messages are sent eagerly."""
    memory_rate: str | None = None
    """Rate at which a rank copies messages to other ranks on its own host, one after another. Absent:
    copies take no time."""
    memory_delay: str = "0 ns"
    """Time from the end of such a copy until the message has arrived."""
    stragglers: Sequence[Straggler] | None = None
    """Ranks whose computations take longer."""
