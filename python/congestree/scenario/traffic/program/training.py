"""`traffic.program.training` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ...._base import Part


@dataclass(frozen=True, kw_only=True)
class Chosen(Part):
    """An operation and its algorithm."""

    operation: Literal["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather", "scatter", "barrier"]
    """What is done."""
    algorithm: Literal["ring", "bidirectional-ring", "tree", "halving-doubling", "hierarchical", "direct", "pairwise"]
    """How."""


@dataclass(frozen=True, kw_only=True)
class Library(Part):
    """How collectives are done."""

    algorithms: tuple[Chosen, ...] | None = None
    """Algorithms of operations. Others: ring; all-to-all, gather and scatter: direct; barrier:
    halving-doubling."""
    channels: int = 1
    """Parts of the data that go their way by themselves."""
    protocol: Literal["simple", "ll", "ll128"] = "simple"
    """What else is on the wire beside data."""
    chunk: str | None = None
    """Payload that a rank passes on as a whole. Absent: as NCCL has it."""
    node: int = 1
    """Ranks of a node, neighbours in the order of the ranks of a group."""
    combine_rate: str | None = None
    """Rate at which a rank adds what it received to what it has. Absent: at once."""


@dataclass(frozen=True, kw_only=True)
class Chakra(Part):
    """A job as its execution traces have it (Chakra): computations, messages and collectives, and what
    waits for what.
    """

    _choice: ClassVar[str | None] = "chakra"

    traces: tuple[str, ...]
    """Trace files or folders of them, relative to the folder of the scenario: one a rank, in the order of
    the ranks in their names (`<prefix>.<rank>.et`); or a single one for all ranks, if `job.ranks` says more
    than one."""
    order: Literal["all", "data"] = "all"
    """Which dependencies count."""
    groups: dict[str, tuple[int, ...]] | None = None
    """Ranks of process groups, by their names. Others: those ranks whose traces use the name."""
    library: Library | None = None
    """How collectives are done."""
    teraflops: float | None = None
    """Computations without a duration: so many 10^12 operations a second. Absent: they take no time."""
    memory_rate: str | None = None
    """Rate at which computations, loads and stores without a duration move their bytes. Absent: at once."""


@dataclass(frozen=True, kw_only=True)
class Uniform(Part):
    """How many experts there are, and are chosen."""

    _choice: ClassVar[str | None] = "uniform"

    experts: int
    """In all, evenly over the ranks."""
    chosen: int
    """For each token, all different."""


@dataclass(frozen=True, kw_only=True)
class Zipf(Part):
    """Experts that are not alike."""

    _choice: ClassVar[str | None] = "zipf"

    experts: int
    """In all, evenly over the ranks."""
    chosen: int
    """For each token, all different."""
    exponent: float
    """Of Zipf's law. Which experts are popular is drawn, layer by layer."""


@dataclass(frozen=True, kw_only=True)
class Captured(Part):
    """Captured routing."""

    _choice: ClassVar[str | None] = "captured"

    file: str
    """Lines of JSON, relative to the folder of the scenario: a header with `expert_count`, and tokens with
    `routing`, a list of `layer_index` and `expert_ids`. Tokens are taken one after the other, round and
    round."""
    phase: Literal["prefill", "decode"] | None = None
    """Tokens of this phase only. Absent: of all."""


@dataclass(frozen=True, kw_only=True)
class Moe(Part):
    """Tokens go to the ranks of their experts and come back, layer after layer."""

    _choice: ClassVar[str | None] = "moe"

    tokens: int
    """Tokens of each rank."""
    gate: Uniform | Zipf | Captured
    """Which experts they go to."""
    layers: int = 1
    """Layers, one after the other."""
    dispatch: str = "7392 B"
    """Bytes of a copy of a token on its way to an expert. Default: 7,168 values of a byte and a scale of
    four bytes for each 128 of them."""
    combine: str = "14 KiB"
    """And on its way back. Default: 7,168 values of two bytes."""
    compute: str = "0 ns"
    """Time that a rank computes for each copy of a token that came to it."""
    copies: Literal["each-expert", "each-rank"] = "each-expert"
    """Where a copy of a token goes."""
    order: Literal["in-turn", "at-once"] = "at-once"
    """How the messages of an exchange follow each other."""


@dataclass(frozen=True, kw_only=True)
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
    """Data neighbours that share the experts; a divisor of `data`. 1: there are no experts."""


@dataclass(frozen=True, kw_only=True)
class LanguageModel(Part):
    """The model."""

    layers: int
    """Its layers, a multiple of the parts of the pipeline."""
    hidden: int
    """Values per token (hidden size)."""
    sequence: int
    """Tokens per sequence."""
    value: int = 2
    """Bytes of a value of activations and gradients."""
    chosen: int = 2
    """Experts chosen for a token, where there are experts."""


@dataclass(frozen=True, kw_only=True)
class Training(Part):
    """An iteration of training: pipeline, tensor, data and expert parallel."""

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
    """Time of the optimizer at the end."""
    library: Library | None = None
    """How collectives are done."""
