"""`scenario` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .._base import Document, part
from .adapters import Adapters
from .links.links import Links
from .measure import Measure
from .run import Run
from .scheme.scheme import Scheme
from .switches import Switches
from .topology import (
    Chain,
    Clos,
    Dragonfly,
    DragonflyPlus,
    Dumbbell,
    FatTree,
    Graph,
    HyperX,
    KAryNTree,
    Mesh,
    SingleSwitch,
    TestBed,
    Torus,
    TwoSwitch,
)
from .traffic.traffic import Traffic


@part
class Scenario(Document):
    """A scenario: a network, its congestion management, its traffic, and what is measured."""

    name: str = ""
    """Name of the scenario, for tables and plots."""
    description: str = ""
    """What the scenario is about."""
    seed: int = 1
    """Seed of every random stream: the same seed gives the same run."""
    topology: TwoSwitch | SingleSwitch | TestBed | Dumbbell | Chain | KAryNTree | FatTree | Clos | Dragonfly | DragonflyPlus | HyperX | Torus | Mesh | Graph | dict[str, str] | Literal["test-bed"]
    """The topology: hosts, switches, and the links between them."""
    routing: dict[str, dict[str, dict[str, str | int]]] | dict[str, dict[str, Sequence[int]]] | Literal["minimal", "d-mod-k", "shortest-path"] | None = None
    """How switches choose the path to a host. Default: d-mod-k on trees and fat trees, shortest-path
    otherwise."""
    allow_credit_loops: bool = False
    """Run even if the routes and lanes allow a credit loop: packets that wait for each other in a cycle."""
    links: Links
    """The links between nodes."""
    switches: Switches | None = None
    """How every switch is built: buffers, queues, arbiter."""
    adapters: Adapters | None = None
    """The network adapters of the hosts."""
    scheme: Scheme | None = None
    """The congestion management scheme."""
    traffic: Sequence[Traffic]
    """The traffic: who sends what to whom. One entry per class of traffic."""
    measure: Measure
    """How long to run, and what to measure."""
    run: Run | None = None
    """How the run is computed."""
    sweep: dict[str, Sequence[object] | dict[str, object]] | None = None
    """A parameter sweep: lists of values by dotted path, such as "traffic.0.arrivals.poisson.load". There
    is a run for each combination."""
