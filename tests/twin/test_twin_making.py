"""The engine against its twin in how messages are made: gaps, bursts, drawn sizes, and groups of hosts.

By hand: `PYTHONPATH=. python tests/twin/test_twin_making.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks, twin_says
from random_making import random_making
from reference.hosts.sizes import Pareto, Table


@in_chunks(SEEDS // 8)
def test_messages_are_made_as_their_twin_makes_them(seeds):
    check_seeds(random_making, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Messages of either kind of drawn size arrive, in groups, in bursts, and after gaps of either kind."""
    reached = set()
    for seed in range(SEEDS // 2):
        fabric = twin_says(random_making, seed).fabric
        for source in fabric.sources:
            entry, parameters = source.entry, source.entry.arrival_parameters
            if any(flow.delivered for flow in source.flows.values()):
                reached |= {entry.arrivals, parameters.get("after"), parameters.get("burst"), entry.pattern}
                reached.add(type(entry.sizes))
        if reached >= {"gaps", "made", "done", 1, 2, 3, "groups", Pareto, Table}:
            return
    raise AssertionError(reached)


if __name__ == "__main__":
    by_hand(random_making)
