"""The engine against its readable twin where links fail, and routes follow.

By hand: `PYTHONPATH=. python tests/twin/test_twin_faults.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_faults import random_faults


@in_chunks(SEEDS)
def test_links_fail_and_routes_follow_as_their_twin_has_it(seeds):
    check_seeds(random_faults, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are lost on wires and dropped at outputs, and routes follow in both ways."""

    def counts(fabric):
        return [{"lost": fabric.faults.lost, "discarded": fabric.faults.discarded}]

    def reroute(seed):
        rule = random_faults(seed)["links"]["faults"].get("reroute", "none")
        return rule if isinstance(rule, str) else "subnet-manager"

    check_reached(random_faults, counts, {"lost": 50, "discarded": 500}, SEEDS)
    assert {reroute(seed) for seed in range(SEEDS)} == {"none", "local", "subnet-manager"}


if __name__ == "__main__":
    by_hand(random_faults)
