"""A scenario as the twin understands it: quantities as integers, choices by name, defaults filled in.

Times are picoseconds, sizes bytes, rates bits per second.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction

SPANS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12, "min": 60 * 10**12}
SIZES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
RATES = {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9, "Tbit/s": 10**12}
RATES |= {f"{unit}/s": 8 * bytes_ for unit, bytes_ in SIZES.items()}


def quantity(text: str, units: dict[str, int]) -> int:
    """`"1.5 us"` as a whole number of the smallest unit, exactly."""
    number, unit = re.fullmatch(r"\s*([0-9][0-9_.eE+-]*)\s*(\S+)\s*", text).groups()
    value = Fraction(number.replace("_", "")) * units[unit]
    if value.denominator != 1:
        raise ValueError(f"{text!r} is finer than the smallest unit")
    return value.numerator


def span(text: str) -> int:
    """A length of time in picoseconds."""
    return quantity(text, SPANS)


def size(text: str) -> int:
    """A size in bytes."""
    return quantity(text, SIZES)


def rate(text: str | None) -> int | None:
    """A rate in bits per second; nothing stays nothing."""
    return None if text is None else quantity(text, RATES)


def time_for(nbytes: int, bits_per_second: int) -> int:
    """Picoseconds that so many bytes take at this rate, rounded up: a tail never leaves before its last bit."""
    return -(-nbytes * 8 * 10**12 // bits_per_second)


def choice(value) -> tuple[str, dict]:
    """A choice is a bare name, or a table whose only key is the name: `(name, parameters)`."""
    if isinstance(value, str):
        return value, {}
    ((name, parameters),) = value.items()
    return name, parameters if isinstance(parameters, dict) else {"": parameters}


@dataclass
class Mark:
    """Which packets a switch marks: none, naive, input-, input-output- or output-triggered."""

    kind: str = "none"
    trigger: int = 0
    feedback: str = "counters"
    exempt_blocked: int | None = None
    output_threshold: int = 8


@dataclass
class React:
    """How a source answers to marks: none, lipd, fimd or aimd."""

    kind: str = "none"
    floor: float = 256.0
    start: float = 1.0
    discrete: bool = False
    factor: float = 2.0


@dataclass
class Entry:
    """One entry of `[[traffic]]`."""

    name: str
    sources: list[int]
    pattern: str
    pattern_parameters: dict
    arrivals: str
    arrival_parameters: dict
    message: int
    start: int
    stop: int | None
    stagger: int
    jitter: int
    rate_limit: int | None
    window: int | None
    lane: int


@dataclass
class Setup:
    """Everything the twin needs to know, except who is connected to whom (that is `topology`)."""

    raw: dict
    seed: int
    lanes: int
    slots: bool
    block: int
    credit_delay: int
    control_uses_credits: bool
    buffer_units: int
    queues: str
    read_ports: int | None
    arbiter: str
    bypass_limit: int | None
    cut_through: bool
    forwarding_delay: int
    mtu: int
    header: int
    ack: int
    window: int | None
    injection_rate: int | None
    drain_rate: int | None
    receive_units: int | None
    mark: Mark
    react: React
    persistent: bool
    duration: int
    warm_up: int
    entries: list[Entry] = field(default_factory=list)

    def room(self, text: str) -> int:
        """A buffer in credit units: packet slots, or blocks of bytes."""
        if self.slots:
            return int(text.split()[0])
        return size(text) // self.block

    def units_of(self, nbytes: int) -> int:
        """What a packet of this size costs, in credit units."""
        return 1 if self.slots else -(-nbytes // self.block)


def read(raw: dict, hosts: list[str], groups: dict[str, list[int]]) -> Setup:
    """Read a scenario; whatever it leaves out has the default of the file format."""
    links, switches = raw["links"], raw.get("switches") or {}
    adapters, measure = raw.get("adapters") or {}, raw["measure"]

    def given(table: dict, key: str, default):
        value = table.get(key)
        return default if value is None else value

    flow_control, credit = choice(given(links, "flow_control", "byte-credits"))
    slots = flow_control == "packet-slots"
    arbiter, arbiter_parameters = choice(given(switches, "arbiter", "round-robin"))
    read_ports = given(switches, "read_ports", "all")
    setup = Setup(
        raw=raw,
        seed=given(raw, "seed", 1),
        lanes=given(links, "lanes", 1),
        slots=slots,
        block=1 if slots else size(given(credit, "block", "64 B")),
        credit_delay=span(given(credit, "credit_delay", "0 ns")),
        control_uses_credits=given(credit, "control", "own-room" if slots else "credited") == "credited",
        buffer_units=0,
        queues=given(switches, "queues", "voq"),
        read_ports={"one": 1, "all": None}.get(read_ports, read_ports),
        arbiter=arbiter,
        bypass_limit=arbiter_parameters.get("bypass_limit"),
        cut_through=given(switches, "switching", "cut-through") == "cut-through",
        forwarding_delay=span(given(switches, "forwarding_delay", "100 ns")),
        mtu=size(given(adapters, "mtu", "2048 B")),
        header=size(given(adapters, "header", "20 B")),
        ack=size(given(adapters, "ack", "20 B")),
        window=adapters.get("window"),
        injection_rate=rate(adapters.get("injection_rate")),
        drain_rate=rate(adapters.get("drain_rate")),
        receive_units=None,
        mark=Mark(),
        react=React(),
        persistent=False,
        duration=span(measure["duration"]),
        warm_up=span(given(measure, "warm_up", "0 ns")),
    )
    setup.buffer_units = setup.room(given(switches, "buffer", "64 KiB"))
    if adapters.get("receive_buffer") is not None:
        setup.receive_units = setup.room(adapters["receive_buffer"])
    read_scheme(raw.get("scheme") or {}, setup)
    for k, entry in enumerate(raw.get("traffic") or []):
        setup.entries.append(read_entry(k, entry, setup, hosts, groups))
    return setup


def read_scheme(scheme: dict, setup: Setup) -> None:
    """A preset names the marking and brings LIPD with it; both can be given apart."""
    preset = scheme.get("preset") or "none"
    setup.persistent = bool(scheme.get("persistent"))
    kind, parameters = choice(scheme.get("mark") or preset)
    full = setup.buffer_units // setup.units_of(setup.mtu + setup.header)
    exempt = parameters.get("exempt_blocked")
    setup.mark = Mark(
        kind=kind,
        trigger=parameters.get("trigger") or full,
        feedback=parameters.get("feedback") or "counters",
        exempt_blocked=span(exempt) if exempt is not None else None,
        output_threshold=parameters.get("output_threshold") or 8,
    )
    kind, parameters = choice(scheme.get("react") or ("none" if preset == "none" else "lipd"))
    known = {key: value for key, value in parameters.items() if value is not None}
    setup.react = React(kind=kind, **known)
    setup.react.start = min(max(setup.react.start, 1.0), setup.react.floor)


def read_entry(k: int, entry: dict, setup: Setup, hosts: list[str], groups: dict[str, list[int]]) -> Entry:
    """One traffic entry, with host names turned into ids."""

    def named(what) -> list[int]:
        if isinstance(what, list):
            return [host for item in what for host in named(item)]
        if what in hosts:
            return [hosts.index(what)]
        return list(range(len(hosts))) if what == "all" else groups[what]

    if entry.get("to") is not None:
        pattern, parameters = "fixed", {"to": named(entry["to"])[0]}
    else:
        pattern, parameters = choice(entry["pattern"])
        if pattern == "hot-spot":
            parameters = {"to": named(parameters["to"]), "fraction": parameters["fraction"]}
    arrivals, arrival_parameters = choice(entry.get("arrivals") or "greedy")
    stop = entry.get("stop")
    return Entry(
        name=entry.get("name") or f"traffic{k}",
        sources=named(entry["from"]),
        pattern=pattern,
        pattern_parameters=parameters,
        arrivals=arrivals,
        arrival_parameters=arrival_parameters,
        message=setup.mtu if entry.get("message") is None else size(entry["message"]),
        start=span(entry.get("start") or "0 ns"),
        stop=None if stop is None else span(stop),
        stagger=span(entry.get("stagger") or "0 ns"),
        jitter=span(entry.get("jitter") or "0 ns"),
        rate_limit=rate(entry.get("rate")),
        window=setup.window if entry.get("window") is None else entry["window"],
        lane=entry.get("lane") or 0,
    )
