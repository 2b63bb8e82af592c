"""The engine against its readable twin where links fail, and routes follow.

By hand: `PYTHONPATH=. python tests/twin/test_twin_faults.py 17`, or `... 0 5000`.
"""

import pytest
from comparing import SEEDS, by_hand, check, check_reached, check_seeds, engine_rows, in_chunks
from random_faults import random_faults

PAIRS = (0, 2), (1, 2), (0, 3)
"""Hosts that send to others, in the test of adapters."""


ALL = SEEDS


@in_chunks(ALL)
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


@pytest.mark.parametrize("route", ["none", "ecmp"])
def test_adapters_of_other_hosts_are_no_way_round(route):
    """Two planes: h0 has a link to one of them left, h2 to the other, and other hosts have both."""
    failures = [{"link": link, "at": "10 us"} for link in (["nic0", "leaf0"], ["nic2", "leaf3"])]
    scenario = {
        "topology": {"clos": {"down": [2, 2], "up": [1], "planes": 2}},
        "links": {
            "rate": "8 Gbit/s",
            "delay": "100 ns",
            "faults": {
                "head_of_queue_lifetime": "0 ns",
                "failures": failures,
                "reroute": {"subnet-manager": {"delay": "5 us"}},
            },
        },
        "scheme": {"route": route},
        "traffic": [{"from": f"h{a}", "to": f"h{b}", "arrivals": {"steady": {"load": 0.3}}} for a, b in PAIRS],
        "measure": {"duration": "60 us", "probes": ["deliveries", "ports"]},
    }
    check(scenario)
    rows = engine_rows(scenario)
    packets = {row["name"]: row["packets"] for row in rows["ports"]}
    assert packets["nic3->leaf2"] == packets["nic3->leaf3"] == 0, "h3 sends nothing, and forwards nothing"
    last = {
        pair: max(row["injected_ps"] for row in rows["deliveries"] if row["flow"] == at)
        for at, pair in enumerate(PAIRS)
    }
    assert last[0, 2] < 15_000_000 < 50_000_000 < min(last[1, 2], last[0, 3]), "the others change their plane"
    assert [row["cut_off"] for row in rows["faults"]] == ["", "h2"]


if __name__ == "__main__":
    by_hand(random_faults)
