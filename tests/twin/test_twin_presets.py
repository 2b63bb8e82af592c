"""A preset by its name means the same to the engine and to its twin, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_presets.py 0 500`.
"""

import json

import pytest
from comparing import SEEDS, by_hand, check_seeds, engine_says, in_chunks
from random_presets import random_presets
from reference.presets import PRESETS


@in_chunks(max(SEEDS // 8, len(PRESETS)))
def test_presets_mean_the_same_as_in_the_twin(seeds):
    check_seeds(random_presets, seeds)


def test_the_twin_has_all_presets():
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    known = [entry["name"] for entry in json.loads(engine.catalogue()) if entry["kind"] == "preset"]
    assert [*PRESETS] == known


def test_every_preset_makes_a_difference():
    """Each but none does something in one of its first networks that shows in deliveries."""
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    left, seed = {*PRESETS} - {"none"}, 0
    while left and seed < 10 * len(PRESETS):
        scenario = random_presets(seed)
        if scenario["scheme"]["preset"] in left:
            without = engine_says(scenario | {"scheme": {"preset": "none"}})[0]
            left -= {scenario["scheme"]["preset"]} if engine_says(scenario)[0] != without else set()
        seed += 1
    assert not left


if __name__ == "__main__":
    by_hand(random_presets)
