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
    tables = {"trees": pa.table(seen_in), "tree_links": pa.table(spans)}
    run = SimpleNamespace(
        scenario={"measure": {"sampling_interval": "1 s"}}, duration=2.0, arrow=lambda name, columns=None: tables[name]
    )
    assert [list(counts) for counts in by_sample(run)] == [[1, 1], [2, 1]]
