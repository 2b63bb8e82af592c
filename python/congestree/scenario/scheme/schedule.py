"""`scheme.schedule` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Rcm(Part):
    """Parameters of RCM, the one regional control there is; scenarios and Python know it by its name."""

    _choice: ClassVar[str | None] = "rcm"

    _older: ClassVar[dict[str, str]] = {"watch": "sampled_queues", "calm_looks": "calm_samples", "flow_looks": "flow_sampling", "held": "pacing", "measured": "windows_measured"}

    sampled_queues: Literal["both-queues", "output-queues"] = "both-queues"
    """Which queues are sampled."""
    root_control: bool = False
    """A root holds its harmful flows to windows too (sections 3.1 and 3.2). Default no: all that a root
    sends goes the crowded way, and what it holds leaves its link idle."""
    equilibrium: str = "33 kB"
    """Bytes that may wait for an output without harm (Q_eq). Default 33 kB, as in QCN."""
    growth_weight: float = 2.0
    """Weight of the growth of a queue beside its length (w_q). Default 2, as in QCN."""
    remote_weight: float = 0.5
    """Weight of what a neighbour tells in the degree that is passed on (w). Default 0.5."""
    sample_every: int = 10
    """Packets for an output from one sample of its queues to the next, while all is calm; fewer the more
    congested it is. Default 10."""
    calm_samples: int = 2
    """Samples in a row that must find no congestion before it is over. Default 2."""
    flows: int = 16
    """Flows that an output remembers as harmful, the oldest overwritten (CAM). Default 16."""
    flow_sample_every: int = 10
    """One in so many packets at a root is sampled for its flow. Default 10."""
    flow_sampling: Literal["in-turn", "by-chance"] = "in-turn"
    """Which of them."""
    flow_entries: Literal["one-a-flow", "one-a-sample"] = "one-a-flow"
    """How a sampled flow is recorded."""
    pacing: Literal["by-windows", "behind-others", "both"] = "by-windows"
    """How harmful flows are paced."""
    least_window: str = "10 us"
    """The shortest time over which the windows of an output are measured. Default 10 us."""
    windows_measured: Literal["from-onset", "always"] = "from-onset"
    """When they are measured."""
    notice: str = "64 B"
    """Bytes of a notice to a neighbour. Default 64 B."""
    reroute: bool = False
    """Packets of other flows may take another way around the region (SAR). Needs `scheme.route`."""
    reroute_above: str = "80 kB"
    """They do when more than this waits for an output, or after the second notice in a row for it. Default
    80 kB."""
