"""The engine against its readable twin: the same packets, at the same picoseconds, with the same marks.

The engine leaves out every event that nobody waits for; the twin leaves out none. Random small scenarios are run by
both, and every delivery and every port's blocked time is compared exactly. By hand, for one or many seeds:
`PYTHONPATH=. python tests/twin/test_twin.py 17` or `PYTHONPATH=. python tests/twin/test_twin.py 0 5000`.
"""

import json
import os
import sys

import pytest
from random_scenarios import random_scenario
from reference import run

SEEDS = int(os.environ.get("TWIN_SEEDS", "240"))
CHUNK = 20


def engine_says(scenario: dict) -> tuple[list, list]:
    """Deliveries and ports as the engine has them, in the twin's form and order."""
    from congestree import _engine

    output = _engine.run(json.dumps(scenario), "json", agenda=os.environ.get("AGENDA", "wheel"))
    tables, meta = output.tables(), json.loads(output.meta())
    assert meta["stopped"] is None, meta["stopped"]

    def rows(table: str, *columns: str) -> list[tuple]:
        values = [tables[table][column]["values"] for column in columns]
        return list(zip(*(value if isinstance(value, list) else value.tolist() for value in values), strict=True))

    deliveries = rows("deliveries", "flow", "sequence", "time_ps", "marked", "injected_ps")
    return deliveries, [(name, round(blocked * 1e12)) for name, blocked in rows("ports", "name", "blocked")]


def differences(scenario: dict) -> str | None:
    """The first difference between the two, with all that is needed to look into it; or nothing."""
    result = run(scenario)
    deliveries, ports = engine_says(scenario)
    names = [flow.name for flow in result.flows]

    def shown(delivery) -> str:
        if delivery is None:
            return "nothing"
        flow, sequence, time, marked, injected = delivery
        return f"{names[flow]} #{sequence} at {time} ps, injected at {injected} ps{', marked' if marked else ''}"

    ours = sorted(result.deliveries, key=lambda d: (d[2], d[0], d[1]))
    theirs = sorted(deliveries, key=lambda d: (d[2], d[0], d[1]))
    for k in range(max(len(ours), len(theirs))):
        one, other = (ours[k] if k < len(ours) else None), (theirs[k] if k < len(theirs) else None)
        if one != other:
            return f"delivery {k}: the twin has {shown(one)}; the engine has {shown(other)}"
    blocked = sorted((name, blocked) for name, _, blocked in result.ports)
    for one, other in zip(blocked, sorted(ports), strict=True):
        if one != other:
            return f"blocked: the twin has {one} ps; the engine has {other} ps"
    return None


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_the_engine_does_what_its_twin_does(first):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in range(first, min(first + CHUNK, SEEDS)):
        scenario = random_scenario(seed)
        difference = differences(scenario)
        assert difference is None, f"seed {seed}: {difference}\n{json.dumps(scenario)}"


def test_a_scenario_with_all_defaults_written_out_means_the_same():
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in range(40):
        scenario = random_scenario(seed)
        resolved = json.loads(engine.check(json.dumps(scenario), "json"))["scenario"]
        assert run(resolved).deliveries == run(scenario).deliveries, seed


def main() -> None:
    """Compare one seed, or all seeds in a range, and print what differs."""
    seeds = [int(text) for text in sys.argv[1:]]
    bad = 0
    for seed in range(*seeds) if len(seeds) == 2 else seeds:
        try:
            difference = differences(random_scenario(seed))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the engine's panics are not exceptions of the usual kind
            difference = f"{type(error).__name__}: {error}"
        if difference is not None:
            bad += 1
            print(f"seed {seed}: {difference}", flush=True)
    print(f"{bad} seeds differ")


if __name__ == "__main__":
    main()
