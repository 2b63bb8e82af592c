"""Plots are figures with labelled axes and units; they never open a window."""

import itertools
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import polars
import pytest
from matplotlib.text import Text

import congestree
from congestree import plots
from congestree.errors import CongestreeError, visible
from congestree.plots import style

from .conftest import SHORT, SMALL

CROWDED = """
topology.single-switch.hosts = 6
links.rate = "10 Gbit/s"
[[traffic]]
name = "crowd"
from = ["H1", "H2", "H3"]
to = "H4"
flows = "by-message"
message = "20 kB"
arrivals.poisson.load = 0.9
[[traffic]]
name = "calm"
from = "H5"
to = "H6"
flows = "by-message"
message = "20 kB"
arrivals.poisson.load = 0.5
stop = "800 us"
[measure]
duration = "1 ms"
probes = ["completions"]
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    over = {"seed": [1, 2, 3], "adapters.window": [1, 2, 4], "traffic.1.rate": ["100 MB/s", "200 MB/s"]}
    return congestree.sweep(SMALL, over=over, out=tmp_path_factory.mktemp("plots"))


def labelled(figure):
    ax = figure.axes[0]
    assert ax.get_xlabel()
    assert ax.get_ylabel() or ax.get_yticklabels()
    figure.canvas.draw()
    return ax


def test_rates_have_a_line_for_each_flow_and_a_colour_for_each_class(finished):
    ax = labelled(plots.plot_rates(finished, window="200 us"))
    assert len(ax.lines) == 3
    assert len({line.get_color() for line in ax.lines}) == 2
    assert "Gbit/s" in ax.get_ylabel()
    assert ax.lines[0].get_ydata()[-1] == pytest.approx(4.0, rel=0.1)


def test_rates_can_be_means_of_classes_and_shares_of_a_rate(finished):
    ax = labelled(plots.plot_rates(finished, by="class", classes=["bystander"], relative_to="1 GB/s"))
    assert len(ax.lines) == 1
    assert ax.lines[0].get_ydata()[-1] == pytest.approx(0.1, rel=0.1)


@pytest.mark.parametrize("windows", [{}, {"measure.warm_up": "900 us", "measure.duration": "1.05 ms"}])
def test_a_mean_of_a_class_is_the_same_from_either_probe(windows):
    """The probe `classes` alone gave the sum of all flows instead."""
    drawn = []
    for probe in ("flows", "classes"):
        run = congestree.run(CROWDED, values={"measure.probes": [probe], "measure.bin": "100 us", **windows})
        ax = labelled(plots.plot_rates(run, by="class", window="200 us"))
        drawn.append([(line.get_label(), line.get_color(), line.get_ydata().tolist()) for line in ax.lines])
        assert ax.get_ylabel() == "rate (Gbit/s)"
    assert [name for name, *_ in drawn[0]] == ["crowd (3)", "calm"]
    assert drawn[0] == [(name, shade, pytest.approx(line)) for name, shade, line in drawn[1]]


def test_what_all_flows_of_a_class_carry_together_is_called_so():
    run = congestree.run(CROWDED, values={"measure.probes": ["classes"], "measure.bin": "100 us"})
    crowd, calm = plots.plot_rates(run).axes[0].lines
    assert (crowd.get_label(), calm.get_label()) == ("crowd (all 3 together)", "calm")
    assert crowd.get_ydata().max() == pytest.approx(10, rel=0.05)


ODD = [r"$\frac{1}$", "a$b$c", "_hidden", "\u4e2d", "a\tb", "%s {0} \\n", "turn\u202eed"]


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A scenario file with a class, and a host, for each odd name."""
    probes = ["flows", "ports", "queues", "trees"]
    measure = {"duration": "100 us", "bin": "10 us", "sampling_interval": "10 us", "probes": probes}
    links = [{"a": host, "b": r"$\switch$"} for host in (*ODD, "to")]
    graph = {"hosts": [*ODD, "to"], "switches": [r"$\switch$"], "links": links}
    traffic = [{"name": odd, "from": odd, "to": "to"} for odd in ODD]
    named = {"name": "".join(ODD), "topology": {"graph": graph}, "links": {"rate": "8 Gbit/s"}, "traffic": traffic}
    path = tmp_path_factory.mktemp("odd") / "odd.json"
    path.write_text(json.dumps({**named, "measure": measure}))
    return path


