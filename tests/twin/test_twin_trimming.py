"""The engine against its twin where switches drop or trim, and hash the entropy of packets (Ultra Ethernet).

By hand: `PYTHONPATH=. python tests/twin/test_twin_trimming.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_trimming import random_trimming


@in_chunks(SEEDS // 2)
def test_switches_trim_and_hash_as_their_twin_does(seeds):
    check_seeds(random_trimming, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are trimmed, the one that comes or another, dropped, sent again, and go by several ways."""

    def counts(fabric):
        return [{"hashed": fabric.ways.hashed}, *of_senders(fabric), *of_outputs(fabric, "bounded")]

    what = ("dropped", "trimmed", "in the place of another", "resent", "timeouts", "hashed")
    check_reached(random_trimming, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_trimming)
