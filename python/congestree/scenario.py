"""Scenario classes, generated from the engine's JSON Schema. Do not edit: run `make schema`.

Each class is a table of a scenario file and each field a key of it; values with a unit are
text ("20 Gbit/s", "2 KiB", "1.5 us"). A field that is None is left out: the engine decides.
What the values may be is checked by the engine, in one place: see `congestree.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._base import Document, Part


@dataclass(frozen=True, kw_only=True)
class TwoSwitch(Part):
    """Two switches A and B with one link between them; local sources, the congested host and the
    victim's destination are on B, remote sources and the victim's source on A.
    """

    _choice: ClassVar[str | None] = "two-switch"

    local: int
    """Number of local sources, on the switch of the congested host (L): B_1, B_2, ..."""
    remote: int
    """Number of remote sources, one switch further away (R): A_1, A_2, ..."""


@dataclass(frozen=True, kw_only=True)
class SingleSwitch(Part):
    """One switch with all hosts on it."""

    _choice: ClassVar[str | None] = "single-switch"

    hosts: int
    """Number of hosts, named H1, H2, ..."""


@dataclass(frozen=True, kw_only=True)
class TestBed(Part):
    """Seven hosts on two switches: H1 to H3 on S1, H4 to H7 on S2, and a faster link between the
    switches.
    """

    _choice: ClassVar[str | None] = "test-bed"

    trunk_rate: str | None = None
    """Rate of the link between the two switches. Default: twice the rate of the other links."""


@dataclass(frozen=True, kw_only=True)
class Dumbbell(Part):
    """Senders on one switch, receivers on another, and one link that all share."""

    _choice: ClassVar[str | None] = "dumbbell"

    pairs: int
    """Number of senders, and of receivers: S_1, S_2, ... on switch A and R_1, R_2, ... on switch B."""
    trunk_rate: str | None = None
    """Rate of the link between the two switches. Default: that of the other links."""
    trunk_delay: str | None = None
    """Propagation delay of the link between the two switches. Default: that of the other links."""


@dataclass(frozen=True, kw_only=True)
class Chain(Part):
    """Switches in a row, each with as many hosts ("parking lot")."""

    _choice: ClassVar[str | None] = "chain"

    switches: int
    """Number of switches in the row: S1, S2, ..."""
    hosts_per_switch: int
    """Number of hosts on each switch; those of S1 are S1_1, S1_2, ..."""


@dataclass(frozen=True, kw_only=True)
class KAryNTree(Part):
    """k-ary n-tree: kⁿ hosts, n levels of kⁿ⁻¹ switches with k ports down and k ports up."""

    _choice: ClassVar[str | None] = "k-ary-n-tree"

    k: int
    """Links down, and links up, of a switch. Half of its ports."""
    n: int
    """Levels of switches."""


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class Clos(Part):
    """Levels of switches with as many links down and up as are given."""

    _choice: ClassVar[str | None] = "clos"

    down: tuple[int, ...]
    """Hosts below a leaf, then for each level above the switches below a switch: [32, 64] is 64 leaves of
    32 hosts."""
    up: tuple[int, ...]
    """For each level but the top the switches above a switch: [8] is 8 spines above every leaf."""
    bundle: tuple[int, ...] | None = None
    """Parallel links from a switch to each of those above it, by level. Default: one."""
    rates: tuple[str, ...] | None = None
    """Rates of the links of hosts, and of those above each level but the top. Default: the rate of all
    links."""
    delays: tuple[str, ...] | None = None
    """Propagation delays likewise. Default: the delay of all links."""
    rails: int = 1
    """Adapters of a server, each on a leaf of its own. Default 1."""
    planes: int = 1
    """Networks side by side, with a link of every adapter to each. Default 1."""


@dataclass(frozen=True, kw_only=True)
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
    """Groups; one less must divide a·h. Default: all that can be linked, a·h + 1."""
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "absolute"
    """In which order the global ports of a group lead to the other groups. Default absolute."""
    global_rate: str | None = None
    """Rate of links between groups. Default: that of the other links."""
    global_delay: str | None = None
    """Propagation delay of links between groups. Default: that of the other links."""


@dataclass(frozen=True, kw_only=True)
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
    """Groups; one less must divide spines·h. Default: all that can be linked, spines·h + 1."""
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "absolute"
    """In which order the global ports of a group lead to the other groups. Default absolute."""
    global_rate: str | None = None
    """Rate of links between groups. Default: that of the other links."""
    global_delay: str | None = None
    """Propagation delay of links between groups. Default: that of the other links."""


@dataclass(frozen=True, kw_only=True)
class HyperX(Part):
    """A grid in which the switches of every row are all linked to each other."""

    _choice: ClassVar[str | None] = "hyper-x"

    dimensions: tuple[int, ...]
    """Switches in each dimension (S), such as [8, 8]."""
    trunks: tuple[int, ...] | None = None
    """Parallel links between two switches of a row, for each dimension (K). Default: one."""
    hosts_per_switch: int = 1
    """Hosts on each switch (T). Default 1."""


@dataclass(frozen=True, kw_only=True)
class Torus(Part):
    """A grid of switches whose rows are rings: a k-ary n-cube has n dimensions of size k."""

    _choice: ClassVar[str | None] = "torus"

    dimensions: tuple[int, ...]
    """Switches in each dimension, such as [8, 8, 4]."""
    hosts_per_switch: int = 1
    """Hosts on each switch. Default 1."""


@dataclass(frozen=True, kw_only=True)
class Mesh(Part):
    """A grid of switches whose rows are open at their ends."""

    _choice: ClassVar[str | None] = "mesh"

    dimensions: tuple[int, ...]
    """Switches in each dimension, such as [8, 8]."""
    hosts_per_switch: int = 1
    """Hosts on each switch. Default 1."""


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class Graph(Part):
    """A network written out: hosts, switches, and every link."""

    _choice: ClassVar[str | None] = "graph"

    hosts: tuple[str, ...]
    """Names of the hosts. Each has exactly one link."""
    switches: tuple[str, ...]
    """Names of the switches."""
    links: tuple[CustomLink, ...]
    """The links. Their order numbers the ports of every node, from 1, unless `port_a` and `port_b` do."""
    groups: dict[str, tuple[str, ...]] | None = None
    """Named sets of hosts, for traffic to refer to. Default: none."""


@dataclass(frozen=True, kw_only=True)
class BySwitch(Part):
    """Lanes to be taken in turn."""

    _choice: ClassVar[str | None] = "by-switch"

    lanes: tuple[int, ...] | None = None
    """The lanes. Absent: all of links.lanes."""


@dataclass(frozen=True, kw_only=True)
class Modulo(Part):
    """Lanes to be taken in turn."""

    _choice: ClassVar[str | None] = "modulo"

    lanes: tuple[int, ...] | None = None
    """The lanes. Absent: all of links.lanes."""


@dataclass(frozen=True, kw_only=True)
class Given(Part):
    """Lanes of hosts, written out."""

    _choice: ClassVar[str | None] = "given"

    lanes: dict[str, int]
    """For each host its lane."""


@dataclass(frozen=True, kw_only=True)
class HopLane(Part):
    """Ways through a switch, and the lanes in which packets leave."""

    switch: str | None = None
    """Name of the switch. Absent: all of them."""
    from_: str | int | None = field(default=None, metadata={"key": "from"})
    """Name of the node that packets come from, or number of the port by which they come in. Absent: any."""
    to: str | int | None = None
    """Name of the node that they go to, or number of the port by which they leave. Absent: any."""
    lanes: tuple[int, ...]
    """The lane for each lane, or service level, from 0 on; what is beyond the end is left as it was."""


@dataclass(frozen=True, kw_only=True)
class ByLane(Part):
    """Ways through switches and their lanes; where several match, the last one holds."""

    _choice: ClassVar[str | None] = "by-lane"

    hops: tuple[HopLane, ...]
    """The ways through switches."""


@dataclass(frozen=True, kw_only=True)
class ByService(Part):
    """Ways through switches and their lanes; where several match, the last one holds."""

    _choice: ClassVar[str | None] = "by-service"

    hops: tuple[HopLane, ...]
    """The ways through switches."""


@dataclass(frozen=True, kw_only=True)
class Weight(Part):
    """An entry of a table of lanes."""

    lane: int
    """The lane."""
    weight: int
    """Units of 64 bytes that it may send at a stretch; 0: none."""


@dataclass(frozen=True, kw_only=True)
class Weighted(Part):
    """Tables of lanes and weights. Lanes of the high table go first, until they have used up their
    limit.
    """

    _choice: ClassVar[str | None] = "weighted"

    high: tuple[Weight, ...] = ()
    """Lanes that go first."""
    low: tuple[Weight, ...] = ()
    """The other lanes."""
    limit: int = 255
    """When the high table has sent more than this many units of 4 KiB, a packet of the low one may go
    first; 255: never. Default 255."""


@dataclass(frozen=True, kw_only=True)
class Strict(Part):
    """Lanes that go before others."""

    _choice: ClassVar[str | None] = "strict"

    order: tuple[int, ...] | None = None
    """Lanes in the order in which they may go. Absent: the highest first."""


@dataclass(frozen=True, kw_only=True)
class Share(Part):
    """What a lane may send when its turn comes."""

    lane: int
    """The lane."""
    quantum: str
    """Bytes, at least a packet; what is left over is kept for its next turn."""


@dataclass(frozen=True, kw_only=True)
class Drr(Part):
    """Lanes that share a link by bytes."""

    _choice: ClassVar[str | None] = "drr"

    first: tuple[int, ...] | None = None
    """Lanes that go before all others, in this order."""
    shares: tuple[Share, ...]
    """The others, which take turns in this order."""


@dataclass(frozen=True, kw_only=True)
class CreditMessages(Part):
    """Credits come back in messages that take time on the link, and not one by one: credit-based flow
    control (CBFC) of Ultra Ethernet, with blocks as its cells (128 B by default there). Absent: for
    every packet, after credit_delay.
    """

    spacing: str = "6400 B"
    """From one message of a port to the next at least the time that so many bytes take on its link. Default
    6,400 B."""
    repeat: str = "256 KiB"
    """After the time of so many bytes it is told once more what may not have been heard; only where
    links.errors loses words. Default 262,144 B."""
    heal: str = "256 us"
    """How often a sender tells what it has consumed, in 64 bytes, so that the receiver knows of packets
    that were lost on the link. Default 256 us."""


@dataclass(frozen=True, kw_only=True)
class ByteCredits(Part):
    """Room counted in blocks of bytes."""

    _choice: ClassVar[str | None] = "byte-credits"

    block: str = "64 B"
    """Bytes that one credit stands for; a packet takes as many credits as it needs, rounded up."""
    credit_delay: str | None = None
    """From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the
    propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "credited"
    """Whether control packets (ACKs, CNPs) take credits."""
    overhead: str = "0 B"
    """Bytes that every packet takes on top of its own before it is rounded up. Default 0 B."""
    messages: CreditMessages | None = None
    """Credits come back in messages that take time on the link, and not one by one: credit-based flow
    control (CBFC) of Ultra Ethernet, with blocks as its cells (128 B by default there). Absent: for every
    packet, after credit_delay."""


