"""`topology` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from .._base import Part, part


@part
class TwoSwitch(Part):
    """Two switches A and B with one link between them; local sources, the congested host and the
    victim's destination are on B, remote sources and the victim's source on A.
    """

    _choice: ClassVar[str | None] = "two-switch"

    local: int
    """Number of local sources, on the switch of the congested host (L): B_1, B_2, ..."""
    remote: int
    """Number of remote sources, one switch further away (R): A_1, A_2, ..."""


@part
class SingleSwitch(Part):
    """One switch with all hosts on it."""

    _choice: ClassVar[str | None] = "single-switch"

    hosts: int
    """Number of hosts, named H1, H2, ..."""


@part
class TestBed(Part):
    """Seven hosts on two switches: H1 to H3 on S1, H4 to H7 on S2, and a faster link between the
    switches.
    """

    _choice: ClassVar[str | None] = "test-bed"

    trunk_rate: str | None = None
    """Rate of the link between the two switches. Default: twice the rate of the other links."""


@part
class Dumbbell(Part):
    """Senders on one switch, receivers on another, and one link between them that all share."""

    _choice: ClassVar[str | None] = "dumbbell"

    pairs: int
    """Number of senders, and of receivers: S_1, S_2, ... on switch A and R_1, R_2, ... on switch B."""
    trunk_rate: str | None = None
    """Rate of the link between the two switches. Default: that of the other links."""
    trunk_delay: str | None = None
    """Propagation delay of the link between the two switches. Default: that of the other links."""


@part
class Chain(Part):
    """Switches in a row, each with as many hosts ("parking lot")."""

    _choice: ClassVar[str | None] = "chain"

    switches: int
    """Number of switches in the row: S1, S2, ..."""
    hosts_per_switch: int
    """Number of hosts on each switch; those of S1 are S1_1, S1_2, ..."""


@part
class KAryNTree(Part):
    """k-ary n-tree: kⁿ hosts, n levels of kⁿ⁻¹ switches with k ports down and k ports up."""

    _choice: ClassVar[str | None] = "k-ary-n-tree"

    k: int
    """Links down, and links up, of a switch. Half of its ports."""
    n: int
    """Number of levels of switches."""


@part
class FatTree(Part):
    """Fat tree of switches with `radix` ports, in two layers or three. Two: radix leaves with radix/2
    hosts each, radix/2 spines, one link between every leaf and every spine. Three: radix pods of
    radix/2 edge and radix/2 aggregation switches, and (radix/2)² core switches.
    """

    _choice: ClassVar[str | None] = "fat-tree"

    radix: int
    """Ports of every switch; even. In two layers there are radix²/2 hosts: 36 gives 648; in three radix³/4:
    12 gives 432."""
    layers: int = 2
    """Layers of switches: 2 or 3."""


@part
class Clos(Part):
    """Levels of switches with as many links down and up as are given."""

    _choice: ClassVar[str | None] = "clos"

    down: Sequence[int]
    """Hosts per leaf; then, for each level above, the number of switches below a switch: [32, 64] is 64
    leaves of 32 hosts."""
    up: Sequence[int]
    """For each level but the top, the number of switches above a switch: [8] is 8 spines above every
    leaf."""
    bundle: Sequence[int] | None = None
    """Parallel links from a switch to each of those above it, by level. Default: one."""
    rates: Sequence[str] | None = None
    """Link rates: those of the hosts, then those above each level but the top. Default: the rate of all
    links."""
    delays: Sequence[str] | None = None
    """Propagation delays likewise. Default: the delay of all links."""
    rails: int = 1
    """Adapters (rails) per server, each on a leaf of its own. Default 1."""
    planes: int = 1
    """Parallel networks; every adapter has a link to each. Default 1."""


@part
class Dragonfly(Part):
    """Groups of switches, with a link between any two switches of a group and any two groups."""

    _choice: ClassVar[str | None] = "dragonfly"

    p: int
    """Hosts on each switch."""
    a: int
    """Switches in each group."""
    h: int
    """Links to other groups of each switch."""
    groups: int | None = None
    """Number of groups; this minus one must divide a·h. Default: all that can be linked, a·h + 1."""
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "absolute"
    """How the global ports of a group are assigned to the other groups. Default absolute."""
    global_rate: str | None = None
    """Rate of links between groups. Default: that of the other links."""
    global_delay: str | None = None
    """Propagation delay of links between groups. Default: that of the other links."""


@part
class DragonflyPlus(Part):
    """Groups of leaves and spines, with a link between any leaf and any spine of a group and any two
    groups.
    """

    _choice: ClassVar[str | None] = "dragonfly-plus"

    p: int
    """Hosts on each leaf."""
    leaves: int
    """Leaves in each group."""
    spines: int | None = None
    """Spines in each group. Default: as many as leaves."""
    h: int
    """Links to other groups of each spine."""
    groups: int | None = None
    """Number of groups; this minus one must divide spines·h. Default: all that can be linked, spines·h +
    1."""
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "absolute"
    """How the global ports of a group are assigned to the other groups. Default absolute."""
    global_rate: str | None = None
    """Rate of links between groups. Default: that of the other links."""
    global_delay: str | None = None
    """Propagation delay of links between groups. Default: that of the other links."""


@part
class HyperX(Part):
    """A grid in which the switches of every row are fully connected."""

    _choice: ClassVar[str | None] = "hyper-x"

    dimensions: Sequence[int]
    """Switches in each dimension (S), such as [8, 8]."""
    trunks: Sequence[int] | None = None
    """Parallel links between two switches of a row, for each dimension (K). Default: one."""
    hosts_per_switch: int = 1
    """Hosts on each switch (T). Default 1."""


@part
class Torus(Part):
    """A grid of switches whose rows are rings: a k-ary n-cube has n dimensions of size k."""

    _choice: ClassVar[str | None] = "torus"

    dimensions: Sequence[int]
    """Switches in each dimension, such as [8, 8, 4]."""
    hosts_per_switch: int = 1
    """Hosts on each switch. Default 1."""


@part
class Mesh(Part):
    """A grid of switches whose rows are open at their ends."""

    _choice: ClassVar[str | None] = "mesh"

    dimensions: Sequence[int]
    """Switches in each dimension, such as [8, 8]."""
    hosts_per_switch: int = 1
    """Hosts on each switch. Default 1."""


@part
class CustomLink(Part):
    """A two-way link between two named nodes."""

    a: str
    """Name of the node at one end."""
    b: str
    """Name of the node at the other end."""
    rate: str | None = None
    """Rate from a to b. Default: the rate of all links."""
    delay: str | None = None
    """Propagation delay from a to b. Default: the delay of all links."""
    rate_back: str | None = None
    """Rate from b to a. Default: the same as from a to b."""
    delay_back: str | None = None
    """Propagation delay from b to a. Default: the same as from a to b."""
    port_a: int | None = None
    """Number of the port at a; the ports of a node are then in the order of their numbers. Default: counted
    from 1 in the order of links."""
    port_b: int | None = None
    """Number of the port at b, likewise."""


@part
class Graph(Part):
    """A network given in full: hosts, switches, and every link."""

    _choice: ClassVar[str | None] = "graph"

    hosts: Sequence[str]
    """Names of the hosts. Each has exactly one link."""
    switches: Sequence[str]
    """Names of the switches."""
    links: Sequence[CustomLink]
    """The links. Their order numbers the ports of every node, from 1, unless `port_a` and `port_b` do."""
    groups: dict[str, Sequence[str]] | None = None
    """Named sets of hosts, for traffic to refer to. Default: none."""