def test_names_are_shown_as_they_are(odd, congestree_cli, tmp_path):
    """No mathematics, no letter that a font lacks and no underscore ends in an exception, a warning or a gap."""
    run = congestree.run(odd, out=tmp_path / "run")
    congestree.run(odd, values={"measure.probes": ["flows", "trees"]}, out=tmp_path / "bars")
    for words in (("plot", "run"), ("plot", "run", "--tree", "--animate"), ("plot", "bars"), ("report", "run")):
        assert congestree_cli(*words).stderr == ""
    said = plots.plot_rates(run).axes[0].get_legend().get_texts()
    assert [text.get_text().strip() for text in said] == list(map(visible, ODD))


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("probes", [["flows", "trees"], ["flows", "trees", "ports"]])
def test_no_name_turns_the_direction_of_writing(odd, probes):
    """What followed one in a title or a label stood there backwards."""
    run = congestree.run(odd, values={"measure.probes": probes})
    for plot in (plots.plot_rates, plots.plot_classes, plots.plot_utilisation, congestree.drawing.draw_trees):
        (figure := plot(run)).draw_without_rendering()  # which is when axes write the names at ticks
        texts = [text.get_text() for text in figure.findobj(Text)]
        assert any("\\u202e" in text for text in texts) and not any("\u202e" in text for text in texts)


def test_lines_that_hardly_vary_are_not_drawn_on_the_edge():
    alone = {"from": "H1", "to": "H2", "name": "alone"}
    scenario = {"topology": {"single-switch": {"hosts": 2}}, "links": {"rate": "8 Gbit/s"}, "traffic": [alone]}
    run = congestree.run(scenario | {"measure": {"duration": "1 ms", "probes": ["flows", "ports"]}})
    for figure in (plots.plot_rates(run), plots.plot_utilisation(run)):
        (line,) = (ax := figure.axes[0]).lines
        assert ax.get_ylim() == (0, pytest.approx(1.05 * line.get_ydata().max()))
    assert plots.plot_classes(run).axes[0].get_xlim() == (0, pytest.approx(1.05 * 8, rel=0.01))


def test_one_name_needs_no_brackets_and_unknown_lines_are_refused(finished):
    assert len(plots.plot_rates(finished, by="class", classes="bystander").axes[0].lines) == 1
    with pytest.raises(congestree.CongestreeError, match="no class of traffic bystandr here"):
        plots.plot_rates(finished, classes="bystandr")
    labelled(plots.plot_utilisation(finished, ports="S->H4"))
    with pytest.raises(congestree.CongestreeError, match="There is no link S->nowhere;"):
        plots.plot_utilisation(finished, ports="S->nowhere")
    with pytest.raises(congestree.CongestreeError, match='no lines by "clas"'):
        plots.plot_rates(finished, by="clas")


def test_the_window_of_rates_is_a_twentieth_of_the_run_and_never_told_longer_than_it(finished):
    said = plots.plot_rates(finished).axes[0].get_title("left")
    assert f"over {style.span(finished.duration / 20)}" in said
    said = plots.plot_rates(finished, window=10 * finished.duration).axes[0].get_title("left")
    assert f"over {style.span(finished.duration)}" in said
    used = plots.plot_utilisation(congestree.run(INCAST)).axes[0].get_title("left")
    assert used.endswith(", over 10 us")


