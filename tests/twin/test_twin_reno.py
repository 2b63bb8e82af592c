"""The engine against its twin where TCP NewReno retransmits what links lose, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_reno.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_reno import random_reno


@in_chunks(SEEDS // 8)
def test_windows_and_timers_are_those_of_the_twin(seeds):
    check_seeds(random_reno, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are dropped, recoveries begin and have partial ACKs, timers run out, and windows grow both ways."""

    def counts(fabric):
        return of_senders(fabric) + of_outputs(fabric, "bounded")

    what = ("dropped", "resent", "told", "timeouts", "groups", "partial", "inflated", "avoids")
    check_reached(random_reno, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_reno)
