"""Shortest paths use all upward links of a tree, like D-mod-K: by default on imported fabrics, and after a failure.

A tree with k upward links at each level can carry everything that its hosts send, if destinations are spread over the
links anew at each level. If every switch chose by the same digit of the destination, traffic from one upward link would
continue on one upward link: with three levels on 1/k of the links at the top.
"""

import random

import pytest
from fabrics import column, run, scenario

from congestree.formats import fabrics

TREE = {"k-ary-n-tree": {"k": 4, "n": 3}}
LOAD = 0.6


def carried(**more):
    """The delivered rate of a host as a share of its link, where all hosts send at this load to all others."""
    traffic = [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": LOAD}}}]
    sections = {"measure": {"warm_up": "200 us"}, "switches": {"buffer": "64 KiB", "forwarding_delay": "100 ns"}}
    described = scenario(more.pop("topology", TREE), traffic, "300 us", rate="100 Gbit/s", delay="50 ns", **sections)
    described["links"].update(more.pop("links", {}))
    result = run(described | more)
    return column(result, "flows", "bytes").sum() * 8 / 100e-6 / 64 / 100e9


def test_a_tree_carries_by_shortest_paths_what_it_carries_by_its_own():
    assert carried(routing="shortest-path") == pytest.approx(carried()) == pytest.approx(LOAD, rel=0.03)


def test_an_imported_tree_carries_what_its_hosts_send(tmp_path):
    import congestree

    traffic = [{"from": "all", "pattern": "uniform"}]
    described = scenario(TREE, traffic, "1 us", rate="100 Gbit/s", switches={"forwarding_delay": "1 ns"})
    path = tmp_path / "fabric.txt"
    path.write_text(fabrics.write(fabrics.fabric_of(congestree.network(described)), "ibnetdiscover"))
    imported = tmp_path / "fabric.toml"
    imported.write_text(fabrics.scenario_text(fabrics.read(path), rate=100 * 10**9, whole=False))
    assert carried(topology={"file": str(imported)}) == pytest.approx(LOAD, rel=0.03)


def test_a_failed_link_of_a_tree_takes_no_more_than_itself():
    """A leaf with three of four upward links still has room for all traffic of its four hosts."""
    failed = {"failures": [{"link": ["s0_0", "s1_0"], "at": "0 us"}], "reroute": {"subnet-manager": {"delay": "1 ns"}}}
    assert carried(links={"faults": failed}) == pytest.approx(LOAD, rel=0.03)


def two_levels():
    """Eight leaves with eight hosts and eight links up each."""
    hosts = [f"h{leaf}_{host}" for leaf in range(8) for host in range(8)]
    leaves, spines = ([f"{kind}{at}" for at in range(8)] for kind in ("leaf", "spine"))
    links = [(host, f"leaf{host[1]}") for host in hosts] + [(leaf, spine) for leaf in leaves for spine in spines]
    return {"hosts": hosts, "switches": leaves + spines, "links": [{"a": a, "b": b} for a, b in links]}


def three_levels():
    """The tree of the other tests, written out."""
    import congestree

    traffic = [{"from": "all", "pattern": "uniform"}]
    made = congestree.network(scenario(TREE, traffic, "1 us", switches={"forwarding_delay": "1 ns"}))
    return {
        **{key: made[key] for key in ("hosts", "switches")},
        "links": [{"a": x["a"], "b": x["b"]} for x in made["links"]],
    }


@pytest.mark.parametrize("graph", [two_levels, three_levels])
@pytest.mark.parametrize("order", ["node by node", "random"])
def test_the_order_in_which_hosts_are_listed_costs_no_capacity(graph, order):
    """Random as files of fabrics list them; node by node where every host of a node is on a leaf of its own."""
    made = graph()
    if order == "random":
        random.Random(5).shuffle(made["hosts"])
    else:
        made["hosts"] = [host for place in range(8) for host in made["hosts"][place::8]]
    assert carried(topology={"graph": made}, routing="shortest-path") == pytest.approx(LOAD, rel=0.03)
