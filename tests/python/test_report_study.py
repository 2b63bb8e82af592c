"""Reports of studies have means and intervals, and tell which settings are highest and lowest."""

import contextlib
import json
from pathlib import Path

import polars as pl
import pytest

import congestree
from congestree import report
from congestree.report import of_study
from congestree.report.of_study import measures_of, told

from .conftest import LOOKED, SHORT, SMALL


def test_runs_and_studies_of_marking_policies_have_reports(tmp_path):
    """Their triggers have no value unless the scenario gives one."""
    shipped = Path(__file__).parents[2] / "scenarios" / "naive-marking.toml"
    run = congestree.run(shipped, values={"measure.duration": "200 us"})
    assert "[scheme.mark.naive]" in report.html(run)
    over = {"scheme.preset": ["none", "naive", "input-triggered", "input-output-triggered"]}
    study = congestree.sweep(LOOKED, over=over, out=tmp_path, workers=1)
    assert "input-output-triggered" in report.html(study)


def test_the_report_of_a_study_has_means_and_intervals(tmp_path):
    over = {"seed": [1, 2], "adapters.window": [1, 4]}
    values = {"traffic.0.jitter": "1 us", "measure": {"duration": "100 us"}}
    study = congestree.sweep(LOOKED, over=over, values=values, out=tmp_path / "study", workers=1)
    text = report.html(tmp_path / "study")
    assert "4 of 4 runs finished" in text
    value = measures_of(study)[0]
    for row in study.mean(value, by=["adapters.window"]).iter_rows(named=True):
        mean, interval = (told(study, value, row[key]) for key in ("mean", "interval"))
        assert f">{mean}<" in text and f">{interval}<" in text
    assert "congestree sweep scenario.toml" in text


def test_every_network_of_a_study_is_told_with_its_points(tmp_path):
    """That of the first run stood there as the network of all."""

    def told(**over):
        study = congestree.sweep(SMALL, over=over | {"seed": [1, 2]}, values=SHORT, workers=1)
        (block,) = of_study.networks(study, list(study))
        return getattr(block, "said", None) or [block.text]

    path = "topology.single-switch.hosts"
    sentence = "{} hosts and 1 switches (single-switch), {} links of 8 Gbit/s."
    four, sixteen = (sentence.format(hosts, hosts) for hosts in (4, 16))
    assert told() == told(**{"links.delay": ["10 ns", "20 ns"], "adapters.window": [1, 2]}) == [four]
    assert told(**{path: [4, 16], "links.delay": ["10 ns", "20 ns"]}) == [f"hosts 4: {four}", f"hosts 16: {sixteen}"]
    rates = told(**{"links.rate": ["8 Gbit/s", "16 Gbit/s"], "adapters.window": [1, 2]})
    assert rates == [f"rate 8 Gbit/s: {four}", f"rate 16 Gbit/s: {four.replace('of 8', 'of 16')}"]
    assert told(**{"links.rate": ["8 Gbit/s", "8000 Mbit/s"]}) == [four]
    with_both = congestree.sweep(SMALL, over={path: [4, 16]}, values=SHORT, out=tmp_path, workers=1)
    assert f"hosts 16: {sixteen}" in report.html(with_both)
    many = told(**{path: list(range(4, 14))})
    assert many == [f"10 networks, which differ in {path}; the first is that of hosts 4: {four}"]
    assert of_study.some(["a", "b", "c", "d", "e"]) == "a; b; c and 2 more"


NETWORKS = """
links = { rate = "10 Gbit/s", delay = "10 ns", lanes = 2, hop_lanes = "by-route" }
topology.single-switch.hosts = 4
traffic = [{ name = "all", from = "all", pattern = "uniform" }]
measure.duration = "10 us"

[sweep]
topology = [
    { clos = { down = [4, 4], up = [2] } },
    { clos = { down = [4, 4], up = [4] } },
    { dragonfly-plus = { p = 2, leaves = 2, spines = 2, h = 1, groups = 3 } },
]
"traffic.0.from" = ["all", ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"]]
"""