@dataclass(frozen=True, kw_only=True)
class PacketSlots(Part):
    """Room counted in packets."""

    _choice: ClassVar[str | None] = "packet-slots"

    credit_delay: str | None = None
    """From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the
    propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "own-room"
    """Whether control packets (ACKs, CNPs) take slots."""


@dataclass(frozen=True, kw_only=True)
class Static(Part):
    """Fixed thresholds."""

    _choice: ClassVar[str | None] = "static"

    xoff: str | None = None
    """A pause is asked for when more is held. Absent: as late as the headroom allows."""
    xon: str | None = None
    """It ends when this or less is held. Absent: two packets below xoff."""


@dataclass(frozen=True, kw_only=True)
class Dynamic(Part):
    """A threshold that follows the free part of shared memory."""

    _choice: ClassVar[str | None] = "dynamic"

    alpha: float = 0.125
    """An input and lane may use this times the shared memory that is free."""
    for_rate: str | None = None
    """Ports of this rate have that alpha, and others have it in proportion to their rate. Absent: all have
    the same."""
    offset: str = "3 kB"
    """A pause ends so far below the threshold."""


@dataclass(frozen=True, kw_only=True)
class Quanta(Part):
    """The length of a pause."""

    _choice: ClassVar[str | None] = "quanta"

    count: int = 65535
    """In units of the time that 512 bits take on the link."""


@dataclass(frozen=True, kw_only=True)
class PauseWatchdog(Part):
    """Outputs of switches that are paused for too long get help. Absent: none do."""

    detection_time: str = "200 ms"
    """A pause that lasts so long while packets wait is taken for a storm."""
    restoration_time: str = "200 ms"
    """From then on it is looked at so often whether it has ended."""
    action: Literal["drop", "forward"] = "drop"
    """What is done until then."""


@dataclass(frozen=True, kw_only=True)
class PauseStorm(Part):
    """A host that pauses its switch whatever room it has."""

    host: str
    """The host."""
    lane: int = 0
    """The lane."""
    start: str = "0 ns"
    """Its beginning."""
    stop: str | None = None
    """Its end. Absent: it lasts for ever."""


@dataclass(frozen=True, kw_only=True)
class Pfc(Part):
    """Priority flow control (PFC): a lane is paused when the receiver runs out of room. Before the run
    it is checked that all that may still come in after that finds room.
    """

    _choice: ClassVar[str | None] = "pfc"

    lossless: tuple[int, ...] | None = None
    """Lanes that are paused and lose nothing; the others never are, and lose what finds no room. Absent:
    all lanes."""
    threshold: Static | Dynamic | Literal["static", "dynamic"] | None = None
    """When a pause is asked for, and when it ends."""
    counts: Literal["input", "queue"] = "input"
    """What the threshold and switches.buffer are about."""
    frame: str = "64 B"
    """Bytes of a pause frame on the wire."""
    response: str = "0 ns"
    """From the last bit of a pause frame being in until the sender starts no more packets."""
    lasts: Quanta | Literal["until-told", "quanta"] = "until-told"
    """How long a pause lasts."""
    losses: Literal["refuse", "stop", "count"] = "refuse"
    """What is done about packets that find no room in a lossless lane."""
    watchdog: PauseWatchdog | None = None
    """Outputs of switches that are paused for too long get help. Absent: none do."""
    storms: tuple[PauseStorm, ...] | None = None
    """Hosts that pause their switch whatever room they have."""


@dataclass(frozen=True, kw_only=True)
class Errors(Part):
    """How often links damage packets. Absent: never."""

    packets: float | None = None
    """The share of packets that are damaged on every link, whatever their size."""
    bits: float | None = None
    """The share of bits that are; a packet with a wrong bit is damaged."""
    unseen: float = 0.0
    """The share of damaged packets of which the far end sees nothing at all: not even that they were
    damaged. Default 0."""
    words: float = 0.0
    """The share of the words of links.retry, and of messages with credits, that are lost. Default 0."""


@dataclass(frozen=True, kw_only=True)
class Retry(Part):
    """What was damaged on a link is sent again on it. Absent: it is lost."""

    frames: int = 264
    """Most packets that a port keeps until they are acknowledged; it starts no more before. Default 264."""
    bytes: str = "135 kB"
    """Most bytes of them. With pauses the headroom of a lane must hold them, too, or packets may find no
    room when they come again. Default 135 kB."""
    spacing: str = "2 KiB"
    """From one word of a port to the next at least the time that so many bytes take on its link. Default
    2,048 B."""
    timeout: str | None = None
    """A port that has heard nothing new for so long sends all that it keeps again. Absent: twice the
    longest time from the start of a packet until its ACK is heard."""


@dataclass(frozen=True, kw_only=True)
class Failure(Part):
    """A failure of one link, or of some drawn at random. Give link or share."""

    link: tuple[str, ...] | None = None
    """The two ends of the link; all links between the two if there are several."""
    share: float | None = None
    """The share of the links between switches that fail, drawn at random; at least one of them."""
    seed: int | None = None
    """Seed by which they are drawn. Absent: that of the run."""
    at: str = "0 ns"
    """From when on."""
    until: str | None = None
    """Until when. Absent: to the end of the run."""
    rate: str | None = None
    """The rate of the link in the meantime, in both directions. Absent: it is down."""
    keeps: float | None = None
    """The share of its rate that it keeps. Absent: it is down."""


@dataclass(frozen=True, kw_only=True)
class SubnetManager(Part):
    """Somebody who finds new routes."""

    _choice: ClassVar[str | None] = "subnet-manager"

    delay: str
    """From a link going down or coming up until the new tables are in all switches."""


@dataclass(frozen=True, kw_only=True)
class Faults(Part):
    """Links that fail while the run goes on. Absent: none does."""

    failures: tuple[Failure, ...] = ()
    """What fails, and when."""
    reroute: SubnetManager | Literal["none", "local"] = "none"
    """How routes follow. Default "none"."""
    head_of_queue_lifetime: str = "1.073741824 s"
    """Switches drop what waits for a link that has been down for so long, and what comes for it after that
    (HOQLife of InfiniBand: 4.096 us times a power of two). Default 1.073741824 s, as OpenSM sets it (code
    18). With "0 ns" a port that is down drops at once, as the discards of InfiniBand's PortXmitDiscards."""


@dataclass(frozen=True, kw_only=True)
class Links(Part):
    """The links between nodes."""

    rate: str
    """Rate of each direction."""
    delay: str = "0 ns"
    """Propagation delay of each direction."""
    lanes: int = 1
    """Virtual lanes: classes of traffic with a buffer of their own on every link."""
    service_lanes: tuple[int, ...] | None = None
    """The lane of each service level, from level 0 on (SL-to-VL); levels beyond the end travel in lane
    0."""
    destination_lanes: BySwitch | Modulo | Given | Literal["by-switch", "modulo"] | None = None
    """The lane of each destination, for entries of traffic without a `lane` of their own. Absent: service
    levels decide."""
    hop_lanes: ByLane | ByService | Literal["by-route", "by-hop"] | None = None
    """In which lane packets leave a switch, hop by hop. Absent: in the one in which they came in."""
    lane_arbiter: Weighted | Strict | Drr | Literal["round-robin", "weighted", "strict"] = "round-robin"
    """How the lanes of a link share it."""
    flow_control: ByteCredits | PacketSlots | Pfc | Literal["byte-credits", "packet-slots", "pfc", "none"] | None = None
    """How the receiver of a link promises room to the sender."""
    errors: Errors | None = None
    """How often links damage packets. Absent: never."""
    retry: Retry | None = None
    """What was damaged on a link is sent again on it. Absent: it is lost."""
    faults: Faults | None = None
    """Links that fail while the run goes on. Absent: none does."""


@dataclass(frozen=True, kw_only=True)
class SharedMemory(Part):
    """One memory for all ports, which takes the place of `buffer`. Absent: inputs have memory of their
    own. Only with pfc.
    """

    size: str = "32 MB"
    """All of it."""
    reserved: str = "4 kB"
    """What every input port and lane has for itself."""
    headroom: str | None = None
    """What every input port and lossless lane has for what comes in after a pause was asked for. Absent: as
    much as its link needs."""
    headroom_delays: float | None = None
    """In place of `headroom`: so many times what the link carries in its delay. The HPCC simulator has
    3."""
    headroom_pool: str | None = None
    """All the headroom of a switch, if its ports share it: `headroom` is then the most that one input and
    lane may have of it. Less than all links together need is refused, unless links.flow_control.pfc.losses
    says otherwise. Absent: every port has its own."""
    lossy_alpha: float = 1.0
    """Of a lane that is never paused, this times the shared memory that is free may wait for one output."""


