"""`switches` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from .._base import Part, part


@part
class SharedMemory(Part):
    """One buffer memory for all ports, in place of `buffer`. Absent: every input port has its own
    memory. Only with pfc.
    """

    size: str = "32 MB"
    """Size of the whole memory."""
    reserved: str = "4 kB"
    """Reserved for each input port and lane."""
    headroom: str | None = None
    """Headroom of each input port and lossless lane: room for what still arrives after a pause frame was
    sent. Absent: as much as its link needs."""
    headroom_delays: float | None = None
    """In place of `headroom`: the headroom as a multiple of rate times propagation delay of the link. The
    HPCC simulator has 3."""
    headroom_pool: str | None = None
    """Size of the headroom pool, if the ports share their headroom: `headroom` is then the most that one
    input and lane may take of it. A pool that is smaller than what all links together need is refused,
    unless links.flow_control.pfc.losses says otherwise. Absent: every port has its own headroom."""
    lossy_alpha: float = 1.0
    """Dynamic threshold of lossy lanes (never paused): for one output this times the free shared memory may
    wait."""


@part
class Trim(Part):
    """Packet trimming: of a data packet that does not fit into switches.output_queue only the header is
    forwarded, in a lane of its own. Absent: the packet is dropped.
    """

    size: str = "64 B"
    """Size of a trimmed packet on the wire. Default 64 B."""
    lane: int = 1
    """The lane of trimmed packets. Default 1. links.lane_arbiter gives this lane its share of the link:
    "strict" puts it first, weights or quanta limit it."""
    queue: str | None = None
    """Bytes that may wait for one output in that lane; packets that do not fit are dropped. Absent: twice
    switches.output_queue. Both are for links of switches.output_queue_rate, where that is given, and scale
    alike."""
    victim: Literal["either", "arriving"] = "either"
    """Which packet is trimmed: the arriving one, or perhaps one that waits."""


@part
class Voqnet(Part):
    """A queue for each destination."""

    _choice: ClassVar[str | None] = "voqnet"

    buffer: str = "128 KiB"
    """Buffer of one queue, in place of switches.buffer: in packets with packet-slots, in bytes with
    byte-credits. The default is 64 packets of 2 KiB, as in Gran's Paper VI."""


@part
class Dbbm(Part):
    """Queues by destination."""

    _choice: ClassVar[str | None] = "dbbm"

    queues: int = 8
    """Queues of an input port, in each lane."""


@part
class Obqa(Part):
    """Queues by output."""

    _choice: ClassVar[str | None] = "obqa"

    queues: int = 4
    """Queues of an input port, in each lane."""


@part
class Damq(Part):
    """Queues of dynamic size."""

    _choice: ClassVar[str | None] = "damq"

    reserve: str | None = None
    """Room that is reserved for each queue. Absent: none."""
    limit: str | None = None
    """The most room that one queue may take. Absent: all that is not reserved for others."""


@part
class Fifo(Part):
    """Oldest first."""

    _choice: ClassVar[str | None] = "fifo"

    bypass_limit: int | None = None
    """How many younger packets may go ahead of the oldest one. Absent: any number."""


@part
class Islip(Part):
    """Matching by iSLIP."""

    _choice: ClassVar[str | None] = "islip"

    iterations: int | None = None
    """Iterations of request, grant and accept. Absent: until no more ports can be matched."""
    matching: Literal["asynchronous", "slotted"] = "asynchronous"
    """When a switch finds a matching."""


@part
class Switches(Part):
    """How every switch is built: buffers, queues, arbiter."""

    buffer: str = "64 KiB"
    """Buffer of one input port and lane: in packets ("4 packets") with packet-slots, in bytes ("64 KiB")
    with byte-credits and pfc."""
    lane_buffers: Sequence[str] | None = None
    """Buffer of each lane, from lane 0 on, if the lanes differ. Replaces `buffer`."""
    shared_memory: SharedMemory | None = None
    """One buffer memory for all ports, in place of `buffer`. Absent: every input port has its own memory.
    Only with pfc."""
    output_buffer: str | None = None
    """Output buffer of each output port and lane, in bytes. The crossbar fills it from the inputs without a
    limit on its speed. Absent: outputs have no buffer. Only with pfc."""
    output_queue: str | None = None
    """Bytes that may wait for one output in each lane; packets that do not fit are dropped. The lane of
    `trim` has a queue of its own. Only with flow_control = "none", which does not use `buffer`."""
    output_queue_rate: str | None = None
    """`output_queue` and `trim.queue` are for links of this rate, and scale in proportion to the rate of
    other links. Absent: the same for all rates."""
    trim: Trim | None = None
    """Packet trimming: of a data packet that does not fit into switches.output_queue only the header is
    forwarded, in a lane of its own. Absent: the packet is dropped."""
    random_loss: float = 0.0
    """Share of the packets that every switch drops at random. Only with flow_control = "none"."""
    queues: Voqnet | Dbbm | Obqa | Literal["voq", "single", "voqnet", "dbbm", "obqa"] = "voq"
    """The queues into which the buffer of an input port is divided."""
    memory: Damq | Literal["shared", "reserved", "damq"] = "shared"
    """How the queues share the buffer. Not used with queues = "voqnet", where every queue has its own
    buffer."""
    read_ports: int | Literal["one", "all"] = "all"
    """How many packets can be read from one input buffer at the same time: "one", "all" (as many as there
    are outputs) or a number."""
    crossbar: str | None = None
    """Rate of the crossbar: how fast a packet is read from an input buffer. Absent: as fast as the link of
    its output port."""
    output_packets: int = 2
    """Packets that an output holds between the crossbar and the link. Only used with `crossbar`."""
    arbiter: Fifo | Islip | Literal["round-robin", "fifo", "islip"] = "round-robin"
    """How an output port chooses the next packet among those that wait for it."""
    switching: Literal["cut-through", "store-and-forward"] = "cut-through"
    """When a packet may be forwarded."""
    forwarding_delay: str = "100 ns"
    """Forwarding latency: from the arrival of a packet's head (cut-through) or tail (store-and-forward)
    until its head may leave."""
