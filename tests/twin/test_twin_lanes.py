"""The engine against its readable twin, where packets change lanes at switches.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_lanes.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_lanes import random_lanes


@in_chunks(SEEDS // 2)
def test_packets_change_lanes_as_those_of_the_twin_do(seeds):
    check_seeds(random_lanes, seeds)


if __name__ == "__main__":
    by_hand(random_lanes)
