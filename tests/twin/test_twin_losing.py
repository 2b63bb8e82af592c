"""The engine against its twin where switches lose packets at random, and have queues in proportion to their links.

By hand: `PYTHONPATH=. python tests/twin/test_twin_losing.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs
from random_losing import random_losing


@in_chunks(SEEDS // 8)
def test_losses_by_chance_are_those_of_the_twin(seeds):
    check_seeds(random_losing, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are lost at random and for want of room, and trimmed, and queues have several lengths."""

    def counts(fabric):
        outputs = [output.bounded for switch in fabric.switches for output in switch.outputs]
        lengths = len({bounded.room(0) for bounded in outputs}) - 1
        return [*of_outputs(fabric, "bounded"), {"several lengths": lengths}]

    what = ("lost at random", "dropped", "trimmed", "several lengths")
    check_reached(random_losing, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_losing)