def test_links_of_several_rates_are_drawn_in_per_cent_of_their_own():
    """A full link of 10 Gbit/s was the lowest line."""
    hosts = [{"a": f"H{k}", "b": "S", **({"rate": "10 Gbit/s"} if k == 3 else {})} for k in (1, 2, 3, 4)]
    scenario = {
        "topology": {"graph": {"hosts": ["H1", "H2", "H3", "H4"], "switches": ["S"], "links": hosts}},
        "links": {"rate": "100 Gbit/s"},
        "traffic": [
            {"name": "full", "from": "H1", "to": "H3"},
            {"name": "some", "from": "H2", "to": "H4", "rate": "40 Gbit/s"},
        ],
        "measure": {"duration": "400 us", "bin": "10 us", "probes": ["ports"]},
    }
    ax = labelled(plots.plot_utilisation(congestree.run(scenario)))
    last = {line.get_label(): line.get_ydata()[-1] for line in ax.lines}
    assert last == {"S->H3": pytest.approx(100, rel=0.05), "S->H4": pytest.approx(40, rel=0.05)}
    assert ax.get_ylabel() == "carried (% of the rate of the link)" and "over 20 us" in ax.get_title("left")
    same = labelled(plots.plot_utilisation(congestree.run(scenario), ports=["S->H4"]))
    assert same.get_ylabel() == "carried (Gbit/s)"


def test_links_and_queues_are_plotted_with_labels_and_unknown_ports_are_refused(finished):
    labelled(plots.plot_utilisation(finished))
    labelled(plots.plot_utilisation(finished, ports=["S->H4"]))
    labelled(plots.plot_queues(finished))
    with pytest.raises(congestree.CongestreeError, match="no link"):
        plots.plot_utilisation(finished, ports=["S->nowhere"])


BUSY = """
name = "busy"
topology.k-ary-n-tree = { k = 4, n = 2 }
links = { rate = "200 Gbit/s", delay = "100 ns" }
[[traffic]]
from = "all"
pattern = "uniform"
flows = "by-message"
sizes.cdf = "web-search"
arrivals.poisson.load = 0.8
[measure]
duration = "2 ms"
probes = ["completions", "ports", "trees"]
"""


def written(axis, ax):
    """The numbers at an axis, within the visible range."""
    ax.figure.canvas.draw()
    low, high = sorted(axis.get_view_interval())
    both = (axis.get_major_ticks(), axis.get_minor_ticks())
    return [t.label1.get_text() for ticks in both for t in ticks if low <= t.get_loc() <= high and t.label1.get_text()]


def test_slowdowns_are_read_off_in_plain_numbers():
    """Over little more than a factor of ten the axis had the numbers 10^0 and 10^1 alone."""
    ax = labelled(plots.plot_slowdown(congestree.run(BUSY)))
    assert {"1", "2", "5", "10"} <= set(written(ax.yaxis, ax))
    assert {"10 kB", "100 kB", "1 MB"} <= set(written(ax.xaxis, ax))
    assert not any("$" in word for axis in (ax.xaxis, ax.yaxis) for word in written(axis, ax))


def test_slowdowns_of_no_flow_that_has_finished_are_an_empty_plot(tmp_path):
    """Was a traceback: no number can be read off an axis of powers without values."""
    run = congestree.run(BUSY, values={"measure.duration": "1 us"})
    assert run.arrow("completions").num_rows == 0
    assert tmp_path / "slowdown.png" in plots.draw_all(run, tmp_path)


