"""The engine against its twin where messages are listed, drawn for incasts, or as large as a table in a file says.

By hand: `PYTHONPATH=. python tests/twin/test_twin_lists.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_lists import random_lists
from reference import run


@in_chunks(SEEDS // 2)
def test_listed_messages_go_as_in_their_twin(seeds):
    check_seeds(random_lists, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Of lists, incasts of either kind and drawn sizes messages come in."""
    reached = Counter()
    for seed in range(SEEDS // 2):
        for source in run(random_lists(seed)).fabric.sources:
            entry, by_load = source.entry, source.entry.arrival_parameters.get("load") is not None
            reached[entry.arrivals] += source.listed == []
            reached["incast by load"] += source.listed == [] and by_load
            reached["sizes"] += entry.by_message and entry.sizes is not None
    assert all(reached[what] > 10 for what in ("listed", "incast", "incast by load", "injected", "sizes")), reached


if __name__ == "__main__":
    by_hand(random_lists)
