"""The tables of the probe `events` are what the twin shows: full buffers, triggers, marks, states of congestion.

By hand: `PYTHONPATH=. python tests/twin/test_twin_marks.py 0 500`.
"""

import json
import math
import sys
from collections import Counter, defaultdict

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from marking_again import NAN, Marking
from random_controlled import random_controlled
from random_dcqcn import random_dcqcn
from random_finite import random_finite
from random_isolation import random_isolation
from random_lanes import random_lanes
from random_nscc import random_nscc
from random_scenarios import random_scenario
from random_ternary import random_ternary
from reference import Fabric

DRAWS = [
    random_scenario,
    random_dcqcn,
    random_lanes,
    random_finite,
    random_isolation,
    random_ternary,
    random_controlled,
    random_nscc,
]
NONE = 2**32 - 1


def marking(seed: int) -> dict:
    """A scenario, and these tables."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["events"]}}


def check(scenario: dict, parts: int, monkeypatch) -> Counter:
    """The two agree; returns how many rows of each table they have."""
    with monkeypatch.context() as patches:
        seen = Marking(Fabric(json.loads(json.dumps(scenario))), patches)
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        fulls = full_buffers(tables)
        assert sorted(fulls.values()) == sorted(seen.fulls)
        events = {row["event"]: event(row, fulls) for row in tables["events"]}
        assert sorted(events.values(), key=str) == sorted(seen.events, key=str)
        marks = [mark(row, events) for row in tables["marks"]]
        same(marks, seen.marks)
        same([state(row) for row in tables["congestion"]], seen.states)
    return Counter(fulls=len(seen.fulls), events=len(seen.events), marks=len(seen.marks), congestion=len(seen.states))


def full_buffers(tables: dict) -> dict:
    """By number: when which buffer was full, and of how many packets of each flow."""
    flows = defaultdict(list)
    for row in tables["buffered"]:
        flows[row["full"]].append((row["flow"], row["packets"]))
    return {
        row["full"]: (ps(row), row["input_port"], row["lane"], tuple(sorted(flows[row["full"]])))
        for row in tables["fulls"]
    }


def event(row: dict, fulls: dict) -> tuple:
    """A trigger, with the full buffer that it belongs to."""
    full = fulls.get(row["full"])
    assert row["input_port"] == (NONE if full is None else full[1])
    counts = row["loaded"], row["before"], row["packets"]
    return ps(row), row["trigger"], row["output_port"], row["lane"], *counts, full


def mark(row: dict, events: dict) -> tuple:
    """A mark, with its event."""
    place = row["flow"], row["output_port"], row["lane"], events.get(row["event"])
    return ps(row), *place, row["limit"], or_nan(row["credit"]), ps(row, "echoed")


def state(row: dict) -> tuple:
    """An output that enters the congestion state or leaves it."""
    return ps(row), row["output_port"], row["lane"], row["entered"], or_nan(row["credit"])


def same(told, seen) -> None:
    """The rows are the same, in any order; rates up to rounding."""
    told, seen = (sorted(map(tuple, rows), key=str) for rows in (told, seen))
    for one, other in zip(told, seen, strict=False):
        equal = (
            math.isclose(a, b, rel_tol=1e-12) if isinstance(a, float) else a == b
            for a, b in zip(one, other, strict=True)
        )
        assert all(equal), f"the engine has {one}, the twin {other}"
    assert len(told) == len(seen)


def or_nan(value: float):
    return NAN if math.isnan(value) else int(value)


def ps(row: dict, column: str = "time"):
    """A time of a row, in ps."""
    return NAN if math.isnan(row[column]) else round(row[column] * 1e12)


@in_chunks(SEEDS // 4)
def test_marks_are_those_of_the_twin(seeds, monkeypatch):
    check_tables(marking, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch).total())


if __name__ == "__main__":
    rows = Counter()
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            rows += check(marking(number), PARTS[number % 3], patch)
    print(dict(rows))
