"""The engine against its twin where senders of Ultra Ethernet keep a window (NSCC), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_nscc.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_nscc import random_nscc


@in_chunks(SEEDS // 8)
def test_windows_are_those_of_the_twin(seeds):
    check_seeds(random_nscc, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Every rule of the window is used, packets are trimmed, dropped and sent again, and windows keep them back."""

    def counts(fabric):
        windows = [flow.sender.window.counts for flow in fabric.flows]
        return windows + of_senders(fabric) + of_outputs(fabric, "bounded")

    rules = ("proportional", "fair", "fast", "cut", "adapted", "ignored", "given up", "eta")
    check_reached(
        random_nscc,
        counts,
        dict.fromkeys((*rules, "trimmed", "dropped", "timeouts", "kept back", "asked at the end"), 10),
    )


if __name__ == "__main__":
    by_hand(random_nscc)
