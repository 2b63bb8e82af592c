"""The engine against its twin where hosts have a memory between their flows and their link.

By hand: `PYTHONPATH=. python tests/twin/test_twin_staging.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_staging import random_staging


@in_chunks(SEEDS // 4)
def test_packets_wait_between_flows_and_link(seeds):
    check_seeds(random_staging, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Memories are full, and set packets aside, of lines that are stopped, too; and messages wait for their places."""

    def counts(fabric):
        counted = [host.staging.counts for host in fabric.hosts]
        posts = fabric.setup.queue_depth is not None and not any(flow.acknowledged for flow in fabric.flows)
        return [*counted, {"unacknowledged and posted": posts}]

    least = {"handed over": 1000, "full": 500, "aside": 100, "stopped": 50, "unacknowledged and posted": 2}
    check_reached(random_staging, counts, least, SEEDS)


if __name__ == "__main__":
    by_hand(random_staging)
