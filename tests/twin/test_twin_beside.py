"""The engine against its twin where flows are set aside, and links or switches have another rule, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_beside.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_beside import random_beside


@in_chunks(SEEDS // 8)
def test_isolation_beside_other_rules_is_that_of_the_twin(seeds):
    check_seeds(random_beside, seeds)


if __name__ == "__main__":
    by_hand(random_beside)
