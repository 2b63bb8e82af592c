"""The engine against its readable twin: the same packets, at the same picoseconds, with the same marks.

The engine omits every event that has no effect; the twin omits none. Random small scenarios are run by
both, and every delivery and every port's blocked time is compared exactly. By hand, for one or many seeds:
`PYTHONPATH=. python tests/twin/test_twin.py 17` or `PYTHONPATH=. python tests/twin/test_twin.py 0 5000`.
"""

import json

import pytest
from comparing import SEEDS, by_hand, check_seeds, engine_says, in_chunks
from random_scenarios import random_scenario


def either_way(seed: int) -> dict:
    """A random scenario; every other one with all defaults given."""
    scenario = random_scenario(seed)
    return written_out(scenario) if seed % 2 else scenario


def written_out(scenario: dict) -> dict:
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    return json.loads(engine.check(json.dumps(scenario), "json"))["scenario"]


@in_chunks(SEEDS)
def test_the_engine_does_what_its_twin_does(seeds):
    check_seeds(either_way, seeds)


def test_a_scenario_with_all_defaults_written_out_means_the_same():
    """For the engine; for the twin, too, as the comparison shows, where every other scenario has all defaults given."""
    for seed in range(40):
        scenario = random_scenario(seed)
        assert engine_says(written_out(scenario)) == engine_says(scenario), seed


@pytest.mark.parametrize("seed", [14440, 17237, 27176])
def test_a_tree_that_has_come_apart_is_drawn_again(seed):
    """Links between its switches are missing, and ports were to be written down that lead nowhere."""
    check_seeds(random_scenario, [seed])


if __name__ == "__main__":
    by_hand(either_way)