def test_long_values_are_told_by_their_keys_or_written_in_full(tmp_path, congestree_cli):
    """Topologies were `#1` to `#3`, and nothing said what that was."""
    (tmp_path / "networks.toml").write_text(NETWORKS)
    said = congestree_cli("sweep", "networks.toml", "--out", "study", "--workers", "1").stdout
    hosts = json.dumps([f"h{n}" for n in range(8)])
    assert "dragonfly-plus" in said and "clos up=[4]" in said
    assert f"traffic.0.from #2: {hosts}" in " ".join(said.split())
    study = congestree.Study.load(tmp_path / "study")
    question = of_study.of_study(study).parts[0].blocks
    names = ["clos up=[2]", "clos up=[4]", "dragonfly-plus"]
    varies = f"What varies: topology: {', '.join(names)}; traffic.0.from: all, #2."
    assert [block.text for block in question[1:]] == [varies, f"traffic.0.from #2 is {hosts}."]
    legend = congestree.plots.plot_lines(study, "from", "accepted_load", by="topology").axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [f"topology {name}" for name in names]
    ax = congestree.plots.plot_heat(study, "topology", "from", "accepted_load").axes[0]
    assert [" ".join(label.get_text().split()) for label in ax.get_xticklabels()] == names


def test_the_report_of_a_study_has_the_measures_that_its_sweep_was_asked_for(tmp_path):
    """Nobody wrote them down, so that they were in no report."""
    values = {"measure": {"duration": "50 us", "probes": ["latency"]}}
    asked = ["latency-p99:crowd", "fairness"]
    over = {"adapters.window": [1, 4]}
    study = congestree.sweep(LOOKED, over=over, values=values, measures=asked, out=tmp_path, workers=1)
    loaded = congestree.Study.load(tmp_path)
    assert loaded.measures == study.measures and loaded.runs.columns == study.runs.columns
    assert measures_of(loaded)[:2] == asked
    text = report.html(tmp_path)
    (mean, _) = study.mean(asked[0], by=["window"])["mean"].to_list()
    assert f">{told(study, asked[0], mean)}<" in text and told(study, asked[0], mean).endswith("us")
    assert "--measure latency-p99:crowd --measure fairness" in text
    assert told(study, "fairness", float("nan")) == "–"
    path = tmp_path / "study.json"
    before = json.loads(path.read_text())
    for measures, says in ((None, ""), ([5], "There is no measure '5'"), (["speed"], "There is no measure 'speed'")):
        path.write_text(json.dumps({**before, "measures": measures}))
        with pytest.raises(congestree.CongestreeError, match=says) if says else contextlib.nullcontext():
            assert congestree.Study.load(tmp_path).measures == {}


def test_every_measure_of_a_study_has_a_table_or_is_named_as_left_out(tmp_path):
    """Of six measures that a sweep was asked for, the sixth was in the findings and nowhere else."""
    values = {"measure": {"duration": "50 us", "probes": ["latency"]}}
    asked = ["fairness", "slowest", *(f"latency-{kind}:crowd" for kind in ("mean", "p50", "p99", "p999"))]

    def parts(name, *measures):
        over, out = {"links.rate": ["8 Gbit/s", "16 Gbit/s"]}, tmp_path / name
        study = congestree.sweep(LOOKED, over=over, values=values, measures=measures, out=out, workers=1)
        found = {part.heading: part.blocks for part in of_study.of_study(study).parts}
        return measures_of(study), found["Plots"], found["Numbers"]

    every, plots, blocks = parts("six", *asked)
    assert [block.caption for block in plots] == [f"{name} against links.rate." for name in asked]
    assert [block.caption for block in blocks[:-1]] == asked and len(every) > len(asked)
    assert blocks[-1].text == f"Not shown: {', '.join(every[6:])}, which are in runs.parquet."
    every, plots, blocks = parts("two", *asked[:2])
    assert [block.caption for block in blocks[:5]] == every[:5] and len(plots) == 5
    assert [block.text for block in blocks[5:]] == [f"Not shown: {', '.join(every[5:])}, which are in runs.parquet."]


