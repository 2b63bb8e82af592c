"""The engine against its twin where messages are listed, drawn for incasts, or as large as a table in a file says.

By hand: `PYTHONPATH=. python tests/twin/test_twin_lists.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_lists import random_lists


@in_chunks(SEEDS // 2)
def test_listed_messages_go_as_in_their_twin(seeds):
    check_seeds(random_lists, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Messages of lists, incasts of either kind and drawn sizes arrive."""

    def counts(fabric):
        for source in fabric.sources:
            entry, all_sent = source.entry, source.listed == []
            yield {entry.arrivals: all_sent, "sizes": entry.by_message and entry.sizes is not None}
            yield {"incast by load": all_sent and entry.arrival_parameters.get("load") is not None}

    what = ("listed", "incast", "incast by load", "injected", "sizes")
    check_reached(random_lists, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_lists)
