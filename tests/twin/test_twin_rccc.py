"""The engine against its twin where receivers of Ultra Ethernet grant credit (RCCC), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_rccc.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_senders
from random_rccc import random_rccc


@in_chunks(SEEDS // 8)
def test_credit_is_that_of_the_twin(seeds):
    check_seeds(random_rccc, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Turns grant the request, more, nothing, and less where the fabric is congested; senders wait, and request."""

    def counts(fabric):
        return of_senders(fabric) + [host.granter.counts for host in fabric.hosts]

    what = ("granted", "spared", "empty", "less", "kept back", "requests", "asked", "asked at the end", "timeouts")
    check_reached(random_rccc, counts, dict.fromkeys(what, 10))


if __name__ == "__main__":
    by_hand(random_rccc)