def test_a_study_in_which_nothing_differs_tells_of_all_classes(tmp_path):
    """It described only the first class, and drew windows of 1.5 packets."""
    scenario = Path(__file__).parents[2] / "scenarios" / "hot-spot.toml"
    over = {"seed": [1, 2], "adapters.window": [2, 4]}
    study = congestree.sweep(scenario, over=over, values={"measure.duration": "2 ms"}, out=tmp_path, workers=1)
    assert measures_of(study) == ["rate.contenders", "rate.victim"]
    text = report.html(study)
    assert "rate.victim is the same at all points" in text
    axis = congestree.plots.plot_lines(study, "window", "rate.victim", unit="bit/s").axes[0].xaxis
    assert all(float(place).is_integer() for place in axis.get_majorticklocs())


def test_jains_index_of_flows_is_not_compared_between_schemes_that_have_different_numbers_of_them(tmp_path):
    """The same packets had 0.998 as one flow for each source, and 0.968 as one for each destination."""
    traffic = [{"name": "web", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}]
    values = SHORT | {"traffic": traffic, "links.flow_control": "pfc"}

    def told(*presets):
        over = {"scheme.preset": list(presets), "seed": [1, 2]}
        return measures_of(congestree.sweep(SMALL, over=over, values=values, out=tmp_path / presets[0], workers=1))

    assert "jain_index" in told("irn", "dcqcn-paper")
    assert told("none", "irn") and "jain_index" not in told("none", "irn")


def test_names_along_an_axis_have_points_and_no_line(tmp_path):
    over = {"seed": [1, 2], "scheme.preset": ["none", "naive"]}
    study = congestree.sweep(LOOKED, over=over, values={"measure": {"duration": "50 us"}}, out=tmp_path, workers=1)
    (axes,) = congestree.plots.plot_lines(study, "preset", "rate.victim").axes
    points = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert points and all(line.get_linestyle() == "None" for line in points)
    assert "under each of these schemes" in report.html(tmp_path)


class Tied:
    """A study of three settings: two are equal, and one application did not finish."""

    def __init__(self):
        self.axes = {"setting": ["a", "b", "c"]}
        self.refused = {"setting d": "scheme: goes with nothing\n  write another"}
        self.runs = pl.DataFrame({"stopped": [None, "deadlock: a circle", None]})

    def __iter__(self):
        return iter([object()] * 3)

    def __len__(self):
        return 3

    def mean(self, value, by):
        rows = {"marked": [(0.0, 0), (7.0, 0), (0.0, 0)], "same": [(1.0, 0)] * 3, "completion.job": [(1.0, 1)] * 3}
        means = [
            {"setting": key, "mean": mean, "interval": float("nan")}
            for key, (mean, _) in zip("abc", rows[value], strict=True)
        ]
        counts = [{"runs": 1, "missing": missing} for _, missing in rows[value]]
        return pl.DataFrame([row | count for row, count in zip(means, counts, strict=True)])

    def short(self, path, value):
        return value

    def unit(self, value):
        return {"rate.x": "bit/s", "completion.job": "s"}.get(value, "")


def test_settings_that_tie_are_all_told_of_and_so_are_runs_that_have_no_value():
    said = of_study.findings(Tied(), ["setting"], ["marked", "same", "completion.job"])
    assert (
        said.pop(0) == "Left out because they make no sense: 1 more of the grid; the first: scheme: goes with nothing."
    )
    assert said[0] == "1 of the runs ended before their time; they count with what they had measured by then."
    assert said[1] == "marked is highest at setting b: 7; and lowest at setting a (and 1 more alike): 0."
    assert said[2] == "same is the same at all points: 1."
    assert said[3] == "3 of 6 runs have no completion.job: not by their end. Its means are over the others."