@dataclass(frozen=True, kw_only=True)
class Trim(Part):
    """Data that finds no room in switches.output_queue is trimmed: its header goes on, in a lane of its
    own. Absent: it is dropped.
    """

    size: str = "64 B"
    """Bytes on the wire that are left of a packet. Default 64 B."""
    lane: int = 1
    """The lane in which headers go on. Default 1. The share of that lane is for links.lane_arbiter to say:
    "strict" puts it first, weights or quanta bound it."""
    queue: str | None = None
    """Bytes that may wait for one output in that lane; more is dropped. Absent: twice
    switches.output_queue."""
    victim: Literal["either", "arriving"] = "either"
    """Which packet is trimmed."""


@dataclass(frozen=True, kw_only=True)
class Voqnet(Part):
    """A queue for each destination."""

    _choice: ClassVar[str | None] = "voqnet"

    buffer: str = "128 KiB"
    """Buffer of one queue: in packets with packet-slots, in bytes with byte-credits. It takes the place of
    switches.buffer. The default is 64 packets of 2 KiB, as in Gran's Paper VI."""


@dataclass(frozen=True, kw_only=True)
class Dbbm(Part):
    """Queues by destination."""

    _choice: ClassVar[str | None] = "dbbm"

    queues: int = 8
    """How many queues an input has, in each lane."""


@dataclass(frozen=True, kw_only=True)
class Obqa(Part):
    """Queues by output."""

    _choice: ClassVar[str | None] = "obqa"

    queues: int = 4
    """How many queues an input has, in each lane."""


@dataclass(frozen=True, kw_only=True)
class Damq(Part):
    """Queues of dynamic size."""

    _choice: ClassVar[str | None] = "damq"

    reserve: str | None = None
    """Room that each queue has for itself; absent: none."""
    limit: str | None = None
    """Most room that one queue may take; absent: all that is not reserved for others."""


@dataclass(frozen=True, kw_only=True)
class Fifo(Part):
    """Oldest first."""

    _choice: ClassVar[str | None] = "fifo"

    bypass_limit: int | None = None
    """How often the oldest packet may be passed by younger ones; absent: any number of times."""


@dataclass(frozen=True, kw_only=True)
class Islip(Part):
    """Matching by iSLIP."""

    _choice: ClassVar[str | None] = "islip"

    iterations: int | None = None
    """Rounds of request, grant and accept; absent: until nobody is left who could be matched."""
    matching: Literal["asynchronous", "slotted"] = "asynchronous"
    """When a switch finds a matching."""


@dataclass(frozen=True, kw_only=True)
class Switches(Part):
    """How every switch is organised."""

    buffer: str = "64 KiB"
    """Buffer of one input port and lane: in packets ("4 packets") with packet-slots, in bytes ("64 KiB")
    with byte-credits and pfc."""
    lane_buffers: tuple[str, ...] | None = None
    """Buffers of the lanes from lane 0 on, where they are not all like `buffer`."""
    shared_memory: SharedMemory | None = None
    """One memory for all ports, which takes the place of `buffer`. Absent: inputs have memory of their own.
    Only with pfc."""
    output_buffer: str | None = None
    """Bytes that find room at each output, in each lane; a crossbar brings them there from the inputs, as
    fast as need be. Absent: outputs have no memory. Only with pfc."""
    output_queue: str | None = None
    """Bytes that may wait for one output, in each lane; what finds no room is dropped. Only with
    flow_control = "none", which has no use for `buffer`."""
    output_queue_rate: str | None = None
    """`output_queue` is that of links of this rate, and in proportion at others. Absent: the same at
    all."""
    trim: Trim | None = None
    """Data that finds no room in switches.output_queue is trimmed: its header goes on, in a lane of its
    own. Absent: it is dropped."""
    random_loss: float = 0.0
    """Share of the packets that every switch loses at random. Only with flow_control = "none"."""
    queues: Voqnet | Dbbm | Obqa | Literal["voq", "single", "voqnet", "dbbm", "obqa"] = "voq"
    """Which queues the buffer of an input is divided into."""
    memory: Damq | Literal["shared", "reserved", "damq"] = "shared"
    """How these queues share the buffer. With queues = "voqnet" every queue has a buffer of its own
    anyway."""
    read_ports: int | Literal["one", "all"] = "all"
    """How many packets may be read from one input buffer at the same time: "one", "all" (as many as there
    are outputs) or a number."""
    crossbar: str | None = None
    """Rate at which packets are read from the input buffers, if the crossbar has a speed of its own;
    absent: as fast as the link of their output takes them."""
    output_packets: int = 2
    """Packets that an output holds between a crossbar with a speed of its own and its link."""
    arbiter: Fifo | Islip | Literal["round-robin", "fifo", "islip"] = "round-robin"
    """How an output chooses among the packets that wait for it."""
    switching: Literal["cut-through", "store-and-forward"] = "cut-through"
    """When a packet may leave again."""
    forwarding_delay: str = "100 ns"
    """From the head (cut-through) or the tail (store-and-forward) of a packet coming in until its head may
    leave."""


@dataclass(frozen=True, kw_only=True)
class Acks(Part):
    """Several packets answered by one ACK (coalesced ACKs), of flows without a transport. Absent: an
    ACK for every packet that is acknowledged at all.
    """

    every: int
    """An ACK when so many packets have come in."""
    after: str
    """The longest that a packet waits for its ACK."""


@dataclass(frozen=True, kw_only=True)
class NodeLinks(Part):
    """Links inside nodes of several hosts, such as NVLink: messages of jobs between hosts of a node
    take them. Absent: none.
    """

    hosts: int
    """Hosts of a node: neighbours in the order of hosts."""
    rate: str
    """Rate of each link, in each direction."""
    delay: str = "0 ns"
    """From the end of a message at its sender until it is there."""


@dataclass(frozen=True, kw_only=True)
class Adapters(Part):
    """How every host attaches to its link."""

    mtu: str = "2 KiB"
    """Largest payload of a data packet."""
    header: str = "20 B"
    """Bytes that every data packet carries on top of its payload."""
    ack: str = "20 B"
    """Size of an ACK on the wire."""
    acks: Acks | None = None
    """Several packets answered by one ACK (coalesced ACKs), of flows without a transport. Absent: an ACK
    for every packet that is acknowledged at all."""
    ack_turnaround: str | None = None
    """From the last byte of a data packet at its receiver until its ACK can leave: what the adapter takes
    to check and place the packet. Many are turned around at a time. ACKs and NACKs of transports wait
    alike, notifications (CNPs) do not. Absent: no time."""
    message_cost: str | None = None
    """What a message costs its host before its first packet can start (T0): software, doorbell, the
    adapter's reading of the work request. Messages of different flows are posted side by side, and those of
    one as far as `queue_depth` allows. Absent: nothing."""
    queue_depth: int | None = None
    """Messages of a flow (a queue pair) that are posted and not done: the last byte has left, or where
    packets are acknowledged its ACK is in. Absent: any number."""
    window: int | None = None
    """Packets of a flow that may be on their way unacknowledged. Absent: no limit, and no ACKs unless the
    scheme reacts to marks."""
    injection_rate: str | None = None
    """Rate at which a host can put data packets on its link, start to start (a slow host bus). Absent: the
    link is the limit."""
    drain_rate: str | None = None
    """Rate at which received packets leave the receive buffer (a slow receiver); needs flow control.
    Absent: at once."""
    receive_buffer: str | None = None
    """Receive buffer of a host, per lane; "4 packets" with packet-slots, "16 KiB" with byte-credits and
    pfc. Absent: always enough."""
    injection_buffer: int | None = None
    """Packets that a host holds between its flows and its link, in one first-in first-out queue and the
    queues that a scheme sets aside. Absent: flows have the link to themselves, and none waits behind
    another."""
    node: NodeLinks | None = None
    """Links inside nodes of several hosts, such as NVLink: messages of jobs between hosts of a node take
    them. Absent: none."""


@dataclass(frozen=True, kw_only=True)
class OutOfBand(Part):
    """Notices on wires of their own."""

    _choice: ClassVar[str | None] = "out-of-band"

    delay: str = "0 ns"
    """Time that a notice takes on top of the propagation delay of the link. Default 0."""


@dataclass(frozen=True, kw_only=True)
class InBand(Part):
    """Notices on the link."""

    _choice: ClassVar[str | None] = "in-band"

    size: str = "64 B"
    """Bytes of a notice on the wire. Default 64 B."""


