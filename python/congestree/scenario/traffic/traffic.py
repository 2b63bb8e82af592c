"""`traffic` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from ..._base import Part, part
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


@part
class Traffic(Part):
    """A class of traffic: a message generator at each of its hosts, or an application that runs on
    them.
    """

    name: str | None = None
    """Name of the class. Default: traffic0, traffic1, ... by position."""
    from_: str | Sequence[str] | None = field(default=None, metadata={"key": "from"})
    """The sending hosts, or the hosts of the application: a host, a group, "all", or a list of those. Give
    either this or `list`."""
    to: str | None = None
    """The receiving host. Give one of `to`, `pattern` and `program`."""
    pattern: HotSpot | Shift | Moving | Groups | Literal["uniform", "permutation"] | None = None
    """How destinations are chosen. Give one of `to`, `pattern` and `program`."""
    program: dict[str, str] | PingPong | NaturalRing | RandomRing | Ptrans | Mpifft | AllReduceRing | AllReduceDoubling | ReduceScatter | AllGather | AllToAll | Broadcast | Barrier | Collective | Chakra | Moe | Training | Literal["barrier"] | None = None
    """An application: what each of its ranks sends, receives and computes. Give one of `to`, `pattern` and
    `program`."""
    job: Job | None = None
    """Placement and execution of the application's ranks."""
    arrivals: Poisson | Steady | OnOff | Gaps | Messages | Incast | Literal["greedy", "steady", "messages", "injected"] = "greedy"
    """When messages are generated."""
    list: str | Sequence[ListRow] | None = None
    """A list of single messages, each of them a flow of its own. Give either this or `from` with its
    destinations and arrivals."""
    flows: Literal["by-pair", "by-message"] = "by-pair"
    """What a flow is. Each message of a `list` is always a flow of its own."""
    message: str | None = None
    """Payload of a message. Default: one mtu."""
    sizes: Pareto | dict[str, str | Sequence[CdfRow]] | None = None
    """Random message sizes. Give either this or `message`."""
    start: str = "0 ns"
    """When the first source, or the application, starts."""
    stop: str | None = None
    """When sources stop generating messages. Absent: never."""
    stagger: str = "0 ns"
    """Delay between the starts of successive sources: source k of `from` (counted from 0) starts k times
    this after the first."""
    jitter: str = "0 ns"
    """Each source starts later by a random time below this."""
    rate: str | None = None
    """Fixed rate limit of each flow, in wire bytes, measured from packet start to packet start. Absent:
    none."""
    window: int | None = None
    """The most unacknowledged packets of a flow. Absent: as adapters.window says."""
    queue_pairs: int | None = None
    """Queue pairs (QPs) between each source and its destination. Each QP is a flow with its own window,
    rate control and path through the fabric (ECMP hashes them separately). Messages are spread over them in
    turn; with a greedy source every QP always has packets to send. Absent: one."""
    service: int = 0
    """Service level of the packets. It selects the virtual lane, and the rate limiter if sources have one
    per service level."""
    lane: int | None = None
    """Virtual lane of the packets. Absent: links.service_lanes maps the service level to a lane."""