class Near(Tied):
    """Three settings: chance separates a from the others, but not b from c."""

    def mean(self, value, by):
        rows = zip("abc", (1.0, 4.0, 5.0) if value == "rate.x" else (1.0, 1.2, 1.4), strict=True)
        return pl.DataFrame([{"setting": k, "mean": m, "interval": 0.6, "runs": 3, "missing": 0} for k, m in rows])


def test_what_is_highest_by_less_than_chance_is_told_with_what_it_may_not_beat():
    *_, first, second = of_study.findings(Near(), ["setting"], ["rate.x", "marked"])
    assert "highest at setting c (and 1 more whose 95 % interval overlaps with its own): 5 bit/s" in first
    assert "lowest at setting a: 1 bit/s." in first and "intervals of the two" not in first
    assert second.endswith("The 95 % intervals of the two overlap.")


def test_a_grid_of_three_settings_has_a_line_for_each_combination(tmp_path):
    """No plot averages over runs that differ in a setting, as long as there is room for their lines."""
    over = {"adapters.window": [1, 2, 4], "switches.buffer": ["4 packets", "8 packets"], "seed": [1, 2]}
    over["traffic.1.rate"] = ["1 Gbit/s", "2 Gbit/s"]
    values = {"measure": {"duration": "20 us"}}
    study = congestree.sweep(LOOKED, over=over, values=values, out=tmp_path / "study", workers=1)
    by = ["buffer", "traffic.1.rate"]
    (ax,) = congestree.plots.plot_lines(study, "window", "rate.victim", by=by).axes
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"buffer {b} packets, rate {r} Gbit/s" for b in (4, 8) for r in (1, 2)]
    assert ax.get_title("left") == "mean and 95 % interval over seeds"
    for line, label in zip(ax.lines, labels, strict=True):
        for window, mean in zip(*line.get_data(), strict=True):
            rows = [r for r in study.runs.iter_rows(named=True) if r["adapters.window"] == window]
            mine = [
                r["rate.victim"] for r in rows if f"buffer {r['switches.buffer']}, rate {r['traffic.1.rate']}" == label
            ]
            assert len(mine) == 2 and mean == pytest.approx(sum(mine) / 2)
    text = report.html(tmp_path / "study")
    assert "by switches.buffer and traffic.1.rate." in text and "mean over runs that differ" not in text


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_what_no_run_has_is_told_and_not_drawn(tmp_path):
    """Flows of 10 MB, of which none is through by the end of the run."""
    arrivals = {"messages": {"count": 1}}
    values = {"traffic.0.flows": "by-message", "traffic.0.message": "10 MB", "traffic.0.arrivals": arrivals}
    values |= {"measure": {"duration": "60 us", "probes": ["completions"]}}
    over = {"adapters.window": [1, 2], "seed": [1, 2]}
    study = congestree.sweep(LOOKED, over=over, values=values, measures="fct-p99", out=tmp_path, workers=1)
    text = report.html(tmp_path)
    assert "4 of 4 runs have no fct-p99: none that started after the warm-up had finished by the end." in text
    assert "means are over the others" not in text
    assert "fct-p99 against" not in text
    for draw, axes in ((congestree.plots.plot_lines, ["window"]), (congestree.plots.plot_heat, ["window", "seed"])):
        with pytest.raises(congestree.CongestreeError, match=r"^No run of this study has fct-p99, so there is nothing"):
            draw(study, *axes, "fct-p99")


