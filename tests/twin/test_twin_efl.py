"""The engine against its twin where EFL sets rates and retransmits what links lose, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_efl.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_efl import random_efl


@in_chunks(SEEDS // 8)
def test_probes_rates_and_repairs_are_those_of_the_twin(seeds):
    check_seeds(random_efl, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Probes are measured, or lost; delays are predicted; and losses are reported, or found by the timer."""

    def counts(fabric):
        return of_senders(fabric) + of_outputs(fabric, "bounded")

    what = ("dropped", "resent", "told", "timeouts", "groups", "probes", "unmeasured", "delay probes", "predicted")
    check_reached(random_efl, counts, dict.fromkeys((*what, "more was lost", "held"), 10), SEEDS)


if __name__ == "__main__":
    by_hand(random_efl)
