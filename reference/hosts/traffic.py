"""Sources: when messages are made, and where they go.

A source belongs to one host and one traffic entry. It feeds one flow if its packets all go to one destination, or if
they are not acknowledged; otherwise one flow for each destination that it may draw.
"""

from reference.hosts import lists
from reference.hosts.flow import Flow
from reference.hosts.message_flows import MessageFlows
from reference.hosts.posting import Message, packets_of
from reference.hosts.sizes import mean_pieces
from reference.jobs.job import Job
from reference.links.link import SOURCE
from reference.quantities import given, rate, span, time_for
from reference.rng import Rng

DRAWN = ("uniform", "hot-spot", "groups")
"""Patterns that draw a destination for every message."""


def make_sources(fabric) -> list:
    """All sources of all traffic entries; ids count through. An application has none, but ranks."""
    sources = []
    for entry in fabric.setup.entries:
        if entry.program is not None:
            fabric.jobs.append(Job(fabric, entry, sum(len(job.ranks) for job in fabric.jobs)))
            continue
        if entry.arrivals in lists.KINDS:
            for host, messages in lists.by_host(fabric, entry).items():
                sources.append(Source(fabric, len(sources), entry, 0, fabric.hosts[host], messages))
            continue
        for k, host in enumerate(entry.sources):
            for _ in range(entry.queue_pairs if entry.arrivals == "greedy" else 1):
                sources.append(Source(fabric, len(sources), entry, k, fabric.hosts[host]))
    return sources