def test_slowdowns_say_of_their_own_classes_how_many_flows_had_not_finished():
    """Those of calm were told to be without the flows of crowd, and not to be those of calm."""
    run = congestree.run(CROWDED)
    both = run.flows.group_by("class").agg(polars.col("flows_started", "flows_finished").sum()).sort("class")
    began, ended = both["flows_started"], both["flows_finished"]
    assert began[0] == ended[0] > 0  # calm
    left = f"without {began[1] - ended[1]} of {began[1]}"

    def title(**chosen):
        return plots.plot_slowdown(run, **chosen).axes[0].get_title("left").replace("\n", " ")

    assert title(classes="calm") == "slowdown by size of flows of calm"
    assert title(classes="crowd") == f"slowdown by size of flows of crowd, {left} flows that had not finished"
    late = title(classes=["crowd"], after=9e-4)
    assert late.endswith(f"of crowd that start after 900 us, {left} flows of the whole run that had not finished")
    everyone = f"of {began.sum()} flows that had not finished"
    assert title(classes=["crowd", "calm"]).endswith(everyone) and title().endswith(everyone)


def test_an_axis_of_powers_has_numbers_however_far_it_goes():
    from congestree.plots.style import axes, logarithmic

    for most, some in ((1.6, {"1.2", "1.4"}), (40, {"1", "2", "5", "10", "20"}), (1e6, {"1", "100", "10000"})):
        ax = axes()[1]
        ax.set_ylim(1, most)
        logarithmic(ax.yaxis)
        assert some <= set(written(ax.yaxis, ax)), most


def test_a_plot_of_some_links_says_of_how_many():
    run = congestree.run(BUSY)
    shown = plots.plot_utilisation(run).axes[0].get_title("left").replace("\n", " ")
    window = style.span(run.duration / 20)
    assert shown == f"busy: use of links: the 8 busiest of 48 in use, over {window}"
    alone = plots.plot_utilisation(run, ports=["s0_0->h0"]).axes[0].get_title("left")
    assert alone == f"busy: use of links, over {window}"


def test_a_plot_of_some_buffers_says_of_how_many():
    run = congestree.run(BUSY, values={"measure.probes": ["queues"]})
    there = run.queues.filter(run.queues["time"] > 0)["port"].n_unique()
    assert there > 8
    assert plots.plot_queues(run).axes[0].get_title("left") == f"busy: input buffers: the 8 fullest of {there}"
    assert plots.plot_queues(run, ports="s0_0->h0").axes[0].get_title("left") == "busy: input buffers"


def test_a_legend_of_some_trees_says_how_many_more_there_are():
    run = congestree.run(BUSY)
    when = congestree.drawing.moment(run)
    several = (run.trees["time"] == when).sum()
    assert several > 6
    said = [text.get_text() for text in congestree.drawing.draw_trees(run, when).axes[0].get_legend().get_texts()]
    assert len([text for text in said if text.endswith(" deep")]) == 6 and f"and {several - 6} more" in said


INCAST = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "100 Gbit/s"},
    "traffic": [{"name": "x", "from": ["H1", "H2"], "to": "H4", "window": 4}],
    "measure": {"duration": "100 us", "bin": "10 us", "probes": ["ports"]},
}


@pytest.mark.parametrize("probes", [["ports"], []])
def test_a_receiver_that_sends_acks_is_no_switch(probes):
    """H4->S was drawn, and counted: only sources of flows were known to be hosts."""
    run = congestree.run(INCAST, values={"measure.probes": probes})
    ax = labelled(plots.plot_utilisation(run))
    names = [line.get_label() for line in ax.lines] or [label.get_text() for label in ax.get_yticklabels()][::-1]
    assert names == ["S->H4", "S->H1", "S->H2"]
    assert ax.get_title("left") == ("use of links, over 10 us" if probes else "utilisation of links")


def test_trees_are_counted_in_whole_numbers():
    for some in ({}, {"traffic.0.arrivals.poisson.load": 0.01}):
        ax = labelled(congestree.drawing.plot_trees(congestree.run(BUSY, values=some)))
        assert len(written(ax.yaxis, ax)) > 1 and all("." not in word for word in written(ax.yaxis, ax))


