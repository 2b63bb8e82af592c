"""Plots of studies have their values where they belong, in the order of the sweep."""

import itertools

import numpy as np
import polars as pl
import pytest

import congestree
from congestree import plots

from .conftest import SHORT, SMALL

BASE = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "8 Gbit/s", "flow_control": "packet-slots"},
    "switches": {"buffer": "16 packets"},
    "scheme": {"preset": "ccfit"},
    "traffic": [{"name": "c", "from": ["H1", "H2"], "to": "H4"}],
    "measure": {"duration": "100 us"},
}
BUFFERS = ["4 packets", "8 packets", "16 packets"]
GRID = {"traffic.0.stop": ["100 us", "60 us"], "traffic.0.rate": ["1 Gbit/s", "3.5 Gbit/s", "2.2 Gbit/s"]}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """With the first threshold only the last buffer makes sense."""
    over = {"scheme.isolate.ccfit.detect": [8, 2], "switches.buffer": BUFFERS}
    study = congestree.sweep(BASE, over=over, skip_refused=True, out=tmp_path_factory.mktemp("r"), workers=1)
    assert len(study.refused) == 2
    return study


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    """Two times of sending by three rates, neither in the order of the means, all of which differ."""
    plain = {**BASE, "scheme": {"preset": "none"}}
    return congestree.sweep(plain, over=GRID, out=tmp_path_factory.mktemp("g"), workers=1)


def names(labels):
    return [label.get_text() for label in labels]


def test_axes_are_in_the_order_of_the_sweep_whatever_was_refused(refused):
    """They were in the order of the points that are left: 16 packets before 4."""
    assert refused.axes == {"scheme.isolate.ccfit.detect": [8, 2], "switches.buffer": BUFFERS}
    ax = plots.plot_heat(refused, "buffer", "detect", "rate.c").axes[0]
    assert (names(ax.get_xticklabels()), names(ax.get_yticklabels())) == (BUFFERS, ["8", "2"])
    shown = ax.images[0].get_array()
    assert np.ma.getmaskarray(shown)[0].tolist() == [True, True, False] and not np.ma.getmaskarray(shown)[1].any()
    assert names(plots.plot_lines(refused, "buffer", "rate.c").axes[0].get_xticklabels()) == BUFFERS


def test_lines_are_in_the_order_of_the_sweep_too(refused):
    several = plots.plot_lines(refused, "detect", "rate.c", by="buffer").axes[0]
    assert names(several.get_legend().get_texts()) == [f"buffer {buffer}" for buffer in BUFFERS]
    both = plots.plot_lines(refused, "accepted_load", "rate.c", by=["buffer", "detect"]).axes[0]
    assert names(both.get_legend().get_texts()) == [
        "buffer 4 packets, detect 2",
        "buffer 8 packets, detect 2",
        "buffer 16 packets, detect 8",
        "buffer 16 packets, detect 2",
    ]


def test_a_study_that_is_loaded_has_the_same_order_and_an_older_one_that_of_its_points(refused):
    assert congestree.Study.load(refused.folder).axes == refused.axes
    older = congestree.Study(refused.folder, refused.points)
    assert older.axes["switches.buffer"] == [BUFFERS[2], *BUFFERS[:2]]


def test_every_number_of_a_heat_map_is_that_of_its_cell(grid):
    ax = plots.plot_heat(grid, "rate", "stop", "rate.c").axes[0]
    (stops, rates), seen = GRID.values(), grid.runs
    assert (names(ax.get_xticklabels()), names(ax.get_yticklabels())) == (rates, stops)
    means = dict(zip(seen.select(*GRID).rows(), seen["rate.c"].to_list(), strict=True))
    written = {text.get_position(): float(text.get_text()) for text in ax.texts}
    assert len(written) == len({*written.values()}) == 6
    for (i, stop), (j, rate) in itertools.product(enumerate(stops), enumerate(rates)):
        assert written[j, i] == pytest.approx(means[stop, rate] / 1e9, rel=0.01)


def test_numbers_of_a_heat_map_are_dark_on_light_cells(grid):
    ax = plots.plot_heat(grid, "rate", "stop", "rate.c").axes[0]
    shades = {float(text.get_text()): text.get_color() for text in ax.texts}
    middle = (min(shades) + max(shades)) / 2
    assert {"black", "white"} == {*shades.values()}
    assert all((shade == "black") == (number > middle) for number, shade in shades.items())


@pytest.fixture
def gap(monkeypatch):
    """Four windows of two runs each, of which one lacks the value at the second."""
    over = {"adapters.window": [1, 2, 4, 8], "seed": [1, 2]}
    study = congestree.sweep(SMALL, over=over, values=SHORT, workers=1)
    rates = [1.0, 2.0, 3.0, float("nan"), 5.0, 6.0, 7.0, 9.0]
    monkeypatch.setattr(study, "_runs", study.runs.with_columns(pl.Series("rate.contenders", rates)))
    return study


TOLD = "mean and 95 % interval over seeds (1 of 4 points: one run, no interval)"
TOLD += ", without 1 of 8 runs that lack the value"


def bars(ax):
    """Where bars are, and their halves; a bar that is no number is none."""
    lines = [s for made in ax.containers for part in made[2] for s in part.get_segments() if not np.isnan(s).any()]
    return {round(float(line[0][0]), 1): line[1][1] - line[0][1] for line in lines if len(line)}


def test_a_point_of_one_run_has_no_interval_and_its_neighbours_keep_theirs(gap):
    ax = plots.plot_lines(gap, "window", "rate.contenders").axes[0]
    (band,) = (part for part in ax.collections if hasattr(part, "get_paths") and len(part.get_facecolor()))
    assert {float(x) for path in band.get_paths() for x in path.vertices[:, 0]} == {4.0, 8.0}
    assert bars(ax) == {1.0: pytest.approx(12.7, rel=0.01)}, "nothing is between it and a band"
    assert ax.get_title("left").replace("\n", " ") == TOLD


def test_a_name_of_one_run_has_no_bar(gap, monkeypatch):
    named = gap.runs.with_columns(pl.col("adapters.window").cast(pl.String))
    monkeypatch.setattr(gap, "_runs", named)
    ax = plots.plot_lines(gap, "window", "rate.contenders").axes[0]
    assert set(bars(ax)) == {0.0, 2.0, 3.0}
    assert len(ax.lines[0].get_xdata()) == 4, "its mean is there"
    assert ax.get_title("left").replace("\n", " ") == TOLD
