"""`traffic.program.collectives` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ...._base import Part


@dataclass(frozen=True, kw_only=True)
class AllReduceRing(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "all-reduce-ring"

    bytes: str
    """The vector that each rank has."""
    combine_rate: str | None = None
    """Rate at which a rank adds what it received to what it has. Absent: at once."""


@dataclass(frozen=True, kw_only=True)
class AllReduceDoubling(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "all-reduce-doubling"

    bytes: str
    """The vector that each rank has."""
    combine_rate: str | None = None
    """Rate at which a rank adds what it received to what it has. Absent: at once."""


@dataclass(frozen=True, kw_only=True)
class ReduceScatter(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "reduce-scatter"

    bytes: str
    """The vector that each rank has."""
    combine_rate: str | None = None
    """Rate at which a rank adds what it received to what it has. Absent: at once."""


@dataclass(frozen=True, kw_only=True)
class AllGather(Part):
    """A gathering."""

    _choice: ClassVar[str | None] = "all-gather"

    bytes: str
    """The vector that each rank has in the end, an n-th of it before."""


@dataclass(frozen=True, kw_only=True)
class AllToAll(Part):
    """A total exchange."""

    _choice: ClassVar[str | None] = "all-to-all"

    bytes: str
    """What each rank has for each other."""
    order: Literal["in-turn", "at-once"] = "in-turn"
    """How the messages follow each other."""


@dataclass(frozen=True, kw_only=True)
class Broadcast(Part):
    """From one to all."""

    _choice: ClassVar[str | None] = "broadcast"

    bytes: str
    """What each rank gets."""
    root: int = 0
    """The rank that has it first."""


@dataclass(frozen=True, kw_only=True)
class Barrier(Part):
    """All wait for all."""

    _choice: ClassVar[str | None] = "barrier"

    bytes: str = "0 B"
    """Payload of each message."""


@dataclass(frozen=True, kw_only=True)
class Chunking(Part):
    """How the data are cut and sent."""

    channels: int = 1
    """Parts of the data that go their way by themselves."""
    protocol: Literal["simple", "ll", "ll128"] = "simple"
    """What else is on the wire beside data."""
    chunk: str | None = None
    """Payload that a rank passes on as a whole. Absent: as NCCL has it, 2 MiB in two slices for all-reduce,
    all-gather and reduce-scatter with Simple, otherwise an eighth of a channel's buffer."""


@dataclass(frozen=True, kw_only=True)
class Collective(Part):
    """A collective operation: which, of how much, and how."""

    _choice: ClassVar[str | None] = "collective"

    operation: Literal["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather", "scatter", "barrier"]
    """What is done."""
    bytes: str
    """The whole vector: of n parts, where ranks have a part each."""
    algorithm: Literal["ring", "bidirectional-ring", "tree", "halving-doubling", "hierarchical", "direct", "pairwise"] | None = None
    """How. Absent: ring; all-to-all, gather and scatter: direct; barrier: halving-doubling."""
    root: int = 0
    """The rank that broadcasts, reduces, gathers or scatters."""
    node: int = 1
    """Ranks of a node, neighbours in the order of ranks. Rings go node by node, trees are over nodes, and
    `hierarchical` is in nodes first."""
    combine_rate: str | None = None
    """Rate at which a rank adds what it received to what it has. Absent: at once."""
    chunking: Chunking | None = None
    """How the data are cut and sent."""