def test_a_host_that_some_runs_do_not_have_is_not_told_to_come_after_their_end(tmp_path):
    """Two of the three networks have no H6, however long they run."""
    over = {"topology.single-switch.hosts": [4, 5, 6]}
    star = {"topology": {"single-switch": {"hosts": 4}}, "links": {"rate": "8 Gbit/s"}}
    star |= {"traffic": [{"from": ["H1", "H2"], "to": "H4"}], "measure": {"duration": "20 us"}}
    study = congestree.sweep(star, over=over, measures="use:H6", out=tmp_path, workers=1)
    (said,) = (line for line in of_study.findings(study, list(over), ["use:H6"]) if "use:H6" in line)
    why = "they have no such host, link, number or class, or nothing of it was delivered"
    assert said == f"2 of 3 runs have no use:H6: {why}. Its means are over the others."


def test_why_runs_lack_a_measure_is_told_by_what_it_is_of_and_by_when_they_ended():
    """Of every measure of a time it said "not by their end", and of others that there may be no such class."""
    nan = float("nan")
    late = ("completion.work", "job:work", "job")
    timed = ("fct-p99:a", "slowdown-mean", "message-p50:a")
    others = ("rate.a", "use:H6", "summary:dropped", "latency-p99", "jobs", "marked")

    def why(value, found, measured):
        study = Tied()
        rows = zip("abc", found, measured, strict=True)
        study.runs = pl.DataFrame([{"hash": key, value: number, "measured": time} for key, number, time in rows])
        return of_study._why_missing(study, value)

    missing, measured = (nan, nan, 1.0), (1e-3, 1e-3, 1e-3)
    assert {why(value, missing, measured) for value in late} == {"not by their end"}
    unfinished = "none that started after the warm-up had finished by the end"
    assert {why(value, missing, measured) for value in timed} == {unfinished}
    absent = "they have no such host, link, number or class, or nothing of it was delivered"
    assert {why(value, missing, measured) for value in others} == {absent}
    for value in (*timed, "rate.a", "latency-p99"):
        assert why(value, missing, (0.0, 0.0, 1e-3)) == "they ended before their warm-up"
    some = "1 of them ended before their warm-up; the others: "
    assert why("fct-p99:a", missing, (0.0, 1e-3, 1e-3)) == some + unfinished
    assert why("rate.a", missing, (0.0, 1e-3, 1e-3)) == some + absent
    for value in ("summary:dropped", "marked"):  # which they do not have, whenever they end
        found = missing if value != "marked" else (None, None, 1.0)
        assert why(value, found, (0.0, 0.0, 1e-3)) == absent


def test_runs_that_end_before_their_warm_up_are_told_to_have_done_so(tmp_path):
    """Their application took 0.1 of the 0.9 ms; what they had no number of was "not by their end", or of no class."""
    job = {"name": "job", "from": "all", "program": {"all-to-all": {"bytes": "4 KiB"}}}
    measure = {"duration": "1 ms", "warm_up": "0.9 ms", "until_jobs_end": True, "probes": ["transfers"]}
    values = {"traffic": [job, {"name": "bg", "from": "H1", "to": "H2", "arrivals": {"poisson": {"load": 0.1}}}]}
    values |= {"measure": measure, "scheme.preset": "irn", "links.flow_control": "pfc"}
    asked = ["message-p99", "rate:bg", "arrived", "job"]
    over = {"links.delay": ["10 ns", "20 ns"]}
    study = congestree.sweep(SMALL, over=over, values=values, measures=asked, out=tmp_path, workers=1)
    said = of_study.findings(study, list(over), asked)
    assert said[:3] == [f"2 of 2 runs have no {name}: they ended before their warm-up." for name in asked[:3]]
    assert "runs have no job" not in " ".join(said)
    assert "2 of 2 runs have no rate:bg: they ended before their warm-up." in report.html(tmp_path)


def test_values_differ_if_some_are_others_or_some_are_missing():
    nan = float("nan")
    for values in ([1.0, 2.0], [1.0, None], [nan, 1.0], [1.0, nan, 1.0], [None, 0.0]):
        assert of_study.differs(values), values
    for values in ([], [1.0, 1.0], [None, None], [nan], [float("nan"), nan], [0.0, 0.0]):
        assert not of_study.differs(values), values
