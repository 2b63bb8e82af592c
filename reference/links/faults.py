"""Links that go down, come up or get slower during the run, and routes that are adapted.

When a link goes down, packets on its wires are lost unless the far end has begun to forward them (a host: unless they
have arrived completely); their room is given back when they would have arrived. Messages between neighbours still
arrive. Packets that wait for the link keep waiting, until it has been down for the head of queue lifetime: then
switches drop them, and those that come after them. When the link comes up its wires are empty, but a sender first ends
the packet that it was sending when the link went down, lost or not.

Routes follow in one of two ways, or not at all. `local`: a switch that chooses among several paths leaves out those
over links of its own that are down, unless all are. `subnet-manager`: some time after a change, all switches get
tables of shortest paths over the links that were left after it, or those of the scenario if none between switches is
down; packets to hosts that cannot be reached keep their old routes. The adapters of a clos with planes are no way round
for packets of other hosts.
"""

from reference.links.link import FAULT
from reference.network import topology
from reference.quantities import choice, given, rate, span
from reference.rng import Rng

OPENSM = 4_096_000 << 18  # ps: OpenSM's head of queue lifetime, code 18
UP, DOWN, DISCARD, SLOW, TABLES = range(5)  # what happens in one instant, in this order


class Faults:
    """All failures of a network."""

    def __init__(self, raw: dict, fabric):
        rules = raw["links"].get("faults") or {}
        self.fabric, self.graph = fabric, fabric.graph
        self.lifetime = span(given(rules, "head_of_queue_lifetime", f"{OPENSM} ps"))
        name, manager = choice(given(rules, "reroute", "none"))
        self.local = name == "local"
        self.any = bool(rules)
        self.own_routes = fabric.routes
        self.down: set[int] = set()  # numbers of links
        self.lost = 0
        self.discarded = 0
        # One that ends comes before another of the same link that begins in that instant.
        for entry, failure in sorted(enumerate(rules.get("failures") or []), key=lambda pair: span(pair[1]["at"])):
            for link in self.links_of(failure, entry, raw):
                self.fails(link, failure)
        if name == "subnet-manager":
            self.expect_tables(rules["failures"], raw, span(manager["delay"]))

    def links_of(self, failure: dict, entry: int, raw: dict) -> list[int]:
        """The numbers of the links of a failure."""
        if failure.get("link") is not None:
            a, b = failure["link"]
            kind = "host" if a in self.graph.hosts else "switch"
            names = self.graph.hosts if kind == "host" else self.graph.switches
            ports = self.graph.ports((kind, names.index(a)))
            between = [link for neighbour, link in ports if self.graph.name(neighbour) == b]
            one = failure.get("number")
            return sorted(between) if one is None else [between[one - 1]]
        links = self.between_switches()
        least = 1 if failure["share"] > 0 else 0
        count = min(max(least, int(failure["share"] * len(links) + 0.5)), len(links))
        rng = Rng(failure.get("seed", given(raw, "seed", 1)), "faults", entry)
        for place in range(count):
            other = place + rng.below(len(links) - place)
            links[place], links[other] = links[other], links[place]
        return sorted(links[:count])

    def between_switches(self) -> list[int]:
        """The numbers of the links between switches."""
        return [n for n, link in enumerate(self.graph.links) if link.a[0] == link.b[0] == "switch"]

    def at(self, time: int, what: int, node, action, *arguments) -> None:
        """Something happens before everything else at its time."""
        self.fabric.at(time, FAULT, what, node, action, *arguments)

    def fails(self, link: int, failure: dict) -> None:
        """Apply a failure to a link, in both directions."""
        begin = span(failure["at"])
        end = None if failure.get("until") is None else span(failure["until"])
        down = failure.get("rate") is None and failure.get("keeps") is None
        for wire in self.fabric.wires[2 * link : 2 * link + 2]:
            if not down:
                slow = rate(failure["rate"]) if failure.get("rate") else int(wire.rate * failure["keeps"] + 0.5)
                wire.slow.append((slow, end is not None))
                self.at(begin, SLOW, wire.sender, self.change, wire, slow)
                if end is not None:
                    self.at(end, SLOW, wire.sender, self.change, wire, wire.rate)
                continue
            self.at(begin, DOWN, wire.sender, self.goes_down, wire, link)
            late = begin + self.lifetime
            if wire.sender in self.fabric.switches and (end is None or late < end):
                self.at(late, DISCARD, wire.sender, self.discard, wire)
            if end is not None:
                self.at(end, UP, wire.sender, self.comes_up, wire, link)

    def change(self, wire, new: int) -> None:
        """Packets that start from now on use another rate, and so do the times of the link's retry."""
        ends = [end.checked for end in (wire, wire.back) if end.checked is not None]
        before = [end.timeout() for end in ends]
        wire.rate = new
        for end, timeout in zip(ends, before, strict=True):
            end.waits_longer(timeout)

    def goes_down(self, wire, link: int) -> None:
        """No packet starts on the wire any more, and packets on it are lost."""
        self.down.add(link)
        wire.note_blocked(False)
        wire.down = True
        self.lost += wire.lose_all()

    def discard(self, wire) -> None:
        """Packets that wait for the wire are dropped from now on."""
        wire.discards = True

    def comes_up(self, wire, link: int) -> None:
        """The wire carries packets again."""
        self.down.discard(link)
        wire.down = wire.discards = False
        if wire.teller is not None:
            wire.teller.report_consumed(self.fabric.setup.forwarding_delay)
        if wire.watchdog is not None:
            wire.watchdog.link_is_up()

    def left(self, switch, ports: list[int]) -> list[int]:
        """The ports of a switch from which it may choose."""
        up = [port for port in ports if not switch.outputs[port].wire.down]
        return up if self.local and up else ports

    # ---- the subnet manager ----------------------------------------------------------------------------------------

    def expect_tables(self, failures: list[dict], raw: dict, delay: int) -> None:
        """Expect tables for the links as they are after every change."""
        changes = set()
        for failure in failures:
            if failure.get("rate") is None and failure.get("keeps") is None:
                changes |= {span(failure[key]) for key in ("at", "until") if failure.get(key) is not None}
        for change in sorted(changes):
            gone = set()
            for entry, failure in enumerate(failures):
                until = failure.get("until")
                lasts = span(failure["at"]) <= change and (until is None or span(until) > change)
                if lasts and failure.get("rate") is None and failure.get("keeps") is None:
                    gone |= set(self.links_of(failure, entry, raw))
            gone &= set(self.between_switches())
            if change + delay < self.fabric.setup.duration:
                self.at(change + delay, TABLES, self.fabric.switches[0], self.put_in, frozenset(gone))

    def put_in(self, gone: frozenset) -> None:
        """All switches have new tables."""
        self.fabric.ways.without(gone)
        self.fabric.detours.without(gone)
        if not gone:
            self.fabric.routes = self.own_routes
            return
        found = topology.shortest_paths(self.graph, gone)
        rows = zip(found, self.own_routes, strict=True)
        self.fabric.routes = [
            [old if new is None else new for new, old in zip(row, own, strict=True)] for row, own in rows
        ]
