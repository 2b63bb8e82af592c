"""The table `completions` is what the twin shows of flows that have one message: when each is over, and acknowledged.

By hand: `PYTHONPATH=. python tests/twin/test_twin_completions.py 0 500`.
"""

import json
import math
import sys
from collections import Counter
from itertools import pairwise

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_finite import random_finite
from reaching import around
from reference import Fabric
from reference.hosts.host import Host
from reference.hosts.message_flows import MessageFlows
from reference.network.idle import wires_between
from reference.quantities import span, time_for


class Watched:
    """Flows of one message, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.flows = []  # in the order in which they are made
        self.sizes = {}  # by flow: of its packets, on the wire
        self.over = {}  # by flow: when the last byte was in, and how many packets were marked then
        self.acked = Counter()  # by flow: packets
        self.acked_at = {}  # by flow: when the last of them was acknowledged
        for owner, name, hook in (
            (MessageFlows, "begin", self.on_begin),
            (MessageFlows, "finished", self.on_finished),
            (Host, "deliver_ack", self.on_ack),
        ):
            around(monkeypatch, owner, name, hook)
        fabric.run()

    def on_begin(self, inner, flows, destination: int, sizes: list[int]) -> None:
        before = {id(flow) for flow in flows.source.host.flows}
        inner(flows, destination, sizes)
        (flow,) = (flow for flow in flows.source.host.flows if id(flow) not in before)
        self.flows.append(flow)
        self.sizes[flow] = sizes

    def on_finished(self, inner, flows, flow, at: int) -> None:
        self.over[flow] = self.fabric.now, flow.marked
        inner(flows, flow, at)

    def on_ack(self, inner, host, ack) -> None:
        inner(host, ack)
        self.acked[ack.flow] += ack.answers
        if self.acked[ack.flow] == ack.flow.packets:
            self.acked_at[ack.flow] = self.fabric.now

    def rows(self) -> list[dict]:
        """The flows that are over."""
        return [self.row(number, flow) for number, flow in enumerate(self.flows) if flow in self.over]

    def row(self, number: int, flow) -> dict:
        hosts, header = self.fabric.graph.hosts, self.fabric.setup.header
        finish, marked = self.over[flow]
        ideal = self.ideal(flow)
        return {
            "number": number,
            "flow": flow.number,
            "class": flow.source.entry.name,
            "source": hosts[flow.source.host.number],
            "destination": hosts[flow.destination],
            "size": sum(size - header for size in self.sizes[flow]),
            "created": flow.made,
            "finished": finish,
            "fct": finish - flow.made,
            "ideal": ideal,
            "slowdown": (finish - flow.made) / ideal,
            "packets": flow.packets,
            "marked": marked,
            "acknowledged": self.acked_at.get(flow),
        }

    def ideal(self, flow) -> int:
        """The time from making a message until its last byte is in, packet by packet, if nothing is in the way."""
        setup, legs = self.fabric.setup, self.legs(flow)
        free = [0] * len(legs)  # when a leg is free, or its sender may send
        for size in self.sizes[flow]:
            start, takes = max(free[0], setup.message_cost), time_for(size, legs[0][0])
            free[0] = start + max(takes, time_for(size, setup.injection_rate) if setup.injection_rate else 0)
            for before, leg in pairwise(range(len(legs))):
                (_, delay, whole), now = legs[before], time_for(size, legs[leg][0])
                start = max(free[leg], start + delay + (takes if whole else max(0, takes - now)))
                free[leg], takes = start + now, now
        return start + takes + legs[-1][1]

    def legs(self, flow) -> list[tuple[int, int, bool]]:
        """Links and crossbars on the path: rate, delay to the next one, and whether that waits for the last byte."""
        setup, legs = self.fabric.setup, []
        for wire in wires_between(self.fabric, flow.source.host.number, flow.destination):
            if legs and setup.crossbar:
                legs.append((setup.crossbar, 0, False))
            to_switch = wire.receiver in self.fabric.switches
            delay = wire.delay + (setup.forwarding_delay if to_switch else 0)
            legs.append((wire.own_rate, delay, not setup.cut_through or setup.checks is not None))
        return legs


def completing(seed: int) -> dict:
    """A scenario, and this table. Where more flows begin than are ever over, the twin takes long: the run is short."""
    draws = map(random_finite, range(1000 * seed, 1000 * seed + 1000))
    scenario = next(found for found in draws if any("flows" in entry for entry in found["traffic"]))
    for number, entry in enumerate(scenario["traffic"]):
        entry["name"] = f"class {number}"
    end = min(span(scenario["measure"]["duration"]), span("100 us"))
    measure = {"probes": ["completions"], "duration": f"{end} ps", "warm_up": "0 ns"}
    return scenario | {"measure": scenario["measure"] | measure}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many rows they have."""
    with monkeypatch.context() as patches:
        rows = Watched(Fabric(json.loads(json.dumps(scenario))), patches).rows()
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        told = sorted(tables["completions"], key=lambda row: row["number"])
        for one, other in zip(told, rows, strict=False):
            assert {column: in_ps(column, value) for column, value in one.items()} == other
        assert len(told) == len(rows)
    return len(rows)


def in_ps(column: str, value):
    """A time of a table in ps; other values stay."""
    if not isinstance(value, float) or column == "slowdown":
        return value
    return None if math.isnan(value) else round(value * 1e12)


@in_chunks(SEEDS // 4)
def test_flows_are_over_and_acknowledged_as_in_the_twin(seeds, monkeypatch):
    check_tables(completing, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(completing(number), PARTS[number % 3], patch)
