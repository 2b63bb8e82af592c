"""The engine against its readable twin where links fail, and routes follow.

By hand: `PYTHONPATH=. python tests/twin/test_twin_faults.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_faults import random_faults
from reference import run


@in_chunks(SEEDS)
def test_links_fail_and_routes_follow_as_their_twin_has_it(seeds):
    check_seeds(random_faults, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are lost on wires and dropped at outputs, and routes follow in both ways."""
    lost = discarded = 0
    ways = set()
    for seed in range(SEEDS // 2):
        scenario = random_faults(seed)
        faults = run(scenario).fabric.faults
        lost += faults.lost
        discarded += faults.discarded
        reroute = scenario["links"]["faults"].get("reroute", "none")
        ways.add(reroute if isinstance(reroute, str) else "subnet-manager")
    assert lost > 50 and discarded > 500, (lost, discarded)
    assert ways == {"none", "local", "subnet-manager"}


if __name__ == "__main__":
    by_hand(random_faults)
