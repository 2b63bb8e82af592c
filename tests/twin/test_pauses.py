"""The engine against its twin where links pause: random small scenarios, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_pauses.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_pauses import random_pauses


@in_chunks(SEEDS // 2)
def test_the_engine_pauses_as_its_twin_does(seeds):
    check_seeds(random_pauses, seeds)


if __name__ == "__main__":
    by_hand(random_pauses)
