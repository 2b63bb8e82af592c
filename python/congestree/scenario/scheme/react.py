"""`scheme.react` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Lipd(Part):
    """Parameters of LIPD."""

    _choice: ClassVar[str | None] = "lipd"

    floor: float = 256.0
    """How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate."""
    discrete: bool = False
    """Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of
    whole packets)."""


@part
class Fimd(Part):
    """Parameters of FIMD."""

    _choice: ClassVar[str | None] = "fimd"

    floor: float = 256.0
    """How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate."""
    discrete: bool = False
    """Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of
    whole packets)."""
    factor: float = 2.0
    """A mark divides the rate by this (m). Default 2."""


@part
class Aimd(Part):
    """Parameters of AIMD."""

    _choice: ClassVar[str | None] = "aimd"

    floor: float = 256.0
    """How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section
    6)."""
    start: float = 1.0
    """Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate."""
    discrete: bool = False
    """Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of
    whole packets)."""
    factor: float = 2.0
    """A mark divides the rate by this (m). Default 2."""


@part
class Quadratic(Part):
    """A table by formula."""

    _choice: ClassVar[str | None] = "quadratic"

    delay: str = "7 us"
    """Idle time after a full packet at index `at`. Default 7 us."""
    at: int = 106
    """The index with that idle time. Default 106 (Gran, Paper III, section VII.B)."""


@part
class Linear(Part):
    """A table by formula."""

    _choice: ClassVar[str | None] = "linear"

    delay: str = "7 us"
    """Idle time after a full packet at index `at`. Default 7 us."""
    at: int = 106
    """The index with that idle time. Default 106 (Gran, Paper III, section VII.B)."""


@part
class Cct(Part):
    """Parameters of the congestion control table."""

    _choice: ClassVar[str | None] = "cct"

    increase: int = 1
    """The amount that a BECN adds to the index (CCTI_Increase), 0 to 255. Default 1."""
    limit: int = 127
    """The highest index (CCTI_Limit). Default 127."""
    min: int = 0
    """The lowest index (CCTI_Min), also the initial one. Default 0."""
    timer: str = "153.6 us"
    """Period of the timer (CCTI_Timer; the register counts 1.024 us). Default 153.6 us, 150 in the
    register."""
    timer_runs: Literal["re-armed", "free"] = "re-armed"
    """Whether a BECN restarts the timer."""
    per: Literal["qp", "sl"] = "qp"
    """Which flows share an index: those of a queue pair or of a service level."""
    table: Quadratic | Linear | Literal["quadratic", "linear", "delays", "encoded"] | None = None
    """The table: idle time after a full packet, by index. After a smaller packet it is shorter in
    proportion to the packet."""


@part
class Dcqcn(Part):
    """Parameters of DCQCN, each with its name in the settings of an mlx5 adapter, where it has one."""

    _choice: ClassVar[str | None] = "dcqcn"

    gain: float = 0.00390625
    """Weight of new feedback in alpha (g; 1 - dce_tcp_g/1024). Default 1/256."""
    initial_alpha: float = 1.0
    """Alpha of a source before any feedback (initial_alpha_value/1024). Default 1."""
    alpha_period: str = "55 us"
    """Alpha decays after this time without a CNP (dce_tcp_rtt). Default 55 us: longer than the time between
    two CNPs, so that alpha goes to 1 while every packet is marked. If it is shorter, alpha decays between
    two CNPs: to about 1/2 if one period fits between them, to about 1/4 with the vendor settings (1 us, and
    a CNP every 4 us)."""
    alpha_grows: Literal["at-notifications", "periodically"] = "at-notifications"
    """When alpha grows."""
    cut_period: str = "50 us"
    """At most one rate cut in this time (rate_reduce_monitor_period). Default 50 us."""
    least_share: float = 0.5
    """A rate cut leaves at least this share of the rate (rpg_min_dec_fac). Default 0.5."""
    clamp_target: Literal["always", "after-increase"] = "always"
    """When a rate cut also sets the target rate, to the rate before the cut (clamp_tgt_rate,
    clamp_tgt_rate_after_time_inc)."""
    first_rate: str | None = None
    """The rate after the first CNP (rate_to_set_on_first_cnp). Absent: the first CNP cuts the rate like any
    other."""
    increase_timer: str = "55 us"
    """Increase timer: the rate rises after every such time without a cut (rpg_time_reset). Default 55
    us."""
    byte_counter: str = "10 MB"
    """Byte counter: the rate rises after this many bytes on the wire without a cut (rpg_byte_reset).
    Default 10 MB. "0 B": never."""
    stages: int = 5
    """Increase events (of the timer or of the byte counter) that are fast recovery (rpg_threshold). Default
    5."""
    additive: str = "5 Mbit/s"
    """What additive increase adds to the target rate (rpg_ai_rate). Default 5 Mbit/s."""
    hyper: str = "50 Mbit/s"
    """What hyper increase adds to the target rate (rpg_hai_rate). Default 50 Mbit/s."""
    for_rate: str | None = None
    """`additive` and `hyper` are for a link of this rate, and scale in proportion to other rates. Absent:
    the same for all rates."""
    min_rate: str = "100 Mbit/s"
    """The least rate (rpg_min_rate). Default 100 Mbit/s."""
    max_rate: str | None = None
    """The highest rate (rpg_max_rate). Absent: that of the link."""
    window: Literal["none", "bdp", "bdp-at-rate"] = "none"
    """Whether a window limits the unacknowledged data, too."""
    round_trip: str | None = None
    """The base round-trip time for the window (GLOBAL_T in HPCC's simulator). Absent: that of the flow's
    own path."""


@part
class Dctcp(Part):
    """Parameters of DCTCP."""

    _choice: ClassVar[str | None] = "dctcp"

    gain: float = 0.0625
    """Weight of the newest round trip in alpha (g). Default 1/16 (RFC 8257, section 4.2)."""
    initial_alpha: float = 1.0
    """Alpha of a source before any feedback. Default 1 (RFC 8257, section 3.3)."""
    initial_window: int = 10
    """Initial window, in packets. Default 10 (RFC 6928)."""
    least_window: int = 2
    """The least window, in packets. Default 2, as Linux has it."""
    largest_window: int = 10000
    """The largest window, in packets. Default 10,000."""
    slow_start: bool = True
    """Slow start: double the window every round trip until the first mark."""


@part
class Timely(Part):
    """Parameters of TIMELY."""

    _choice: ClassVar[str | None] = "timely"

    ewma: float = 0.875
    """Weight of the newest difference of round-trip times in their average (alpha). Default 0.875."""
    decrease: float = 0.8
    """Gain of a rate decrease (beta). Default 0.8."""
    additive: str = "10 Mbit/s"
    """What an additive increase adds to the rate (delta). Default 10 Mbit/s."""
    low: str = "50 us"
    """Below this round-trip time the rate always rises (T_low). Default 50 us."""
    high: str = "500 us"
    """Above this round-trip time the rate always falls (T_high). Default 500 us."""
    least_round_trip: str = "20 us"
    """The round-trip time by which differences are divided to give the gradient (minRTT). Default 20 us."""
    hyper_times: int = 5
    """A hyperactive increase adds this many times `additive` (N). Default 5."""
    hyper_after: int = 5
    """Number of successive gradients at or below zero after which increases are hyperactive. Default 5."""
    segment: str = "16 KiB"
    """Wire bytes that are acknowledged between two changes of the rate; every packet counts as a full one.
    Default 16 KiB."""
    min_rate: str = "100 Mbit/s"
    """The least rate. Default 100 Mbit/s."""
    model: Literal["paper", "hpcc"] = "paper"
    """Which version of the algorithm: that of the paper or of HPCC's simulator."""
    window: Literal["none", "bdp", "bdp-at-rate"] = "none"
    """Whether a window limits the unacknowledged data, too."""
    round_trip: str | None = None
    """The base round-trip time for the window (GLOBAL_T in HPCC's simulator). Absent: that of the flow's
    own path."""


@part
class PintParams(Part):
    """Telemetry is one byte per packet, not a record for each switch (HPCC-PINT). Absent: records."""

    log_base: float = 1.05
    """Base of the logarithmic code (PINT_LOG_BASE). A byte encodes utilisations up to its 255th power
    divided by 512, which must be at least twice `u_target`. Default 1.05, as HPCC's simulator ships."""
    pint_prob: float = 1.0
    """Share of the ACKs whose telemetry is used (PINT_PROB). Default 1."""


@part
class Hpcc(Part):
    """Parameters of HPCC."""

    _choice: ClassVar[str | None] = "hpcc"

    u_target: float = 0.95
    """The utilisation that sources aim at (U_TARGET; eta). Default 0.95 (HPCC, section 5.1)."""
    mi_thresh: int = 5
    """Successive additive increases after which the window follows the measured utilisation again, even if
    it is below the target (MI_THRESH; maxStage). Default 5 (HPCC, section 5.1); with 0 it always does, as
    in the settings that its simulator ships."""
    rate_ai: str = "50 Mbit/s"
    """Additive increase of the rate in every computation (RATE_AI; W_AI/T). Default 50 Mbit/s, as its
    simulator ships."""
    min_rate: str = "100 Mbit/s"
    """The least rate (MIN_RATE). Default 100 Mbit/s, as its simulator ships."""
    round_trip: str | None = None
    """The base round-trip time T for windows and averages (GLOBAL_T). Absent: that of the flow's own
    path."""
    fast_react: bool = True
    """Every ACK changes the rate, not only one per round trip (FAST_REACT)."""
    var_win: bool = True
    """The window follows the rate (VAR_WIN). Otherwise it is always the bandwidth-delay product."""
    rate_bound: bool = True
    """Packets are paced at the rate (RATE_BOUND). Otherwise only the window limits a source."""
    multi_rate: bool = False
    """Each hop has its own reference rate, and the lowest rate counts (MULTI_RATE)."""
    sample_feedback: bool = False
    """Hops with an empty queue are evaluated only once a round trip (SAMPLE_FEEDBACK)."""
    pint: PintParams | None = None
    """Telemetry is one byte per packet, not a record for each switch (HPCC-PINT). Absent: records."""


@part
class PowerTcp(Part):
    """Parameters of PowerTCP."""

    _choice: ClassVar[str | None] = "power-tcp"

    signal: Literal["telemetry", "delay"] = "telemetry"
    """The signal from which power is computed."""
    gain: float = 0.9
    """Weight of the newest rate (gamma). Default 0.9 (PowerTCP, section 3.3); its simulator has 0.7 without
    telemetry."""
    additive: str = "150 Mbit/s"
    """Additive increase of the rate (beta over the round trip). Default 150 Mbit/s, as its simulator has
    it."""
    target: float = 0.95
    """The power that sources aim at, with telemetry (eta). Default 0.95, as its simulator has it."""
    slack: float = 1.05
    """Without telemetry, round-trip times are divided by this. Default 1.05, as its simulator has it."""
    gradient: bool = False
    """The current includes the growth of the queue, not only the transmission rate of the output."""
    min_rate: str = "100 Mbit/s"
    """The least rate. Default 100 Mbit/s, as its simulator has it."""
    round_trip: str | None = None
    """The base round-trip time T. Absent: that of the flow's own path. With `signal = "delay"` power is
    measured by the shortest round trip seen, and T only gives the initial rate."""


@part
class Swift(Part):
    """Parameters of Swift. Its paper gives no values; these are those with which the authors of Bolt
    (NSDI 2023) ran it.
    """

    _choice: ClassVar[str | None] = "swift"

    base_target: str = "25 us"
    """The target delay for a large window and no hops. Default 25 us."""
    hop_scale: str = "1 us"
    """What each switch on the path adds to the target. Default 1 us."""
    fs_range: str = "100 us"
    """The most that a small window adds to the target. Default 100 us."""
    fs_min: float = 0.1
    """Windows up to this size, in packets, add all of `fs_range`. Default 0.1."""
    fs_max: float = 256.0
    """Windows from this size on, in packets, add nothing. Default 256."""
    ai: float = 1.0
    """Additive increase of the window per round trip below the target, in packets. Default 1."""
    beta: float = 0.8
    """Gain of a decrease: how strongly the window reacts to a delay above the target. Default 0.8."""
    max_mdf: float = 0.5
    """The largest share of the window that one decrease takes away. Default 0.5."""
    min_window: float = 0.01
    """The least window, in packets. Default 0.01."""
    max_window: float = 256.0
    """The largest window, in packets. Default 256."""
    initial_window: float | None = None
    """Initial window, in packets. Absent: what the link carries in a round trip through the idle
    network."""
    retx_reset: int = 5
    """Successive timeouts after which the window falls to the least (RETX_RESET_THRESHOLD). Default 5, as
    in htsim's model."""


@part
class Pcn(Part):
    """Parameters of PCN."""

    _choice: ClassVar[str | None] = "pcn"

    period: str = "50 us"
    """Time between two changes of the rate (T). Default 50 us."""
    share: float = 0.95
    """A flow is congested if more than this share of its packets was marked in a period. Default 0.95."""
    least_weight: float = 0.0078125
    """Weight of the line rate in the first increase after a decrease, and the share by which a decrease
    goes below the arrival rate (w_min). Default 1/128."""
    most_weight: float = 0.5
    """Weight of the line rate to which it grows with further increases (w_max). Default 0.5."""
    min_rate: str = "10 Mbit/s"
    """The least rate. Default 10 Mbit/s."""
