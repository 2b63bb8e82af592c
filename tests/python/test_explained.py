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
