"""A run gives tables with units; a run directory gives the same tables back."""

import json
import shlex
import signal
import subprocess
import time

import numpy as np
import polars as pl
import pytest

import congestree
from congestree.errors import AskedError, CongestreeError
from congestree.evaluation.goals import Goal
from congestree.gallery import shipped
from congestree.runs import memory, parquet, store

from .conftest import SMALL, command, interrupt

TABLES = ["flows", "ports", "flow_series", "port_series", "queues", "events", "marks", "buffered", "latency", "summary"]


def test_all_tables_are_there_and_every_column_has_a_meaning(finished):
    assert set(TABLES) <= set(finished.tables)
    for name in finished.tables:
        assert all(finished.meanings(name).values()), name
    assert finished.units("flows")["rate"] == "bit/s"


def test_the_bottleneck_is_full_and_shared_evenly(finished):
    rates = finished.class_rates()
    assert 2 * rates["contenders"] == pytest.approx(8e9, rel=0.02)
    assert rates["bystander"] == pytest.approx(0.8e9, rel=0.02)


UNIFORM = """
topology.single-switch.hosts = 5
links.rate = "10 Gbit/s"
[[traffic]]
name = "all to all"
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.4
[measure]
duration = "500 us"
"""


def test_rates_of_classes_can_be_compared_whatever_flows_a_scheme_makes():
    """Without control a source has one flow to all hosts, with it one for each destination: both deliver the same."""
    free, controlled = (congestree.run(UNIFORM, values={"scheme.preset": preset}) for preset in ("none", "ib-cc"))
    assert len(free.flows) == 5 < len(controlled.flows)
    for run in (free, controlled):
        assert run.class_rates()["all to all"] == pytest.approx(run.value("accepted_load_per_host"), rel=1e-9)
        assert Goal.read("rate:all to all").take(run) == pytest.approx(run.class_rates()["all to all"], rel=1e-9)
    assert controlled.class_rates()["all to all"] == pytest.approx(free.class_rates()["all to all"], rel=0.05)


def test_the_series_add_up_to_the_totals(finished):
    carried = finished.flow_series.group_by("flow").agg(pl.col("bytes").sum()).sort("flow")
    assert carried["bytes"].to_list() == finished.flows["bytes"].to_list()


def test_classes_over_time_are_their_flows_together_and_are_drawn(finished):
    asked = SMALL.replace('"flows", "ports"', '"classes", "ports"')
    assert asked != SMALL
    run = congestree.run(asked)
    of = dict(finished.flows.select("flow", "class").iter_rows())
    together = finished.flow_series.with_columns(pl.col("flow").replace_strict(of).alias("class"))
    together = together.group_by("time", "class").agg(pl.col("packets", "bytes", "marked").sum()).sort("time", "class")
    apart = run.class_series.sort("time", "class").with_columns(pl.col("class").cast(str))
    assert apart.filter(pl.col("packets") > 0).equals(together.filter(pl.col("packets") > 0).select(apart.columns))
    lines = congestree.plots.plot_rates(run, window="20 us").axes[0].get_lines()
    assert [line.get_label() for line in lines] == ["contenders (all 2 together)", "bystander"]


def test_numbers_reach_arrow_without_a_copy():
    from congestree import _engine

    values = _engine.run(SMALL, "toml").tables()["flow_series"]["time"]["values"]
    column = parquet.arrow_table({"time": {"values": values, "unit": "s", "meaning": "m"}})["time"]
    assert column.chunk(0).buffers()[1].address == values.__array_interface__["data"][0]


def test_a_run_directory_gives_the_same_run_back(finished):
    again = congestree.Run.load(finished.folder)
    assert again.fingerprint == finished.fingerprint
    for name in finished.tables:
        assert again.arrow(name).schema.equals(finished.arrow(name).schema, check_metadata=True)
        assert again.table(name).equals(finished.table(name), null_equal=True)
    assert finished.pandas("flows")["rate"].tolist() == finished.flows["rate"].to_list()


def test_the_manifest_says_how_the_run_came_to_be(finished):
    manifest = json.loads((finished.folder / "manifest.json").read_text())
    assert manifest["seed"] == 1
    assert manifest["packet_hops"] > 0
    assert manifest["link_packets"] == sum(finished.ports["packets"])
    assert manifest["tables"]["flows"]["columns"]["rate"]["unit"] == "bit/s"
    again = congestree.run(manifest["scenario"])
    assert again.fingerprint == finished.fingerprint


