"""The study of a sweep: its means and their intervals, its columns, and the names of its points."""

import json
import math
import statistics
from types import SimpleNamespace

import polars as pl
import pytest

import congestree
from congestree import plots
from congestree.errors import AskedError
from congestree.studies import measured
from congestree.studies.points import shortened

from .conftest import SHORT, SMALL


def test_the_mean_and_its_interval_are_over_the_seeds(study):
    table = study.mean("contenders")
    assert table["runs"].to_list() == [3, 3]
    assert table["adapters.window"].to_list() == [1, 4]
    assert (table["interval"] >= 0).all()


def test_the_same_run_twice_is_one_observation():
    twice = congestree.sweep(SMALL, over={"seed": [1, 2, 2, 2]}, workers=1)
    once = congestree.sweep(SMALL, over={"seed": [1, 2]}, workers=1)
    (row,) = twice.mean("contenders", by="measured").to_dicts()
    assert row["runs"] == 2
    assert row == once.mean("contenders", by="measured").to_dicts()[0]


def test_a_column_may_be_named_by_its_end(study):
    assert study.column("window") == "adapters.window"
    with pytest.raises(congestree.CongestreeError, match="no column"):
        study.column("colour")


NAMESAKES = """
topology.single-switch.hosts = 4
links.rate = "10 Gbit/s"
traffic = [
    { name = "total", from = "H1", to = "H3", arrivals.poisson.load = 0.2 },
    { name = "others", from = "H2", to = "H4" },
    { name = "job", from = "all", program.all-to-all.bytes = "1 KiB" },
]
measure = { duration = "50 us" }
"""


def test_a_name_means_the_same_whatever_was_measured_before():
    """Measures are called as a class, an application and a swept path end."""
    over = {"links.rate": ["5 Gbit/s", "10 Gbit/s"], "traffic.total.arrivals.poisson.load": [0.2, 0.4], "seed": [1, 2]}
    study = congestree.sweep(NAMESAKES, over=over, workers=1)

    def told(study):
        """Each name as a value, and those of axes, which are measures, too."""
        axes = plots.plot_lines(study, "rate", "rate").axes[0]
        means = [study.mean("accepted_load", by=by) for by in (["rate", "load"], ["total"])]
        values = [(study.column(name), study.unit(name), study.mean(name)["mean"]) for name in ("total", "rate", "job")]
        return axes.get_xlabel(), axes.get_ylabel(), means, values

    before = told(study)
    study.measure("total", "rate", "job", "total:others")
    loaded = congestree.Study(study.folder, study.points, measures=dict(study._measures))
    for x, y, means, values in (before, told(study), told(loaded)):
        assert (x, y) == ("rate", "rate (Gbit/s)")
        assert means[0].columns[:2] == ["links.rate", "traffic.total.arrivals.poisson.load"] and len(means[0]) == 4
        assert means[1].columns[0] == "rate.total" and len(means[1]) > 4
        assert [value[:2] for value in values] == [("total", "bit/s"), ("rate", "bit/s"), ("job", "s")]
        assert [value[2].to_list() for value in values] == [value[2].to_list() for value in before[3]]
    sums = [sum(study[i].flows["rate"]) for i in range(len(study))]
    assert study.mean("total", by=[])["mean"].to_list() == pytest.approx([statistics.mean(sums)])
    assert study.column("others") == "rate.others"


def test_a_class_that_is_called_as_a_measure_without_an_answer_goes_by_its_name():
    named = SMALL.replace("bystander", "latency-p99").replace(', "latency"]', "]")
    study = congestree.sweep(named, over={"seed": [1]}, values=SHORT, workers=1)
    assert study.column("latency-p99") == "rate.latency-p99"
    with pytest.raises(AskedError, match="needs the probe completions"):
        study.column("fct-p99")


def test_a_long_value_is_told_by_its_number(tmp_path):
    lists = [[f"H{n}" for n in range(1, 4)] * 6, ["H1", "H2"] * 12]
    study = congestree.Study(tmp_path, [{"hash": str(n), "values": {"traffic.0.from": v}} for n, v in enumerate(lists)])
    assert [study.label(point["values"]) for point in study.points] == ["from #1", "from #2"]
    assert study.axes["traffic.0.from"] == [json.dumps(value) for value in lists]
    assert study.short("traffic.0.from", json.dumps(lists[1])) == "#2"
    assert study.in_full() == [("traffic.0.from", f"#{n}", json.dumps(lists[n - 1])) for n in (1, 2)]


