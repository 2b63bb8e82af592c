"""The engine against its readable twin, where packets take detours.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_detours.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs
from random_detours import random_detours, random_par, random_queued, random_trimmed

ALL = SEEDS * 3 // 2
"""Three of five choose by `ugal`: with `random_trimmed` as many as there are seeds."""


@in_chunks(ALL)
def test_packets_go_round_as_those_of_the_twin_do(seeds):
    check_seeds(random_detours, seeds)


@in_chunks(SEEDS // 2)
def test_packets_that_are_asked_again_go_as_those_of_the_twin_do(seeds):
    check_seeds(random_par, seeds)


@in_chunks(SEEDS // 4)
def test_packets_on_detours_wait_in_queues_by_destination_as_those_of_the_twin_do(seeds):
    check_seeds(random_queued, seeds)


@in_chunks(SEEDS // 2)
def test_packets_that_are_trimmed_in_place_of_others_go_on_as_in_the_twin(seeds):
    check_seeds(random_trimmed, seeds)


def test_packets_on_detours_are_trimmed_in_place_of_others():
    check_reached(random_trimmed, lambda fabric: of_outputs(fabric, "bounded"), {"in the place of another": 100})


if __name__ == "__main__":
    by_hand(random_detours)
