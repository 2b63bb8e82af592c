"""`traffic.program.collectives` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...._base import Part, part


@part
class AllReduceRing(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "all-reduce-ring"

    bytes: str
    """Size of the vector at each rank."""
    combine_rate: str | None = None
    """Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time."""


@part
class AllReduceDoubling(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "all-reduce-doubling"

    bytes: str
    """Size of the vector at each rank."""
    combine_rate: str | None = None
    """Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time."""


@part
class ReduceScatter(Part):
    """A reduction."""

    _choice: ClassVar[str | None] = "reduce-scatter"

    bytes: str
    """Size of the vector at each rank."""
    combine_rate: str | None = None
    """Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time."""


@part
class AllGather(Part):
    """A gathering."""

    _choice: ClassVar[str | None] = "all-gather"

    bytes: str
    """Size of the vector that each rank has at the end; before, each has one n-th of it."""


@part
class AllToAll(Part):
    """A total exchange."""

    _choice: ClassVar[str | None] = "all-to-all"

    bytes: str
    """Size of the message from each rank to each other rank."""
    order: Literal["in-turn", "at-once"] = "in-turn"
    """In which order the messages are sent."""


@part
class Broadcast(Part):
    """From one to all."""

    _choice: ClassVar[str | None] = "broadcast"

    bytes: str
    """Size of the message that each rank receives."""
    root: int = 0
    """The rank that broadcasts."""


@part
class Barrier(Part):
    """All wait for all."""

    _choice: ClassVar[str | None] = "barrier"

    bytes: str = "0 B"
    """Payload of each message."""


@part
class Chunking(Part):
    """How the data are divided and sent."""

    channels: int = 1
    """Channels: parts of the data that are sent independently of each other. Rings (also in nodes and along
    rails) and trees have them; with `halving-doubling`, `direct` and `pairwise` a rank sends what another
    gets from it as one message."""
    protocol: Literal["simple", "ll", "ll128"] = "simple"
    """The protocol, which decides what is on the wire besides data."""
    chunk: str | None = None
    """Payload that a rank forwards as a whole, in rings and trees. Absent: as in NCCL, 2 MiB in two slices
    for all-reduce, all-gather and reduce-scatter with Simple, otherwise an eighth of a channel's buffer."""


@part
class Collective(Part):
    """A collective operation: which, of how much, and how."""

    _choice: ClassVar[str | None] = "collective"

    operation: Literal["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather", "scatter", "barrier"]
    """The operation."""
    bytes: str | None = None
    """Size of the whole vector; where each rank has a part of it, a part is one n-th of this. Absent: only
    of a barrier, which has no vector and ignores the size."""
    algorithm: Literal["ring", "bidirectional-ring", "tree", "halving-doubling", "hierarchical", "direct", "pairwise"] | None = None
    """The algorithm. Absent: ring; for all-to-all, gather and scatter direct; for barrier
    halving-doubling."""
    root: int = 0
    """The rank that broadcasts, reduces, gathers or scatters."""
    node: int = 1
    """Ranks per node; they follow each other in the order of ranks. Rings go node by node, trees connect
    nodes (both turned by one rank from channel to channel), and `hierarchical` starts inside nodes."""
    along_rails: bool = False
    """Rings, and the chains of broadcast and reduce, go from node to node along rails: between ranks at the
    same place of their nodes, as NCCL's alternating rings do. Otherwise they go from the last rank of a
    node to the first of the next (turned by one from channel to channel), so that on a network with rails
    everything between nodes crosses the spine. With an odd number of nodes of two ranks, one hop of each
    ring is still from rail to rail."""
    combine_rate: str | None = None
    """Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time."""
    chunking: Chunking | None = None
    """How the data are divided and sent."""
