"""The parts that manage congestion, as a scenario names them: marks, their notification, reactions."""

from dataclasses import dataclass

from reference.quantities import choice, given, rate, size, span
from reference.reactions.dcqcn import read_dcqcn, read_red
from reference.reactions.dctcp import Dctcp, read_dctcp
from reference.reactions.pcn import Pcn, read_pcn
from reference.reactions.power_tcp import PowerTcp, read_power_tcp
from reference.reactions.swift import Swift, read_swift
from reference.reactions.telemetry import Hpcc, read_hpcc
from reference.reactions.timely import Timely, read_timely

REACTIONS = {
    "hpcc": (read_hpcc, Hpcc),
    "power-tcp": (read_power_tcp, PowerTcp),
    "dctcp": (read_dctcp, Dctcp),
    "timely": (read_timely, Timely),
    "swift": (read_swift, Swift),
    "pcn": (read_pcn, Pcn),
}
"""Sources that use every ACK and keep a rate or window of their own: how a rule is read, and the class that uses it."""


@dataclass
class Mark:
    """Which packets a switch marks: none, naive, input-, input-output- or output-triggered; others have own types."""

    kind: str = "none"
    trigger: int | None = None  # packets at which a buffer is full; none: as many full ones as it has room for
    feedback: str = "counters"
    exempt_blocked: int | None = None
    output_threshold: int = 8


@dataclass
class Fecn:
    """Marking by the fill of queues, as InfiniBand switches do."""

    enter: list[int] | None  # by lane: bytes above which an output is congested; never if absent
    leave: list[int]  # by lane: bytes at or below which it is no longer congested
    fill: str
    victim_mask: str | list[int]
    packet_size: int
    share: float  # of the packets that leave
    marking_rate: int
    choice: str


@dataclass
class Roots:
    """Marking at the roots that isolation finds."""

    packet_size: int
    share: float  # of the packets that leave
    marking_rate: int
    choice: str


@dataclass
class Ternary:
    """Ternary detection: an output that flow control blocks is not congested."""

    threshold: int  # bytes above which an output that is not blocked is congested
    for_rate: int | None  # of a link of this rate, and in proportion; none: of all
    longest_on: int | None  # not blocked for longer than this: no longer undetermined; none: derived from flow control
    slack: float  # the least share by which arrivals exceed departures, where flow control blocks an output


@dataclass
class React:
    """How a source reacts to marks: none, lipd, fimd, aimd, cct or dcqcn; or one of `REACTIONS`."""

    kind: str = "none"
    floor: float = 256.0
    start: float = 1.0
    discrete: bool = False
    factor: float = 2.0


@dataclass
class Cct:
    """A congestion control table, and how a source moves in it."""

    increase: int
    limit: int
    min: int
    timer: int
    free: bool  # the timer runs freely; otherwise every notification restarts it
    per: str
    table: list[int | tuple[int, int]]  # idle time after a full packet in ps, or (shift, multiplier)


@dataclass
class Cnp:
    """The packet that a host returns for a marked packet."""

    size: int
    lane: int | None
    delay: int  # from the last bit at its source until the source acts on it, ps
    interval: int  # at most one for each flow in this time, ps


def read_scheme(scheme: dict, setup) -> None:
    """The parts of a whole scheme, see `presets`."""
    setup.persistent = scheme["persistent"]
    kind, parameters = choice(scheme["mark"])
    if kind == "fecn":
        setup.fecn = read_fecn(parameters, setup)
    if kind == "root":
        setup.roots = read_roots(parameters)
        setup.only_set_aside = given(parameters, "only_set_aside", False)
    if kind == "tcd":
        setup.ternary = read_ternary(parameters)
    if kind == "red":
        setup.red = read_red(parameters, setup.lanes)
    setup.mark = read_mark(kind, parameters)
    kind, parameters = choice(scheme["react"])
    if kind == "cct":
        setup.cct = read_cct(parameters)
        setup.react = React(kind=kind)
    elif kind in REACTIONS:
        setup.rule = REACTIONS[kind][0](parameters)
        setup.react = React(kind=kind)
        if kind == "hpcc" or getattr(setup.rule, "signal", None) == "telemetry":
            setup.telemetry = setup.rule
    elif kind == "dcqcn":
        setup.dcqcn = read_dcqcn(parameters)
        setup.react = React(kind=kind)
    else:
        known = {key: value for key, value in parameters.items() if value is not None}
        setup.react = React(kind=kind, **known)
        setup.react.start = min(max(setup.react.start, 1.0), setup.react.floor)
    kind, parameters = choice(scheme["notify"])
    if kind == "cnp":
        sent, delay = size(given(parameters, "size", "64 B")), span(given(parameters, "delay", "0 s"))
        interval = span(given(parameters, "interval", "0 s"))
        setup.cnp = Cnp(size=sent, lane=parameters.get("lane"), delay=delay, interval=interval)