@dataclass(frozen=True, kw_only=True)
class Fbicm(Part):
    """Parameters of FBICM. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "fbicm"

    queues: int = 2
    """Set-aside queues (CFQs) of an input and of a host, and lines of its memory. Default 2."""
    destinations: int = 1
    """Destinations that a line lists. Default 1."""
    detect: int = 8
    """A normal queue with more packets than this declares the destination of `suspect` congested. Default
    8."""
    detect_above: bool = False
    """It does so with every packet above the threshold, not only with the one that crosses it. Default
    false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Whose destination is declared congested."""
    stop: int = 10
    """A queue with more packets than this stops the queue upstream; the first time it also allocates it.
    Default 10."""
    go: int = 4
    """At this many packets or fewer it lets it go. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop follows the allocation."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Ccfit(Part):
    """Parameters of CCFIT. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ccfit"

    queues: int = 2
    """Set-aside queues (CFQs) of an input and of a host, and lines of its memory. Default 2."""
    destinations: int = 1
    """Destinations that a line lists. Default 1."""
    detect: int = 8
    """A normal queue with more packets than this declares the destination of `suspect` congested. Default
    8."""
    detect_above: bool = False
    """It does so with every packet above the threshold, not only with the one that crosses it. Default
    false."""
    suspect: Literal["head", "most-frequent"] = "head"
    """Whose destination is declared congested."""
    high: int = 4
    """A queue one hop from the root counts in the congestion state of its output from above this many
    packets. Default 4."""
    low: int = 2
    """It no longer counts at this many packets or fewer. Default 2."""
    stop: int = 10
    """A queue with more packets than this stops the queue upstream; the first time it also allocates it.
    Default 10."""
    go: int = 4
    """At this many packets or fewer it lets it go. Default 4."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "allocation"
    """When the first stop follows the allocation."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Hfdi(Part):
    """Parameters of HFDI. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "hfdi"

    queues: int = 2
    """Set-aside queues (HPQs) of an input and of a host. Default 2."""
    lines: int = 9
    """Lines of the memory of an input: one for each set-aside queue and each virtual output queue that is
    the root of a tree. Default 9."""
    destinations: int = 16
    """Destinations that a line lists; packets for others stay where they are. Default 16."""
    high: int = 6
    """A queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """At this many packets or fewer it no longer is (LTh). Default 4."""
    local: bool = False
    """The root has a set-aside queue of its own. Default false."""
    needs_credit: bool = True
    """A root is only declared at an output that has credit for another packet. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop follows the allocation."""
    root_stops: bool = True
    """The virtual output queue of a root stops the queues upstream as well; otherwise it only allocates
    them. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the line of a root is given up."""
    hosts_skip_stopped: bool = False
    """A host hands no packet to its link that is for a destination of a stopped line. Default false."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Ecocc(Part):
    """Parameters of EcoCC. Thresholds are in packets."""

    _choice: ClassVar[str | None] = "ecocc"

    queues: int = 2
    """Set-aside queues (HPQs) of an input and of a host. Default 2."""
    lines: int = 9
    """Lines of the memory of an input: one for each set-aside queue and each virtual output queue that is
    the root of a tree. Default 9."""
    destinations: int = 16
    """Destinations that a line lists; packets for others stay where they are. Default 16."""
    high: int = 6
    """A queue with more packets than this is congested (HTh). Default 6."""
    low: int = 4
    """At this many packets or fewer it no longer is (LTh). Default 4."""
    needs_credit: bool = True
    """A root is only declared at an output that has credit for another packet. Default true."""
    stop_at: Literal["allocation", "next-packet", "next-crossing"] = "next-packet"
    """When the first stop follows the allocation."""
    root_stops: bool = True
    """The virtual output queue of a root stops the queues upstream as well; otherwise it only allocates
    them. Default true."""
    root_release: Literal["low", "empty"] = "empty"
    """When the line of a root is given up."""
    hosts_skip_stopped: bool = True
    """A host hands no packet to its link that is for a destination of a stopped line. Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How notices travel."""


@dataclass(frozen=True, kw_only=True)
class Bfc(Part):
    """Parameters of BFC."""

    _choice: ClassVar[str | None] = "bfc"

    queues: int = 32
    """Queues of every output for flows. Default 32."""
    flow_ids: int = 16384
    """Flows that an output can tell apart: two of the same hash are one to it. Default 16384."""
    hop_round_trip: str | None = None
    """From a packet's start upstream until a stop that it causes is obeyed there. Absent: as long as it
    takes at most over the links into the switch, a packet on the way back waited for."""
    sticky: str | None = None
    """A flow without packets keeps its queue for so long. Absent: twice hop_round_trip."""
    first_ahead: bool = True
    """The first packet of a flow goes by a queue that is served before all others, and never stopped.
    Default true."""
    notices: OutOfBand | InBand | Literal["out-of-band", "in-band"] | None = None
    """How stops and gos travel. Default: on the link, 64 B."""


@dataclass(frozen=True, kw_only=True)
class Naive(Part):
    """Parameters of naive marking."""

    _choice: ClassVar[str | None] = "naive"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""


@dataclass(frozen=True, kw_only=True)
class InputTriggered(Part):
    """Parameters of input-triggered marking."""

    _choice: ClassVar[str | None] = "input-triggered"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""
    feedback: Literal["counters", "scan"] = "counters"
    """How the marks are brought about."""
    exempt_blocked: str | None = None
    """A trigger spares outputs that flow control has held within this time. Default: none are spared."""


@dataclass(frozen=True, kw_only=True)
class InputOutputTriggered(Part):
    """Parameters of input-output-triggered marking."""

    _choice: ClassVar[str | None] = "input-output-triggered"

    trigger: int | None = None
    """Packets in a buffer that count as full. Default: when no further packet fits."""
    output_threshold: int = 8
    """An arrival that makes the packets for an output more than this many is a trigger. Default 8."""


@dataclass(frozen=True, kw_only=True)
class OutputTriggered(Part):
    """Parameters of output-triggered marking."""

    _choice: ClassVar[str | None] = "output-triggered"

    output_threshold: int = 8
    """An arrival that makes the packets for an output more than this many is a trigger. Default 8."""


@dataclass(frozen=True, kw_only=True)
class Fecn(Part):
    """Parameters of FECN marking."""

    _choice: ClassVar[str | None] = "fecn"

    threshold: int = 15
    """Weight of the threshold: 0 never marks, 1 marks late, 15 early. Weight w stands for (16 - w)/16 of
    the input buffer of a lane. Default 15."""
    enter: str | None = None
    """The state is entered when the fill is above this; takes the place of `threshold`."""
    gap: str = "2560 B"
    """The state is left when the fill is this much below where it was entered, or less. "0 B": a single
    threshold. Default 2560 B, one and a quarter packets of 2 KiB, or down to an empty queue if the
    threshold is lower."""
    fill: Literal["voq", "sum", "sum-per-input"] = "voq"
    """Which fill is held against the threshold."""
    victim_mask: Literal["none", "hosts", "all", "ports"] = "hosts"
    """Which outputs may enter the state without credits."""
    packet_size: str = "512 B"
    """Data packets smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked ones, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, at random; takes the place of `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to mark are chosen."""


@dataclass(frozen=True, kw_only=True)
class Thresholds(Part):
    """Thresholds of a lane."""

    min: str
    """While no more than this waits for the output, nothing is marked (Kmin)."""
    max: str
    """When more than this waits, all that leaves is marked (Kmax)."""
    probability: float
    """Share that is marked when `max` waits (Pmax)."""


@dataclass(frozen=True, kw_only=True)
class Red(Part):
    """Parameters of random early detection."""

    _choice: ClassVar[str | None] = "red"

    min: str = "100 kB"
    """While no more than this waits for the output, nothing is marked (Kmin). Default 100 kB."""
    max: str = "400 kB"
    """When more than this waits, all that leaves is marked (Kmax). Default 400 kB. The same as `min`: a
    step."""
    probability: float = 0.2
    """Share that is marked when `max` waits (Pmax). Default 0.2."""
    for_rate: str | None = None
    """The thresholds are those of a link of this rate, and in proportion at other rates. Absent: the same
    at all."""
    spare_last_hop: bool | None = None
    """Switches do not mark what goes to a host: whoever grants credit there knows that queue himself."""
    lane_thresholds: tuple[Thresholds, ...] | None = None
    """Thresholds of the lanes from lane 0 on, where they are not all as above."""


@dataclass(frozen=True, kw_only=True)
class Root(Part):
    """Parameters of marking at declared roots."""

    _choice: ClassVar[str | None] = "root"

    packet_size: str = "512 B"
    """Data packets smaller than this on the wire are never marked. Default 512 B."""
    marking_rate: int = 1
    """Mean number of packets between two marked ones, 0 to 65535; 0 marks all. Default 1."""
    share: float | None = None
    """Share of the packets that are marked, at random; takes the place of `marking_rate`."""
    choice: Literal["random", "every-nth"] = "random"
    """How the packets to mark are chosen."""
    only_set_aside: bool | None = None
    """Only packets of queues that were set aside are marked: whoever else leaves by the root never is
    (ICI). Default false."""


@dataclass(frozen=True, kw_only=True)
class Tcd(Part):
    """Parameters of ternary congestion detection."""

    _choice: ClassVar[str | None] = "tcd"

    threshold: str = "100 kB"
    """An output that is not held is congested while more than this waits for it (K). Default 100 kB."""
    for_rate: str | None = None
    """The threshold is that of a link of this rate, and in proportion at other rates. Absent: the same at
    all."""
    longest_on: str | None = None
    """An output that has not been held for longer than this is not held any more (T_max). Absent: for each
    link what follows from its flow control and `slack`."""
    slack: float = 0.05
    """Share of the link by which what comes in exceeds what goes on, at an output held by its successor, at
    the least (epsilon). Default 0.05."""


@dataclass(frozen=True, kw_only=True)
class Cnp(Part):
    """Parameters of congestion notification packets (Gran, Paper I, section 3.2.2). A host sends them
    before its data. They are never marked, and in switches they wait like any other packet of their
    lane: to let them pass, give them a lane of their own and that lane a high priority.
    """

    _choice: ClassVar[str | None] = "cnp"

    size: str = "64 B"
    """Bytes on the wire. Default 64 B."""
    lane: int | None = None
    """The lane in which they travel. Absent: that of the data."""
    interval: str = "0 ns"
    """The receiver sends at most one for each flow in so long (min_time_between_cnps); marks in between are
    not told. Default 0 s: one for every marked packet."""
    delay: str = "0 ns"
    """From the last bit of one at its source until the source acts on it: the adapter, or software. Default
    0 s."""


@dataclass(frozen=True, kw_only=True)
class Lipd(Part):
    """Parameters of LIPD."""

    _choice: ClassVar[str | None] = "lipd"

    floor: float = 256.0
    """How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the
    lowest."""
    discrete: bool = False
    """Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole
    packets)."""


