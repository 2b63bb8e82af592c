"""The engine against its readable twin where links fail, and routes follow.

By hand: `PYTHONPATH=. python tests/twin/test_twin_faults.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check, check_reached, check_seeds, in_chunks
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


def test_written_routes_stay_where_the_link_of_a_host_fails():
    """On a ring, from a to b the long way round."""
    ends = ["aS1", "bS2", "cS3", "dS4"]
    links = [(each[0], each[1:]) for each in ends] + [("S1", "S2"), ("S2", "S3"), ("S3", "S4"), ("S4", "S1")]
    faults = {"failures": [{"link": ["d", "S4"], "at": "20 us"}], "reroute": {"subnet-manager": {"delay": "5 us"}}}
    check(
        {
            "topology": {
                "graph": {
                    "hosts": [*"abcd"],
                    "switches": ["S1", "S2", "S3", "S4"],
                    "links": [{"a": a, "b": b} for a, b in links],
                }
            },
            "routing": {"table": {"S1": {"b": "S4"}, "S4": {"b": "S3"}}},
            "links": {"rate": "8 Gbit/s", "delay": "100 ns", "faults": faults},
            "traffic": [{"from": "a", "to": "b", "arrivals": {"steady": {"load": 0.5}}}],
            "measure": {"duration": "60 us", "probes": ["deliveries", "ports"]},
        }
    )


if __name__ == "__main__":
    by_hand(random_faults)
