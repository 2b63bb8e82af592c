"""A sweep runs the product of its lists, each point once, and tells what came of it."""

import os
import re
import shutil
import subprocess
import sys

import polars as pl
import pytest

import congestree
from congestree.errors import AskedError

from .conftest import OVER, SHORT, SMALL


def test_every_point_of_the_product_has_run(study):
    assert len(study) == 6
    assert not study.failed
    assert study.axes == OVER
    assert study.runs.select(list(OVER)).rows() == [
        (p["values"]["seed"], p["values"]["adapters.window"]) for p in study.points
    ]


def test_a_study_without_a_folder_of_its_own_stays_among_temporary_files(tmp_path):
    """As its docstring says: it had that the operating system deletes them, which few do."""
    code = f"import congestree; print(congestree.sweep({SMALL!r}, over={{'seed': [1]}}, workers=1).folder)"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    (folder,) = tmp_path.glob("congestree-*")
    assert str(folder.resolve()) == done.stdout.strip() and len(congestree.Study.load(folder).runs) == 1
    assert "which stays until you remove it" in congestree.sweep.__doc__


def test_the_table_is_written(study):
    table = pl.read_parquet(study.folder / "runs.parquet")
    assert table.equals(study.runs)
    assert {"rate.contenders", "rate.bystander", "hash"} <= set(table.columns)


def test_a_finished_run_is_not_repeated(study):
    before = {path: path.stat().st_mtime_ns for path in study.folder.glob("runs/*/manifest.json")}
    again = congestree.sweep(SMALL, over={**OVER, "seed": [1, 2, 3, 4]}, out=study.folder, workers=2)
    assert again.resumed == 6
    assert len(again) == 8
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_study_whose_folder_was_removed_meanwhile_can_be_opened(tmp_path):
    """What was done later was there, without study.json, so that nothing could read it."""
    folder, removed = tmp_path / "study", []

    def remove(progress):
        if progress.done == 1 and not removed:
            removed.append(shutil.rmtree(folder, ignore_errors=True))

    made = congestree.sweep(SMALL, over={"seed": [1, 2, 3]}, values=SHORT, out=folder, workers=1, on_progress=remove)
    assert removed and 0 < len(made.runs) < 3
    read = congestree.Study.load(folder)
    assert read.points == made.points and read.written == made.written
    assert read.runs.equals(made.runs)


def test_a_run_in_a_sweep_is_the_same_as_alone(study):
    alone = congestree.run(SMALL, values={"seed": 2, "adapters.window": 4})
    assert alone.fingerprint in [run.fingerprint for run in study]
    assert alone.manifest["hash"] in [point["hash"] for point in study.points]


def test_points_with_one_scenario_are_one_run_in_what_is_told(congestree_cli, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    words = ("sweep", tmp_path / "small.toml", "--set", 'sweep={"links.rate"=["8 Gbit/s", "8000 Mbit/s"]}')
    words += ("--out", tmp_path / "out")
    assert "0 finished before, 1 run now" in congestree_cli(*words).stdout
    assert "1 finished before, 0 run now" in congestree_cli(*words).stdout


def test_a_run_tells_that_it_leaves_the_sweep_aside(tmp_path, congestree_cli):
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    told = congestree_cli("run", tmp_path / "swept.toml", "--out", tmp_path / "one", "--plot").stderr
    assert "note: the [sweep] of swept.toml was left aside: congestree sweep runs it" in told


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


TOO_FEW = "workers are too few: at least 1 is needed"


@pytest.mark.parametrize(
    ("workers", "told"), [(0, TOO_FEW), (-1, TOO_FEW), ("2", "workers is '2': give a whole number")]
)
def test_no_workers_are_refused_as_the_command_does(tmp_path, workers, told):
    with pytest.raises(AskedError, match=told):
        congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=workers)
