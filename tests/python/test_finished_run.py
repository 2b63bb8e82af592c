"""A finished run is read from its results: the scenario is not resolved again, which could be refused by now."""

import shutil

import pytest

import congestree
from congestree import drawing, report, view
from congestree.errors import AskedError
from congestree.formats import workloads
from congestree.runs import memory

from .conftest import SMALL
from .test_chakra_jobs import scenario as of_traces
from .test_traces import DATA

LOOK = {"duration": "100 ms", "until_jobs_end": True, "sampling_interval": "10 us", "probes": ["trees", "ports"]}
# The first switch has one port, as hosts have.
STUB = {
    "hosts": ["a", "b"],
    "switches": ["S", "T"],
    "links": [{"a": a, "b": "T"} for a in ("a", "b", "S")],
}
NETWORKS = [
    {"graph": STUB},
    {"two-switch": {"local": 1, "remote": 1}},
    {"single-switch": {"hosts": 2}},
    {"chain": {"switches": 2, "hosts_per_switch": 1}},
    {"mesh": {"dimensions": [3]}},
    {"clos": {"down": [4, 1], "up": [2]}},
    {"clos": {"down": [4, 2], "up": [2], "planes": 2}},
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a run of traces, which are named relative to the current folder."""
    home = tmp_path / "home"
    shutil.copytree(DATA / "all_reduce_4", home / "traces")
    monkeypatch.chdir(home)
    congestree.run(of_traces(["traces"], hosts=4, job={"ranks": 4}, measure=LOOK), out="run")
    return home / "run"


def read_in_every_way(run, folder):
    report.write(folder / "report.html", run)
    view.write(folder / "view.html", run)
    drawing.draw_trees(run)
    assert drawing.count_hosts(run) == len(workloads.host_ids(run)) == 4


def test_a_run_is_read_from_any_folder(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read_in_every_way(congestree.Run.load(folder), tmp_path)


def test_a_run_is_read_whatever_became_of_the_files_of_its_scenario(folder, tmp_path):
    (folder.parent / "traces").rename(folder.parent / "moved")
    read_in_every_way(congestree.Run.load(folder), tmp_path)


def test_a_run_is_read_on_a_machine_that_could_not_run_it(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "default_limit", lambda: 1)
    with pytest.raises(congestree.ScenarioError, match="would take about"):
        congestree.check(of_traces(["traces"]))
    read_in_every_way(congestree.Run.load(folder), tmp_path)


@pytest.mark.parametrize("topology", NETWORKS, ids=lambda topology: "-".join(topology))
def test_the_hosts_of_a_run_are_those_of_its_network(topology):
    scenario = {
        "topology": topology,
        "links": {"rate": "10 Gbit/s", "delay": "10 ns"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": "greedy"}],
        "measure": {"duration": "1 ns"},
    }
    assert congestree.run(scenario).hosts == congestree.network(scenario, routes=False)["hosts"]


def test_a_study_is_asked_for_the_use_of_a_link_on_a_machine_that_could_not_run_it(tmp_path, monkeypatch):
    congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path)
    monkeypatch.setattr(memory, "default_limit", lambda: 1)
    study = congestree.Study.load(tmp_path).measure("use:H4", "use:S->H4")
    assert study.runs["use:H4"].to_list() == study.runs["use:S->H4"].to_list() == [pytest.approx(1, abs=0.1)]
    with pytest.raises(AskedError, match="the host 'H5', which is not there"):
        study.measure("use:H5")
