"""A scenario with its defaults written out, as sweeps, searches and manifests have it, is the same simulation."""

import pytest
from generators import GENERATORS

import congestree

SEEDS = {"towards": range(8)}
"""Where traffic has lanes by destination more of them, since few of the scenarios have them in effect."""


@pytest.mark.parametrize("name", GENERATORS)
def test_what_a_scenario_resolves_to_is_the_same_run(name):
    for seed in SEEDS.get(name, range(2)):
        scenario = GENERATORS[name](seed)
        written = congestree.run(scenario).fingerprint
        assert congestree.run(congestree.check(scenario)["scenario"]).fingerprint == written, seed
