"""What failures of links have cost is what the twin shows: the table `faults`, its rows of the `summary`, and the
column `stopped` of the table `flows`.

By hand: `PYTHONPATH=. python tests/twin/test_twin_failures.py 0 500`.
"""

import json
import math
import random
import sys
from collections import Counter

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_efl import random_efl
from random_faults import random_failures, random_faults, random_reroute
from random_finite import random_finite
from random_go_back import random_go_back
from random_irn import random_irn
from random_nscc import random_nscc
from random_rccc import random_rccc
from random_reno import random_reno
from reaching import around
from reference import Fabric
from reference.hosts.host import Host
from reference.hosts.message_flows import MessageFlows
from reference.links.faults import Faults
from reference.links.link import Wire
from reference.links.pauses import Memory
from reference.network import topology
from reference.quantities import span
from reference.switches.bounded import OutputQueue
from reference.switches.switch import Switch

REPAIRING = [random_efl, random_go_back, random_irn, random_nscc, random_rccc, random_reno]


class Watched:
    """What failures do, while a fabric runs; flows are those of the table `flows`, by number."""

    def __init__(self, scenario: dict, monkeypatch):
        self.inside = Counter()  # by flow: its data packets in the network
        self.went_down = math.inf  # when a link last went down
        self.since = set()  # the flows of which a packet that left its host after that has come in
        self.last = {}  # by flow: when its last packet came in, if that was after it
        self.dropping = None  # the wire for which packets waited
        self.messages = []  # flows that carry one message each
        for owner, name in (
            (Host, "start"),
            (Host, "take_in"),
            (Host, "count"),
            (Memory, "lose"),
            (Wire, "lose"),
            (OutputQueue, "admit"),
            (Switch, "arrive"),
            (Switch, "drop_waiting"),
            (Switch, "take_out"),
            (Host, "deliver"),
            (Faults, "goes_down"),
            (Faults, "change"),
            (MessageFlows, "begin"),
        ):
            around(monkeypatch, owner, name, getattr(self, f"on_{name}" + ("_wire" if owner is Wire else "")))
        self.fabric = Fabric(scenario)
        self.failures = self.listed(scenario)
        self.cost = [Counter() for _ in self.failures]
        self.fabric.run()

    def listed(self, scenario: dict) -> list[tuple]:
        """(link, begin, end) of every failure, in the order in which they begin."""
        found = []
        for entry, failure in enumerate(scenario["links"]["faults"]["failures"]):
            until = span(failure["until"]) if failure.get("until") else float("inf")
            links = self.fabric.faults.links_of(failure, entry, scenario)
            found += [(link, span(failure["at"]), until) for link in links]
        return sorted(found, key=lambda failure: failure[1])

    def failing(self, wire) -> Counter:
        """The cost of the present failure of a wire; it is of no interest if there is none."""
        link = self.fabric.wires.index(wire) // 2
        lasts = [of == link and begin <= self.fabric.now < end for of, begin, end in self.failures]
        return self.cost[lasts.index(True)] if any(lasts) else Counter()

    # ---- packets ---------------------------------------------------------------------------------------------------

    def gone(self, packet) -> None:
        """A packet has left the network."""
        if packet.is_data:
            self.inside[packet.flow.number] -= 1

    def on_start(self, inner, host, packet, flow) -> None:
        self.inside[flow.number] += 1
        inner(host, packet, flow)

    def on_take_in(self, inner, host, packet) -> None:
        self.gone(packet)
        inner(host, packet)

    def on_count(self, inner, host, packet) -> None:
        self.last[packet.flow.number] = self.fabric.now
        if packet.injected >= self.went_down:
            self.since.add(packet.flow.number)
        inner(host, packet)

    def on_arrive(self, inner, switch, stay) -> None:
        self.coming = stay.packet
        inner(switch, stay)

    def on_deliver(self, inner, host, packet) -> None:
        self.coming = packet
        inner(host, packet)

    def on_lose(self, inner, memory, *place) -> None:
        self.gone(self.coming)
        inner(memory, *place)

    def on_lose_wire(self, inner, wire, packet, lane) -> None:
        self.gone(packet)
        inner(wire, packet, lane)

    def on_admit(self, inner, queue, stay) -> bool:
        joins = inner(queue, stay)
        if not joins:
            self.gone(stay.packet)
        return joins

    def on_drop_waiting(self, inner, switch, output) -> bool:
        self.dropping = output.wire
        dropped = inner(switch, output)
        self.dropping = None
        return dropped

    def on_take_out(self, inner, switch, stay, output) -> None:
        if self.dropping is not None:
            self.gone(stay.packet)
            if self.dropping.discards:
                self.failing(self.dropping)["discarded"] += 1
        inner(switch, stay, output)

    def on_begin(self, inner, flows, *message) -> None:
        before = {id(flow) for flow in flows.source.host.flows}
        inner(flows, *message)
        self.messages += [flow for flow in flows.source.host.flows if id(flow) not in before]

    def on_goes_down(self, inner, faults, wire, link: int) -> None:
        lost = faults.lost
        inner(faults, wire, link)
        self.failing(wire)["on_the_wire"] += faults.lost - lost
        self.went_down, self.since, self.last = self.fabric.now, set(), {}

    def on_change(self, inner, faults, wire, new: int) -> None:
        inner(faults, wire, new)
        if wire is self.fabric.wires[2 * (self.fabric.wires.index(wire) // 2)]:
            self.failing(wire)["rate"] = new

    # ---- what it shows ---------------------------------------------------------------------------------------------

    def stopped(self) -> dict:
        """By flow: packets wait or are in transit, but of those sent since a link last went down none has arrived, and
        none at all in the second half of the time since.
        """
        half = self.went_down + (self.fabric.now - self.went_down) // 2 if self.went_down < math.inf else -1
        waits = {flow.number for flow in [*self.fabric.flows, *self.messages] if self.waits(flow)}
        return {
            flow.number: flow.number in waits
            and flow.number not in self.since
            and self.last.get(flow.number, 0) <= half
            for flow in self.fabric.flows
        }

    def waits(self, flow) -> bool:
        """Packets wait or are in transit; with a transport, until they are acknowledged."""
        to_send = flow.source.on if flow.source.endless else bool(flow.queue)
        if flow.sender is not None:
            return to_send or flow.sender.known() < flow.sender.end
        return to_send or self.inside[flow.number] > 0

    def rows(self) -> list[dict]:
        """The failures that have begun."""
        rows = []
        for (number, begin, end), cost in zip(self.failures, self.cost, strict=True):
            row = {"link": self.name(number), "started": begin, "finished": min(end, self.fabric.now)}
            row |= {what: cost[what] for what in ("rate", "on_the_wire", "discarded")}
            if begin <= self.fabric.now:
                rows.append(row | {"cut_off": self.cut_off(len(rows))})
        return rows

    def name(self, number: int) -> str:
        """The two ends of a link; of several between them also which it is, by the ports of the first."""
        graph = self.fabric.graph
        link = graph.links[number]
        between = [other for neighbour, other in graph.ports(link.a) if neighbour == link.b]
        which = f" ({between.index(number) + 1})" if len(between) > 1 else ""
        return f"{graph.name(link.a)}<->{graph.name(link.b)}{which}"

    def cut_off(self, place: int) -> list[str]:
        """The hosts that were connected to the largest part of the network before a failure, and are not after it."""
        hosts, begin = self.fabric.graph.hosts, self.failures[place][1]
        down = [
            link
            for (link, at, end), cost in zip(self.failures[: place + 1], self.cost, strict=False)
            if at <= begin < end and not cost["rate"]
        ]
        before = set(down) - {self.failures[place][0]}
        return [hosts[host] for host in sorted(self.connected(before) - self.connected(set(down)))]

    def connected(self, gone: set) -> set[int]:
        """The hosts in the largest part of the network without some links; of equal parts, that of the first host that
        is connected to a switch.
        """
        links = [{link.a, link.b} for number, link in enumerate(self.fabric.graph.links) if number not in gone]
        parts = []
        for host in range(len(self.fabric.graph.hosts)):
            part, more = {("host", host)}, True
            while more:
                more = [node for ends in links if len(ends & part) == 1 for node in ends - part]
                part.update(more)
            hosts = {number for kind, number in part if kind == "host"}
            parts.append((len(hosts), len(part) > len(hosts), hosts))
        return max(parts, key=lambda part: part[:2])[2]


def failing(seed: int) -> dict:
    """A scenario whose links fail, without transports or with one, or with flows of one message."""
    scenario = random_faults(seed) if seed % 2 == 0 else with_failures(random.Random(f"failures {seed}"))
    return scenario | {"measure": scenario["measure"] | {"probes": []}}


def with_failures(rng: random.Random) -> dict:
    """A scenario of another kind, whose links fail."""
    draw = rng.choice([*REPAIRING, random_finite])
    scenario = draw(rng.randrange(10**6))
    graph, duration = topology.build(scenario), span(scenario["measure"]["duration"])
    failures = random_failures(rng, graph, duration)
    faults = {"failures": failures}
    if draw is random_finite:  # such flows must not lose anything
        scenario["links"]["retry"] = {}
        for key in ("crossbar", "output_packets", "memory", "lane_buffers"):
            scenario["switches"].pop(key, None)
        scenario["switches"] |= {"queues": "voq", "arbiter": "round-robin"}
        slots = "packet-slots" in scenario["links"]["flow_control"]
        scenario["switches"].setdefault("buffer", "20 packets" if slots else "40 KiB")
    else:
        faults["head_of_queue_lifetime"] = f"{rng.choice([0, 100, 2_000, duration // 10_000])} ns"
    if any("rate" not in failure and "keeps" not in failure for failure in failures):
        faults["reroute"] = random_reroute(rng, scenario, graph, failures, duration)
    scenario["links"]["faults"] = faults
    return scenario


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many failures have a cost, and how many flows are stopped."""
    with monkeypatch.context() as patches:
        seen = Watched(json.loads(json.dumps(scenario)), patches)
    rows, stopped = seen.rows(), seen.stopped()
    totals = {what: sum(row[what] for row in rows) for what in ("on_the_wire", "discarded")}
    totals |= {"faults": len(rows), "hosts_cut_off": len({host for row in rows for host in row["cut_off"]})}
    totals |= {"flows_stopped": sum(stopped.values())}
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        said = [row | {"cut_off": [name for name in row["cut_off"].split("; ") if name]} for row in tables["faults"]]
        assert [in_ps(row) for row in said] == rows
        named = {row["flow"]: row["stopped"] for row in tables["flows"]}
        assert named == {flow: stopped[flow] for flow in named}, "those that no source sends have no row"
        assert not any(stopped[flow] for flow in stopped.keys() - named.keys())
        summary = {row["name"]: row["value"] for row in tables["summary"]}
        assert {what: summary[what] for what in totals} == totals
    return sum(map(bool, totals.values()))


def in_ps(row: dict) -> dict:
    """A row with times in ps."""
    return row | {column: round(row[column] * 1e12) for column in ("started", "finished")}


@in_chunks(SEEDS // 4)
def test_failures_cost_what_the_twin_shows(seeds, monkeypatch):
    check_tables(failing, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(failing(number), PARTS[number % 3], patch)
