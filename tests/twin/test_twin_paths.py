"""The engine against its twin where senders of Ultra Ethernet choose paths by the feedback they receive.

By hand: `PYTHONPATH=. python tests/twin/test_twin_paths.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_paths import random_paths


@in_chunks(SEEDS // 8)
def test_paths_are_those_of_the_twin(seeds):
    check_seeds(random_paths, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Paths are passed over and used again, and rings freeze and thaw."""

    def counts(fabric):
        return [flow.sender.paths.counts for flow in fabric.flows]

    check_reached(random_paths, counts, dict.fromkeys(("passed over", "used again", "frozen", "thawed"), 10), SEEDS)


if __name__ == "__main__":
    by_hand(random_paths)
