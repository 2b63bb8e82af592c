"""`explain` where a link is held, or taken, by other things than a congested link of its lane."""

import pytest

import congestree
from congestree.evaluation import trees
from congestree.evaluation.trees import held

ONE = """
topology.single-switch.hosts = 4
links = { rate = "100 Gbit/s", delay = "500 ns" }
switches.buffer = "8 KiB"
traffic = [{ name = "one", from = "H1", to = "H2" }]
measure = { duration = "1 ms", probes = ["trees", "ports"], sampling_interval = "1 us" }
"""
NONE = "There was no congestion tree: no link was held by a congested one in 1000 samples, one every 1 us."


def explained(**values):
    return trees.explain(congestree.run(ONE, values=values))


def test_a_link_that_waits_for_credit_is_named_although_no_link_is_congested():
    """It was said that no link was held, of one that flow control stopped for three fifths of the time."""
    said = explained()
    assert said == [
        NONE,
        "Flow control held H1->S all the same, for 61% of the measured time: the buffer at its end (8 KiB) is smaller "
        "than what it carries in a round trip of 1.1 us (13.4 KiB).",
    ]
    run = congestree.run(ONE)
    assert run.ports.filter(run.ports["name"] == "H1->S")["blocked"][0] == pytest.approx(0.61 * run.duration, rel=0.01)
    slots = {"links.flow_control": "packet-slots", "switches.buffer": "4 packets"}
    assert "the buffer at its end (8.08 KiB) is smaller" in explained(**slots)[1]


def test_a_buffer_is_only_the_reason_if_it_is_smaller_than_a_round_trip():
    for values in (
        {"switches.buffer": "14 KiB"},  # all but the time of a packet
        {"links.flow_control": {"byte-credits": {"messages": {}}}},  # credit comes when messages do
        {"switches.lane_buffers": ["8 KiB"]},
        {"switches": {"queues": {"voqnet": {"buffer": "8 KiB"}}}},
    ):
        said = explained(**values)
        assert said[0] == NONE and said[1].endswith("% of the measured time."), said


def test_links_with_delays_of_their_own_have_no_common_round_trip():
    links = [{"a": "a", "b": "S", "delay": "5 us"}, {"a": "b", "b": "S"}]
    graph = {"hosts": ["a", "b"], "switches": ["S"], "links": links}
    run = congestree.run(ONE, values={"topology": {"graph": graph}, "traffic": [{"from": "a", "to": "b"}]})
    assert held.sentence(run).endswith("of the measured time.")
    even = {"topology": {"graph": {**graph, "links": [{"a": "a", "b": "S"}, {"a": "b", "b": "S"}]}}}
    assert "round trip" in held.sentence(congestree.run(ONE, values={**even, "traffic": [{"from": "a", "to": "b"}]}))


def test_the_other_links_that_were_held_are_counted():
    said = explained(traffic=[{"from": "H1", "to": "H2"}, {"from": "H3", "to": "H4"}])
    assert "Flow control held H1->S all the same, for 61% of the measured time, and 1 more link for no" in said[1], said


LANES = """
topology.single-switch.hosts = 4
links = { rate = "100 Gbit/s", delay = "500 ns", lanes = 2, lane_arbiter = "strict" }
switches.buffer = "32 KiB"
traffic = [
    { name = "low", from = "H1", to = "H4", lane = 0 },
    { name = "high", from = "H2", to = "H4", lane = 1 },
    { name = "vic", from = "H1", to = "H3", lane = 0 },
]
measure = { duration = "1 ms", warm_up = "100 us", probes = ["trees"], sampling_interval = "1 us" }
"""


@pytest.mark.parametrize("probes", [["trees"], ["trees", "counters"]])
def test_the_lane_that_starves_the_root_is_named(probes):
    """It was said to be low that fed the tree at S->H4, of which it gets nothing: high takes all of it."""
    run = congestree.run(LANES, values={"measure.probes": probes})
    where = trees.explain(run)[0]
    assert where.startswith("Congestion sat at S->H4 (lane 0), from ")
    assert where.endswith(" Lane 1 (high) took 100% of this link in the measured time.")
    (tree,) = trees.summary(run)["trees"]
    assert tree["other_lanes"] == [{"lane": 1, "share": pytest.approx(1, abs=0.01), "classes": ["high"]}]


def test_lanes_are_named_without_a_share_where_none_took_most_or_the_tables_cannot_tell():
    for values in (
        {"traffic.high.rate": "40 Gbit/s", "traffic.vic.to": "H4"},
        {"links.service_lanes": [0, 1], "traffic.high": {"from": "H2", "to": "H4", "service": 1}},
    ):
        where = trees.explain(congestree.run(LANES, values=values))[0]
        assert " (lane 0), from " in where and where.endswith("waiting for it at most."), where


def test_the_only_lane_is_not_named():
    run = congestree.run(LANES, values={"links.lanes": 1, "links.lane_arbiter": "round-robin", "traffic.high.lane": 0})
    assert trees.explain(run)[0].startswith("Congestion sat at S->H4, from ")
