"""`traffic.program.training` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ...._base import Part, part


@part
class Chosen(Part):
    """An operation and its algorithm."""

    operation: Literal["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather", "scatter", "barrier"]
    """The operation."""
    algorithm: Literal["ring", "bidirectional-ring", "tree", "halving-doubling", "hierarchical", "direct", "pairwise"]
    """How."""


@part
class Library(Part):
    """How the library carries out collectives."""

    algorithms: Sequence[Chosen] | None = None
    """The algorithm of each operation. Operations that are not listed: ring; for all-to-all, gather and
    scatter direct; for barrier halving-doubling."""
    channels: int = 1
    """Channels: parts of the data that are sent independently of each other."""
    protocol: Literal["simple", "ll", "ll128"] = "simple"
    """The protocol, which decides what is on the wire besides data."""
    chunk: str | None = None
    """Payload that a rank forwards as a whole. Absent: as in NCCL."""
    node: int = 1
    """Ranks of the job per node: ranks 0 to 7 are the first of nodes of 8. Groups of ranks go through a
    node together."""
    along_rails: bool = False
    """Rings, and the chains of broadcast and reduce, go from node to node along rails, as with
    `along_rails` of a collective: between ranks of a group at the same place among those in their nodes.
    Groups with more ranks in one node than in another go rank by rank."""
    combine_rate: str | None = None
    """Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time."""


@part
class Chakra(Part):
    """A job as its execution traces have it (Chakra): computations, messages and collectives, and what
    waits for what.
    """

    _choice: ClassVar[str | None] = "chakra"

    traces: Sequence[str]
    """Trace files or folders of them, relative to the folder of the scenario: one a rank, in the order of
    the ranks in their names (`<prefix>.<rank>.et`); or a single one for all ranks, if `job.ranks` says more
    than one."""
    order: Literal["all", "data"] = "all"
    """Which dependencies of the traces are respected."""
    groups: dict[str, Sequence[int]] | None = None
    """Ranks of process groups, by group name. Groups that are not listed consist of the ranks whose traces
    use their name."""
    library: Library | None = None
    """How the library carries out collectives."""
    teraflops: float | None = None
    """Compute rate for computations without a duration, in 10^12 operations per second. Absent: they take
    no time."""
    memory_rate: str | None = None
    """Memory rate for computations, loads and stores without a duration. Absent: they take no time."""


@part
class Uniform(Part):
    """The number of experts, and how many are chosen."""

    _choice: ClassVar[str | None] = "uniform"

    experts: int
    """Number of experts, spread evenly over the ranks."""
    chosen: int
    """Experts chosen for each token; all are different."""


@part
class Zipf(Part):
    """Experts of different popularity."""

    _choice: ClassVar[str | None] = "zipf"

    experts: int
    """Number of experts, spread evenly over the ranks."""
    chosen: int
    """Experts chosen for each token; all are different."""
    exponent: float
    """Exponent of Zipf's law. Which experts are popular is drawn for each layer."""


@part
class Captured(Part):
    """Captured routing."""

    _choice: ClassVar[str | None] = "captured"

    file: str
    """Lines of JSON, relative to the folder of the scenario: a header with `expert_count`, and tokens with
    `routing`, a list of `layer_index` and `expert_ids`. The layers that are named, in the order of their
    numbers, are those of the job; entries without `layer_index` count as they stand. Tokens are taken one
    after another; after the last comes the first."""
    phase: Literal["prefill", "decode"] | None = None
    """Tokens of this phase only. Absent: of all."""


@part
class Moe(Part):
    """Mixture of experts (MoE): tokens go to the ranks of their experts and come back, layer after
    layer.
    """

    _choice: ClassVar[str | None] = "moe"

    tokens: int
    """Tokens of each rank."""
    gate: Uniform | Zipf | Captured
    """Which experts tokens go to."""
    layers: int = 1
    """Layers, one after the other."""
    dispatch: str = "7392 B"
    """Size of a copy of a token on its way to an expert. Default: 7,168 values of a byte and a scale of
    four bytes for each 128 of them."""
    combine: str = "14 KiB"
    """Size of such a copy on its way back. Default: 7,168 values of two bytes."""
    compute: str = "0 ns"
    """Computing time of a rank for each copy of a token that it received."""
    copies: Literal["each-expert", "each-rank"] = "each-expert"
    """Where a copy of a token goes."""
    order: Literal["in-turn", "at-once"] = "at-once"
    """In which order the messages of an exchange are sent."""


@part
class Parallel(Part):
    """How ranks share the work; there are data x tensor x pipeline of them, tensor neighbours first,
    then data, then pipeline.
    """

    data: int = 1
    """Data parallelism: copies of the model."""
    tensor: int = 1
    """Tensor parallelism: parts of each layer."""
    pipeline: int = 1
    """Pipeline parallelism: stages of layers."""
    expert: int = 1
    """Expert parallelism: neighbouring data ranks that share the experts; a divisor of `data`. 1: no
    experts."""


@part
class LanguageModel(Part):
    """The model."""

    layers: int
    """Number of layers, a multiple of the number of pipeline stages."""
    hidden: int
    """Values per token (hidden size)."""
    sequence: int
    """Tokens per sequence."""
    value: int = 2
    """Bytes of a value of activations and gradients."""
    chosen: int = 2
    """Experts chosen for a token, where there are experts."""


@part
class Training(Part):
    """An iteration of training with pipeline, tensor, data and expert parallelism."""

    _choice: ClassVar[str | None] = "training"

    parallel: Parallel
    """How ranks share the work; there are data x tensor x pipeline of them, tensor neighbours first, then
    data, then pipeline."""
    model: LanguageModel
    """The model."""
    sequences: int = 1
    """Sequences of a microbatch, at each data rank."""
    microbatches: int = 1
    """Microbatches of an iteration, at each data rank."""
    teraflops: float
    """Effective compute rate of a rank, in 10^12 operations per second."""
    optimizer: str = "0 ns"
    """Computing time of the optimizer at the end of the iteration."""
    library: Library | None = None
    """How the library carries out collectives."""
