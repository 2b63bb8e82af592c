"""Runs are known by the contents of the files that their scenarios name, and not by the names of these files."""

import datetime
import json
import os

import pytest

import congestree
from congestree import document
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


def folder_of_traces(path, number):
    path.mkdir()
    traces(path / "t.0.et", number)


def routes(path, number):
    captured(path, [("prefill", [[number]])])


def text(template):
    return lambda path, number: path.write_text(template.format(number=number))


GOAL = text("num_ranks 2\nrank 0 {{ a: calc {number} }}\n")
FABRIC = text("topology.single-switch.hosts = {number}\n")
SIZES = text("{number} 1\n")
FILES = {
    "fabric.toml": (FABRIC, {"topology": {"file": "fabric.toml"}}),
    "list.csv": (text("at,from,to,message\n0 us,H1,H2,{number} B\n"), {"traffic": [{"list": "list.csv"}]}),
    "sizes": (SIZES, {"traffic.0.sizes": {"cdf": "sizes"}}),
    "web-search": (SIZES, {"traffic.0.sizes": {"cdf": "./web-search"}}),  # a file, not the published table
    "pair.goal": (GOAL, {"traffic.0.program": {"goal": "pair.goal"}}),
    "t.0.et": (traces, {"traffic.0.program": {"chakra": {"traces": ["t.0.et"]}}}),
    "traces": (folder_of_traces, {"traffic.0.program": {"chakra": {"traces": ["traces"]}}}),
    "routes.jsonl": (routes, {"traffic.0.program": moe({"captured": {"file": "routes.jsonl"}}, tokens=1)}),
    "tried.goal": (GOAL, {"sweep": {"seed": [1], "traffic.job.program": [{"goal": "tried.goal"}, "barrier"]}}),
    "tried.csv": (SIZES, {"sweep": {"traffic": {"0": {"sizes": {"cdf": ["web-search", "tried.csv"]}}}}}),
    "tried.toml": (FABRIC, {"sweep": {"topology.file": ["tried.toml"]}}),
}


def naming(values):
    """A scenario with these values, which name a file."""
    tree = of_program("barrier", hosts=4) | {"measure": {"duration": "1 ms"}}
    if "sizes" in str(values):
        steady = {"arrivals": {"poisson": {"load": 0.5}}, "sizes": {"cdf": "enterprise"}}
        tree["traffic"] = [{"from": "H1", "to": "H2", **steady}]
    for path, value in values.items():
        tree = document.set_value(tree, path, value)
    return tree


def hashes(scenario):
    return [scenario_hash(point["scenario"]) for point in sweeping.expand(scenario)]


@pytest.mark.parametrize("name", FILES)
def test_a_scenario_that_is_loaded_and_saved_names_the_same_files(name, tmp_path, monkeypatch):
    """Where it was run, another file of the same name took the place of the one beside the scenario."""
    write, values = FILES[name]
    for folder, number in (("home", 3), ("elsewhere", 4), ("third", 5)):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / name, number)
    (tmp_path / "home" / "s.toml").write_text(document.to_toml(naming(values)))
    monkeypatch.chdir(tmp_path / "elsewhere")
    path = os.path.join(os.pardir, "home", "s.toml")
    expected = hashes(path)
    assert hashes(congestree.Scenario.load(path)) == expected
    for saved in (tmp_path / "third" / "s.toml", os.path.join(os.pardir, "third", "s.json"), "s.toml"):
        congestree.load(path).save(saved)
        assert hashes(congestree.load(saved)) == expected
    congestree.load(saved).save(path)  # back home it is as it was, and can be read by its path
    assert hashes(path) == expected
    monkeypatch.chdir(tmp_path / "home")
    assert hashes(congestree.load("s.toml")) == expected


def test_a_sweep_over_places_that_are_none_is_left_to_the_engine(tmp_path):
    sweep = {"topology.file": ["x"], "traffic.0.list.x": ["y"], "traffic.5.list": ["y"], "traffic.none.list": ["y"]}
    tree = naming({"sweep": sweep})
    for topology in (datetime.date(2020, 1, 1), 5, "test-bed", [1]):
        scenario = congestree.Scenario.from_dict({**tree, "topology": topology})
        assert contents.renamed(scenario.to_dict(), str.upper)["sweep"]["traffic.5.list"] == ["y"]
        with pytest.raises((congestree.CongestreeError, congestree.ScenarioError)):
            congestree.sweep(scenario)


def test_the_tables_of_sizes_that_are_no_files_are_those_of_the_engine(root):
    assert sorted(contents.PUBLISHED) == sorted(path.stem for path in (root / "crates/traffic/tables").glob("*.txt"))
