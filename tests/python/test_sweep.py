"""A sweep runs the product of its lists, once, in parallel, and survives whatever stops it."""

import json
import math
import os
import re
import signal
import statistics
import subprocess
import time

import polars as pl
import pytest

import congestree
from congestree.errors import AskedError
from congestree.runs import store, writing
from congestree.studies import pool
from congestree.studies.sweeping import expand

from .conftest import SMALL, command, interrupt, worker_of_this_process

OVER = {"seed": [1, 2, 3], "adapters.window": [1, 4]}
SHORT = {"measure": {"duration": "100 us"}}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return congestree.sweep(SMALL, over=OVER, out=tmp_path_factory.mktemp("study"), workers=2)


def test_every_point_of_the_product_has_run(study):
    assert len(study) == 6
    assert not study.failed
    assert study.axes == OVER
    assert study.runs.select(list(OVER)).rows() == [
        (p["values"]["seed"], p["values"]["adapters.window"]) for p in study.points
    ]


def test_the_table_is_written(study):
    table = pl.read_parquet(study.folder / "runs.parquet")
    assert table.equals(study.runs)
    assert {"rate.contenders", "rate.bystander", "hash"} <= set(table.columns)


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


@pytest.mark.parametrize(("values", "found"), [(3, "the number 3"), ("none", '"none"'), (None, "null")])
def test_what_varies_must_be_a_list(values, found):
    with pytest.raises(congestree.ScenarioError, match="square brackets") as refused:
        congestree.sweep(SMALL, over={"seed": values})
    assert f"found {found}" in str(refused.value)


def test_a_finished_run_is_not_repeated(study):
    before = {path: path.stat().st_mtime_ns for path in study.folder.glob("runs/*/manifest.json")}
    again = congestree.sweep(SMALL, over={**OVER, "seed": [1, 2, 3, 4]}, out=study.folder, workers=2)
    assert again.resumed == 6
    assert len(again) == 8
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_run_in_a_sweep_is_the_same_as_alone(study):
    alone = congestree.run(SMALL, values={"seed": 2, "adapters.window": 4})
    assert alone.fingerprint in [run.fingerprint for run in study]
    assert alone.manifest["hash"] in [point["hash"] for point in study.points]


def test_points_agree_with_setting_the_values_one_by_one():
    for point in expand(SMALL, over=OVER):
        assert point["scenario"] == congestree.check(SMALL, values=point["values"])["scenario"]


def test_a_column_may_be_named_by_its_end(study):
    assert study.column("window") == "adapters.window"
    with pytest.raises(congestree.CongestreeError, match="no column"):
        study.column("colour")


def test_a_long_value_is_told_by_its_number(tmp_path):
    lists = [[f"H{n}" for n in range(1, 4)] * 6, ["H1", "H2"] * 12]
    study = congestree.Study(tmp_path, [{"hash": str(n), "values": {"traffic.0.from": v}} for n, v in enumerate(lists)])
    assert [study.label(point["values"]) for point in study.points] == ["from #1", "from #2"]
    assert study.axes["traffic.0.from"] == [json.dumps(value) for value in lists]
    assert study.short("traffic.0.from", json.dumps(lists[1])) == "#2"


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


def test_a_mistake_in_the_sweep_is_found_before_anything_runs(tmp_path):
    with pytest.raises(congestree.ScenarioError):
        congestree.sweep(SMALL, over={"adapters.window": [1, "many"]}, out=tmp_path)
    assert not (tmp_path / "runs").exists()


