"""The engine against its readable twin, where packets take detours.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_detours.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_detours import random_detours, random_par


@in_chunks(SEEDS // 2)
def test_packets_go_round_as_those_of_the_twin_do(seeds):
    check_seeds(random_detours, seeds)


@in_chunks(SEEDS // 2)
def test_packets_that_are_asked_again_go_as_those_of_the_twin_do(seeds):
    check_seeds(random_par, seeds)


if __name__ == "__main__":
    by_hand(random_detours)
