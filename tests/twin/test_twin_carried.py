"""The engine against its twin where transports run over lossless links, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_carried.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_carried import random_carried


@in_chunks(SEEDS // 8)
def test_transports_over_credits_and_pauses_are_those_of_the_twin(seeds):
    check_seeds(random_carried, seeds)


if __name__ == "__main__":
    by_hand(random_carried)