def test_points_that_make_no_sense_can_be_left_out_and_are_told(tmp_path, congestree_cli):
    over = {"scheme.preset": ["none", "efl", "input-triggered"]}  # its floor is too slow for its timer
    with pytest.raises(congestree.ScenarioError, match=r"in the run with scheme\.preset = `efl`"):
        congestree.sweep(SMALL, over=over, out=tmp_path / "none")
    study = congestree.sweep(SMALL, over=over, out=tmp_path / "two", skip_refused=True)
    assert study.runs["scheme.preset"].to_list() == ["none", "input-triggered"]
    assert list(study.refused) == ["preset efl"] and "scheme" in study.refused["preset efl"]
    assert congestree.Study.load(tmp_path / "two").refused == study.refused
    with pytest.raises(congestree.ScenarioError):
        congestree.sweep(SMALL, over={"scheme.preset": ["efl"]}, out=tmp_path / "one", skip_refused=True)
    (tmp_path / "small.toml").write_text(SMALL)
    swept = ["--set", 'sweep={"scheme.preset"=["none","efl"]}', "--skip-refused", "--out", tmp_path / "by-command"]
    done = congestree_cli("sweep", tmp_path / "small.toml", *swept)
    assert "left out: preset efl: " in done.stderr and "1 run" in done.stdout
    swept[1] = 'sweep={"scheme.preset"=["none","efl"], seed=[1,2,3,4,5,6,7]}'
    told = congestree_cli("sweep", tmp_path / "small.toml", *swept).stderr.replace("\n", " ")
    assert told.count("left out: ") == 1, "all seeds for the same reason"
    assert "left out: preset efl, seed 1; preset efl, seed 2; " in told and "seed 5, and 2 more: " in told
    swept[1] = 'sweep={"scheme.preset"=["none","efl"]}'
    as_json = json.loads(congestree_cli("sweep", tmp_path / "small.toml", *swept, "--json").stdout)
    assert as_json["runs"] == 1 and list(as_json["refused"]) == ["preset efl"]


def test_a_job_that_fails_does_not_stop_the_others(tmp_path):
    good = congestree.check(SMALL)["scenario"]
    jobs = [pool.Job({"nonsense": 1}, tmp_path / "bad", "bad"), pool.Job(good, tmp_path / "good", "good")]
    progress = pool.execute(jobs, workers=1)
    assert list(progress.failed) == ["bad"]
    assert progress.done == 1
    assert store.is_finished(tmp_path / "good")
    assert not (tmp_path / "bad").exists()


def test_a_killed_worker_is_replaced(tmp_path):
    long = {**congestree.check(SMALL)["scenario"]}
    long["measure"] = {**long["measure"], "duration": "1000 s", "bin": "10 s"}
    good = congestree.check(SMALL)["scenario"]
    jobs = [pool.Job(long, tmp_path / "long", "long"), pool.Job(good, tmp_path / "good", "good")]

    def kill_the_first(progress):
        if progress.running.get("long", 0) > 0:
            os.kill(worker_of_this_process(), signal.SIGKILL)

    if not os.path.exists(f"/proc/{os.getpid()}/task"):
        pytest.skip("needs /proc to find the worker")
    progress = pool.execute(jobs, workers=1, on_progress=kill_the_first)
    assert "signal 9" in progress.failed["long"]
    assert store.is_finished(tmp_path / "good")


@pytest.mark.slow
def test_an_interrupted_sweep_keeps_what_is_finished_and_goes_on(tmp_path):
    path, out = tmp_path / "grid.toml", tmp_path / "out"
    path.write_text(SMALL.replace("2 ms", "100 ms") + f"\n[sweep]\nseed = {list(range(1, 25))}\n")
    process = subprocess.Popen(
        command("sweep", path, "--out", out, "--workers", "2"), stderr=subprocess.PIPE, text=True
    )
    waited = time.monotonic()
    while len(list(out.glob("runs/*/manifest.json"))) < 3 and time.monotonic() - waited < 60:
        time.sleep(0.02)
    assert "kept" in interrupt(process)
    kept = len(list(out.glob("runs/*/manifest.json")))
    assert 3 <= kept < 24
    assert kept == len(list(out.glob("runs/*"))), "half-made runs are cleared away"
    done = subprocess.run(command("sweep", path, "--out", out, "--json"), capture_output=True, text=True, check=True)
    assert f'"resumed": {kept}' in done.stdout


def test_another_sweep_in_the_same_folder_is_told(tmp_path):
    """The previous content of the table is lost; the same sweep, extended or not, loses nothing."""
    over = {"seed": [1, 2]}
    first = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    longer = congestree.sweep(SMALL, over={"seed": [1, 2, 3]}, values=SHORT, out=tmp_path, workers=1)
    assert (first.dropped, longer.dropped) == (0, 0)
    path = tmp_path / "grid.toml"
    path.write_text(f"{SMALL}\n[sweep]\nseed = [4]\n")
    done = subprocess.run(command("sweep", path, "--out", tmp_path), capture_output=True, text=True, check=True)
    told = f"{tmp_path} held another sweep: 3 of its finished runs are not points of this one"
    assert f"note: {told}" in done.stderr
    with pytest.warns(congestree.errors.Note, match="held another sweep: 1 of its .* name another folder") as notes:
        again = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert [note.filename for note in notes] == [__file__], "the line that called is named"
    assert (again.resumed, again.dropped) == (2, 1), "they are there still"


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def change(path):
    """Damage within the table, which the end of its file, its index, does not show."""
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("harm", [cut, change, lambda path: path.unlink()])
def test_a_damaged_run_is_done_again(tmp_path, harm):
    """One table that cannot be read stopped the sweep that went on."""
    over = {"seed": [1, 2, 3]}
    whole = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    harm(tmp_path / "runs" / whole.points[1]["hash"] / "summary.parquet")
    again = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert (again.resumed, again.failed) == (2, {})
    assert again.runs.drop("wall_s").equals(whole.runs.drop("wall_s"))
    assert congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1).resumed == 3


