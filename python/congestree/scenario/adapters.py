"""`adapters` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass

from .._base import Part


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
    ack_lane: int | None = None
    """The lane in which ACKs of flows without a transport travel, such as one that `links.lane_arbiter`
    lets go first. Absent: that of their data."""
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
    queues that a scheme sets aside; flows fill it whenever the link is idle. Absent: flows have the link to
    themselves, and none waits behind another."""
    node: NodeLinks | None = None
    """Links inside nodes of several hosts, such as NVLink: messages of jobs between hosts of a node take
    them. Absent: none."""
