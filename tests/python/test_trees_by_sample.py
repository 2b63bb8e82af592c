"""What single samples saw of the congestion trees: numbers of trees and links."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

import congestree
from congestree import report
from congestree.errors import CongestreeError
from congestree.evaluation import trees
from congestree.evaluation.trees.samples import by_sample
from congestree.plots import drawing


def test_a_link_in_two_trees_counts_once():
    """First three hosts send to two others, and wait for both at once; later five of them send to one."""
    first, second = {"from": ["H1", "H2", "H3"]}, {"from": ["H6", "H7"], "to": "H4", "start": "200 us"}
    scenario = {
        "topology": {"single-switch": {"hosts": 7}},
        "links": {"rate": "10 Gbit/s"},
        "switches": {"buffer": "16 KiB"},
        "traffic": [first | {"to": "H4"}, first | {"to": "H5", "stop": "150 us"}, second],
        "measure": {"duration": "400 us", "probes": ["trees"], "sampling_interval": "20 us"},
    }
    run = congestree.run(scenario)
    links, number = (list(line.get_ydata()) for line in drawing.plot_trees(run).axes[0].lines)
    times = trees.sample_times(run)
    at = number.index(2)
    assert times[at] < 150e-6 and links[at] == 3
    assert max(links) == 5 and drawing.moment(run) == times[links.index(5)] > 200e-6
    title = drawing.draw_trees(run, at=times[at]).axes[0].get_title(loc="left")
    assert title == "2 trees, 3 links held at 40 us"


def test_a_run_without_a_sample_says_so_and_not_that_there_was_no_tree(small):
    measure = {"measure.probes": ["trees"], "measure.duration": "20 us", "measure.sampling_interval": "21 us"}
    run = congestree.run(small, values=measure)
    said = "The run ended before its first sample: make measure.sampling_interval shorter."
    assert trees.explain(run) == [said] and said in report.html(run)
    facts = trees.summary(run)
    unknown = ("congested", "most_at_a_time", "mean_at_a_time")
    assert facts["samples"] == 0 and [facts[key] for key in unknown] == [None] * 3
    with pytest.raises(CongestreeError, match=said):
        drawing.draw_trees(run)


def test_a_link_that_the_last_sample_no_longer_saw_does_not_count_in_it():
    """Spans that end there, and those that are open when the run ends with it, end at one instant."""
    seen_in = {"time": [1.0, 2.0], "tree": [0, 0], "branches": [2, 1], "held_links": [0, 0]}
    spans = {"tree": [0, 0], "port": [3, 4], "lane": [0, 0], "from": [1.0, 1.0], "to": [2.0, 2.0]}
    assert counted(seen_in, spans) == [[1, 1], [2, 1]]


def test_a_link_of_a_tree_that_the_last_sample_did_not_see_does_not_count_in_it():
    """The other two trees hold one link together, so that their counts do not bound it."""
    seen_in = {"time": [1.0] * 3 + [2.0] * 2, "tree": [0, 1, 2, 1, 2], "branches": [1] * 5, "held_links": [0] * 5}
    spans = {"tree": [0, 1, 2], "port": [3, 4, 4], "lane": [0] * 3, "from": [1.0] * 3, "to": [2.0] * 3}
    assert counted(seen_in, spans) == [[3, 2], [2, 1]]


def counted(seen_in, spans):
    """Numbers of trees and of links in the two samples of a run with these tables, which ends with the second."""
    tables = {"trees": pa.table(seen_in), "tree_links": pa.table(spans)}
    run = SimpleNamespace(
        _scenario={"measure": {"sampling_interval": "1 s"}}, duration=2.0, arrow=lambda name, columns=None: tables[name]
    )
    return [counts.tolist() for counts in by_sample(run)]


ALONE = {
    "a full replay buffer": {"links": {"retry": {"frames": 10}}},
    "frames that are sent again": {"links": {"retry": {}, "errors": {"packets": 0.02}}},
    "a crossbar slower than the link": {"switches": {"crossbar": "50 Gbit/s"}},
    "slots that packets do not fill": {
        "switches": {"arbiter": {"islip": {"matching": "slotted"}}, "buffer": "64 KiB"},
        "traffic": [{"from": "a", "to": "b", "message": "500 B", "arrivals": {"steady": {"load": 0.2}}}],
    },
}
"""What keeps a flow waiting inside a switch that it has to itself."""


@pytest.mark.parametrize("changed", ALONE.values(), ids=ALONE)
def test_a_flow_that_is_alone_is_not_held_up_by_others(changed):
    ends = [{"a": "a", "b": "S"}, {"a": "S", "b": "T", "delay": "10 us"}, {"a": "T", "b": "b"}]
    scenario = {
        "topology": {"graph": {"hosts": ["a", "b"], "switches": ["S", "T"], "links": ends}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns"},
        "switches": {"buffer": "1 MB"},
        "traffic": [{"from": "a", "to": "b"}],
        "measure": {"duration": "500 us", "probes": ["trees"], "sampling_interval": "1.3 us"},
    }
    for section, values in changed.items():
        scenario[section] = values if isinstance(values, list) else scenario[section] | values
    run = congestree.run(scenario)
    assert run.table("tree_losses").height == 0
    assert not any("others inside a switch" in sentence for sentence in trees.explain(run))


def test_packets_behind_others_are_held_up_by_them_where_switches_match_in_slots():
    """The output of H5 is free in two slots of three, as what waits for it stands behind packets for H4."""
    scenario = {
        "topology": {"single-switch": {"hosts": 5}},
        "links": {"rate": "10 Gbit/s"},
        "switches": {"queues": "single", "read_ports": "one", "arbiter": {"islip": {"matching": "slotted"}}},
        "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}, {"name": "victim", "from": "H1", "to": "H5"}],
        "measure": {"duration": "500 us", "probes": ["trees"], "sampling_interval": "1.3 us"},
    }
    run = congestree.run(scenario)
    held = dict(run.tree_losses.select("flow", "held_in_switch").rows())
    (victim,) = run.flows.filter(run.flows["class"] == "victim")["flow"]
    assert held.keys() == {victim} and 250e-6 < held[victim] < 350e-6
