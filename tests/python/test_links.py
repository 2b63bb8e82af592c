"""Links by name: one has a name, parallel ones share it and are counted."""

import pytest

import congestree
from congestree.evaluation import links

PAR = """
seed = 1
[topology.graph]
hosts = ["h0", "h1", "h2", "h3"]
switches = ["A", "B"]
links = [
    { a = "h0", b = "A" },
    { a = "h1", b = "A" },
    { a = "h2", b = "B" },
    { a = "h3", b = "B" },
    { a = "A", b = "B" },
    { a = "A", b = "B" },
]
[links]
rate = "10 Gbit/s"
delay = "100 ns"
flow_control.byte-credits = {}
[switches]
buffer = "64 KiB"
[[traffic]]
name = "x"
from = ["h0", "h1"]
to = "h2"
arrivals = "greedy"
[measure]
duration = "200 us"
warm_up = "20 us"
probes = ["ports", "output-queues"]
"""


def test_a_name_means_one_link_or_all_parallel_ones():
    names = ["A->B", "B->A", "A->B", "A->C"]
    told = ["A->B (1)", "B->A", "A->B (2)", "A->C"]
    assert links.told_apart(names) == told
    assert [links.meant(name, names) for name in told] == [[0], [1], [2], [3]]
    assert links.meant("A->B", names) == [0, 2]
    assert links.meant("A->B (3)", names) == links.meant("A->C (1)", names) == []


@pytest.mark.parametrize("scenario", [PAR, "hot-spot", "llnl-grid"])
def test_links_of_a_network_are_those_of_the_table_of_ports(scenario):
    short = {"measure.duration": "1 us", "measure.warm_up": "0 s"}
    names, _ = links.of_network(congestree.network(scenario, routes=False))
    assert names == congestree.run(scenario, values=short).ports["name"].to_list()
