"""`scheme.transport` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Efl(Part):
    """Parameters of EFL. The paper gives N and the ACK interval; the others were chosen once for all
    its figures.
    """

    _choice: ClassVar[str | None] = "efl"

    alpha: str = "3 kB"
    """Bytes that each flow aims to keep in the bottleneck queue (alpha). Default 3000: small enough for a
    hundred flows in a 1 MB queue."""
    beta: float = 0.0316667
    """Gain of the rate control (beta). Default 0.0316667, so that alpha times beta is 95 bytes."""
    probe_packets: int = 20
    """Packets of the bandwidth probe (N); 0: no probe. Default 20 (EFL section III.2)."""
    delay_probing: bool = True
    """Send at `start_rate` while the bandwidth probe is under way, and correct the rate by the delay of
    these packets."""
    probe_alpha: float = 0.25
    """The factor on alpha for the ACKs of packets sent in delay probing. Default 0.25."""
    probe_beta: float = 12.0
    """The factor on beta for the same ACKs. Default 12."""
    prediction: Literal["none", "same-packets", "current-rate"] = "same-packets"
    """Whether and how the round-trip time is predicted."""
    prediction_intervals: int = 3
    """ACK intervals over which receiving rates are measured. Default 3."""
    start_rate: str = "200 Mbit/s"
    """Rate of delay probing, and of a source that does not probe."""
    floor: str = "40 Mbit/s"
    """The least rate, whatever the rate control says."""
    rtt_min: str | None = None
    """The round-trip time of an empty network. Absent: the shortest seen so far."""
    timeout: str = "580 us"
    """Retransmission timeout: a loss is assumed when there was no progress for this long."""
    duplicates: int = 2
    """Number of duplicate ACKs that indicate a loss. Default 2 (EFL section II)."""
    selective: bool = False
    """Selective repeat: only missing packets are retransmitted, and the receiver keeps those out of order.
    Default: go-back-N."""
    ack_every: int = 10
    """Data packets per ACK. Default 10 (EFL section IV.1)."""
    ack_flush: str | None = None
    """The longest that a received packet waits until its ACK is sent. Absent: until `ack_every` packets are
    there, or the group ends."""


@part
class NewReno(Part):
    """Parameters of NewReno."""

    _choice: ClassVar[str | None] = "new-reno"

    initial_window: int = 1
    """Initial window, in segments, at the start of a group (a message, or the endless series of a greedy
    source). Default 1."""
    largest_window: int | None = None
    """The largest window, in segments. Absent: no limit."""
    slow_start: bool = True
    """Slow start: double the window every round trip until the first loss."""
    keep_window: bool = False
    """The window is kept at the end of a group (see `initial_window`); otherwise each group starts with a
    new window."""
    duplicates: int = 3
    """Number of duplicate ACKs that indicate a loss. Default 3 (RFC 5681)."""
    least_timeout: str = "200 ms"
    """The least retransmission timeout once a round trip has been measured; before that it is 1 s (RFC
    6298, section 2.1). Default 200 ms, as in most systems (the RFC asks for 1 s)."""
    ack_every: int = 1
    """Data packets per ACK. Default 1; 2 for delayed ACKs."""
    ack_flush: str = "100 ms"
    """The longest that a received packet waits until its ACK is sent. Default 100 ms; it matters only if
    `ack_every` is above 1."""


@part
class GoBackN(Part):
    """Parameters of go-back-N."""

    _choice: ClassVar[str | None] = "go-back-n"

    timeout: str = "1 ms"
    """Retransmission timeout: a loss is assumed when nothing was acknowledged for this long. Default 1
    ms."""
    selective: bool = False
    """Selective repeat: only missing packets are retransmitted, and the receiver keeps those out of order.
    After a timeout everything from the first missing packet on is."""
    window: int | None = None
    """The most unacknowledged packets. Absent: any number."""
    ack_every: int = 1
    """Data packets per ACK. When the mark changes, the packets that wait are acknowledged first, so that
    all packets of an ACK are marked or none is. Default 1."""
    ack_flush: str | None = None
    """The longest that a received packet waits until its ACK is sent. Absent: no limit; the last packet of
    a message is acknowledged at once."""


@part
class NsccParams(Part):
    """Network signal congestion control (NSCC): parameters of the sender's window, if it is used."""

    target: str | None = None
    """The target queueing delay. Absent: `target_share` of the round trip."""
    target_share: float = 0.75
    """The target queueing delay, as a share of the round trip. Default 0.75, for networks that trim; 1 is
    recommended where they drop."""
    proportional: float = 4.0
    """Proportional increase in segments for each 12 us of slack. Default 4."""
    fair: float = 5.0
    """Fair increase in segments. Default 5."""
    eta: float = 0.15
    """Increase that is added once a round trip, in segments. Default 0.15."""
    fast: float = 0.25
    """Fast increase, in bytes per acknowledged byte. Default 0.25."""
    empty: str = "1 us"
    """Below this queueing delay the path counts as empty. Default 1 us, not scaled."""
    decrease: float = 0.8
    """Gain of a decrease (gamma). Default 0.8."""
    most_decrease: float = 0.5
    """The largest share of the window that one decrease takes away. Default 0.5."""
    delay_gain: float = 0.0125
    """Weight of the newest delay in the average delay. Default 0.0125."""
    adjust_after: int = 8
    """Packets acknowledged after which accumulated increases are added to the window. Default 8."""
    quick_gate: int = 3
    """Quick adapt, first condition: fewer bytes came through than the largest window halved this many
    times. Default 3."""
    quick_delay: float = 4.0
    """Quick adapt, second condition: a trimmed packet, or a delay above this many times the target. Default
    4."""
    initial_window: int | None = None
    """Initial window, in packets. Absent: the largest window."""


