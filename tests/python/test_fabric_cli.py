"""`congestree import` and `congestree export` as commands, and topology files as scenarios use them."""

import io
import json
import time
import tomllib
from pathlib import Path

import pytest
from rich.console import Console

import congestree
from congestree.cli import console

from .conftest import SMALL
from .fabric_files import CLUSTER, TABLES, TOPO, crossed_tree


def test_import_reports_and_writes_a_scenario_that_runs(congestree_cli, tmp_path):
    done = congestree_cli("import", CLUSTER, "--routes", TABLES, "-o", "cluster.toml")
    for words in ("Degraded links", "Missing links", "leaf-3 port 3 - spine-1 port 3", "wrote cluster.toml", "tables"):
        assert words in done.stdout
    run = congestree.run(tmp_path / "cluster.toml", values={"measure.duration": "30 us"})
    assert {"node11 mlx5_0", "node18 mlx5_0"} <= set(run.flows["source"].to_list())
    assert "leaf-4->spine-1" in run.ports["name"].to_list()


def test_import_alone_writes_nothing(congestree_cli, tmp_path):
    before = set(tmp_path.iterdir())
    congestree_cli("import", CLUSTER)
    assert set(tmp_path.iterdir()) == before


def test_an_import_reports_in_json(congestree_cli):
    found = json.loads(congestree_cli("import", CLUSTER, "--routes", TABLES, "--json").stdout)
    assert (found["hosts"], found["switches"], found["links"]) == (8, 6, 15)
    assert found["routes"] == {"from": "tables", "left_to_shortest_path": 2}
    assert found["missing"][0]["switch"] == "leaf-4"


def test_import_to_stdout_can_be_piped_on(congestree_cli):
    text = congestree_cli("import", CLUSTER, "-o", "-", "--rate", "4xNDR", "--delay", "25 ns").stdout
    document = tomllib.loads(text)
    assert document["links"] == {"rate": "200 Gbit/s", "delay": "25 ns"}
    assert congestree.check(document)["facts"]["hosts"] == 8


def test_a_topology_file_is_found_beside_the_scenario(congestree_cli, tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    congestree_cli("import", TOPO, "--topology-only", "--routing", "d-mod-k", "-o", "deep/fabric.toml")
    text = SMALL.replace("[topology.single-switch]\nhosts = 4", '[topology]\nfile = "fabric.toml"')
    for new, old in (
        ("node11_mlx5_0", "H1"),
        ("node12_mlx5_0", "H2"),
        ("node15_mlx5_0", "H3"),
        ("node18_mlx5_0", "H4"),
    ):
        text = text.replace(f'"{old}"', f'"{new}"')
    path = tmp_path / "deep/scenario.toml"
    path.write_text(text)
    congestree_cli("check", "deep/scenario.toml")
    # Loaded as an object, changed, saved elsewhere: still the same file.
    monkeypatch.chdir(tmp_path)
    scenario = congestree.load("deep/scenario.toml")
    assert congestree.check(scenario)["scenario"]["routing"] == "d-mod-k"
    scenario.set({"seed": 9}).save(tmp_path / "other.toml")
    assert 'file = "deep/fabric.toml"' in (tmp_path / "other.toml").read_text()
    monkeypatch.chdir("/")
    run = congestree.run(tmp_path / "other.toml", values={"measure.duration": "200 us"}, out=tmp_path / "results")
    (tmp_path / "deep/fabric.toml").unlink()
    again = congestree.run(run.scenario)
    assert again.manifest["fingerprint"] == run.manifest["fingerprint"]


DATA = Path(__file__).parents[1] / "data"
TREE = DATA / "htsim/topo/test.topo"
MATRIX = DATA / "htsim/cm/foo2.cm"
INFRA = DATA / "infragraph/clos-2tier-4-servers.yaml"
HPCC = "5 1 4\n4\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 4 100Gbps 1us 0\n4 3 40Gbps 1us 0\n"


@pytest.mark.parametrize("file", [TREE, INFRA, "topology.txt", "config.txt"])
def test_a_network_of_any_format_can_be_a_topology_file(congestree_cli, tmp_path, file):
    """Its links have the rates and delays of the file, whatever the scenario says."""
    (tmp_path / "topology.txt").write_text(HPCC)
    (tmp_path / "flow.txt").write_text("1\n0 1 3 100 1000 0\n")
    (tmp_path / "config.txt").write_text("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 3\n")
    congestree_cli("import", file, "-o", "whole.toml")
    congestree_cli("import", file, "--topology-only", "-o", "fabric.toml")
    scenario = {"topology": {"file": str(tmp_path / "fabric.toml")}, "links": {"rate": "1 Gbit/s", "delay": "7 ns"}}
    scenario |= {"traffic": [{"from": "all", "pattern": "uniform"}], "measure": {"duration": "1 us"}}
    links = [congestree.network(one)["links"] for one in (scenario, tmp_path / "whole.toml")]
    timed = [[[link[key] for key in ("a", "b", "rate", "delay", "rate_back")] for link in some] for some in links]
    assert timed[0] == timed[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((TREE, "--routes", "nowhere", "--into", "x"), "--routes and --into do not apply to"),
        ((INFRA, "--routing", "d-mod-k"), "--routing does not apply to"),
        ((MATRIX, "--rate", "4xSDR"), "which is a connection matrix of htsim: leave it out"),
        (("topology.txt", "--delay", "soon"), "which is a topology of HPCC"),
        (("topology.txt", "--topology-only", "--flows", "x"), "leave it out, or --flows"),
        ((CLUSTER, "--host-type", "HCA", "--config", "x"), "--host-type and --config do not apply to"),
        ((CLUSTER, "--routes", TABLES, "--routing", "d-mod-k"), "give one of them"),
    ],
)
def test_options_that_would_change_nothing_are_refused(congestree_cli, tmp_path, arguments, says):
    (tmp_path / "topology.txt").write_text(HPCC)
    assert says in " ".join(congestree_cli("import", *map(str, arguments), code=2).stderr.split())