def test_a_table_that_only_names_parts_is_told_by_their_names(tmp_path):
    schemes = [
        {"preset": "none"},
        {"mark": {"input-triggered": {}}, "react": {"aimd": {}}},
        {"mark": {"input-triggered": {"persistent": True}}, "react": "aimd"},
        "{not a table",
    ]
    study = congestree.Study(tmp_path, [{"hash": str(n), "values": {"scheme": v}} for n, v in enumerate(schemes)])
    told = [study.label(point["values"]) for point in study.points]
    assert told == ["scheme none", "scheme input-triggered, aimd", "scheme #3", "scheme {not a table"]
    both = congestree.Study(
        tmp_path, [{"hash": n, "values": {"scheme": {part: "red"}}} for n, part in (("0", "mark"), ("1", "preset"))]
    )
    assert [both.short("scheme", value) for value in both.axes["scheme"]] == ['{"mark": "red"}', '{"preset": "red"}']


@pytest.mark.parametrize(("times", "value"), [([1.0, 2.0], 2.0), ([1.0, math.nan], math.nan), ([], math.nan)])
def test_the_time_of_a_job_that_has_not_finished_is_missing(times, value):
    """As a goal it is infinite, the worst."""
    run = SimpleNamespace(_scenario={"traffic": [], "measure": {"probes": []}})
    run.job_completions = lambda: {f"j{n}": time for n, time in enumerate(times)}
    assert measured.value(measured.named("job"), run) == pytest.approx(value, nan_ok=True)


def test_long_tables_are_told_by_their_keys_and_by_what_differs():
    clos = [{"clos": {"down": [8, 8], "up": [up], "rates": ["100 Gbit/s"] * 2}} for up in (4, 8)]
    others = [{"dragonfly-plus": {"p": 4, "leaves": 4, "spines": 4, "h": 3}}, {"torus": {"dimensions": [4, 4]}}]
    tables = [json.dumps(table) for table in [*clos, *others]]
    assert [*shortened(tables).values()] == ["clos up=[4]", "clos up=[8]", "dragonfly-plus", "torus"]
    assert shortened(tables[3:]) == {}, "short ones are told as they are"
    alike = json.dumps({"clos": {**clos[0]["clos"], "rates": ["200 Gbit/s", "400 Gbit/s", "800 Gbit/s"]}})
    assert shortened([tables[0], alike])[alike] == "#2", "what differs is long, too"
    ports = [json.dumps({"ports": [[n] * 20]}) for n in (1, 2)]
    assert [*shortened(ports).values()] == ["#1", "#2"]
    assert [*shortened([tables[2], "dragonfly-plus"]).values()] == ["#1"], "another is called so"


def test_a_mean_tells_how_many_runs_have_no_such_value(study, monkeypatch):
    """An application that did not finish has no time: the mean is over the others, and says so."""
    gaps = study.runs.with_columns(pl.Series("completion.job", [1.0, float("nan"), 3.0, None, float("nan"), None]))
    monkeypatch.setattr(study, "_runs", gaps)
    rows = study.mean("completion.job").to_dicts()
    assert (rows[0]["mean"], rows[0]["runs"], rows[0]["missing"]) == (2.0, 2, 1)
    assert rows[1]["mean"] != rows[1]["mean"] and (rows[1]["runs"], rows[1]["missing"]) == (0, 3)


def test_a_mean_without_settings_is_over_all_seeds():
    study = congestree.sweep(
        SMALL, over={"seed": [1, 2, 3]}, values={"traffic.0.arrivals.poisson.load": 0.3}, workers=1
    )
    (row,) = study.mean("contenders").to_dicts()
    rates = study.runs["rate.contenders"].to_list()
    assert row["mean"] == pytest.approx(statistics.mean(rates))
    assert row["interval"] == pytest.approx(4.303 * statistics.stdev(rates) / math.sqrt(3))
    assert (row["interval"] > 0, row["runs"]) == (True, 3)


def test_what_is_no_number_has_no_mean(study):
    with pytest.raises(congestree.CongestreeError, match='"hash" has no numbers'):
        study.mean("hash")


def test_what_settings_do_is_no_chance_and_has_no_interval(study):
    """With windows of 1 and 4 the rates differ because of the windows: no interval says how certain their mean is."""
    (row,) = study.mean("bystander", by=[]).to_dicts()
    assert row["runs"] == 6 and math.isnan(row["interval"])
    assert not study.mean("bystander", by="window")["interval"].is_nan().any()
    figure = plots.plot_lines(study, "seed", "bystander")
    assert figure.axes[0].get_title("left") == "mean over runs that differ in window, too"
    figure = plots.plot_lines(study, "window", "bystander")
    assert figure.axes[0].get_title("left") == "mean and 95 % interval over seeds"
    figure = plots.plot_lines(study, "window", "bystander", by="seed")
    assert figure.axes[0].get_title("left") == "one run at each point, which has no interval"


