"""The engine against its twin where regions of congestion (RCM) meet transports, bad links and credits in messages.

By hand: `PYTHONPATH=. python tests/twin/test_twin_controlled.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_controlled import random_controlled


@in_chunks(SEEDS // 2)
def test_regions_are_held_under_transports_and_over_links_that_err(seeds):
    check_seeds(random_controlled, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Windows hold packets under transports, over links that send frames again, and with credits in messages."""

    def counts(fabric):
        setup = fabric.setup
        outputs = [output for switch in fabric.switches for output in switch.outputs]
        held = any(output.region is not None and output.region.windows.counts["held"] for output in outputs)
        beside = {"transport": setup.transport, "errors": setup.checks, "messages": setup.messages}
        return [{what: held and part is not None for what, part in beside.items()}]

    check_reached(random_controlled, counts, dict.fromkeys(("transport", "errors", "messages"), 2), SEEDS // 2)


if __name__ == "__main__":
    by_hand(random_controlled)