def test_a_study_gives_a_heat_map_and_lines_with_intervals(study):
    ax = labelled(plots.plot_heat(study, x="window", y="rate", value="rate.contenders", unit="bit/s"))
    assert ax.images[0].get_array().shape == (2, 3)
    ax = labelled(plots.plot_lines(study, x="window", value="rate.contenders", by="traffic.1.rate", unit="bit/s"))
    assert len(ax.lines) == 2
    labelled(plots.plot_lines(study, x="traffic.1.rate", value="rate.bystander", unit="bit/s"))


def test_means_say_how_many_runs_lack_the_value(tmp_path):
    """An application that has not finished has no time; the mean of the others was that "over seeds"."""
    work = {"name": "work", "from": ["H1", "H2"], "program": {"all-reduce-ring": {"bytes": "160 KiB"}}}
    crowd = {"name": "crowd", "from": "H3", "to": "H1"}
    measure = {"duration": "100 us"}
    network = {"topology": {"single-switch": {"hosts": 3}}, "links": {"rate": "16 Gbit/s"}}
    over = {"seed": [1, 2], "measure.duration": ["100 us", "1 ms"]}
    study = congestree.sweep(
        network | {"traffic": [work, crowd], "measure": measure}, over=over, out=tmp_path, workers=1
    )
    assert study.runs["completion.work"].is_nan().sum() == 2
    left = ", without 2 of 4 runs that lack the value"
    titles = [
        plots.plot_lines(study, "duration", "completion.work").axes[0].get_title("left"),
        plots.plot_heat(study, "seed", "duration", "completion.work").axes[0].get_title("left"),
    ]
    assert [title.replace("\n", " ").endswith(left) for title in titles] == [True, True]
    assert "without" not in plots.plot_lines(study, "duration", "sent").axes[0].get_title("left")


def test_two_swept_values_of_one_key_have_names_that_differ(tmp_path):
    over = {f"traffic.{name}.jitter": ["1 us", "2 us"] for name in ("contenders", "bystander")}
    study = congestree.sweep(SMALL, over={**over, "seed": [1]}, values=SHORT, out=tmp_path, workers=1)
    x, y = over
    ax = plots.plot_heat(study, x, y, "rate.bystander").axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("contenders.jitter", "bystander.jitter")
    ax = plots.plot_lines(study, x, "rate.bystander", by=y).axes[0]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert ax.get_xlabel() == "contenders.jitter" and legend == ["bystander.jitter 1 us", "bystander.jitter 2 us"]
    assert "differ in bystander.jitter, too" in plots.plot_lines(study, x, "rate.bystander").axes[0].get_title("left")


@pytest.mark.parametrize("count", [3, 9])
def test_names_along_x_do_not_meet_however_many_there_are(count):
    figure, ax = style.axes()
    style.name_ticks(ax, ["input-triggered, aimd", "none", *(f"output-triggered-{n}" for n in range(count - 2))])
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    if ax.get_xticklabels()[0].get_rotation():
        starts = [box.x1 for box in boxes]
        assert all(b - a > 15 for a, b in itertools.pairwise(starts))
    else:
        assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))


def test_plots_leave_the_settings_of_matplotlib_alone(finished):
    import matplotlib

    before = dict(matplotlib.rcParams)
    plots.plot_rates(finished)
    assert dict(matplotlib.rcParams) == before


def test_plots_in_several_threads_leave_the_settings_of_matplotlib_alone(finished):
    """They did not, where one plot began within another and ended after it."""
    import matplotlib

    before = dict(matplotlib.rcParams)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            list(pool.map(plots.plot_rates, [finished] * 4))
    assert dict(matplotlib.rcParams) == before


def test_a_notebook_shows_a_plot(finished):
    """A cell that ends in one had its name alone."""
    formatters = pytest.importorskip("IPython.core.formatters")
    figure = plots.plot_rates(finished)
    shown, _ = formatters.DisplayFormatter().format(figure)
    assert shown["image/png"].startswith(b"\x89PNG") and shown["text/plain"].startswith("<Figure size ")
    assert len(pickle.loads(pickle.dumps(figure)).axes) == 1


