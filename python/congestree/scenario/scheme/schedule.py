"""`scheme.schedule` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Rcm(Part):
    """Parameters of RCM, the only regional congestion control here; scenarios and Python use this name."""

    _choice: ClassVar[str | None] = "rcm"

    _older: ClassVar[dict[str, str]] = {"watch": "sampled_queues", "calm_looks": "calm_samples", "flow_looks": "flow_sampling", "held": "pacing", "measured": "windows_measured"}

    sampled_queues: Literal["both-queues", "output-queues"] = "both-queues"
    """Which queues are sampled."""
    root_control: bool = False
    """Roots of congestion pace their harmful flows, too (sections 3.1 and 3.2). Default no: everything that
    a root sends goes over the congested link, and packets held back would leave that link idle."""
    equilibrium: str = "33 kB"
    """Queue length of an output that is not yet congestion (Q_eq). Default 33 kB, as in QCN."""
    growth_weight: float = 2.0
    """Weight of the queue's growth relative to its length (w_q). Default 2, as in QCN."""
    remote_weight: float = 0.5
    """Weight of the neighbour's congestion degree in the degree that is passed on (w). Default 0.5."""
    sample_every: int = 10
    """Packets for an output between two samples of its queues, without congestion. The more congested the
    output, the fewer they are. Default 10."""
    calm_samples: int = 2
    """Successive samples without congestion after which congestion is over. Default 2."""
    flows: int = 16
    """Harmful flows that an output can record (CAM); the oldest entry is overwritten. Default 16."""
    flow_sample_every: int = 10
    """One in this many packets at a root is sampled to identify its flow. Default 10."""
    flow_sampling: Literal["in-turn", "by-chance"] = "in-turn"
    """Which packets are sampled."""
    flow_entries: Literal["one-a-flow", "one-a-sample"] = "one-a-flow"
    """How a sampled flow is recorded."""
    pacing: Literal["by-windows", "behind-others", "both"] = "by-windows"
    """How harmful flows are paced."""
    least_window: str = "10 us"
    """Shortest time over which an output measures its windows. Default 10 us."""
    windows_measured: Literal["from-onset", "always"] = "from-onset"
    """When windows are measured."""
    notice: str = "64 B"
    """Size of a notification to a neighbour. Default 64 B."""
    reroute: bool = False
    """Packets of other flows may be rerouted around the congested region (SAR). Needs `scheme.route`."""
    reroute_above: str = "80 kB"
    """They are rerouted when more than this waits for an output, or after the second successive
    notification for it. Default 80 kB."""