@dataclass(frozen=True, kw_only=True)
class Fimd(Part):
    """Parameters of FIMD."""

    _choice: ClassVar[str | None] = "fimd"

    floor: float = 256.0
    """How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the
    lowest."""
    discrete: bool = False
    """Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole
    packets)."""
    factor: float = 2.0
    """By how much a mark divides the rate (m). Default 2."""


@dataclass(frozen=True, kw_only=True)
class Aimd(Part):
    """Parameters of AIMD."""

    _choice: ClassVar[str | None] = "aimd"

    floor: float = 256.0
    """How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the
    lowest."""
    discrete: bool = False
    """Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole
    packets)."""
    factor: float = 2.0
    """By how much a mark divides the rate (m). Default 2."""


@dataclass(frozen=True, kw_only=True)
class Quadratic(Part):
    """A table by formula."""

    _choice: ClassVar[str | None] = "quadratic"

    delay: str = "7 us"
    """Idle time after a full packet at index `at`. Default 7 us."""
    at: int = 106
    """The index. Default 106 (Gran, Paper III, section VII.B)."""


@dataclass(frozen=True, kw_only=True)
class Linear(Part):
    """A table by formula."""

    _choice: ClassVar[str | None] = "linear"

    delay: str = "7 us"
    """Idle time after a full packet at index `at`. Default 7 us."""
    at: int = 106
    """The index. Default 106 (Gran, Paper III, section VII.B)."""


@dataclass(frozen=True, kw_only=True)
class Cct(Part):
    """Parameters of the congestion control table."""

    _choice: ClassVar[str | None] = "cct"

    increase: int = 1
    """What a BECN adds to the index (CCTI_Increase), 0 to 255. Default 1."""
    limit: int = 127
    """The highest index (CCTI_Limit). Default 127."""
    min: int = 0
    """The lowest index (CCTI_Min), where a source also starts. Default 0."""
    timer: str = "153.6 us"
    """Period of the timer (CCTI_Timer; the register counts 1.024 us). Default 153.6 us, 150 in the
    register."""
    timer_runs: Literal["re-armed", "free"] = "re-armed"
    """Whether a BECN starts the timer anew."""
    per: Literal["qp", "sl"] = "qp"
    """Who has an index of its own."""
    table: Quadratic | Linear | Literal["quadratic", "linear", "delays", "encoded"] | None = None
    """The idle times by index, after a full packet; after a smaller one as much shorter as it is."""


@dataclass(frozen=True, kw_only=True)
class Dcqcn(Part):
    """Parameters of DCQCN; beside each its name in the settings of an mlx5 adapter, where it has one."""

    _choice: ClassVar[str | None] = "dcqcn"

    gain: float = 0.00390625
    """Share of the news in alpha (g; 1 - dce_tcp_g/1024). Default 1/256."""
    initial_alpha: float = 1.0
    """Alpha of a source that has heard nothing yet (initial_alpha_value/1024). Default 1."""
    alpha_period: str = "50 us"
    """Alpha decays after so long without a notification (dce_tcp_rtt). Default 50 us."""
    alpha_grows: Literal["at-notifications", "periodically"] = "at-notifications"
    """When alpha grows."""
    cut_period: str = "50 us"
    """At most one cut in so long (rate_reduce_monitor_period). Default 50 us."""
    least_share: float = 0.5
    """A cut leaves at least this share of the rate (rpg_min_dec_fac). Default 0.5."""
    clamp_target: Literal["always", "after-increase"] = "always"
    """When a cut sets the target rate to the rate before it (clamp_tgt_rate,
    clamp_tgt_rate_after_time_inc)."""
    first_rate: str | None = None
    """The rate after the first notification (rate_to_set_on_first_cnp). Absent: it is cut like any
    other."""
    increase_timer: str = "55 us"
    """The rate rises after every such time without a cut (rpg_time_reset). Default 55 us."""
    byte_counter: str = "10 MB"
    """The rate rises after so many bytes on the wire without a cut (rpg_byte_reset). Default 10 MB. "0 B":
    never."""
    stages: int = 5
    """Events of fast recovery (rpg_threshold). Default 5."""
    additive: str = "5 Mbit/s"
    """What additive increase adds to the target rate (rpg_ai_rate). Default 5 Mbit/s."""
    hyper: str = "50 Mbit/s"
    """What hyper increase adds (rpg_hai_rate). Default 50 Mbit/s."""
    for_rate: str | None = None
    """`additive` and `hyper` are those of a link of this rate, and in proportion at other rates. Absent:
    the same at all."""
    min_rate: str = "100 Mbit/s"
    """The least rate (rpg_min_rate). Default 100 Mbit/s."""
    max_rate: str | None = None
    """The highest rate (rpg_max_rate). Absent: that of the link."""
    window: Literal["none", "bdp", "bdp-at-rate"] = "none"
    """Whether what is unacknowledged is bounded, too."""


@dataclass(frozen=True, kw_only=True)
class Dctcp(Part):
    """Parameters of DCTCP."""

    _choice: ClassVar[str | None] = "dctcp"

    gain: float = 0.0625
    """Weight of the newest round in alpha (g). Default 1/16 (RFC 8257, section 4.2)."""
    initial_alpha: float = 1.0
    """Alpha of a source that has heard nothing yet. Default 1 (RFC 8257, section 3.3)."""
    initial_window: int = 10
    """Packets that may be unacknowledged at first. Default 10 (RFC 6928)."""
    least_window: int = 2
    """The least window, in packets. Default 2, as Linux has it."""
    largest_window: int = 10000
    """The largest window, in packets. Default 10,000."""
    slow_start: bool = True
    """Double the window every round until the first mark."""


@dataclass(frozen=True, kw_only=True)
class Timely(Part):
    """Parameters of TIMELY."""

    _choice: ClassVar[str | None] = "timely"

    ewma: float = 0.875
    """Weight of the newest difference (alpha). Default 0.875."""
    decrease: float = 0.8
    """Factor of a decrease (beta). Default 0.8."""
    additive: str = "10 Mbit/s"
    """What an increase adds (delta). Default 10 Mbit/s."""
    low: str = "50 us"
    """Below this round-trip time the rate only rises (T_low). Default 50 us."""
    high: str = "500 us"
    """Above this it only falls (T_high). Default 500 us."""
    least_round_trip: str = "20 us"
    """The round-trip time that differences are held against (minRTT). Default 20 us."""
    hyper_times: int = 5
    """How many times as much a hyperactive increase adds (N). Default 5."""
    hyper_after: int = 5
    """Gradients in a row that were not above zero after which increases are hyperactive. Default 5."""
    segment: str = "16 KiB"
    """Bytes on the wire that are acknowledged between two moves of the rate. Default 16 KiB."""
    min_rate: str = "100 Mbit/s"
    """The least rate. Default 100 Mbit/s."""
    model: Literal["paper", "hpcc"] = "paper"
    """Whose algorithm it is."""
    window: Literal["none", "bdp", "bdp-at-rate"] = "none"
    """Whether what is unacknowledged is bounded, too."""


@dataclass(frozen=True, kw_only=True)
class PintParams(Part):
    """Switches write one byte instead of a record each (HPCC-PINT). Absent: records."""

    log_base: float = 1.05
    """Codes are powers of it (PINT_LOG_BASE). Default 1.05, as HPCC's simulator ships."""
    pint_prob: float = 1.0
    """Share of the ACKs that is used (PINT_PROB). Default 1."""


@dataclass(frozen=True, kw_only=True)
class Hpcc(Part):
    """Parameters of HPCC."""

    _choice: ClassVar[str | None] = "hpcc"

    u_target: float = 0.95
    """The utilisation that sources aim at (U_TARGET; eta). Default 0.95 (HPCC, section 5.1)."""
    mi_thresh: int = 5
    """Additive increases in a row after which the utilisation is followed again even if it is below the
    target (MI_THRESH; maxStage). Default 5 (HPCC, section 5.1); with 0 it is always followed, as in the
    settings that its simulator ships."""
    rate_ai: str = "50 Mbit/s"
    """What every computation adds to the rate (RATE_AI; W_AI/T). Default 50 Mbit/s, as its simulator
    ships."""
    min_rate: str = "100 Mbit/s"
    """The least rate (MIN_RATE). Default 100 Mbit/s, as its simulator ships."""
    round_trip: str | None = None
    """The base round-trip time T that windows and averages go by (GLOBAL_T). Absent: that of the flow's own
    path."""
    fast_react: bool = True
    """Every ACK moves the rate, and not only one in a round trip (FAST_REACT)."""
    var_win: bool = True
    """The window follows the rate (VAR_WIN); if not, it is the bandwidth-delay product."""
    rate_bound: bool = True
    """Packets are paced at the rate (RATE_BOUND); if not, the window alone decides."""
    multi_rate: bool = False
    """Each hop has a reference of its own, and the least rate is taken (MULTI_RATE)."""
    sample_feedback: bool = False
    """Hops whose queue is empty are only looked at once a round trip (SAMPLE_FEEDBACK)."""
    pint: PintParams | None = None
    """Switches write one byte instead of a record each (HPCC-PINT). Absent: records."""


@dataclass(frozen=True, kw_only=True)
class PowerTcp(Part):
    """Parameters of PowerTCP."""

    _choice: ClassVar[str | None] = "power-tcp"

    signal: Literal["telemetry", "delay"] = "telemetry"
    """What power is worked out from."""
    gain: float = 0.9
    """Weight of the newest rate (gamma). Default 0.9 (PowerTCP, section 3.3); its simulator has 0.7 without
    telemetry."""
    additive: str = "150 Mbit/s"
    """What is added to the rate (beta over the round trip). Default 150 Mbit/s, as its simulator has it."""
    target: float = 0.95
    """The power that sources aim at, with telemetry (eta). Default 0.95, as its simulator has it."""
    slack: float = 1.05
    """Without telemetry round-trip times count as this part of what they are. Default 1.05, as its
    simulator has it."""
    gradient: bool = False
    """The current is what an output sends and by what its queue grows, not the former alone."""
    min_rate: str = "100 Mbit/s"
    """The least rate. Default 100 Mbit/s, as its simulator has it."""
    round_trip: str | None = None
    """The base round-trip time T. Absent: that of the flow's own path."""


