"""The engine against its twin where IRN retransmits what links lose: selective repeat in a window, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_irn.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_irn import random_irn


@in_chunks(SEEDS // 2)
def test_lost_packets_go_again_as_their_twin_has_it(seeds):
    check_seeds(random_irn, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are dropped, recoveries begin by NACKs and by timers, and windows keep packets back."""

    def counts(fabric):
        return of_senders(fabric) + of_outputs(fabric, "bounded")

    what = ("dropped", "resent", "told", "timeouts", "kept back")
    check_reached(random_irn, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_irn)
