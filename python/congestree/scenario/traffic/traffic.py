"""`traffic` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..._base import Part
from .arrivals import Gaps, Incast, Messages, OnOff, Poisson, Steady
from .job import Job
from .list import ListRow
from .pattern import Groups, HotSpot, Moving, Shift
from .program.benchmarks import Mpifft, NaturalRing, PingPong, Ptrans, RandomRing
from .program.collectives import (
    AllGather,
    AllReduceDoubling,
    AllReduceRing,
    AllToAll,
    Barrier,
    Broadcast,
    Collective,
    ReduceScatter,
)
from .program.training import Chakra, Moe, Training
from .sizes import CdfRow, Pareto


@dataclass(frozen=True, kw_only=True)
class Traffic(Part):
    """A class of traffic: a generator at each of its hosts, or an application on them."""

    name: str | None = None
    """Name of the class. Default: traffic0, traffic1, ... by position."""
    from_: str | tuple[str, ...] | None = field(default=None, metadata={"key": "from"})
    """The sending hosts, or those of the application: a host, a group, "all", or a list of those. Either
    this or `list`."""
    to: str | None = None
    """The receiving host. Either this, `pattern` or `program`."""
    pattern: HotSpot | Shift | Moving | Groups | Literal["uniform", "permutation"] | None = None
    """How destinations are chosen. Either this, `to` or `program`."""
    program: dict[str, str] | PingPong | NaturalRing | RandomRing | Ptrans | Mpifft | AllReduceRing | AllReduceDoubling | ReduceScatter | AllGather | AllToAll | Broadcast | Barrier | Collective | Chakra | Moe | Training | Literal["barrier"] | None = None
    """An application: what each of its ranks sends, receives and computes. Either this, `to` or
    `pattern`."""
    job: Job | None = None
    """Where the ranks of the application are, and how they run."""
    arrivals: Poisson | Steady | OnOff | Gaps | Messages | Incast | Literal["greedy", "steady", "messages", "injected"] = "greedy"
    """When messages are made."""
    list: str | tuple[ListRow, ...] | None = None
    """The messages one by one, each of them a flow of its own. Either this or `from` and what follows from
    it."""
    flows: Literal["by-pair", "by-message"] = "by-pair"
    """What makes a flow. Messages of a list are flows of their own anyway."""
    message: str | None = None
    """Payload of a message. Default: one mtu."""
    sizes: Pareto | dict[str, str | tuple[CdfRow, ...]] | None = None
    """Messages of random size. Either this or `message`."""
    start: str = "0 ns"
    """When the first source starts, or the application."""
    stop: str | None = None
    """From here on no message is made. Absent: never."""
    stagger: str = "0 ns"
    """The k-th source of `from` starts k times this later than the first."""
    jitter: str = "0 ns"
    """Each source starts later by a random time below this."""
    rate: str | None = None
    """A fixed limit on the rate of each flow, in wire bytes, start to start. Absent: none."""
    window: int | None = None
    """Packets of a flow that may be on their way unacknowledged. Absent: as adapters.window says."""
    queue_pairs: int | None = None
    """Queue pairs between each source and its destination. Every one is a flow with its own window, rate
    control and way through the fabric (switches that hash tell them apart). Messages go into them in turn;
    of a greedy source each always has another packet. Absent: one."""
    service: int = 0
    """Its service level: chooses the lane, and the throttle if sources have one per level."""
    lane: int | None = None
    """The lane in which its packets travel. Absent: as links.service_lanes says for its service level."""