def test_settings_whose_paths_end_alike_are_told_apart():
    values = {"seed": 1, "traffic.0.arrivals.poisson.load": 0.2, "traffic.1.arrivals.poisson.load": 0.4}
    named = congestree.studies.points.label(values)
    assert named == "seed 1, 0.arrivals.poisson.load 0.2, 1.arrivals.poisson.load 0.4"


def test_measures_of_a_search_are_columns_of_a_study(tmp_path, congestree_cli):
    values = {"measure": {"duration": "200 us", "probes": ["latency"]}}
    over = {"adapters.window": [1, 4], "seed": [1, 2, 3]}
    study = congestree.sweep(SMALL, over=over, values=values, out=tmp_path / "s", workers=1)
    means = study.mean("latency-p99:contenders", by="window")
    for window, mean in means.select("adapters.window", "mean").rows():
        points = [i for i, point in enumerate(study.points) if point["values"]["adapters.window"] == window]
        rows = [row for i in points for row in study[i].latency.to_dicts()]
        told = [row["p99"] for row in rows if row["kind"] == "network" and row["class"] == "contenders"]
        assert mean == pytest.approx(statistics.mean(told)) and len(told) == 3
    assert study.measures == {"latency-p99:contenders": "s"}
    study.measure("use:H4", "total")
    assert study.runs["use:H4"].min() > 0.9 and study.measures["total"] == "bit/s"
    assert study.runs["total"].to_list() == pytest.approx([sum(study[i].flows["rate"]) for i in range(len(study))])
    plotted = plots.plot_lines(study, "window", "latency-p99:bystander", unit="s")
    assert "latency-p99:bystander" in plotted.axes[0].get_ylabel()


PAUSED = {"links.flow_control": ["byte-credits", "pfc"], "seed": [1, 2]}
"""Only with the second is there a number of lost packets."""


def test_a_measure_that_no_point_has_is_refused_before_anything_is_run(tmp_path):
    asked = {"values": SHORT, "workers": 1}
    for measure, over, why in (
        ("summary:blockd", PAUSED, r"^summary:blockd is about the number 'blockd' .* did you mean \"blocked\""),
        ("summary:dropped", {"seed": [1, 2]}, "'dropped' of the summary, which is not there"),
        ("use:H9", {"topology.single-switch.hosts": [4, 8]}, "'H9', which is not there"),
        ("fct-p99", {"seed": [1, 2]}, r"--set measure.probes=\[completions\]"),
        (
            "latency-p99",
            {"measure.probes": [["latency"], [], ["ports"]]},
            r"^latency-p99 needs the probe latency, which 2 of 3 points of the sweep do not have \(probes \[\], and",
        ),
    ):
        with pytest.raises(AskedError, match=why):
            congestree.sweep(SMALL, over=over, measures=measure, out=tmp_path / "out", **asked)
        assert not (tmp_path / "out").exists(), f"{measure}: no study, and no run"


def test_a_measure_that_some_points_have_is_missing_in_the_others(tmp_path):
    asked = {"values": SHORT, "workers": 1}
    study = congestree.sweep(SMALL, over=PAUSED, measures="summary:dropped", out=tmp_path / "paused", **asked)
    has = [flow_control == "pfc" for flow_control, _ in study.runs.select(list(PAUSED)).rows()]
    assert study.runs["summary:dropped"].is_not_nan().to_list() == has and 0 < sum(has) < len(has)
    later = congestree.Study.load(tmp_path / "paused")
    assert later.mean("summary:dropped", by="flow_control")["missing"].to_list() == [2, 0]
    with pytest.raises(AskedError, match='did you mean "dropped"'):
        later.measure("summary:droped")
    for sizes in ([4, 8], [8, 4]):  # whichever is the first
        out = tmp_path / f"{sizes[0]} hosts first"
        over = {"topology.single-switch.hosts": sizes}
        study = congestree.sweep(SMALL, over=over, measures="use:H8", out=out, **asked)
        assert study.runs["use:H8"].is_not_nan().to_list() == [size == 8 for size in sizes]
    recorded = congestree.sweep(SMALL, over={"measure.probes": [[], ["latency"]]}, out=tmp_path / "probes", **asked)
    assert recorded.measure("latency-p99").runs["latency-p99"].is_nan().to_list() == [True, False]
