"""The engine against its readable twin, in switches with queues, memories, arbiters and crossbars of every kind.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_queues.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_queues import random_queues


@in_chunks(SEEDS // 2)
def test_queues_of_every_kind_do_what_their_twin_does(seeds):
    check_seeds(random_queues, seeds)


if __name__ == "__main__":
    by_hand(random_queues)