def test_mistakes_in_a_topology_file_are_shown_there(congestree_cli, tmp_path):
    text = SMALL.replace("[topology.single-switch]\nhosts = 4", '[topology]\nfile = "fabric.toml"')
    (tmp_path / "scenario.toml").write_text(text)
    assert "there is no file fabric.toml" in congestree_cli("check", "scenario.toml", code=2).stderr
    (tmp_path / "fabric.toml").write_text('[topology.single-switch]\nhosts = "four"\n')
    assert "fabric.toml:2:9  topology.single-switch.hosts" in congestree_cli("check", "scenario.toml", code=2).stderr
    complaints = json.loads(congestree_cli("check", "scenario.toml", "--json", code=2).stdout)["complaints"]
    assert complaints[0]["file"] == "fabric.toml"


def test_credit_loops_are_said_and_refused(congestree_cli, tmp_path):
    (tmp_path / "crossed.topo").write_text(crossed_tree())
    done = congestree_cli("import", "crossed.topo", "-o", "crossed.toml")
    assert "credit loop" in done.stderr and "--routing d-mod-k" in done.stderr
    assert "cycle" in congestree_cli("check", "crossed.toml", code=2).stderr
    congestree_cli("import", "crossed.topo", "--routing", "d-mod-k", "-o", "crossed.toml")
    congestree_cli("check", "crossed.toml")


def test_export_writes_every_form(congestree_cli, small, tmp_path):
    for form in ("ibnetdiscover", "topo", "lfts"):
        assert f"wrote {form}.txt" in congestree_cli("export", small, "--format", form, "-o", f"{form}.txt").stdout
        assert congestree_cli("export", small, "--format", form).stdout == (tmp_path / f"{form}.txt").read_text()
    found = json.loads(congestree_cli("import", "topo.txt", "--routes", "lfts.txt", "--json").stdout)
    assert (found["hosts"], found["speeds"][0]["rate"]) == (4, "8 Gbit/s")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("import", "nowhere.txt"), 2, "There is no file nowhere.txt."),
        (("import", "."), 2, "is a folder"),
        (("import", "words.txt"), 2, "no node is described"),
        (("import", CLUSTER, "--routes", CLUSTER), 2, "there is no forwarding table"),
        (("import", CLUSTER, "--rate", "fast"), 2, "write a width and speed such as 4xHDR"),
        (("import", CLUSTER, "--delay", "soon"), 2, "is not a delay of a link"),
        (("import", CLUSTER, "--routing", "guess"), 2, "shortest-path"),
        (("import", CLUSTER, "-o", "no/such/folder/x.toml"), 1, "cannot be written"),
        (("export", "nowhere.toml"), 2, "There is no file nowhere.toml."),
        (("export", "small.toml", "--format", "dot"), 2, "ibnetdiscover"),
        (("export", "small.toml", "--set", "topology.single-switch.hosts=300"), 2, "numbers ports to 254"),
    ],
)
def test_mistakes_are_sentences(congestree_cli, small, tmp_path, arguments, code, says):
    (tmp_path / "words.txt").write_text("nothing of a fabric\n")
    assert says in " ".join(congestree_cli(*arguments, code=code).stderr.split())


def test_a_terminal_is_told_what_takes_long(monkeypatch):
    """On a pipe, which scripts read, nothing is added."""
    for terminal in (True, False):
        told = io.StringIO()
        monkeypatch.setattr(console, "err", Console(file=told, force_terminal=terminal, width=60))
        monkeypatch.setattr(console, "PATIENCE", 0.0)
        with console.waiting("reading fabric[1].txt"):
            time.sleep(0.3)
        assert ("reading fabric[1].txt" in told.getvalue()) == terminal
    quick = io.StringIO()
    monkeypatch.setattr(console, "err", Console(file=quick, force_terminal=True))
    monkeypatch.setattr(console, "PATIENCE", 60.0)
    with console.waiting("reading fabric.txt"):
        pass
    assert quick.getvalue() == ""
