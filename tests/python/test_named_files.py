"""Runs are known by the contents of the files that their scenarios name, and not by the names of these files."""

import json

import pytest

import congestree
from congestree.runs import contents
from congestree.runs.results import scenario_hash
from congestree.runs.running import run_once
from congestree.studies import pool, sweeping

from .test_chakra_jobs import scenario as of_traces
from .test_parallel_jobs import captured, moe
from .test_parallel_jobs import scenario as of_program
from .test_traces import COMP, node, trace


def traces(path, number):
    path.write_bytes(trace(node(number, COMP, duration_micros=number)))
    return of_traces([path])


def routing(path, number):
    captured(path, [("prefill", [[number]])])
    return of_program(moe({"captured": {"file": str(path)}}, tokens=1), hosts=4)


def hash_of(scenario):
    return scenario_hash(congestree.check(scenario)["scenario"])


@pytest.mark.parametrize("written", [traces, routing])
def test_a_run_is_another_if_a_file_that_it_names_is(written, tmp_path):
    first, other = hash_of(written(tmp_path / "t.0.et", 1)), hash_of(written(tmp_path / "t.0.et", 2))
    assert first != other
    assert hash_of(written(tmp_path / "t.0.et", 1)) == hash_of(written(tmp_path / "moved.0.et", 1)) == first


def test_a_long_trace_is_read_again_only_if_it_may_have_changed(tmp_path, monkeypatch):
    path, read = tmp_path / "t.0.et", []
    digest = contents.hashlib.file_digest
    monkeypatch.setattr(contents.hashlib, "file_digest", lambda *args: read.append(1) or digest(*args))
    path.write_bytes(b"just written, so that another change within the tick of a clock would not show")
    assert contents.digest(path) == contents.digest(path) and len(read) == 2
    monkeypatch.setattr(contents, "_SETTLED", -1e18)
    assert contents.digest(path) == contents.digest(path) and len(read) == 3
    path.write_bytes(b"longer " + path.read_bytes())
    contents.digest(path)
    assert len(read) == 4


def test_a_sweep_says_that_a_trace_changed_while_it_ran(tmp_path, monkeypatch):
    def execute(jobs, **_):
        traces(tmp_path / "t.0.et", 2)
        for job in jobs:
            run_once(job.scenario, job.folder)
        return pool.Progress(total=len(jobs), done=len(jobs))

    monkeypatch.setattr(sweeping.pool, "execute", execute)
    swept = traces(tmp_path / "t.0.et", 1)
    with pytest.raises(congestree.CongestreeError, match=r"t\.0\.et changed while the sweep ran"):
        congestree.sweep(swept, over={"seed": [1]}, out=tmp_path / "study")
    assert json.loads((tmp_path / "study" / "study.json").read_text())["points"]
    assert not list((tmp_path / "study").glob("runs/*/manifest.json"))
