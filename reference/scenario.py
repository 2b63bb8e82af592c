"""A scenario as the twin understands it: quantities as integers, choices by name, defaults filled in.

Times are picoseconds, sizes bytes, rates bits per second.
"""

from dataclasses import dataclass, field

from reference.hosts import lists
from reference.hosts.lists import read_list
from reference.hosts.sizes import Pareto, Table, read_sizes
from reference.jobs.placement import Node, read_node
from reference.links.checked import Checks, read_checks
from reference.links.credit_messages import Messages, read_messages
from reference.links.destination_lanes import read_destination_lanes
from reference.links.lanes import Schedule, Weights
from reference.links.pauses import Pfc, read_pfc
from reference.parts import Cct, Cnp, Fecn, Mark, React, Roots, Ternary, read_scheme
from reference.presets import whole
from reference.quantities import choice, given, rate, size, span
from reference.reactions.dcqcn import DcqcnRule, Red
from reference.regions.rule import RegionRule, read_regions
from reference.switches.bounded import Trim, read_trim
from reference.switches.flow_queues import FlowRule, read_flow_queues
from reference.switches.isolation import IsolationRule, read_isolation
from reference.switches.memory import Shared, read_shared
from reference.switches.queues import Organisation
from reference.transports.named import read_transport


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
    sizes: Pareto | Table | None  # replaces it
    start: int
    stop: int | None
    stagger: int
    jitter: int
    rate_limit: int | None
    window: int | None
    queue_pairs: int
    service: int
    lane: int
    own_lane: bool  # given for the entry, and not by its service level
    by_message: bool  # every message is a flow of its own
    program: object = None  # an application, as a scenario names it
    job: dict = field(default_factory=dict)  # and how it is run
    listed: list = field(default_factory=list)  # messages one by one, each with the host that sends it