def test_neither_the_agenda_nor_the_probes_change_what_happens(finished):
    wheel = congestree.run(SMALL, agenda="wheel")
    silent = congestree.run(SMALL, values={"measure.probes": []})
    assert wheel.fingerprint == finished.fingerprint
    assert silent.fingerprint["trajectory"] == finished.fingerprint["trajectory"]


def test_the_seed_changes_the_run_and_the_same_seed_does_not():
    one, two, other = (congestree.run(SMALL, seed=seed).fingerprint for seed in (5, 5, 6))
    assert one == two != other


def test_progress_is_reported():
    said = []
    long = {"measure.duration": "8 s", "measure.probes": []}
    congestree.run(SMALL, values=long, on_progress=lambda *facts: said.append(facts))
    assert said
    assert np.all(np.diff([now for now, _, _ in said]) > 0)
    assert all(end == 8 and now <= end and hops > 0 for now, end, hops in said)


@pytest.mark.parametrize("threads", ["2", 2.5, True, float("nan")])
def test_threads_that_are_no_number_are_told(threads):
    with pytest.raises(AskedError, match=r"threads is .*: give a whole number such as 4, or leave it out"):
        congestree.run(SMALL, threads=threads)


@pytest.mark.parametrize("text", ["1 GB", "1_000 MB", "1e3 MB", "1.0E+3MB", "1000_000k", "1e9"])
def test_sizes_of_memory_have_the_numbers_of_scenarios(text):
    assert memory.limit_of(text) == 10**9


@pytest.mark.parametrize("text", ["_1 GB", "1e GB", ".5 GB", "0 GB", "-1 GB", "1 GB/s", "1e-400 GB"])
def test_other_sizes_of_memory_are_refused(text):
    with pytest.raises(AskedError, match="is not a size of memory"):
        memory.limit_of(text)


def test_true_is_no_size_of_memory():
    """It was taken for one byte."""
    with pytest.raises(AskedError, match='"True" is not a size of memory'):
        congestree.run(SMALL, limit_memory=True)


def test_an_error_in_the_callback_ends_the_run():
    def broken(now, end, hops):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        congestree.run(SMALL, values={"measure.duration": "1000 s", "measure.bin": "10 s"}, on_progress=broken)


def test_a_table_that_was_not_recorded_is_explained():
    silent = congestree.run(SMALL, values={"measure.probes": []})
    with pytest.raises(AttributeError, match='add the probe "queues"'):
        _ = silent.queues
    with pytest.raises(CongestreeError, match="it has"):
        silent.arrow("nothing")


def test_a_folder_that_is_not_a_run_is_explained(tmp_path):
    with pytest.raises(CongestreeError, match="no finished run"):
        congestree.Run.load(tmp_path)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGHUP], ids=["ctrl-c", "terminal"])
def test_ctrl_c_stops_at_once_and_keeps_what_was_done(endless, tmp_path, ending):
    """As does the signal of terminals that close; for this, where Ctrl-C is ignored, too."""
    out = tmp_path / "out"
    words = shlex.join(command("run", endless, "--out", out))
    ignored = "" if ending == signal.SIGINT else "trap '' INT; "
    process = subprocess.Popen(["sh", "-c", f"{ignored}exec {words}"], stderr=subprocess.PIPE, text=True)
    time.sleep(2.5)
    assert "Interrupted" in interrupt(process, ending)
    run = congestree.Run.load(out)
    assert run.interrupted
    assert not store.is_finished(out)
    assert run.flows["packets"].sum() > 0


def test_a_run_that_ends_before_its_time_has_nothing_behind_its_end(tmp_path):
    """Its series end where it does, and what reads them works: sentences, a report, a page for the browser, plots."""
    series = {"flow_series", "class_series", "port_series", "isolation_series"}
    early = {
        "topology": {"two-switch": {"local": 2, "remote": 2}},
        "links": {"rate": "10 Gbit/s"},
        "switches": {"buffer": "32 KiB"},
        "scheme": {"preset": "ecocc"},
        "traffic": [{"name": "sum", "from": "all", "program": {"all-reduce-ring": {"bytes": "64 KiB"}}}],
        "measure": {
            "duration": "20 ms",
            "until_jobs_end": True,
            "probes": ["flows", "classes", "ports", "trees", "isolation"],
            "sampling_interval": "10 us",
            "bin": "10 us",
        },
    }
    run = congestree.run(early, out=tmp_path / "run")
    assert 0 < run.duration < 2e-3 and series <= set(run.tables)
    assert all(run.table(name)["time"].max() <= run.duration for name in series)
    assert run.flow_series["limit"].min() > 0
    assert congestree.trees.explain(run) and congestree.report.html(run) and congestree.view.html(run)
    assert congestree.plots.draw_all(run, tmp_path / "plots")


