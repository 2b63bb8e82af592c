"""Plots of many classes, lines or values can be read: each is where it belongs, and none hides the others."""

import numpy as np
import pytest

import congestree
from congestree import plots

MESSAGES = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "10 Gbit/s"},
    "traffic": [
        {"from": ["H1", "H2", "H3"], "to": "H4", "flows": "by-message", "message": "20 kB"}
        | {"arrivals": {"poisson": {"load": 0.2}}}
    ],
    "measure": {"duration": "10 ms", "probes": ["completions"]},
}
TINY = {
    "topology": {"single-switch": {"hosts": 2}},
    "links": {"rate": "10 Gbit/s"},
    "traffic": [{"from": "H1", "to": "H2"}],
    "measure": {"duration": "20 us"},
}


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A study of 16 seeds by three buffers, which are texts."""
    over = {"seed": list(range(1, 17)), "switches.buffer": ["4 KiB", "8 KiB", "64 KiB"]}
    return congestree.sweep(TINY, over=over, out=tmp_path_factory.mktemp("many"), workers=1)


def test_points_of_many_lines_stand_at_their_own_name(many):
    """From 13 lines on the outer ones were nearer to another name, or outside of the axes."""
    ax = plots.plot_lines(many, "buffer", "accepted_load", by="seed").axes[0]
    assert len(ax.containers) == 16
    low, high = ax.get_xlim()
    for points in ax.containers:
        at = points.lines[0].get_xdata()
        assert [round(x) for x in at] == [0, 1, 2] and low < min(at) and max(at) < high


def test_slowdowns_of_flows_of_one_size_are_one_group():
    run = congestree.run(MESSAGES)
    ax = plots.plot_slowdown(run).axes[0]
    slowdowns = run.completions["slowdown"].to_numpy()
    assert len(slowdowns) > 40 and slowdowns.max() > 1.5
    drawn = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in ax.lines]
    assert drawn == [([20_000], [pytest.approx(np.percentile(slowdowns, share))]) for share in (50, 95, 99)]
    ax.figure.draw_without_rendering()
