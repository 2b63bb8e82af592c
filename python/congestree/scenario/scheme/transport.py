"""`scheme.transport` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


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
    """The queueing delay to aim at, as a share of the round trip. Default 0.75, for networks that trim; 1
    is recommended where they drop."""
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
    """Without news for so long a loss is assumed, while more packets are. Default 320 us."""