def test_shipped_scenarios_have_names_in_python_too():
    short = {"measure.duration": "20 us"}
    assert congestree.run("hot-spot", values=short).scenario["name"] == "hot spot"
    assert congestree.load("hot-spot").name == "hot spot"
    assert congestree.check("hot-spot")["facts"]["hosts"] == 13
    with pytest.raises(congestree.CongestreeError, match="no shipped scenario of that name; did you mean"):
        congestree.run("hot-spto")


def test_all_that_a_check_answers_is_described():
    for key in congestree.check("hot-spot"):
        assert f'"{key}"' in congestree.check.__doc__


def test_a_folder_does_not_hide_a_shipped_scenario_of_its_name_and_a_file_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hot-spot").mkdir()
    (tmp_path / "hot-spot" / "manifest.json").touch()
    assert shipped.scenario_path("hot-spot") == shipped.scenarios()["hot-spot"]
    (tmp_path / "dumbbell").touch()
    monkeypatch.setattr(shipped, "scenarios", lambda: {"dumbbell": "another"})
    assert str(shipped.scenario_path("dumbbell")) == "dumbbell"


@pytest.mark.parametrize("name", ["load=0.5.toml", "a=b/c.toml", "x=1", "load=0.5.JSON"])
def test_a_path_may_have_an_equals_sign(name, tmp_path, monkeypatch):
    """It was taken for TOML text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    scenario = congestree.Scenario.from_text(SMALL).set({"traffic.1": {"from": "H3", "arrivals": "injected"}})
    (tmp_path / name).write_text(scenario.to_json() if name.endswith("JSON") else scenario.to_toml())
    assert congestree.check(name)["facts"]["hosts"] == len(congestree.network(name)["hosts"]) == 4
    assert congestree.run(name).scenario["name"] == "two to one"
    assert len(congestree.sweep(name, over={"seed": [1]}, out="study", workers=1)) == 1
    with congestree.Live(name) as live:
        assert len(live.hosts) == 4
    with pytest.raises(CongestreeError, match=r"There is no file none=0\.toml"):
        congestree.run("none=0.toml")


def test_text_of_one_line_is_no_path():
    with pytest.raises(congestree.ScenarioError, match="`links` is missing"):
        congestree.check("topology.single-switch.hosts = 4")


def test_a_byte_order_mark_is_no_part_of_a_scenario(tmp_path):
    scenario = congestree.load("hot-spot")
    for name, text in (("marked.toml", scenario.to_toml()), ("marked.json", scenario.to_json())):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8-sig")
        assert congestree.run(file, seed=7, values={"measure.duration": "20 us"}).seed == 7
        assert congestree.load(file).name == "hot spot"


def test_a_byte_order_mark_is_no_part_of_a_list_of_messages(tmp_path):
    (tmp_path / "list.csv").write_text("at,from,to,message\r\n0 ns,H1,H2,1 kB\r\n", encoding="utf-8-sig")
    (tmp_path / "listed.toml").write_text("""
        topology.single-switch.hosts = 2
        links.rate = "10 Gbit/s"
        traffic = [{ list = "list.csv" }]
        measure.duration = "10 us"
        """)
    assert congestree.run(tmp_path / "listed.toml").value("delivered") == 1


def test_arguments_that_make_no_sense_are_refused_in_a_sentence(finished):
    with pytest.raises(CongestreeError, match='The table flows has no column "rates"; it has flow, name'):
        finished.arrow("flows", ["class", "rates"])
    with pytest.raises(CongestreeError, match='no column "rates"'):
        list(finished.pieces("flows", ["rates"]))
    with pytest.raises(CongestreeError, match="There is no agenda 'wheels'; did you mean \"wheel\""):
        congestree.run(SMALL, agenda="wheels")
    with pytest.raises(CongestreeError, match="0 threads are too few"):
        congestree.run(SMALL, threads=0)
    with pytest.raises(CongestreeError, match="There would be no node"):
        congestree.job_make.training(layers=1, hidden=1, sequence=1, teraflops=1, node=0)
