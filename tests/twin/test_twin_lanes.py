"""The engine against its readable twin, where packets change lanes at switches.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_lanes.py 17`, or `... 0 5000`.
"""

import pytest
from comparing import SEEDS, by_hand, check, check_seeds, in_chunks
from random_lanes import random_lanes

ALL = SEEDS
"""Every other one by hop, and the others by lane or service level."""


@in_chunks(ALL)
def test_packets_change_lanes_as_those_of_the_twin_do(seeds):
    check_seeds(random_lanes, seeds)


TREES = {"fat-tree": {"radix": 4}}, {"k-ary-n-tree": {"k": 2, "n": 2}}, {"clos": {"down": [2, 2], "up": [2]}}


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_routes_of_trees_need_no_other_lanes(tree):
    check(
        {
            "topology": tree,
            "links": {"rate": "8 Gbit/s", "lanes": 2, "hop_lanes": "by-route"},
            "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}}],
            "measure": {"duration": "60 us", "probes": ["deliveries", "ports"]},
        }
    )


if __name__ == "__main__":
    by_hand(random_lanes)