def test_a_run_of_before_tables_had_sums_is_whole(tmp_path):
    congestree.run(SMALL, values=SHORT, out=tmp_path)
    manifest = json.loads((tmp_path / store.MANIFEST).read_text())
    for table in manifest["tables"].values():
        del table["footer"]
    writing.write_json(tmp_path / store.MANIFEST, manifest)
    assert store.is_whole(tmp_path)
    cut(tmp_path / "flows.parquet")
    assert store.is_whole(tmp_path), "nobody can tell"
    (tmp_path / "flows.parquet").unlink()
    assert not store.is_whole(tmp_path)


KINDS = {
    "run": ("run", "hot-spot"),
    "sweep": ("sweep", "sweep-load"),
    "search": ("tune", "hot-spot", "--param", "adapters.window=1..4", "--goal", "rate:victim", "-n", "1"),
    "reproduction": ("reproduce", "hpl2002/fig2", "--quick"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_with_results_of_another_kind_is_refused(tmp_path, kind):
    """The report of a folder with a run and a sweep was that of the run, whichever came last."""
    for mark, held in store.KINDS.items():
        folder = tmp_path / mark.removesuffix(".json")
        folder.mkdir()
        (folder / mark).write_text("{}")
        if held == f"a {kind}":
            continue
        done = subprocess.run(command(*KINDS[kind], "--out", folder), capture_output=True, text=True)
        assert done.returncode == 1, done.stdout
        assert f"{folder} holds {held} already ({mark})" in done.stderr, done.stderr
        assert f"Name another folder for a {kind} (--out)." in done.stderr
        assert [path.name for path in folder.iterdir()] == [mark]


def test_what_killed_commands_were_writing_is_removed(tmp_path):
    drafts = [tmp_path / ".runs.parquet.123.part", tmp_path / ".study.json.123.part", tmp_path / ".writable-123"]
    for draft in drafts:
        draft.touch()
    study = congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=1)
    (run,) = study.folder.glob("runs/*")
    (run / ".manifest.json.123.part").touch()
    (run / store.MANIFEST).unlink()
    congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=1)
    assert not [path for path in tmp_path.rglob(".*") if path.name.endswith(".part") or "writable" in path.name]


def test_the_time_left_does_not_count_what_was_finished_before():
    from congestree.cli.console import _left

    assert _left(pool.Progress(total=10, resumed=6, done=8), elapsed=30.0) == pytest.approx(30.0)
    assert _left(pool.Progress(total=4, done=1), elapsed=10.0) == pytest.approx(30.0)
    assert _left(pool.Progress(total=10, resumed=6, done=6), elapsed=30.0) is None


def test_the_pace_counts_runs_that_failed_and_not_those_from_before(monkeypatch):
    """Two workers settle a run every other second, of which each takes four."""
    from congestree.cli import console

    monkeypatch.setattr(console.time, "monotonic", lambda: 120.0)
    state = pool.Progress(total=20, resumed=6, done=12, failed=dict.fromkeys("abcd", "why"))
    assert console._each(state, began=100.0) == ", one every 2 s"


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
    figure = congestree.plots.plot_lines(study, "seed", "bystander")
    assert figure.axes[0].get_title("left") == "mean over runs that differ in window, too"
    figure = congestree.plots.plot_lines(study, "window", "bystander")
    assert figure.axes[0].get_title("left") == "mean and 95 % interval over seeds"
    figure = congestree.plots.plot_lines(study, "window", "bystander", by="seed")
    assert figure.axes[0].get_title("left") == "one run at each point, which has no interval"


