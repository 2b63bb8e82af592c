"""`switches` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from .._base import Part


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
    """Rounds of request, grant and accept; absent: until no more ports can be matched."""
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