@dataclass(frozen=True, kw_only=True)
class Swift(Part):
    """Parameters of Swift. Its paper gives no values; these are those with which the authors of Bolt
    (NSDI 2023) ran it.
    """

    _choice: ClassVar[str | None] = "swift"

    base_target: str = "25 us"
    """The target of a large window and no hops. Default 25 us."""
    hop_scale: str = "1 us"
    """What each switch on the way adds. Default 1 us."""
    fs_range: str = "100 us"
    """The most that a small window adds. Default 100 us."""
    fs_min: float = 0.1
    """The window at and below which it adds all of it, in packets. Default 0.1."""
    fs_max: float = 256.0
    """The window from which on it adds nothing, in packets. Default 256."""
    ai: float = 1.0
    """What a round trip below the target adds to the window, in packets. Default 1."""
    beta: float = 0.8
    """How much of the excess the window follows. Default 0.8."""
    max_mdf: float = 0.5
    """The most that one decrease takes. Default 0.5."""
    min_window: float = 0.01
    """The least window, in packets. Default 0.01."""
    max_window: float = 256.0
    """The largest window, in packets. Default 256."""
    initial_window: float | None = None
    """The window at first, in packets. Absent: what the link carries in a round trip through the idle
    network."""
    retx_reset: int = 5
    """Timeouts in a row after which the window is the least (RETX_RESET_THRESHOLD). Default 5, as in
    htsim's model."""


@dataclass(frozen=True, kw_only=True)
class Pcn(Part):
    """Parameters of PCN."""

    _choice: ClassVar[str | None] = "pcn"

    period: str = "50 us"
    """The rate moves once in so long (T). Default 50 us."""
    share: float = 0.95
    """A flow is congested if more than this share of its packets was marked in a period. Default 0.95."""
    least_weight: float = 0.0078125
    """Weight of the line rate in the first rise after a fall, and how far below the rate of arrival a fall
    goes (w_min). Default 1/128."""
    most_weight: float = 0.5
    """Weight that it grows to (w_max). Default 0.5."""
    min_rate: str = "10 Mbit/s"
    """The least rate. Default 10 Mbit/s."""


@dataclass(frozen=True, kw_only=True)
class RcmParams(Part):
    """Regional congestion mitigation: congested outputs tell their neighbours, who pace the flows that
    cause it. Absent: there is none. It goes with any preset, or none.
    """

    watch: Literal["both-queues", "output-queues"] = "both-queues"
    """Which queues are looked at."""
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
    """Packets for an output from one look at its queues to the next, while all is calm; fewer the more
    congested it is. Default 10."""
    calm_looks: int = 2
    """Looks in a row that must find no congestion before it is over. Default 2."""
    flows: int = 16
    """Flows that an output remembers as harmful, the oldest overwritten (CAM). Default 16."""
    flow_sample_every: int = 10
    """One of so many packets at a root is looked at for its flow. Default 10."""
    least_window: str = "10 us"
    """The shortest time over which the windows of an output are measured. Default 10 us."""
    measured: Literal["then", "always"] = "then"
    """When they are measured."""
    notice: str = "64 B"
    """Bytes of a notice to a neighbour. Default 64 B."""
    reroute: bool = False
    """Packets of other flows may take another way around the region (SAR). Needs `scheme.route`."""
    reroute_above: str = "80 kB"
    """They do when more than this waits for an output, or after the second notice in a row for it. Default
    80 kB."""


@dataclass(frozen=True, kw_only=True)
class Ecmp(Part):
    """Parameters of equal-cost multi-path."""

    _choice: ClassVar[str | None] = "ecmp"

    same_hash: bool = False
    """All switches have the same hash, as if nobody had set their seeds."""


@dataclass(frozen=True, kw_only=True)
class Spray(Part):
    """Parameters of packet spraying."""

    _choice: ClassVar[str | None] = "spray"

    choice: Literal["random", "in-turn"] = "random"
    """How the way of a packet is chosen."""


@dataclass(frozen=True, kw_only=True)
class Flowlet(Part):
    """Parameters of flowlet switching."""

    _choice: ClassVar[str | None] = "flowlet"

    gap: str = "50 us"
    """A packet this long after the one before it may go another way. Default 50 us."""
    entries: int = 4096
    """Flows that a switch can tell apart. Default 4096."""
    choice: Literal["random", "least-queue"] = "random"
    """How a new way is chosen."""


@dataclass(frozen=True, kw_only=True)
class Ugal(Part):
    """Parameters of UGAL."""

    _choice: ClassVar[str | None] = "ugal"

    candidates: int = 1
    """Switches drawn for every packet to go round by. Default 1."""
    threshold: str = "0 B"
    """By how many bytes times links the direct way may be the worse one and is taken still. Default 0."""
    knows: Literal["local", "global"] = "local"
    """What the first switch knows of a way. Default: local."""


@dataclass(frozen=True, kw_only=True)
class Par(Part):
    """Parameters of PAR."""

    _choice: ClassVar[str | None] = "par"

    candidates: int = 1
    """Switches drawn for every packet, each time that it is asked, to go round by. Default 1."""
    threshold: str = "0 B"
    """By how many bytes times links the direct way may be the worse one and is taken still. Default 0."""


@dataclass(frozen=True, kw_only=True)
class Efl(Part):
    """Parameters of EFL. The paper gives N and the ACK interval; the others were chosen once for all
    its figures.
    """

    _choice: ClassVar[str | None] = "efl"

    alpha: str = "3 kB"
    """Bytes that each flow keeps in the queue (alpha). Default 3000: small enough for a hundred flows in a
    1 MB queue."""
    beta: float = 0.0316667
    """Gain of the rate control (beta). Default 0.0316667, so that alpha times beta is 95 bytes."""
    probe_packets: int = 20
    """Packets of the bandwidth probe (N); 0: no probe. Default 20 (EFL section III.2)."""
    delay_probing: bool = True
    """Send at `start_rate` while the probe is on its way, and correct the rate by what these packets
    meet."""
    probe_alpha: float = 0.25
    """The factor on alpha for the ACKs of packets sent in delay probing. Default 0.25."""
    probe_beta: float = 12.0
    """The factor on beta for the same ACKs. Default 12."""
    prediction: Literal["none", "same-packets", "current-rate"] = "same-packets"
    """Whether and how the round-trip time is predicted."""
    prediction_intervals: int = 3
    """ACK intervals over which receiving rates are taken. Default 3."""
    start_rate: str = "200 Mbit/s"
    """Rate of delay probing, and of a source that does not probe."""
    floor: str = "40 Mbit/s"
    """The least rate. A packet goes at least this often, whatever the control says."""
    rtt_min: str | None = None
    """The round-trip time of an empty network. Absent: the shortest seen so far."""
    timeout: str = "580 us"
    """A loss is assumed when there was no progress for so long."""
    duplicates: int = 2
    """Duplicate ACKs that tell a loss. Default 2 (EFL section II)."""
    selective: bool = False
    """Only what is missing is sent again, and the receiver keeps what is out of order. Default:
    go-back-N."""
    ack_every: int = 10
    """Data packets that one ACK answers. Default 10 (EFL section IV.1)."""
    ack_flush: str | None = None
    """The longest that a packet waits for its ACK. Absent: until so many are there, or the group ends."""


@dataclass(frozen=True, kw_only=True)
class NewReno(Part):
    """Parameters of NewReno."""

    _choice: ClassVar[str | None] = "new-reno"

    initial_window: int = 1
    """Segments that a new group may begin with. Default 1."""
    largest_window: int | None = None
    """The largest window, in segments. Absent: no limit."""
    slow_start: bool = True
    """Double the window every round trip until the first loss."""
    keep_window: bool = False
    """The window outlives the end of a group; otherwise each group starts anew."""
    duplicates: int = 3
    """Duplicate ACKs that tell a loss. Default 3 (RFC 5681)."""
    least_timeout: str = "200 ms"
    """The retransmission timer never goes below. Default 200 ms, as most systems have it (RFC 6298 asks for
    1 s)."""
    ack_every: int = 1
    """Data packets that one ACK answers. Default 1; 2 for delayed ACKs."""
    ack_flush: str = "100 ms"
    """The longest that a packet waits for its ACK. Default 100 ms; it matters only if `ack_every` is above
    1."""


@dataclass(frozen=True, kw_only=True)
class GoBackN(Part):
    """Parameters of go-back-N."""

    _choice: ClassVar[str | None] = "go-back-n"

    timeout: str = "1 ms"
    """A loss is assumed when nothing was acknowledged for so long. Default 1 ms."""
    selective: bool = False
    """Only what is missing is sent again, and the receiver keeps what is out of order."""
    window: int | None = None
    """Packets that may be unacknowledged. Absent: any number."""
    ack_every: int = 1
    """Data packets that one ACK answers, if all met the same: the first that is marked, or not marked after
    such as were, is told apart. Default 1."""
    ack_flush: str | None = None
    """The longest that a packet waits for its ACK. Absent: for as long as it takes, at most until the last
    of a message."""