@dataclass(kw_only=True)
class Setup:
    """Everything the twin needs to know, except the connections (these are in `topology`)."""

    raw: dict
    seed: int
    lanes: int
    lane_weights: Weights | None  # none: lanes take turns
    lane_schedule: Schedule | None  # the same
    destination_lanes: list[int | None]  # by host
    pfc: Pfc | None  # replaces credits
    checks: Checks | None  # what links do to frames, if anything
    slots: bool
    block: int
    credit_delay: int | None
    overhead: int  # bytes that every packet adds to its own
    messages: Messages | None  # in which credits return; none: one by one
    control_uses_credits: bool
    buffer_units: list[int] = field(default_factory=list)  # by lane
    shared_memory: Shared | None  # replaces those buffers
    output_buffer: int | None  # bytes that fit at each output and lane; none: outputs have no memory
    organisation: Organisation = field(default_factory=Organisation)
    crossbar: int | None  # bit/s; none: packets cross as fast as the link of their output takes them
    output_packets: int
    read_ports: int | None
    arbiter: str
    bypass_limit: int | None
    iterations: int | None  # of iSLIP; none: until no further match is possible
    slotted: bool
    cut_through: bool
    forwarding_delay: int
    mtu: int
    header: int
    ack: int
    ack_every: int  # packets that one ACK acknowledges
    ack_flush: int  # the longest that a packet waits for its ACK
    ack_lane: int | None  # none: that of the data
    ack_turnaround: int
    message_cost: int
    queue_depth: int | None
    window: int | None
    injection_rate: int | None
    injection_buffer: int | None  # packets between flows and link; none: flows have the link to themselves
    drain_rate: int | None
    receive_units: int | None = None
    mark: Mark = field(default_factory=Mark)
    fecn: Fecn | None = None  # replaces `mark`
    roots: Roots | None = None  # likewise
    only_set_aside: bool = False  # only set-aside packets are marked
    ternary: Ternary | None = None  # likewise
    red: Red | None = None  # likewise
    react: React = field(default_factory=React)
    cct: Cct | None = None  # replaces `react`
    rule: object = None  # the same, of those that have a window or rate of their own, see `parts.REACTIONS`
    telemetry: object = None  # the rule by which outputs write telemetry, if they do
    dcqcn: DcqcnRule | None = None  # the same
    cnp: Cnp | None = None  # replaces marks in ACKs
    persistent: bool = False
    lossy: bool  # no room is promised, and senders are not paused
    output_queue: int | None  # bytes that may wait for an output in a lane, if so
    output_queue_rate: int | None  # of the links to which that applies; none: all
    random_loss: float  # a share of packets that is lost in addition
    trim: Trim | None  # what happens to data beyond that; none: it is dropped
    transport: object  # of all flows, if packets can be lost and are sent again
    flow_queues: FlowRule | None  # queues by flow at outputs, in lane 0
    isolation: IsolationRule | None  # what is set aside, in lane 0
    regions: RegionRule | None  # outputs notify each other of congestion
    duration: int
    warm_up: int
    until_jobs_end: bool
    node: Node | None  # links inside nodes
    entries: list[Entry] = field(default_factory=list)

    def room(self, text: str) -> int:
        """A buffer in credit units: packet slots, or blocks of bytes."""
        if self.slots:
            return int(text.split()[0])
        return size(text) // self.block

    def lane_towards(self, destination: int | None, entry: Entry) -> int:
        """The lane of the packets of an entry for a host."""
        lane = None if destination is None or entry.own_lane else self.destination_lanes[destination]
        return entry.lane if lane is None else lane

    def units_of(self, nbytes: int) -> int:
        """The cost of a packet of this size, in credit units; if senders are paused, one of any number."""
        if self.lossy:
            return 0
        return 1 if self.slots or self.pfc else -(-(nbytes + self.overhead) // self.block)


def read(raw: dict, graph) -> Setup:
    """Read a scenario; whatever it leaves out has the default of the file format."""
    hosts, groups = graph.hosts, graph.groups
    links, switches = raw["links"], raw.get("switches") or {}
    adapters, scheme, measure = raw.get("adapters") or {}, whole(raw.get("scheme") or {}), raw["measure"]
    setup = Setup(
        raw=raw,
        seed=given(raw, "seed", 1),
        duration=span(measure["duration"]),
        warm_up=span(given(measure, "warm_up", "0 ns")),
        until_jobs_end=given(measure, "until_jobs_end", False),
        node=read_node(adapters),
        destination_lanes=read_destination_lanes(links, graph),
        transport=read_transport(scheme),
        flow_queues=read_flow_queues(scheme),
        isolation=read_isolation(scheme),
        regions=read_regions(scheme),
        **of_links(links, hosts),
        **of_switches(switches),
        **of_adapters(adapters),
    )
    setup.organisation = read_organisation(switches, setup)
    if setup.organisation.kind != "voqnet":
        setup.buffer_units = [setup.room(given(switches, "buffer", "64 KiB"))] * setup.lanes
    else:
        setup.buffer_units = [0] * setup.lanes
    for lane, room in enumerate(given(switches, "lane_buffers", [])):
        setup.buffer_units[lane] = setup.room(room)
    if adapters.get("receive_buffer") is not None:
        setup.receive_units = setup.room(adapters["receive_buffer"])
    read_scheme(scheme, setup)
    for k, entry in enumerate(raw.get("traffic") or []):
        setup.entries.append(read_entry(k, entry, setup, hosts, groups))
    return setup


def of_links(links: dict, hosts: list[str]) -> dict:
    """The section `[links]`."""
    flow_control, credit = choice(given(links, "flow_control", "byte-credits"))
    slots, pauses = flow_control == "packet-slots", flow_control == "pfc"
    lanes, arbiter = given(links, "lanes", 1), given(links, "lane_arbiter", "round-robin")
    return {
        "lanes": lanes,
        "lane_weights": read_weights(arbiter),
        "lane_schedule": read_schedule(arbiter, lanes),
        "pfc": read_pfc(credit, lanes, hosts) if pauses else None,
        "lossy": flow_control == "none",
        "checks": read_checks(links),
        "slots": slots,
        "block": 1 if slots or pauses else size(given(credit, "block", "64 B")),
        "credit_delay": None if credit.get("credit_delay") is None else span(credit["credit_delay"]),
        "overhead": size(given(credit, "overhead", "0 B")),
        "messages": read_messages(credit.get("messages")),
        "control_uses_credits": given(credit, "control", "own-room" if slots else "credited") == "credited",
    }


def of_switches(switches: dict) -> dict:
    """The section `[switches]`, without the queues of an input and their memory."""
    arbiter, parameters = choice(given(switches, "arbiter", "round-robin"))
    read_ports = given(switches, "read_ports", "all")
    return {
        "shared_memory": read_shared(switches.get("shared_memory")),
        "output_buffer": None if switches.get("output_buffer") is None else size(switches["output_buffer"]),
        "output_queue": None if switches.get("output_queue") is None else size(switches["output_queue"]),
        "output_queue_rate": rate(switches.get("output_queue_rate")),
        "random_loss": given(switches, "random_loss", 0.0),
        "trim": read_trim(switches),
        "crossbar": rate(switches.get("crossbar")),
        "output_packets": given(switches, "output_packets", 2),
        "read_ports": {"one": 1, "all": None}.get(read_ports, read_ports),
        "arbiter": arbiter,
        "bypass_limit": parameters.get("bypass_limit"),
        "iterations": parameters.get("iterations"),
        "slotted": parameters.get("matching") == "slotted",
        "cut_through": given(switches, "switching", "cut-through") == "cut-through",
        "forwarding_delay": span(given(switches, "forwarding_delay", "100 ns")),
    }


def of_adapters(adapters: dict) -> dict:
    """The section `[adapters]`, without the receive buffer."""
    acks = given(adapters, "acks", {})
    return {
        "mtu": size(given(adapters, "mtu", "2048 B")),
        "header": size(given(adapters, "header", "20 B")),
        "ack": size(given(adapters, "ack", "20 B")),
        "ack_every": given(acks, "every", 1),
        "ack_flush": span(given(acks, "flush", "0 ns")),
        "ack_lane": adapters.get("ack_lane"),
        "ack_turnaround": span(given(adapters, "ack_turnaround", "0 ns")),
        "message_cost": span(given(adapters, "message_cost", "0 ns")),
        "queue_depth": adapters.get("queue_depth"),
        "window": adapters.get("window"),
        "injection_rate": rate(adapters.get("injection_rate")),
        "injection_buffer": adapters.get("injection_buffer"),
        "drain_rate": rate(adapters.get("drain_rate")),
    }


def read_organisation(switches: dict, setup: Setup) -> Organisation:
    """The queues of an input, and the share of its memory that each has."""
    kind, queues = choice(given(switches, "queues", "voq"))
    memory, parameters = choice(given(switches, "memory", "shared"))
    organisation = Organisation(kind=kind, memory=memory)
    organisation.count = given(queues, "queues", {"dbbm": 8, "obqa": 4}.get(kind, 0))
    if kind == "voqnet":
        organisation.buffer_units = setup.room(given(queues, "buffer", "128 KiB"))
    if parameters.get("reserve") is not None:
        organisation.reserve = setup.room(parameters["reserve"])
    if parameters.get("limit") is not None:
        organisation.limit = setup.room(parameters["limit"])
    return organisation


def read_weights(arbiter) -> Weights | None:
    """The tables by which lanes share a link."""
    kind, parameters = choice(arbiter)
    if kind != "weighted":
        return None
    tables = [[(entry["lane"], entry["weight"]) for entry in given(parameters, name, [])] for name in ("high", "low")]
    return Weights(*tables, limit=given(parameters, "limit", 255))


def read_schedule(arbiter, lanes: int) -> Schedule | None:
    """Lanes with priority over others, and quanta."""
    kind, parameters = choice(arbiter)
    if kind == "strict":
        order = parameters.get("order")
        return Schedule(list(range(lanes))[::-1] if order is None else order, [])
    if kind != "drr":
        return None
    return Schedule(
        given(parameters, "first", []), [(share["lane"], size(share["quantum"])) for share in parameters["shares"]]
    )


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
        pattern, parameters = choice(given(entry, "pattern", "program"))
        if pattern == "hot-spot":
            parameters = {"to": named(parameters["to"]), "fraction": parameters["fraction"]}
        elif pattern == "moving":
            parameters = {"to": named(parameters["to"]), "every": span(parameters["every"])}
    arrivals, arrival_parameters = choice(entry.get("arrivals") or "greedy")
    listed = read_list(given(entry, "list", []), hosts)
    if listed:
        arrivals = "listed"
    stop = entry.get("stop")
    service, service_lanes = given(entry, "service", 0), given(setup.raw["links"], "service_lanes", [])
    lane_of_service = service_lanes[service] if service < len(service_lanes) else 0
    return Entry(
        name=entry.get("name") or f"traffic{k}",
        sources=named(given(entry, "from", [])),
        pattern=pattern,
        pattern_parameters=parameters,
        arrivals=arrivals,
        arrival_parameters=arrival_parameters,
        message=setup.mtu if entry.get("message") is None else size(entry["message"]),
        sizes=read_sizes(entry.get("sizes")),
        start=span(entry.get("start") or "0 ns"),
        stop=None if stop is None else span(stop),
        stagger=span(entry.get("stagger") or "0 ns"),
        jitter=span(entry.get("jitter") or "0 ns"),
        rate_limit=rate(entry.get("rate")),
        window=setup.window if entry.get("window") is None else entry["window"],
        queue_pairs=given(entry, "queue_pairs", 1),
        service=service,
        lane=given(entry, "lane", lane_of_service),
        own_lane=entry.get("lane") is not None,
        by_message=given(entry, "flows", "by-pair") == "by-message" or arrivals in lists.KINDS,
        program=entry.get("program"),
        job=given(entry, "job", {}),
        listed=listed,
    )
