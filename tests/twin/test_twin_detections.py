"""The table `detections` has the roots that the twin's inputs declare, with the demand for the blamed output.

By hand: `PYTHONPATH=. python tests/twin/test_twin_detections.py 0 500`.
"""

import json
import sys
from collections import defaultdict

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_isolation import random_isolation
from reaching import around
from reference import Fabric
from reference.switches.isolation import LANE
from reference.switches.set_aside import Lines
from reference.switches.switch import Switch

DRAWS = [random_isolation]


class Demand:
    """What has been requesting an output since the last instant at which nothing did."""

    def __init__(self):
        self.since = None
        self.waiting = []  # data packets that request it
        self.crossed = []  # (input, bytes)

    def look(self, now: int, waiting: list) -> None:
        """These request it now."""
        if waiting and not self.waiting:
            self.since, self.crossed = now, []
        self.waiting = waiting


class Watched:
    """Roots and demand, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.demands = defaultdict(Demand)  # by switch and output
        self.rows = []
        self.drops = False  # what leaves its queue now is dropped
        for owner, name, hook in (
            (Switch, "join", self.on_join),
            (Switch, "leave_queue", self.on_leave),
            (Switch, "drop_waiting", self.on_drop),
            (Lines, "obey", self.on_obey),
            (Lines, "declare_destination", self.on_declare),
            (Lines, "declare_output", self.on_declare),
        ):
            around(monkeypatch, owner, name, hook)
        fabric.run()

    def look(self, switch, port: int) -> None:
        """Which packets request an output now: those in stopped queues do not."""
        queues = (queue for entry in switch.inputs for (lane, _), queue in entry.queues.items() if lane == LANE)
        waiting = [
            stay
            for queue in queues
            if not queue.stopped
            for stay in queue
            if stay.output == port and stay.packet.is_data
        ]
        self.demands[switch, port].look(self.fabric.now, waiting)

    def on_join(self, inner, switch, stay) -> None:
        inner(switch, stay)
        self.look(switch, stay.output)

    def on_leave(self, inner, switch, stay) -> None:
        inner(switch, stay)
        if stay.packet.is_data and stay.lane == LANE and not self.drops:
            self.demands[switch, stay.output].crossed.append((stay.input, stay.packet.size))
        self.look(switch, stay.output)

    def on_drop(self, inner, switch, output) -> bool:
        self.drops = True
        dropped = inner(switch, output)
        self.drops = False
        return dropped

    def on_obey(self, inner, lines, line) -> None:
        inner(lines, line)
        if isinstance(lines.switch, Switch):
            self.look(lines.switch, line.output)

    def on_declare(self, inner, lines, stay, *queue) -> None:
        before = len(lines.lines)
        inner(lines, stay, *queue)
        if len(lines.lines) > before:
            self.declared(lines, stay)

    def declared(self, lines, stay) -> None:
        """An input has declared an output the root of a tree."""
        fabric, switch, output = self.fabric, lines.switch, lines.switch.outputs[stay.output]
        demand, now = self.demands[switch, stay.output], fabric.now
        held = [other for other in stay.queue if other.packet.is_data]
        inputs = {other.input for other in demand.waiting} | {port for port, _ in demand.crossed}
        row = {
            "time": now,
            "switch": fabric.graph.name(("switch", switch.number)),
            "input": switch.inputs[lines.port].upstream.name,
            "output": output.wire.name,
            "host": fabric.graph.hosts[stay.packet.destination],
            "held": len(held),
            "for_output": sum(other.output == stay.output for other in held),
            "requesting": len(demand.waiting),
            "since": demand.since,
            "inputs": len(inputs),
            "offered": sum(other.packet.size for other in demand.waiting) + sum(size for _, size in demand.crossed),
            "capacity": output.wire.rate * (now - demand.since) // (8 * 10**12),
        }
        self.rows.append(row)


def detecting(seed: int) -> dict:
    """A scenario, and this table."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["detections"]}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many rows they have."""
    with monkeypatch.context() as patches:
        rows = sorted(Watched(Fabric(json.loads(json.dumps(scenario))), patches).rows, key=order)
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        said = [without_ids(row) for row in tables["detections"]]
        for one, other in zip(sorted(said, key=order), rows, strict=False):
            assert one == other
        assert len(said) == len(rows)
    return len(rows)


def without_ids(row: dict) -> dict:
    """Names say the same; times in ps."""
    times = {column: round(row[column] * 1e12) for column in ("time", "since")}
    return {column: value for column, value in row.items() if not column.endswith("_port")} | times


def order(row: dict) -> tuple:
    return row["time"], row["input"], row["output"]


@in_chunks(SEEDS // 4)
def test_roots_are_declared_as_in_the_twin(seeds, monkeypatch):
    check_tables(detecting, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(detecting(number), PARTS[number % 3], patch)
