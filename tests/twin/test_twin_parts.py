"""Many of the scenarios that engine and twin both run are networks that can be cut; each of those is run in parts, too.

`comparing.check_seeds` does that, with 2, 3 and 7 parts in turn. The test here checks that enough of them can be cut.
"""

import json
from collections import Counter

import pytest
from comparing import PARTS, differs_in_parts
from generators import GENERATORS
from random_scenarios import random_scenario
from reference import run

CUT = {
    "scenarios": 40,
    "dcqcn": 50,
    "detours": 25,
    "finite": 30,
    "irn": 80,
    "lanes": 30,
    "par": 35,
    "pauses": 15,
    "telemetry": 40,
    "ternary": 50,
    "trimming": 80,
}
"""The least number of the first 100 of these that can be cut."""


def can_be_cut(scenario: dict) -> bool:
    from congestree import _engine

    bare = scenario | {"measure": scenario["measure"] | {"probes": ["ports"]}}
    return json.loads(_engine.check(json.dumps(bare), "json"))["parts"].startswith("A run can use several cores")


def test_many_scenarios_can_be_cut():
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    found = {about: sum(can_be_cut(GENERATORS[about](seed)) for seed in range(100)) for about in CUT}
    assert all(found[about] >= least for about, least in CUT.items()), found


def test_a_run_is_cut_into_as_many_parts_as_it_has_switches_for():
    from congestree import _engine

    seen = Counter()
    for seed in range(60):
        scenario = random_scenario(seed)
        if can_be_cut(scenario):
            bare = json.dumps(scenario | {"measure": scenario["measure"] | {"probes": ["ports"]}})
            seen[json.loads(_engine.run(bare, "json", parts=PARTS[seed % 3], threads=2).meta())["parts"]] += 1
    assert seen[2] > 3 and seen[3] > 1 and sum(seen.values()) - seen[1] > 10, seen


def test_a_delivery_that_is_a_picosecond_off_is_found():
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    scenario = next(drawn for seed in range(60) if can_be_cut(drawn := random_scenario(seed)))
    result = run(scenario)
    assert differs_in_parts(scenario, 2, result) is None
    flow, sequence, time, *rest = result.deliveries[-1]
    result.deliveries[-1] = (flow, sequence, time + 1, *rest)
    assert differs_in_parts(scenario, 2, result) is not None
