"""Switches that choose among equally short paths: flows and links are even, order is lost only where it may be.

A leaf of a fat tree of radix 8 has four hosts and four links up. With ECMP the flows of its hosts fall on those links
like balls into bins: Pearson's chi-squared over the links, summed over seeds, stays between its quantiles of 0.1 and
99.9 %. Every switch has a hash of its own; otherwise flows from one upward link would all take one upward link again.
Spraying loads the links equally whatever the flows, and gives each flow of a permutation, in which ECMP makes some
flows share a link, the whole rate of its link.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

TREE = {"fat-tree": {"radix": 8}}
BELOW = [f"h{i}" for i in range(4)]
OTHERS = [f"h{i}" for i in range(4, 32)]


def uplinks(result) -> np.ndarray:
    """Packets that leaf0 sent to each spine."""
    names = result.arrow("ports")["name"].to_pylist()
    packets = dict(zip(names, column(result, "ports", "packets").tolist(), strict=True))
    return np.array([packets[f"leaf0->spine{i}"] for i in range(4)])


def test_ecmp_spreads_flows_like_balls_into_bins_and_keeps_their_order():
    each, total = 5, 0.0
    for seed in range(1, 13):
        traffic = [
            {"name": to, "from": BELOW, "to": to, "arrivals": {"messages": {"count": each, "every": "40 us"}}}
            for to in OTHERS
        ]
        result = run(scenario(TREE, traffic, "2 ms", scheme={"route": "ecmp"}, seed=seed))
        counts = uplinks(result)
        assert counts.sum() == each * 4 * 28 and not (counts % each).any()
        flows, mean = counts / each, 28.0
        total += float(((flows - mean) ** 2 / mean).sum())
        assert "reordered" not in result.arrow("flows").schema.names
    assert 15.32 < total < 67.99  # 36 degrees of freedom, 0.1 % and 99.9 %


def test_switches_one_above_the_other_hash_apart():
    """Three layers: for the flows that an edge switch sends up by one link, the next one uses all links up equally."""
    tree = {"fat-tree": {"radix": 8, "layers": 3}}
    total = 0.0
    for seed in range(1, 7):
        traffic = [
            {"name": f"to {to}", "from": BELOW, "to": f"h{to}", "arrivals": {"messages": {"count": 1}}}
            for to in range(16, 128, 2)
        ]
        result = run(scenario(tree, traffic, "1 ms", scheme={"route": "ecmp"}, seed=seed))
        names = result.arrow("ports")["name"].to_pylist()
        packets = dict(zip(names, column(result, "ports", "packets").tolist(), strict=True))
        for i in range(4):
            counts = np.array([packets[name] for name in names if name.startswith(f"agg0_{i}->core")])
            assert len(counts) == 4 and (counts > 0).all(), counts
            total += float(((counts - counts.mean()) ** 2 / counts.mean()).sum())
    assert 39.0 < total < 112.4  # 72 degrees of freedom


def permutation(route) -> object:
    """Every host of leaf0 sends all it can to a host of another leaf."""
    pairs = [{"name": f"to {i}", "from": f"h{i}", "to": f"h{8 + 5 * i}"} for i in range(4)]
    return run(scenario(TREE, pairs, "3 ms", scheme={"route": route}, measure={"warm_up": "1 ms"}, seed=3))


def test_spraying_in_turn_loads_all_links_alike():
    counts = uplinks(permutation({"spray": {"choice": "in-turn"}}))
    assert counts.max() - counts.min() <= 2


@pytest.mark.parametrize("route", [{"spray": {"choice": "in-turn"}}, "least-queue"])
def test_choosing_packet_by_packet_gives_back_what_ecmp_throws_together(route):
    together = column(permutation("ecmp"), "flows", "packets").sum()
    apart = column(permutation(route), "flows", "packets").sum()
    # Two of the four flows share a link with this seed.
    assert together <= 3 * 2000 + 20
    assert apart >= 0.97 * 4 * 2000


def test_packets_that_overtake_each_other_are_counted():
    result = permutation({"spray": {"choice": "random"}})
    late, extent = column(result, "flows", "reordered"), column(result, "flows", "reorder_extent")
    assert late.sum() > 0 and extent.max() >= 1
    assert (extent[late == 0] == 0).all()


def test_flowlets_take_several_ways_and_keep_the_order():
    bursts = {"messages": {"count": 40, "every": "100 us"}}
    traffic = [{"name": h, "from": h, "to": "h20", "message": "7840 B", "arrivals": bursts} for h in BELOW[:2]]
    result = run(scenario(TREE, traffic, "6 ms", scheme={"route": {"flowlet": {"gap": "50 us"}}}))
    assert (uplinks(result) > 0).sum() >= 3
    assert column(result, "flows", "reordered").sum() == 0


@pytest.mark.parametrize("topology", [{"k-ary-n-tree": {"k": 2, "n": 3}}, {"fat-tree": {"radix": 4, "layers": 3}}])
@pytest.mark.parametrize("route", ["ecmp", "spray", "flowlet", "least-queue"])
def test_everything_arrives_on_trees_of_several_levels(topology, route):
    traffic = [
        {
            "from": "all",
            "pattern": "uniform",
            "message": "3000 B",
            "arrivals": {"poisson": {"load": 0.5}},
            "stop": "1 ms",
        }
    ]
    result = run(scenario(topology, traffic, "3 ms", scheme={"route": {route: {}}}))
    sent = column(result, "flows", "sent").sum()
    assert sent > 1000 and column(result, "flows", "packets").sum() == sent
