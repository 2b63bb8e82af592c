"""`adapters` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar

from .._base import Part, part


@part
class Acks(Part):
    """Coalesced ACKs: one ACK answers several packets, for flows without a transport. Absent: one ACK
    per packet, if packets are acknowledged at all.
    """

    _older: ClassVar[dict[str, str]] = {"after": "flush"}

    every: int
    """Packets after which an ACK is sent."""
    flush: str
    """The longest that a received packet waits until its ACK is sent."""


@part
class NodeLinks(Part):
    """Links inside nodes of several hosts, such as NVLink, for messages of jobs between hosts of the
    same node. Absent: none.
    """

    hosts: int
    """Hosts of a node; they follow each other in the order of hosts."""
    rate: str
    """Rate of each link, in each direction."""
    delay: str = "0 ns"
    """Time from the end of a message at its sender until it has arrived."""


@part
class Adapters(Part):
    """The network adapters of the hosts."""

    mtu: str = "2 KiB"
    """Largest payload of a data packet."""
    header: str = "20 B"
    """Header bytes of every data packet, in addition to its payload."""
    ack: str = "20 B"
    """Size of an ACK on the wire."""
    acks: Acks | None = None
    """Coalesced ACKs: one ACK answers several packets, for flows without a transport. Absent: one ACK per
    packet, if packets are acknowledged at all."""
    ack_turnaround: str | None = None
    """Time from the last byte of a data packet at its receiver until its ACK can leave: the receiving
    adapter checks and places the packet. This is pipelined: packets do not wait for each other. ACKs and
    NACKs of transports are delayed as well, notifications (CNPs) are not. Absent: no time."""
    ack_lane: int | None = None
    """The virtual lane of ACKs, for flows without a transport; for example one to which
    `links.lane_arbiter` gives priority. Absent: the lane of their data."""
    message_cost: str | None = None
    """Start-up time of a message at its host before its first packet can start (T0): software, doorbell,
    reading of the work request by the adapter. Messages of different flows are posted in parallel, messages
    of one flow as far as `queue_depth` allows. Absent: no time."""
    queue_depth: int | None = None
    """The most messages of a flow (a queue pair) that are posted and not complete. A message is complete
    when its last byte has left or, where packets are acknowledged, when the ACK of that byte is in. Absent:
    any number."""
    window: int | None = None
    """The most unacknowledged packets of a flow. Absent: no limit. Packets are then acknowledged only if
    the scheme needs ACKs (`scheme.notify = "ack"` with a reaction) or a transport sends them."""
    injection_rate: str | None = None
    """Highest rate at which a host injects data packets, measured from start to start (a slow host bus).
    Absent: the link is the limit."""
    drain_rate: str | None = None
    """Rate at which received packets leave the receive buffer (a slow receiver). Needs flow control.
    Absent: they leave at once."""
    receive_buffer: str | None = None
    """Receive buffer of a host, per lane: in packets ("4 packets") with packet-slots, in bytes ("16 KiB")
    with byte-credits and pfc. Absent: it is always large enough."""
    injection_buffer: int | None = None
    """Packets that a host holds between its flows and its link, in one FIFO queue and the queues of an
    isolation scheme. The flows fill it whenever the link is idle. Absent: every flow has direct access to
    the link, so none waits behind another."""
    node: NodeLinks | None = None
    """Links inside nodes of several hosts, such as NVLink, for messages of jobs between hosts of the same
    node. Absent: none."""
