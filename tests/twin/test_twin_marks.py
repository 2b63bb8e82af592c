"""The tables `marks` and `events` have the marks that the twin makes, and what makes its switches mark.

By hand: `PYTHONPATH=. python tests/twin/test_twin_marks.py 0 500`.
"""

import json
import sys

import pytest
from comparing import SEEDS, check_tables, engine_rows, in_chunks
from random_dcqcn import random_dcqcn
from random_lanes import random_lanes
from random_scenarios import random_scenario
from reference import Fabric
from reference.links.link import Packet
from reference.marks.counts import Marker

DRAWS = [random_scenario, random_dcqcn, random_lanes]


class Watched:
    """Which packets are marked, and which outputs are accused, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.marks = []  # (time, flow)
        self.events = []  # (time, what is full or too many, output, departures to mark, and before, packets)
        tail_in, accuse = Marker.tail_in, Marker.accuse
        self.trigger = "output"

        def marks(packet, name, value):
            new = name == "marked" and value and not getattr(packet, "marked", False)
            if new and getattr(packet, "kind", None) == "data":
                self.marks.append((fabric.now, packet.flow.number))
            object.__setattr__(packet, name, value)

        def comes_in(marker, entry, lane):
            self.trigger = "input"
            tail_in(marker, entry, lane)
            self.trigger = "output"

        def accuses(marker, output, lane):
            before = output.due[lane]
            accuse(marker, output, lane)
            counts = output.due[lane], before, output.present[lane]
            self.events.append((fabric.now, self.trigger, marker.switch.port_number(output), *counts))

        for owner, name, act in (
            (Packet, "__setattr__", marks),
            (Marker, "tail_in", comes_in),
            (Marker, "accuse", accuses),
        ):
            monkeypatch.setattr(owner, name, act)
        fabric.run()


def marking(seed: int) -> dict:
    """A scenario, and these tables."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["events"]}}


def check(scenario: dict, monkeypatch) -> int:
    """The two agree; returns how many marks they have."""
    tables = engine_rows(scenario)
    with monkeypatch.context() as patches:
        seen = Watched(Fabric(json.loads(json.dumps(scenario))), patches)
    assert sorted((ps(row), row["flow"]) for row in tables["marks"]) == sorted(seen.marks)
    counts = "loaded", "before", "packets"
    told = [(ps(row), row["trigger"], row["output_port"], *(row[name] for name in counts)) for row in tables["events"]]
    if all(accuses(switch.marker) for switch in seen.fabric.switches):
        assert sorted(told) == sorted(seen.events)
    return len(seen.marks)


def accuses(marker) -> bool:
    """It counts packets, and has outputs mark what departs from them."""
    return type(marker) is Marker and marker.rule.kind != "naive"


def ps(row: dict) -> int:
    return round(row["time"] * 1e12)


@in_chunks(SEEDS // 4)
def test_marks_are_those_of_the_twin(seeds, monkeypatch):
    check_tables(marking, seeds, lambda scenario, seed: check(scenario, monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(marking(number), patch)