def read_mark(kind: str, parameters: dict) -> Mark:
    """Marking by counts of packets."""
    exempt = parameters.get("exempt_blocked")
    return Mark(
        kind=kind,
        trigger=parameters.get("trigger"),
        feedback=parameters.get("feedback") or "counters",
        exempt_blocked=span(exempt) if exempt is not None else None,
        output_threshold=parameters.get("output_threshold") or 8,
    )


def read_fecn(parameters: dict, setup) -> Fecn:
    """A threshold weight w means (16 - w)/16 of the buffer of an input and lane; weight 0 means no threshold."""
    weight = given(parameters, "threshold", 15)
    if parameters.get("enter") is not None:
        enter = [size(parameters["enter"])] * setup.lanes
    else:
        enter = [units * setup.block * (16 - weight) // 16 for units in setup.buffer_units] if weight > 0 else None
    mask, ports = choice(given(parameters, "victim_mask", "hosts"))
    return Fecn(
        enter=enter,
        leave=[max(fill - size(given(parameters, "gap", "2560 B")), 0) for fill in enter or []],
        fill=given(parameters, "fill", "voq"),
        victim_mask=ports[""] if mask == "ports" else mask,
        packet_size=size(given(parameters, "packet_size", "512 B")),
        share=given(parameters, "share", 1.0 / (given(parameters, "marking_rate", 1) + 1)),
        marking_rate=given(parameters, "marking_rate", 1),
        choice=given(parameters, "choice", "random"),
    )


def read_roots(parameters: dict) -> Roots:
    """A share replaces a rate."""
    marking_rate = given(parameters, "marking_rate", 1)
    return Roots(
        packet_size=size(given(parameters, "packet_size", "512 B")),
        share=given(parameters, "share", 1.0 / (marking_rate + 1)),
        marking_rate=marking_rate,
        choice=given(parameters, "choice", "random"),
    )


def read_ternary(parameters: dict) -> Ternary:
    """The same rule for all switches."""
    return Ternary(
        threshold=size(given(parameters, "threshold", "100 kB")),
        for_rate=rate(parameters.get("for_rate")),
        longest_on=None if parameters.get("longest_on") is None else span(parameters["longest_on"]),
        slack=given(parameters, "slack", 0.05),
    )


def read_cct(parameters: dict) -> Cct:
    """The table by formula (rounded to the nearest picosecond, halves up) or listed."""
    limit = given(parameters, "limit", 127)
    kind, table = choice(given(parameters, "table", "quadratic"))
    if kind == "delays":
        entries = [span(delay) for delay in table[""]]
    elif kind == "encoded":
        entries = [tuple(int(part) for part in entry.split(":")) for entry in table[""]]
    else:
        power = 2 if kind == "quadratic" else 1
        delay, whole = span(given(table, "delay", "7 us")), given(table, "at", 106) ** power
        entries = [(2 * delay * i**power + whole) // (2 * whole) for i in range(limit + 1)]
    return Cct(
        increase=given(parameters, "increase", 1),
        limit=limit,
        min=given(parameters, "min", 0),
        timer=span(given(parameters, "timer", "153.6 us")),
        free=given(parameters, "timer_runs", "re-armed") == "free",
        per=given(parameters, "per", "qp"),
        table=entries,
    )