@dataclass(frozen=True, kw_only=True)
class NsccParams(Part):
    """Network signal congestion control: the sender's window, if it decides."""

    target: str | None = None
    """The queueing delay to aim at. Absent: `target_share` of the round trip."""
    target_share: float = 0.75
    """The same as a share of the round trip. Default 0.75, for networks that trim; 1 is recommended where
    they drop."""
    proportional: float = 4.0
    """Proportional increase in segments for each 12 us of slack. Default 4."""
    fair: float = 5.0
    """Fair increase in segments. Default 5."""
    eta: float = 0.15
    """What is added once a period, in segments. Default 0.15."""
    fast: float = 0.25
    """Fast increase in bytes for each byte acknowledged. Default 0.25."""
    empty: str = "1 us"
    """Below this delay the path counts as empty. Default 1 us, not scaled."""
    decrease: float = 0.8
    """Gain of a decrease (gamma). Default 0.8."""
    most_decrease: float = 0.5
    """The most that a decrease leaves away. Default 0.5."""
    delay_gain: float = 0.0125
    """Weight of the newest delay in the average. Default 0.0125."""
    adjust_after: int = 8
    """Packets after which increases are added to the window. Default 8."""
    quick_gate: int = 3
    """Quick adapt: what came through is less than the largest window halved so often. Default 3."""
    quick_delay: float = 4.0
    """Quick adapt: the delay in targets. Default 4."""
    initial_window: int | None = None
    """The window at first, in packets. Absent: the largest."""


@dataclass(frozen=True, kw_only=True)
class Oversubscribed(Part):
    """Control of what goes through a fabric with less capacity than its hosts. Absent: there is none."""

    ratio: float = 4.0
    """How many times more the hosts of a leaf can send than its uplinks carry. Default 4."""
    gain: float = 0.5
    """Weight of the newest share of marks. Default 0.5."""
    calm: float = 0.3
    """Up to this share of marks nothing is taken back. Default 0.3."""
    step: float = 0.01
    """What a period without marks adds at first, doubled from period to period; with a few it adds this.
    Default 0.01."""
    period: float = 1.5
    """Periods in round trips. Default 1.5."""


@dataclass(frozen=True, kw_only=True)
class RcccParams(Part):
    """Receiver credit congestion control, if the receiver decides."""

    grant: str = "16 KiB"
    """What a turn grants at most. Default 16,384 B (64 quanta of 256 B)."""
    share: float = 0.99
    """Share of the link that is granted. Default 0.99."""
    empty_turn: int = 4
    """Quanta that a turn costs which grants nothing. Default 4."""
    oversubscribed: Oversubscribed | None = None
    """Control of what goes through a fabric with less capacity than its hosts. Absent: there is none."""


@dataclass(frozen=True, kw_only=True)
class Oblivious(Part):
    """Parameters of oblivious spreading."""

    _choice: ClassVar[str | None] = "oblivious"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64, as the Ultra Ethernet simulator has it."""


@dataclass(frozen=True, kw_only=True)
class Bitmap(Part):
    """Parameters of spreading by penalties."""

    _choice: ClassVar[str | None] = "bitmap"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64."""
    marked: int = 1
    """What a mark adds to the penalty of a path. Default 1."""
    trimmed: int = 4
    """What a trimmed packet adds. Default 4."""
    most: int = 15
    """The highest penalty. Default 15."""


@dataclass(frozen=True, kw_only=True)
class Reps(Part):
    """Parameters of recycled entropies."""

    _choice: ClassVar[str | None] = "reps"

    paths: int = 64
    """Paths (entropy values) to draw from. Default 64."""
    ring: int = 8
    """Entropies that are remembered. Default 8."""
    freeze: str = "10 ms"
    """How long a timeout freezes the ring. Default 10 ms; 0 s: never."""


@dataclass(frozen=True, kw_only=True)
class Mixed(Part):
    """Parameters of mixed spreading."""

    _choice: ClassVar[str | None] = "mixed"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64."""


@dataclass(frozen=True, kw_only=True)
class Uet(Part):
    """Parameters of the Ultra Ethernet transport."""

    _choice: ClassVar[str | None] = "uet"

    delivery: Literal["unordered", "ordered"] = "unordered"
    """Whether messages are passed on in order."""
    congestion_control: Literal["nscc", "rccc", "both", "none"] = "nscc"
    """Who decides how much may be on its way."""
    nscc: NsccParams | None = None
    """Network signal congestion control: the sender's window, if it decides."""
    rccc: RcccParams | None = None
    """Receiver credit congestion control, if the receiver decides."""
    paths: Oblivious | Bitmap | Reps | Mixed | Literal["oblivious", "bitmap", "reps", "mixed"] | None = None
    """Which paths packets take."""
    round_trip: str | None = None
    """Round-trip time of the network without load (T), to which windows, delays and gains are scaled.
    Absent: that of the flow's own path."""
    most_window: float = 1.5
    """The largest window, and what may be sent before the receiver has answered, in bandwidth-delay
    products. Default 1.5."""
    ack_after: str = "16 KiB"
    """Unmarked packets are answered when so many bytes have come in since the last ACK. Default 16,384
    B."""
    timeout: str = "100 us"
    """A packet is given up for lost when it was sent so long ago and not answered. Default 100 us."""
    control_lane: int | None = None
    """The lane of ACKs, NACKs, requests and grants. Absent: that of the data."""


@dataclass(frozen=True, kw_only=True)
class Irn(Part):
    """Parameters of IRN."""

    _choice: ClassVar[str | None] = "irn"

    window: int | None = None
    """Packets that may be unacknowledged. Absent: as many as keep the link of the host busy for
    `round_trip`."""
    round_trip: str | None = None
    """The round trip of the bandwidth-delay product; the paper takes that of the longest path of the
    network. Absent: that of the flow's own path while nothing else is on its way."""
    few: int = 3
    """With fewer packets than this on their way a loss is assumed after `timeout_low`. Default 3."""
    timeout_low: str = "100 us"
    """Without news for so long a loss is assumed, while few packets are on their way. Default 100 us."""
    timeout_high: str = "320 us"
    """The same while more are. Default 320 us."""


@dataclass(frozen=True, kw_only=True)
class Scheme(Part):
    """Which parts manage congestion."""

    preset: Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "ib-cc", "dcqcn-paper", "dcqcn-paper-window", "dcqcn-vendor", "dcqcn-vendor-window", "dctcp", "timely", "hpcc", "hpcc-pint", "power-tcp", "theta-power-tcp", "swift", "tcd-dcqcn", "tcd-timely", "tcd-ib-cc", "pcn", "ith", "ib-ith", "fbicm", "ccfit", "hfdi", "ecocc", "qcz-dcqcn", "ici", "bfc", "efl", "efl-bw-probe", "efl-plain", "new-reno", "irn", "uec-nscc", "uec-rccc", "uec-both"] = "none"
    """A named combination of parts."""
    persistent: bool = False
    """Whether the rate limit of a source outlives its ON periods."""
    isolate: Fbicm | Ccfit | Hfdi | Ecocc | Bfc | Literal["none", "fbicm", "ccfit", "hfdi", "ecocc", "bfc"] | None = None
    """What switches and hosts set aside from other traffic. Absent: as the preset says."""
    mark: Naive | InputTriggered | InputOutputTriggered | OutputTriggered | Fecn | Red | Root | Tcd | Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "fecn", "red", "root", "tcd", "np-ecn"] | None = None
    """How switches mark packets. Absent: as the preset says."""
    notify: Cnp | Literal["ack", "cnp"] | None = None
    """How marks come back to sources. Absent: as the preset says."""
    react: Lipd | Fimd | Aimd | Cct | Dcqcn | Dctcp | Timely | Hpcc | PowerTcp | Swift | Pcn | Literal["none", "lipd", "fimd", "aimd", "cct", "dcqcn", "dctcp", "timely", "hpcc", "power-tcp", "swift", "pcn"] | None = None
    """What sources do when they hear of marks. Absent: as the preset says."""
    rcm: RcmParams | None = None
    """Regional congestion mitigation: congested outputs tell their neighbours, who pace the flows that
    cause it. Absent: there is none. It goes with any preset, or none."""
    route: Ecmp | Spray | Flowlet | Ugal | Par | Literal["none", "ecmp", "spray", "flowlet", "least-queue", "valiant", "ugal", "par"] | None = None
    """How switches choose among several shortest ways to a host. Absent: they do not, routes are fixed."""
    transport: Efl | NewReno | GoBackN | Uet | Irn | Literal["none", "efl", "new-reno", "go-back-n", "uet", "irn"] | None = None
    """How hosts repair losses, and how fast they send where links lose packets. Absent: as the preset
    says."""


@dataclass(frozen=True, kw_only=True)
class HotSpot(Part):
    """Destinations with hot spots."""

    _choice: ClassVar[str | None] = "hot-spot"

    to: str | tuple[str, ...]
    """The hot hosts: a host, a group, or a list of those."""
    fraction: float
    """Share of the messages that go to them."""


@dataclass(frozen=True, kw_only=True)
class Shift(Part):
    """Destinations at a fixed distance."""

    _choice: ClassVar[str | None] = "shift"

    by: int
    """Distance from source to destination, in host ids."""


@dataclass(frozen=True, kw_only=True)
class Moving(Part):
    """A hot host that changes."""

    _choice: ClassVar[str | None] = "moving"

    to: tuple[str, ...]
    """The hot hosts in turn; after the last comes the first. A source that is the hot host itself is silent
    meanwhile."""
    every: str
    """How long each of them is hot, from the start of the run on."""


@dataclass(frozen=True, kw_only=True)
class Groups(Part):
    """Destinations within groups."""

    _choice: ClassVar[str | None] = "groups"

    size: int
    """Hosts of a group."""


@dataclass(frozen=True, kw_only=True)
class PingPong(Part):
    """A message to and fro."""

    _choice: ClassVar[str | None] = "ping-pong"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often it goes to and fro."""


@dataclass(frozen=True, kw_only=True)
class NaturalRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "natural-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often."""


@dataclass(frozen=True, kw_only=True)
class RandomRing(Part):
    """A ring on which every rank talks to both neighbours."""

    _choice: ClassVar[str | None] = "random-ring"

    bytes: str
    """Payload of each message."""
    count: int = 1
    """How often."""


