"""Parallel links have one name, and are still distinguished wherever links are named."""

import numpy as np
import pytest

import congestree
from congestree import drawing, plots, report, transports, trees, view
from congestree.errors import CongestreeError
from congestree.view.frames import Frames, quantities


def trunk(flow_control, probes, **switches):
    """Two links from A to B, of which the second is slow; more is sent over both than they carry."""
    hosts = [f"h{i}" for i in range(6)]
    links = [{"a": host, "b": "AB"[i >= 3]} for i, host in enumerate(hosts)]
    links += [{"a": "A", "b": "B", "rate": "50 Gbit/s"}, {"a": "A", "b": "B", "rate": "25 Gbit/s"}]
    return {
        "topology": {"graph": {"hosts": hosts, "switches": ["A", "B"], "links": links}},
        "links": {"rate": "100 Gbit/s", "flow_control": flow_control},
        "switches": switches,
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}}],
        "measure": {"duration": "200 us", "probes": probes},
    }


@pytest.fixture(scope="module")
def lossy():
    return congestree.run(trunk("none", ["output-queues"], output_queue="64 KiB"))


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    told = trunk("byte-credits", ["trees"], buffer="64 KiB")
    return congestree.run(told, out=tmp_path_factory.mktemp("held") / "run")


def test_their_use_is_a_bar_each(lossy):
    (ax,) = plots.plot_utilisation(lossy).axes
    words = [label.get_text() for label in ax.get_yticklabels()]
    assert len(words) == len(ax.patches) == 8
    assert {"A->B (1)", "A->B (2)", "B->A (1)", "B->A (2)"} < set(words)
    (ax,) = plots.plot_utilisation(lossy, ports=["A->B"]).axes
    assert len(ax.patches) == 2
    (ax,) = plots.plot_utilisation(lossy, ports=["A->B (2)"]).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A->B (2)"]


def test_their_queues_are_drawn_each(lossy, tmp_path):
    assert any(path.name == "output-queues.png" for path in plots.draw_all(lossy, tmp_path))
    (ax,) = transports.plot_output_queues(lossy, ports=["A->B"]).axes
    assert [line.get_label() for line in ax.lines if line.get_label()[0] != "_"][:2] == ["A->B (1)", "A->B (2)"]
    at, delay = transports.queueing_delay(lossy, "A->B (2)")
    assert (at[1:] > at[:-1]).all() and 0 < delay.max() < 64 * 1024 * 8 / 25e9 * 1.1
    with pytest.raises(CongestreeError, match=r"A->B \(1\) or A->B \(2\)"):
        transports.queueing_delay(lossy, "A->B")


def test_their_trees_are_at_places_of_their_own(held):
    roots = {row["root"] for row in held.table("trees").iter_rows(named=True)}
    facts = trees.summary(held)
    assert {life["root"] for life in facts["trees"]} <= {"A->B (1)", "A->B (2)", "B->A (1)", "B->A (2)"}
    assert len({life["root"] for life in facts["trees"]}) == len(roots) > 2
    assert f"at {len(roots)} places" in trees.explain(held)[0]


def test_their_trees_are_drawn_beside_each_other(held):
    fabric = drawing.Fabric(held)
    one, two = (i for i, name in enumerate(fabric.names) if name.startswith("A->B ("))
    assert fabric.names[one] != fabric.names[two]
    lines = [fabric.line(port, side=0.05) for port in (one, two)]
    assert abs(lines[0][1] - lines[1][1]).min() > 0.04
    (ax,) = drawing.draw_trees(held).axes
    assert any("(2), " in text.get_text() for text in ax.get_legend().get_texts())


def test_pages_tell_them_apart(held):
    for text in (report.html(held), view.html(held)):
        assert "A-&gt;B (2)" in text or "A->B (2)" in text or "A-\\u003eB (2)" in text


def test_their_marks_are_those_of_each():
    told = trunk("byte-credits", ["events", "ports"], buffer="64 KiB") | {"scheme": {"preset": "ib-cc"}}
    run = congestree.run(told)
    marks, ports = run.marks, run.ports
    assert marks.height > 10
    for row in ports.filter(ports["name"] == "A->B").iter_rows(named=True):
        assert marks.filter(marks["output_port"] == row["port"]).height == row["marked"] > 0
    frames = Frames(run)
    (shown,) = (q.values for q in quantities(run, frames, ports.height) if q.id == "marks")
    shown_at = marks.filter(marks["time"] <= frames.times[-1])["output_port"].to_list()
    lengths = np.diff([0.0, *frames.times]) * 1e6  # us: what is shown are marks in a us
    counts = [np.rint(shown[port] * lengths).sum() for port in range(ports.height)]
    assert counts == [shown_at.count(port) for port in range(ports.height)]
