"""Plots of many classes, lines or values can be read: each is where it belongs, and none hides the others. Those of a
single value show it.
"""

import itertools
import warnings

import numpy as np
import polars as pl
import pytest

import congestree
from congestree import plots, transports
from congestree.evaluation import trees
from congestree.plots import style

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


@pytest.mark.filterwarnings("error:constrained_layout")
def test_long_names_leave_the_axes_room(tmp_path, congestree_cli):
    """The layout gave up, with a warning of the library in `congestree report`. Names differ at their end still."""
    names = [f"{'a class of traffic with a long name ' * 4}{end}" for end in ("1", "2")]
    traffic = [{"name": name, "from": f"H{number}", "to": "H3"} for number, name in enumerate(names, 1)]
    few = {"topology": {"single-switch": {"hosts": 3}}, "links": {"rate": "10 Gbit/s"}, "traffic": traffic}
    run = congestree.run({**few, "measure": {"duration": "1 ms", "probes": ["flows"]}}, out=tmp_path / "run")
    for plot in (plots.plot_rates, plots.plot_classes):
        ax = plot(run).axes[0]
        ax.figure.draw_without_rendering()
        assert ax.get_position().width > 0.3
        legend = ax.get_legend()
        told = [text.get_text() for text in (legend.get_texts() if legend else ax.get_yticklabels())]
        assert len(set(told)) == len(told) >= 2 and all(len(text) <= style.WIDE for text in told)
    assert congestree_cli("report", "run").stderr == ""


SHORT = {
    **TINY,
    "topology": {"single-switch": {"hosts": 12}},
    "traffic": [
        {"name": "job", "from": [f"H{i}" for i in range(1, 12)], "program": {"all-to-all": {"bytes": "4 KiB"}}},
        {"name": "beside", "from": "H12", "to": "H1", "rate": "1 Gbit/s", "start": "1 us"},
    ],
    "measure": {"duration": "1 ms", "until_jobs_end": True, "bin": "1 ms", "sampling_interval": "20 us"},
}


def unseen(figure):
    """Lines of a figure with a name in a legend of which nothing can be seen."""
    lines = [line for ax in figure.axes for line in ax.lines if not line.get_label().startswith("_")]
    assert lines
    return [line.get_label() for line in lines if len(line.get_xdata()) < 2 and line.get_marker() == "None"]


@pytest.mark.parametrize("probes", [["flows"], ["classes"]])
def test_a_run_that_ends_within_its_first_bin_is_drawn(probes):
    """A line of one point is none: the axes were empty, and so was the band of a class of many flows."""
    run = congestree.run(SHORT, values={"measure.probes": [*probes, "ports", "trees", "output-queues"]})
    assert 0 < run.duration < 1e-3 and len(trees.sample_times(run)) == 1
    named = (plots.plot_rates, plots.plot_utilisation, transports.plot_output_queues, congestree.drawing.plot_trees)
    assert [unseen(plot(run)) for plot in named] == [[]] * 4
    rates = plots.plot_rates(run).axes[0]
    for line in (*rates.lines, *plots.plot_utilisation(run).axes[0].lines):
        assert line.get_xdata() == pytest.approx([0, run.duration * 1e6]) and len(set(line.get_ydata())) == 1
    assert [len(band.get_paths()[0].vertices) > 4 for band in rates.collections] == [True] * (probes == ["flows"])
    mean = run.flows.filter(run.flows["class"] == "beside")["rate"][0] / 1e9
    assert rates.lines[-1].get_ydata()[0] == pytest.approx(mean, rel=0.2)


def test_a_value_without_neighbours_is_drawn_as_a_point():
    assert style.alone([1.0, 2.0, float("nan"), 3.0, float("nan")]) == {"marker": ".", "markevery": [3]}
    assert style.alone([5]) == {"marker": ".", "markevery": [0]}
    assert style.alone([1, 2]) == style.alone([]) == {}
    one = {"from": "H1", "to": "H2", "message": "2 kB", "arrivals": {"messages": {"count": 1, "every": "1 us"}}}
    values = {"scheme.transport": "go-back-n", "measure.probes": ["transfers"], "traffic": [one]}
    run = congestree.run(TINY, values=values)
    assert run.transfers.height == 1 and unseen(transports.plot_transfers(run)) == []


CLASSES = {
    "topology": {"k-ary-n-tree": {"k": 2, "n": 6}},
    "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
    "traffic": [{"name": f"class number {i} of the users", "from": f"h{i}", "to": f"h{63 - i}"} for i in range(30)],
    "measure": {"duration": "100 us", "probes": ["flows", "ports"], "bin": "5 us"},
}


def test_thirty_classes_leave_the_axes_their_place():
    """The legend was higher than the figure, and the axes a tenth of it; colours were those of other classes, too."""
    run = congestree.run(CLASSES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plots.plot_rates(run)
        figure.draw_without_rendering()
    (ax,) = figure.axes
    whole, box = figure.bbox, ax.get_legend().get_window_extent()
    assert whole.y0 <= box.y0 and box.y1 <= whole.y1 and box.x1 <= whole.x1
    assert ax.get_window_extent().height > whole.height / 2
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.lines}) == 30
    told = [text.get_text() for text in ax.get_legend().texts]
    assert told[-1] == f"and {30 - (len(told) - 1)} more" and told[0] == "class number 0 of the users"


@pytest.mark.parametrize("count", [15, 16, 20, 21, 200])
def test_a_legend_names_all_lines_or_says_how_many_more_there_are(count):
    ax = style.axes()[1]
    for number in range(count):
        ax.plot([0, 1], [0, number], label=f"line {number}")
    style.legend(ax)
    told = [text.get_text() for text in ax.get_legend().texts]
    named = sum(text.startswith("line") for text in told)
    assert named >= min(count, 15)
    assert told[named:] == ([f"and {count - named} more"] if named < count else [])


@pytest.mark.parametrize(
    ("across", "down", "all_of_them"), [(3, 4, True), (15, 3, False), (40, 3, False), (3, 40, False)]
)
def test_numbers_and_names_of_a_heat_map_do_not_overprint(many, monkeypatch, across, down, all_of_them):
    rows = [(x, y, 10e9 / (1 + x + y)) for x in range(across) for y in range(down)]
    table = pl.DataFrame(rows, schema=["seed", "switches.buffer", "mean"], orient="row")
    table = table.with_columns(missing=pl.lit(0), runs=pl.lit(1), interval=pl.lit(0.0))
    monkeypatch.setattr(many, "mean", lambda value, by: table)
    figure = plots.plot_heat(many, "seed", "buffer", "accepted_load", unit="bit/s")
    figure.draw_without_rendering()
    ax = figure.axes[0]
    assert len(ax.texts) == (across * down if all_of_them else 0)
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
    for names, way in ((ax.get_xticklabels(), "x"), (ax.get_yticklabels(), "y")):
        ends = [
            (getattr(box, f"{way}0"), getattr(box, f"{way}1")) for box in (name.get_window_extent() for name in names)
        ]
        assert all(a[1] < b[0] for a, b in itertools.pairwise(ends))


@pytest.mark.parametrize("shipped", ["irn-incast", "uec-incast"])
def test_sizes_of_transfers_have_a_unit_however_close_they_are(shipped):
    run = congestree.run(shipped)
    figure = transports.plot_transfers(run)
    figure.draw_without_rendering()
    axis = figure.axes[0].xaxis
    low, high = axis.get_view_interval()
    shown = [label for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True) if low <= at <= high]
    assert shown and all(label.get_text().endswith("B") for label in shown)
    boxes = [label.get_window_extent() for label in shown]
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))
