"""The engine against its readable twin: the same packets, at the same picoseconds, with the same marks.

The engine leaves out every event that nobody waits for; the twin leaves out none. Random small scenarios are run by
both, and every delivery and every port's blocked time is compared exactly. By hand, for one or many seeds:
`PYTHONPATH=. python tests/twin/test_twin.py 17` or `PYTHONPATH=. python tests/twin/test_twin.py 0 5000`.
"""

import json

import pytest
from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_scenarios import random_scenario
from reference import run


@in_chunks(SEEDS)
def test_the_engine_does_what_its_twin_does(seeds):
    check_seeds(random_scenario, seeds)


def test_a_scenario_with_all_defaults_written_out_means_the_same():
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in range(40):
        scenario = random_scenario(seed)
        resolved = json.loads(engine.check(json.dumps(scenario), "json"))["scenario"]
        assert run(resolved).deliveries == run(scenario).deliveries, seed


if __name__ == "__main__":
    by_hand(random_scenario)