def test_a_name_that_is_not_there_is_refused_with_those_that_are(finished):
    for plot in (
        lambda: plots.plot_rates(finished, classes=["bystanders"]),
        lambda: plots.plot_utilisation(finished, ports=["H1->H2"]),
    ):
        with pytest.raises(CongestreeError, match=r"There is no (class of traffic bystanders|link H1->H2)"):
            plot()


def test_a_mean_over_many_settings_has_a_title_in_lines(study, monkeypatch):
    table = study.mean("rate.contenders", by=["traffic.1.rate", "window"])
    monkeypatch.setattr(study, "mean", lambda value, by: table)
    monkeypatch.setattr(study, "averaged", lambda by: [f"links.setting_number_{n}" for n in range(6)])
    (ax, _) = plots.plot_heat(study, x="window", y="rate", value="rate.contenders", unit="bit/s").axes
    lines = ax.get_title("left").splitlines()
    assert len(lines) > 1 and max(map(len, lines)) <= plots.style.LONG and lines[-1].endswith("number 5, too")


@pytest.mark.parametrize(("least", "most"), [(1.6e4, 9e5), (1, 6), (64, 3e7), (0.3, 40), (1.1, 1.9)])
def test_numbers_along_a_logarithmic_axis_are_plain_and_apart(least, most):
    from congestree.plots.style import axes, in_bytes, logarithmic

    figure, ax = axes(figsize=(3.2, 3))
    ax.plot([least, most], [least, most], "o")
    for axis, across in ((ax.xaxis, ("x0", "x1")), (ax.yaxis, ("y0", "y1"))):
        logarithmic(axis, in_bytes)
        figure.canvas.draw()
        limits = sorted(axis.get_view_interval())
        shown = [
            label for label in axis.get_ticklabels(which="both") if label.get_text() and _value_at(label, axis, limits)
        ]
        boxes = sorted((label.get_window_extent() for label in shown), key=lambda box: getattr(box, across[0]))
        assert shown and not any("times" in label.get_text() for label in shown)
        assert all(getattr(a, across[1]) <= getattr(b, across[0]) for a, b in itertools.pairwise(boxes))


def _value_at(label, axis, limits):
    """Whether a label is within the axis, and not beyond its ends."""
    return limits[0] <= label.get_position()[0 if axis.axis_name == "x" else 1] <= limits[1]


def test_the_axis_of_a_study_has_the_unit_of_its_column_and_no_other(tmp_path):
    """A rate in bit/s with "Gbit/s" beside it would be wrong by nine orders of magnitude."""
    short = {"measure.duration": "200 us", "measure.warm_up": "0 s"}
    study = congestree.sweep(SMALL, over={"seed": [1, 2]}, values=short, out=tmp_path, workers=1)
    named = {"rate.contenders": "bit/s", "measured": "s", "sent": "", "seed": "", "rate:contenders": "bit/s"}
    assert {name: study.unit(name) for name in named} == named
    rates = study.runs["rate.contenders"].mean()
    axes = plots.plot_lines(study, "seed", "rate.contenders").axes[0]
    assert axes.get_ylabel() == "rate.contenders (Gbit/s)" and axes.lines[0].get_ydata().mean() == rates / 1e9
    for unit, why in {"Gbit/s": "is in bit/s, not in Gbit/s", "s": "is in bit/s, not in s"}.items():
        with pytest.raises(CongestreeError, match=why):
            plots.plot_lines(study, "seed", "rate.contenders", unit=unit)
    with pytest.raises(CongestreeError, match="MB is no base unit: write one of s, B, bit/s"):
        plots.plot_heat(study, "seed", "seed", "sent", unit="MB")
    counted = plots.plot_heat(study, "seed", "seed", "sent", unit="packets").axes[0]
    assert counted.get_title(loc="left") == "sent (packets)"