def test_values_of_several_kinds_are_text_in_the_table(tmp_path):
    """Whole numbers next to words, and omitted values next to numbers."""
    over = {"switches.read_ports": ["one", 2], "adapters.window": [None, 2]}
    study = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert study.axes == {"switches.read_ports": ["one", "2"], "adapters.window": ["null", "2"]}
    assert study.mean("contenders", by="read_ports")["switches.read_ports"].to_list() == ["one", "2"]
    assert study.label(study.points[3]["values"]) == "read_ports 2, window 2"
    assert len(congestree.studies.study.Study.load(tmp_path).runs) == 4


def test_points_with_one_scenario_are_one_run_in_what_is_told(congestree_cli, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    words = ("sweep", tmp_path / "small.toml", "--set", 'sweep={"links.rate"=["8 Gbit/s", "8000 Mbit/s"]}')
    words += ("--out", tmp_path / "out")
    assert "0 finished before, 1 run now" in congestree_cli(*words).stdout
    assert "1 finished before, 0 run now" in congestree_cli(*words).stdout


RING = {
    "allow_credit_loops": True,
    "topology": {
        "graph": {
            "hosts": [f"h{i}" for i in range(5)],
            "switches": [f"s{i}" for i in range(5)],
            "links": [{"a": f"h{i}", "b": f"s{i}"} for i in range(5)]
            + [{"a": f"s{i}", "b": f"s{(i + 1) % 5}"} for i in range(5)],
        }
    },
    "links": {"rate": "8 Gbit/s"},
    "switches": {"buffer": "4 KiB"},
    "traffic": [{"from": f"h{i}", "to": f"h{(i + 2) % 5}"} for i in range(5)],
    "measure": {"duration": "1 ms"},
}


def test_a_run_that_ended_in_a_deadlock_is_told_of_and_so_is_which(congestree_cli, tmp_path):
    """Five flows over two links each of a ring are stuck; if one of them goes over one, they are not."""
    (tmp_path / "ring.json").write_text(json.dumps(RING))
    words = ("sweep", tmp_path / "ring.json", "--set", 'sweep={"traffic.0.to"=["h1", "h2"]}')
    done = congestree_cli(*words, "--out", tmp_path / "out")
    assert "ended early: to h2: deadlock" in done.stderr and "to h1" not in done.stderr
    told = json.loads(congestree_cli(*words, "--out", tmp_path / "out", "--json").stdout)
    assert list(told["stopped"]) == ["to h2"]


def test_settings_whose_paths_end_alike_are_told_apart():
    values = {"seed": 1, "traffic.0.arrivals.poisson.load": 0.2, "traffic.1.arrivals.poisson.load": 0.4}
    named = congestree.studies.points.label(values)
    assert named == "seed 1, 0.arrivals.poisson.load 0.2, 1.arrivals.poisson.load 0.4"


def test_no_run_is_told_with_values_that_another_key_overwrites(tmp_path):
    react, rate = {"scheme.react": ["dcqcn", "dctcp"]}, {"scheme.react.dcqcn.min_rate": ["10 MB/s", "20 MB/s"]}
    marks = {"scheme.mark": "red", "adapters.window": 8}
    for number, over in enumerate((react | rate, rate | react)):  # whatever stands first in the file
        with pytest.raises(congestree.ScenarioError, match=r"min_rate` chooses something else, and overwrites it"):
            congestree.sweep(SMALL, over=over, values=marks, out=tmp_path / "all")
        study = congestree.sweep(SMALL, over=over, values=marks, out=tmp_path / f"{number}", skip_refused=True)
        assert study.runs["scheme.react"].to_list() == ["dcqcn"] * 2 and len(study.refused) == 2
        said = [
            json.loads(path.read_text())["scenario"] for path in (tmp_path / f"{number}").glob("runs/*/manifest.json")
        ]
        told = {congestree.quantities.bits_per_second(one["scheme"]["react"]["dcqcn"]["min_rate"]) for one in said}
        assert told == {80e6, 160e6}


def test_what_varies_cannot_be_set_as_well(tmp_path, congestree_cli):
    over = {"scheme.mark": [{"red": {"min": "10 kB"}}], "adapters.window": [1, 2]}
    for values in ({"adapters.window": 4}, {"scheme.mark.red.max": "1 MB"}, {"scheme.mark": "red"}):
        (path,) = values
        with pytest.raises(AskedError, match=f"{path} is set, but the sweep varies .*no effect"):
            congestree.sweep(SMALL, over=over, values=values, out=tmp_path / "never")
    within = {"scheme.mark.red.min": ["10 kB", "20 kB"]}
    assert len(expand(SMALL, over=within, values={"scheme.mark": "red"})) == 2, "the sweep says more of what is set"
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    told = congestree_cli("sweep", tmp_path / "swept.toml", "--set", "seed=3", code=2).stderr
    assert "seed is set, but the sweep varies seed" in told


def test_classes_of_traffic_go_by_their_names(tmp_path):
    rates = ["100 MB/s", "200 MB/s"]
    named = congestree.sweep(SMALL, over={"traffic.bystander.rate": rates}, values=SHORT, out=tmp_path / "named")
    numbered = congestree.sweep(SMALL, over={"traffic.1.rate": rates}, values=SHORT, out=tmp_path / "numbered")
    assert named.runs["hash"].to_list() == numbered.runs["hash"].to_list()
    assert named.mean("rate.bystander", by="traffic.bystander.rate").height == 2
    set_by_name = congestree.run(SMALL, values={"traffic.bystander.rate": "200 MB/s", **SHORT})
    assert set_by_name.fingerprint == named[1].fingerprint
    with pytest.raises(congestree.ScenarioError, match="there is no `bystandr` in `traffic`: there are 2 entries"):
        congestree.sweep(SMALL, over={"traffic.bystandr.rate": rates}, out=tmp_path / "none")


def test_a_run_tells_that_it_leaves_the_sweep_aside(tmp_path, congestree_cli):
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    told = congestree_cli("run", tmp_path / "swept.toml", "--out", tmp_path / "one", "--plot").stderr
    assert "note: the [sweep] of swept.toml was left aside: congestree sweep runs it" in told


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
    plotted = congestree.plots.plot_lines(study, "window", "latency-p99:bystander", unit="s")
    assert "latency-p99:bystander" in plotted.axes[0].get_ylabel()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("latency-p98", "There is no measure 'latency-p98'; did you mean \"latency-p99\""),
        ("rate:bystandr", 'rate:bystandr is about the class of traffic .* did you mean "bystander"'),
        ("fct-p99", r"fct-p99 needs the probe completions: --set measure.probes=\[.*completions\]"),
        ("use", "use:HOST"),
    ],
)
def test_a_measure_that_no_run_has_is_refused_before_anything_is_run(tmp_path, congestree_cli, name, says):
    (tmp_path / "small.toml").write_text(SMALL)
    sweep = ("sweep", tmp_path / "small.toml", "--set", "sweep={seed=[1, 2]}", "--out", tmp_path / "none")
    assert re.search(says, congestree_cli(*sweep, "--measure", name, code=2).stderr.replace("\n", " "))
    assert not (tmp_path / "none").exists()


