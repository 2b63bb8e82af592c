"""The engine against its twin where go-back-N retransmits what links lose, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_go_back.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_receivers, of_senders
from random_go_back import random_go_back


@in_chunks(SEEDS // 8)
def test_lost_packets_go_again_as_their_twin_has_it(seeds):
    check_seeds(random_go_back, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are dropped, senders go back on request or by timers, and replies wait."""

    def counts(fabric):
        return of_senders(fabric) + of_receivers(fabric) + of_outputs(fabric, "bounded")

    what = ("dropped", "resent", "told", "timeouts", "groups", "thrown away", "kept", "flushed")
    check_reached(random_go_back, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_go_back)
