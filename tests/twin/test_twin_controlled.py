"""The engine against its twin where regions of congestion (RCM) meet transports, bad links and credits in messages.

By hand: `PYTHONPATH=. python tests/twin/test_twin_controlled.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_controlled import random_controlled
from reference import run


@in_chunks(SEEDS // 4)
def test_regions_are_held_under_transports_and_over_links_that_err(seeds):
    check_seeds(random_controlled, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Windows hold packets under transports, over links that send frames again, and with credits in messages."""
    held = {"transport": 0, "errors": 0, "messages": 0}
    for seed in range(SEEDS // 4):
        fabric = run(random_controlled(seed)).fabric
        setup = fabric.setup
        outputs = [output for switch in fabric.switches for output in switch.outputs]
        some = any(output.region is not None and output.region.windows.counts["held"] for output in outputs)
        held["transport"] += some and setup.transport is not None
        held["errors"] += some and setup.checks is not None
        held["messages"] += some and setup.messages is not None
    assert min(held.values()) > 2, held


if __name__ == "__main__":
    by_hand(random_controlled)