def test_the_command_tells_measures_in_their_units(tmp_path, congestree_cli):
    (tmp_path / "small.toml").write_text(SMALL)
    sweep = ("sweep", tmp_path / "small.toml", "--set", "sweep={seed=[1, 2]}", "--out", tmp_path / "two")
    by_message = (*sweep, "--set", "traffic.bystander.flows=by-message", "--set", "traffic.bystander.message=50 kB")
    by_message += ("--set", "traffic.bystander.arrivals.poisson.load=0.1", "--set", "measure.probes=[completions]")
    told = congestree_cli(*by_message, "--measure", "fct-p99:bystander").stdout
    assert re.search(r"seed +fct-p99:bystander +finished:bystander +rate", told)
    told = congestree_cli(*sweep, "--measure", "slowest:contenders", "--measure", "summary:measured").stdout
    assert re.search(r"seed +slowest:contenders +summary:measured +rate", told) and "Gbit/s  " in told
    assert set(pl.read_parquet(tmp_path / "two/runs.parquet")["summary:measured"]) == {0.002}


def test_check_tells_of_runs_that_make_no_sense(tmp_path, congestree_cli):
    (tmp_path / "swept.toml").write_text(SMALL + '\n[sweep]\n"scheme.preset" = ["none", "efl"]\n')
    told = congestree_cli("check", tmp_path / "swept.toml")
    assert "is a valid scenario" in told.stdout and "note: congestree sweep refuses runs of it" in told.stderr
    assert "`efl`" in told.stderr
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    assert "note" not in congestree_cli("check", tmp_path / "swept.toml").stderr
    piped = congestree_cli("check", "/dev/stdin", stdin=(tmp_path / "swept.toml").read_text())
    assert "valid scenario" in piped.stdout and not piped.stderr, "what comes from a pipe is read once"


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused_as_the_command_does(tmp_path, workers):
    with pytest.raises(AskedError, match="workers are too few: at least 1 is needed"):
        congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=workers)
