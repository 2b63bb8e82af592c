"""The engine against its readable twin, where queues, pauses, matchings and the sharing of links meet.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_mixed.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_mixed import random_mixed


@in_chunks(SEEDS // 2)
def test_parts_that_meet_do_what_their_twins_do(seeds):
    check_seeds(random_mixed, seeds)


if __name__ == "__main__":
    by_hand(random_mixed)