@dataclass(frozen=True, kw_only=True)
class Ptrans(Part):
    """Transposition of a matrix."""

    _choice: ClassVar[str | None] = "ptrans"

    bytes: str
    """What each rank has of the matrix."""
    count: int = 1
    """How often."""
    compute: str = "0 ns"
    """Computation before each transposition."""


@dataclass(frozen=True, kw_only=True)
class Mpifft(Part):
    """A distributed Fourier transform."""

    _choice: ClassVar[str | None] = "mpifft"

    bytes: str
    """What each rank has of the data; an n-th of it goes to each other rank in a transposition."""
    transposes: int = 3
    """How many transpositions."""
    compute: str = "0 ns"
    """Computation before and after each of them."""
    order: Literal["in-turn", "at-once"] = "in-turn"
    """How the messages of a transposition follow each other."""


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
    """Copies of the model."""
    tensor: int = 1
    """Parts of each layer."""
    pipeline: int = 1
    """Parts of the row of layers."""
    expert: int = 1
    """Data neighbours that share the experts; a divisor of `data`. 1: there are no experts."""


@dataclass(frozen=True, kw_only=True)
class Model2(Part):
    """The model."""

    layers: int
    """Its layers, a multiple of the parts of the pipeline."""
    hidden: int
    """Values of a token."""
    sequence: int
    """Tokens of a sequence."""
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
    model: Model2
    """The model."""
    sequences: int = 1
    """Sequences of a microbatch, at each data rank."""
    microbatches: int = 1
    """Microbatches of an iteration, at each data rank."""
    teraflops: float
    """What a rank really computes: so many 10^12 operations a second."""
    optimizer: str = "0 ns"
    """Time of the optimizer at the end."""
    library: Library | None = None
    """How collectives are done."""


@dataclass(frozen=True, kw_only=True)
class ByRail(Part):
    """Rail by rail."""

    _choice: ClassVar[str | None] = "by-rail"

    node: int
    """Hosts of a node, neighbours in `from`: adapters, each on a rail of its own."""


@dataclass(frozen=True, kw_only=True)
class PlacementGiven(Part):
    """A placement written out."""

    _choice: ClassVar[str | None] = "given"

    hosts: tuple[str, ...]
    """The host of every rank, from rank 0 on; hosts may be named several times."""


@dataclass(frozen=True, kw_only=True)
class Straggler(Part):
    """Ranks that compute more slowly than others."""

    ranks: tuple[int, ...]
    """Which."""
    factor: float
    """So many times as long as the program says."""


@dataclass(frozen=True, kw_only=True)
class Job(Part):
    """Where the ranks of the application are, and how they run."""

    ranks: int | None = None
    """Number of ranks. Absent: as a GOAL file says; otherwise per_host for each host of `from`."""
    per_host: int | None = None
    """Most ranks on one host. Absent: as few as there is room for."""
    placement: ByRail | PlacementGiven | Literal["linear", "round-robin", "random"] = "linear"
    """Which rank is on which host of `from`."""
    repeat: int = 1
    """How often each rank runs its program, once after the other. Nobody waits for other ranks in
    between."""
    send_end: Literal["left", "delivered"] = "left"
    """When a send has finished, so that what waits for it may start."""
    overhead: str = "0 ns"
    """Time that each send takes on its processor before the message goes, and each receive when the message
    is in."""
    rendezvous: str | None = None
    """Messages of at least this size are announced, and sent when the receiver has posted the receive.
    Absent: none is."""
    memory_rate: str | None = None
    """Rate at which a rank copies messages to ranks of its own host, one after the other. Absent: at
    once."""
    memory_delay: str = "0 ns"
    """From the end of such a copy until the message is there."""
    stragglers: tuple[Straggler, ...] | None = None
    """Ranks whose computations take longer."""


@dataclass(frozen=True, kw_only=True)
class Poisson(Part):
    """Random gaps, exponentially distributed."""

    _choice: ClassVar[str | None] = "poisson"

    load: float
    """Wire bytes offered, as a share of the rate of the host's link."""


@dataclass(frozen=True, kw_only=True)
class Steady(Part):
    """A constant rate: a source may have sent so much of the time since its start, and no more.
    Messages are made when the host can send them; with a destination for each of them, none waits
    behind one that is throttled.
    """

    _choice: ClassVar[str | None] = "steady"

    load: float | None = None
    """Wire bytes offered, as a share of the rate of the host's link. Either this or `rate`."""
    rate: str | None = None
    """Payload offered. Either this or `load`."""


@dataclass(frozen=True, kw_only=True)
class OnOff(Part):
    """Greedy while ON, silent while OFF."""

    _choice: ClassVar[str | None] = "on-off"

    on: str
    """Mean length of the ON periods."""
    off: str
    """Mean length of the OFF periods."""


@dataclass(frozen=True, kw_only=True)
class Gaps(Part):
    """One message after the other."""

    _choice: ClassVar[str | None] = "gaps"

    mean: str
    """Mean gap."""
    after: Literal["made", "done"] = "made"
    """Where a gap begins."""


@dataclass(frozen=True, kw_only=True)
class Messages(Part):
    """So many messages at a fixed distance."""

    _choice: ClassVar[str | None] = "messages"

    count: int = 1
    """How many."""
    every: str | None = None
    """Time from one to the next, or from one burst to the next. Absent: all at once."""
    burst: int = 1
    """So many of them are made at once each time."""


@dataclass(frozen=True, kw_only=True)
class Incast(Part):
    """Incasts with senders drawn at random. `to` is the receiver; with `pattern = "uniform"` it is any
    host, drawn each time.
    """

    _choice: ClassVar[str | None] = "incast"

    senders: int
    """How many of the hosts of `from` send each time."""
    count: int | None = None
    """How many times. Default: once; with a load as often as there is time."""
    every: str | None = None
    """From one time to the next."""
    load: float | None = None
    """Poisson arrivals, in the place of `every`: random gaps, exponentially distributed, before the first
    time, too. Wire bytes of all senders together, as a share of the rates of all links of the hosts of
    `from`."""


@dataclass(frozen=True, kw_only=True)
class ListRow(Part):
    """A message of a list."""

    at: str
    """When it is made, counted from the start of the entry."""
    from_: str = field(metadata={"key": "from"})
    """The sending host."""
    to: str
    """The receiving host."""
    message: str
    """Its payload."""


@dataclass(frozen=True, kw_only=True)
class Pareto(Part):
    """Pareto distribution: P(size > x) = (m/x)^shape."""

    _choice: ClassVar[str | None] = "pareto"

    shape: float
    """Exponent of the tail; the smaller, the heavier."""
    mean: str
    """Mean of the distribution, before larger ones are cut."""
    most: str | None = None
    """Larger messages are cut to this. Absent: they are not."""


@dataclass(frozen=True, kw_only=True)
class CdfRow(Part):
    """A row of a table of sizes."""

    size: str
    """A size."""
    share: float
    """Share of the messages that are no larger. The last is 1."""


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


@dataclass(frozen=True, kw_only=True)
class Measure(Part):
    """How long to run and what to look at."""

    duration: str
    """The end of the run."""
    warm_up: str = "0 ns"
    """Totals count from here."""
    bin: str | None = None
    """Length of the bins of the time series. Default: a hundredth of the duration."""
    probes: tuple[Literal["flows", "classes", "ports", "queues", "events", "latency", "deliveries", "counters", "output-queues", "pauses", "buffers", "transfers", "isolation", "completions", "transport", "messages", "trees", "regions", "input-queues", "detections", "behind", "credits", "gates"], ...] = ()
    """What is recorded besides the totals."""
    look_every: str | None = None
    """From one look of the probes `trees`, `input-queues` and `credits` at the fabric to the next. Default:
    `bin`."""
    watchdog: str = "1 ms"
    """Stop with a report if an output has waited this long for room that can never come."""
    until_jobs_end: bool = False
    """The run is over when all applications have finished; `duration` is the longest that it may take
    then."""
    audit: bool = False
    """Check the conservation laws during the run, not only at its end."""


@dataclass(frozen=True, kw_only=True)
class Run(Part):
    """How the run is worked off."""

    threads: int | None = None
    """Cores that work on the run, each on a part of the network. Default: all there are if the network is
    large enough to gain by it and can be cut, otherwise one."""


@dataclass(frozen=True, kw_only=True)
class Scenario(Document):
    """A scenario: a network, what manages its congestion, who sends what, and what is measured."""

    name: str = ""
    """Name of the scenario, for tables and plots."""
    description: str = ""
    """What the scenario is about."""
    seed: int = 1
    """Seed of every random stream: the same seed gives the same run."""
    topology: TwoSwitch | SingleSwitch | TestBed | Dumbbell | Chain | KAryNTree | FatTree | Clos | Dragonfly | DragonflyPlus | HyperX | Torus | Mesh | Graph | dict[str, str] | Literal["test-bed"]
    """Hosts, switches and who is connected to whom."""
    routing: dict[str, dict[str, dict[str, str | int]]] | dict[str, dict[str, tuple[int, ...]]] | Literal["minimal", "d-mod-k", "shortest-path"] | None = None
    """How switches choose the way to a host. Default: d-mod-k on trees and fat trees, shortest-path
    otherwise."""
    allow_credit_loops: bool = False
    """Run even if packets could wait for each other in a circle, as far as routes and lanes tell."""
    links: Links
    """The links between nodes."""
    switches: Switches | None = None
    """How every switch is organised."""
    adapters: Adapters | None = None
    """How every host attaches to its link."""
    scheme: Scheme | None = None
    """Which parts manage congestion."""
    traffic: tuple[Traffic, ...]
    """Who sends what to whom; one entry a class of traffic."""
    measure: Measure
    """How long to run and what to look at."""
    run: Run | None = None
    """How the run is worked off."""
    sweep: dict[str, tuple[object, ...] | dict[str, object]] | None = None
    """Lists of values to try, by dotted path such as "traffic.0.arrivals.poisson.load"; a run for each
    combination."""
