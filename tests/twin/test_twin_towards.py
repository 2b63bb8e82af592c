"""The engine against its twin where packets travel in the lanes of their destinations.

By hand: `PYTHONPATH=. python tests/twin/test_twin_towards.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_towards import random_towards


@in_chunks(SEEDS // 4)
def test_packets_travel_in_the_lanes_of_their_destinations(seeds):
    check_seeds(random_towards, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets of one entry of traffic arrive in several lanes, and those of an entry with a lane in that lane."""

    def counts(fabric):
        for entry in fabric.setup.entries:
            flows = [flow for flow in fabric.flows if flow.source.entry is entry and flow.delivered]
            yield {"several": len({flow.lane for flow in flows}) > 1, "own": entry.own_lane and bool(flows)}

    check_reached(random_towards, counts, {"several": 5, "own": 2}, SEEDS // 4)


if __name__ == "__main__":
    by_hand(random_towards)
