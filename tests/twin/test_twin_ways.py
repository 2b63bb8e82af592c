"""The engine against its twin where switches choose paths anew after a pause of a flow, or in turn, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_ways.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_ways import random_direct, random_ways


@in_chunks(SEEDS // 8)
def test_ways_of_flowlets_and_ways_in_turn_are_those_of_the_twin(seeds):
    check_seeds(random_ways, seeds)


@in_chunks(SEEDS // 4)
def test_ways_in_networks_that_are_no_trees_are_those_of_the_twin(seeds):
    check_seeds(random_direct, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Flows keep their paths, and begin others."""
    check_reached(random_ways, lambda fabric: [fabric.ways.counts], {"goes on": 100, "anew": 100})


if __name__ == "__main__":
    by_hand(random_ways)