@part
class Oversubscribed(Part):
    """Control for oversubscribed fabrics, whose uplinks carry less than the hosts can send. Absent: no
    such control.
    """

    ratio: float = 4.0
    """Oversubscription ratio: what the hosts of a leaf can send over what its uplinks carry. Default 4."""
    gain: float = 0.5
    """Weight of the newest share of marked packets in its average. Default 0.5."""
    calm: float = 0.3
    """Up to this average share of marked packets the granted rate is not reduced for marks. Default 0.3."""
    step: float = 0.01
    """Increase of the granted rate in a period without reduction. Without marks it doubles from period to
    period; with a few marks it stays at this. Default 0.01."""
    period: float = 1.5
    """Length of a period, in round trips. Default 1.5."""


@part
class RcccParams(Part):
    """Receiver credit congestion control (RCCC): parameters of the receiver's credit, if it is used."""

    grant: str = "16 KiB"
    """The most credit that the receiver grants to a source in one turn. Default 16,384 B (64 quanta of 256
    B)."""
    share: float = 0.99
    """Share of the receiver's link rate that is granted. Default 0.99."""
    empty_turn: int = 4
    """Time that a turn without a grant takes, in quanta. Default 4."""
    oversubscribed: Oversubscribed | None = None
    """Control for oversubscribed fabrics, whose uplinks carry less than the hosts can send. Absent: no such
    control."""


@part
class Oblivious(Part):
    """Parameters of oblivious spreading."""

    _choice: ClassVar[str | None] = "oblivious"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64, as the Ultra Ethernet simulator has it."""


@part
class Bitmap(Part):
    """Parameters of spreading by penalties."""

    _choice: ClassVar[str | None] = "bitmap"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64."""
    marked: int = 1
    """What a marked packet adds to the penalty of its path. Default 1."""
    trimmed: int = 4
    """What a trimmed packet adds to the penalty. Default 4."""
    most: int = 15
    """The highest penalty. Default 15."""


@part
class Reps(Part):
    """Parameters of recycled entropies."""

    _choice: ClassVar[str | None] = "reps"

    paths: int = 64
    """Paths (entropy values) to draw from. Default 64."""
    ring: int = 8
    """Entropy values that are remembered. Default 8."""
    freeze: str = "10 ms"
    """Freezing mode: for how long after a timeout only remembered entropy values are used. Default 10 ms; 0
    s: never. It is meant for switches that trim, where a timeout indicates a dead link: without trimming,
    congestion causes timeouts, too."""


@part
class Mixed(Part):
    """Parameters of mixed spreading."""

    _choice: ClassVar[str | None] = "mixed"

    paths: int = 64
    """Paths (entropy values), a power of two. Default 64."""


@part
class Uet(Part):
    """Parameters of the Ultra Ethernet transport."""

    _choice: ClassVar[str | None] = "uet"

    delivery: Literal["unordered", "ordered"] = "unordered"
    """Whether the receiver delivers packets in order, and so whether a message that is complete waits for
    those before it."""
    congestion_control: Literal["nscc", "rccc", "both", "none"] = "nscc"
    """Which side limits the data in flight."""
    nscc: NsccParams | None = None
    """Network signal congestion control (NSCC): parameters of the sender's window, if it is used."""
    rccc: RcccParams | None = None
    """Receiver credit congestion control (RCCC): parameters of the receiver's credit, if it is used."""
    paths: Oblivious | Bitmap | Reps | Mixed | Literal["oblivious", "bitmap", "reps", "mixed"] | None = None
    """Which paths packets take."""
    round_trip: str | None = None
    """Base round-trip time of the idle network (T), to which windows, delays and gains are scaled. Absent:
    that of the flow's own path."""
    most_window: float = 1.5
    """The largest window, and the data that may be sent before the first answer of the receiver, in
    bandwidth-delay products. Default 1.5."""
    ack_after: str = "16 KiB"
    """Unmarked packets are acknowledged when this many bytes have arrived since the last ACK. Default
    16,384 B. A window that is not larger than these and a bandwidth-delay product waits for ACKs: on short
    paths it takes a smaller value to fill the link."""
    timeout: str = "100 us"
    """Retransmission timeout: a packet that was sent this long ago and has not been acknowledged counts as
    lost. Default 100 us: what uet-htsim has (15 us + 6·8 Q/C) for links of C = 100 Gbit/s and output queues
    of Q = 177,000 B. Packets that wait longer without being dropped are repeated in vain: on slower links,
    and where credits or pauses let long queues form, make it longer."""
    control_lane: int | None = None
    """Virtual lane of ACKs, NACKs, credit requests and grants. Absent: that of the data."""


@part
class Irn(Part):
    """Parameters of IRN."""

    _choice: ClassVar[str | None] = "irn"

    window: int | None = None
    """The most unacknowledged packets. Absent: as many as keep the link of the host busy for
    `round_trip`."""
    round_trip: str | None = None
    """Round-trip time for the bandwidth-delay product; the paper takes that of the longest path of the
    network. Absent: that of the flow's own path in the idle network."""
    few: int = 3
    """With fewer packets in flight than this, `timeout_low` is used. Default 3."""
    timeout_low: str = "100 us"
    """Retransmission timeout while few packets are in flight (RTO_low). Default 100 us."""
    timeout_high: str = "320 us"
    """Retransmission timeout while more packets are in flight (RTO_high). Default 320 us."""