class Source:
    """One generator of messages."""

    def __init__(self, fabric, number: int, entry, place: int, host, listed: list[lists.Listed] | None = None):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.entry = entry
        self.host = host
        self.arrival_rng = Rng(self.setup.seed, "arrivals", number)
        self.destination_rng = Rng(self.setup.seed, "destinations", number)
        self.size_rng = Rng(self.setup.seed, "sizes", number)
        self.endless = entry.arrivals in ("greedy", "on-off")  # at least during the ON period
        self.on = not self.endless  # its flows may start packets
        self.listed = listed  # its future messages, if they are listed
        self.made = 0
        self.flows: dict[int | None, Flow] = {}
        self.since = None  # when its life began: an endless source has made all of its messages then
        self.pairs: list[Flow] = []  # queue pairs to the one destination
        self.ends_of_flows = MessageFlows(self) if entry.by_message else None
        for destination in [None] if entry.by_message else self.ways():
            for _ in range(1 if self.endless else entry.queue_pairs):
                self.add_flow(destination)
        self.asked = entry.arrivals == "steady" and (len(self.pairs) > 1 or self.has_company())
        if self.asked:
            self.host.polling.sources.append(self)
        start = entry.start + place * entry.stagger
        if entry.jitter:
            start += Rng(self.setup.seed, "jitter", number).below(entry.jitter)
        if entry.arrivals in ("poisson", "gaps"):
            start += self.gap()
        self.start = start
        if not self.over(start):
            self.later(start, self.begin)
        if entry.stop is not None and entry.arrivals in ("greedy", "on-off"):
            self.later(entry.stop, self.turn_off)

    # ---- where to -----------------------------------------------------------------------------------------------

    def has_company(self) -> bool:
        """Whether its host has other steady sources. Then, as with several flows, messages are made on request."""
        steady = [entry for entry in self.setup.entries if entry.arrivals == "steady"]
        return sum(entry.sources.count(self.host.number) for entry in steady) > 1

    def ways(self) -> list[int | None]:
        """The destinations that have a flow of their own; [None]: one flow for all."""
        me, hosts, entry = self.host.number, len(self.fabric.hosts), self.entry
        if entry.pattern == "fixed":
            return [entry.pattern_parameters["to"]]
        if entry.pattern == "shift":
            return [(me + entry.pattern_parameters["by"]) % hosts]
        if entry.pattern == "permutation":
            position = self.setup.entries.index(entry)
            return [permutation(Rng(self.setup.seed, "permutation", position), hosts)[me]]
        isolates = self.setup.flow_queues is not None or self.setup.isolation is not None
        lanes = not entry.own_lane and any(lane is not None for lane in self.setup.destination_lanes)
        own_queues = self.setup.organisation.kind == "voqnet" or isolates or lanes
        acknowledged = entry.window is not None or self.setup.react.kind != "none" or self.setup.transport is not None
        if not (acknowledged or own_queues or entry.pattern == "moving"):
            return [None]
        return list(range(hosts))  # the flow to itself stays unused; it keeps flow ids simple

    def add_flow(self, destination: int | None) -> None:
        """One more flow of this source."""
        names = self.fabric.graph.hosts
        to = "*" if destination is None else names[destination]
        name = f"{names[self.host.number]}->{to}"
        flow = Flow(len(self.fabric.flows), name, self, destination, self.entry, self.setup)
        self.fabric.flows.append(flow)
        self.host.flows.append(flow)
        self.host.turns_begin = len(self.host.flows) - 1  # turns begin after the flows that exist from the start
        self.flows.setdefault(destination, flow)
        self.pairs.append(flow)

    def draw(self) -> int:
        """The destination of the next message."""
        entry, rng, me = self.entry, self.destination_rng, self.host.number
        if self.ends_of_flows is not None and entry.pattern not in DRAWN:
            return self.ways()[0]
        if entry.pattern == "moving":
            return self.hot_host()
        if entry.pattern not in DRAWN:
            (flow,) = self.flows.values()
            return flow.destination
        if entry.pattern == "hot-spot" and rng.unit() < entry.pattern_parameters["fraction"]:
            spots = entry.pattern_parameters["to"]
            spot = spots[rng.below(len(spots))]
            if spot != me:
                return spot
        if entry.pattern == "groups":
            first = me // entry.pattern_parameters["size"] * entry.pattern_parameters["size"]
            other = first + rng.below(entry.pattern_parameters["size"] - 1)
            return other + 1 if other >= me else other
        other = rng.below(len(self.fabric.hosts) - 1)
        return other + 1 if other >= me else other

    def hot_host(self) -> int:
        """The current destination: it changes at every multiple of a period, for all sources together."""
        spots = self.entry.pattern_parameters["to"]
        return spots[self.fabric.now // self.entry.pattern_parameters["every"] % len(spots)]

    # ---- when ---------------------------------------------------------------------------------------------------

    def later(self, time: int, action) -> None:
        """An event of this source."""
        self.fabric.at(time, SOURCE, self.number, self.host, action)

    def over(self, time: int) -> bool:
        """Whether the stop has been reached: nothing is made from then on."""
        return self.entry.stop is not None and time >= self.entry.stop

    def begin(self) -> None:
        """The start of the traffic (for Poisson arrivals: the first message)."""
        kind = self.entry.arrivals
        if kind == "greedy":
            self.turn_on()
        elif kind == "on-off":
            self.toggle_on()
        elif self.listed is not None:
            self.wait_for_listed()
        elif self.asked:
            if self.entry.pattern == "moving":
                self.hot_host_moves()
        else:
            self.arrival()

    def turn_on(self) -> None:
        """From now on there is always a packet to send."""
        self.on = True
        self.since = self.fabric.now if self.since is None else self.since
        self.sent()

    def turn_off(self) -> None:
        """A packet that has not started is not sent; an interrupted message continues when the source is on again."""
        self.on = False

    def toggle_on(self) -> None:
        """An ON period begins; without persistence every flow is reset, and ACKs of its former life are ignored."""
        now = self.fabric.now
        if not self.setup.persistent:
            self.since = now
            for flow in self.flows.values():
                flow.renew()
        self.turn_on()
        end = now + self.arrival_rng.exponential(span(self.entry.arrival_parameters["on"]))
        if not self.over(end):
            self.later(end, self.toggle_off)

    def toggle_off(self) -> None:
        """An OFF period begins."""
        self.turn_off()
        end = self.fabric.now + self.arrival_rng.exponential(span(self.entry.arrival_parameters["off"]))
        if not self.over(end):
            self.later(end, self.toggle_on)

    def arrival(self) -> None:
        """A message is made, and the next one is planned."""
        parameters = self.entry.arrival_parameters
        if self.entry.arrivals in ("poisson", "gaps"):
            self.make(self.size())
            if parameters.get("after") == "done":
                return
            wait = self.gap()
        elif self.entry.arrivals == "steady":
            self.make(self.entry.message)
            wait = self.due() - self.fabric.now
        elif parameters.get("every") is None:
            for _ in range(given(parameters, "count", 1)):
                self.make(self.size())
            return
        else:
            for _ in range(min(given(parameters, "burst", 1), given(parameters, "count", 1) - self.made)):
                self.make(self.size())
            wait = span(parameters["every"])
            if self.made == given(parameters, "count", 1):
                return
        if not self.over(self.fabric.now + wait):
            self.later(self.fabric.now + wait, self.arrival)

    def wait_for_listed(self) -> None:
        """The next message of a list is made at its time."""
        if self.listed and not self.over(due := self.start + self.listed[0].after):
            self.later(due, self.make_listed)

    def make_listed(self) -> None:
        """The time of the next listed message has come."""
        message = self.listed.pop(0)
        self.ends_of_flows.begin(message.to, packets_of(message.size, self.setup))
        self.wait_for_listed()

    def size(self) -> int:
        """The size of the next message."""
        return self.entry.message if self.entry.sizes is None else self.entry.sizes.draw(self.size_rng)

    def done(self) -> None:
        """A message is fully acknowledged: if the gap counts from there, the next message comes after it."""
        if self.entry.arrivals == "gaps" and self.entry.arrival_parameters.get("after") == "done":
            following = self.fabric.now + self.gap()
            if not self.over(following):
                self.later(following, self.arrival)

    def gap(self) -> int:
        """The time between two messages: given, or that of a Poisson source, its wire time divided by the load."""
        if self.entry.arrivals == "gaps":
            return self.arrival_rng.exponential(span(self.entry.arrival_parameters["mean"]))
        if (sizes := self.entry.sizes) is None:
            wire_time = time_for(sum(packets_of(self.entry.message, self.setup)), self.host.wire.own_rate)
        else:
            wire_bytes = mean_pieces(sizes, 1) + mean_pieces(sizes, self.setup.mtu) * self.setup.header
            wire_time = wire_bytes * 8e12 / self.host.wire.own_rate
        return self.arrival_rng.exponential(int(wire_time / self.entry.arrival_parameters["load"] + 0.5))

    def due(self) -> int:
        """When the next message of a steady source is due: after the time of all bytes before it."""
        return self.start + time_for(self.entry.message * self.made, self.steady_rate())

    def steady_rate(self) -> int:
        """Payload bits per second; a load is a share of the wire, headers included."""
        parameters, message = self.entry.arrival_parameters, self.entry.message
        if parameters.get("rate") is not None:
            return rate(parameters["rate"])
        wire_bytes = sum(packets_of(message, self.setup))
        return max(int(self.host.wire.own_rate * parameters["load"] * message / wire_bytes + 0.5), 1)

    def lanes(self) -> set[int]:
        """The lanes in which its next message may travel."""
        if self.entry.pattern == "moving":
            return {self.flows[self.hot_host()].lane}
        return {flow.lane for destination, flow in self.flows.items() if self.reaches(destination)}

    def all_lanes(self) -> set[int]:
        """The lanes in which any of its messages may travel."""
        if self.entry.pattern == "moving":
            return {self.flows[spot].lane for spot in self.entry.pattern_parameters["to"]}
        return self.lanes()

    def reaches(self, destination: int | None) -> bool:
        """It may draw this destination."""
        pattern, parameters, me = self.entry.pattern, self.entry.pattern_parameters, self.host.number
        if pattern not in DRAWN or destination is None:
            return True
        if pattern == "hot-spot" and parameters["fraction"] == 1.0 and me not in parameters["to"]:
            return destination in parameters["to"]
        if pattern == "groups" and destination // parameters["size"] != me // parameters["size"]:
            return False
        return destination != me

    def wants_to_make(self) -> bool:
        """A message is due, and the source is not silent.

        With one destination at a time there is one message at a time; and none while a hot host that moves is the
        source's own. While the throttle of its service level is closed nothing could go, wherever it went.
        """
        now = self.fabric.now
        if now < self.start or self.over(now) or self.due() > now:
            return False
        flow = next(iter(self.flows.values()))
        if flow.shares_its_throttle() and not flow.throttle.allows():
            return False
        if self.entry.pattern != "moving":
            return len(self.pairs) > 1 or not any(flow.has_message() for flow in self.flows.values())
        hot = self.hot_host()
        return hot != self.host.number and not self.flows[hot].has_message()

    def asked_to_make(self) -> Flow:
        """Make a message; tell the host when the next is due. Returns the flow that has the message."""
        flow = self.make(self.entry.message, self.due())
        if self.due() > self.fabric.now and not self.over(self.due()):
            self.later(self.due(), lambda: None)
        return flow

    def hot_host_moves(self) -> None:
        """The hot host changes; the next change is at the next multiple of the period."""
        every = self.entry.pattern_parameters["every"]
        next_move = (self.fabric.now // every + 1) * every
        if not self.over(next_move):
            self.later(next_move, self.hot_host_moves)

    # ---- what ---------------------------------------------------------------------------------------------------

    def make(self, message: int, at: int | None = None) -> Flow | None:
        """A message: its packets join the flow towards its destination, which is returned. None: it is its own.

        It counts as made at `at`, if that was earlier.
        """
        destination = self.draw()
        if self.ends_of_flows is not None:
            self.made += 1
            return self.ends_of_flows.begin(destination, packets_of(message, self.setup))
        flow = self.flows.get(destination) or self.flows[None]
        if self.entry.queue_pairs > 1:
            flow = self.pairs[self.made % len(self.pairs)]
        self.made += 1
        sizes = packets_of(message, self.setup)
        posted = Message(len(sizes))
        flow.queue.extend((destination, size, posted) for size in sizes)
        flow.posting.made(posted, at)
        return flow

    def sent(self) -> None:
        """A greedy source makes a message when all packets of the last one have started, or another can be posted."""
        while self.endless and any(not flow.queue or flow.posting.has_place() for flow in self.flows.values()):
            self.make(self.entry.message)


def permutation(rng: Rng, hosts: int) -> list[int]:
    """A random permutation of the hosts without fixed points (a single cycle, Sattolo's shuffle)."""
    order = list(range(hosts))
    for i in range(hosts - 1, 0, -1):
        j = rng.below(i)
        order[i], order[j] = order[j], order[i]
    return order
