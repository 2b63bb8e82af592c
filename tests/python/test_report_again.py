"""What a report says of how to run it again makes the same runs again."""

import html
import json
import re
import shlex
import subprocess
import sys

import pytest

import congestree
from congestree import report
from congestree.report import again, of_run
from congestree.runs.results import scenario_hash
from congestree.studies.sweeping import expand

from .conftest import LOOKED
from .test_chakra_jobs import scenario as of_traces
from .test_traces import COMP, node, trace

OVER = {"scheme.preset": ["none", "naive"], "adapters.window": [1, 2]}
SHORT = {"measure": {"duration": "50 us"}}


def codes(page):
    """The command and the scenario of a page."""
    return [html.unescape(code) for code in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.S)]


def saved(page, folder):
    """The file that the page says to save."""
    path = folder / "scenario.toml"
    path.write_text(codes(page)[-1], encoding="utf-8")
    return path


def commanded(page, folder):
    """Do the commands of a page in Python, in a folder; the others are answered."""
    commands = [shlex.split(line) for line in codes(page)[-2].splitlines()]
    for name, *arguments in commands:
        if name == "python":
            subprocess.run([sys.executable, *arguments], cwd=folder, check=True)
    return [command for command in commands if command[0] != "python"]


def points_of(page, folder):
    """The hashes of the points of a sweep of what the page says; with the same hash runs are the same."""
    return [scenario_hash(point["scenario"]) for point in expand(saved(page, folder))]


@pytest.fixture(scope="module")
def presets(tmp_path_factory):
    return congestree.sweep(LOOKED, over=OVER, values=SHORT, out=tmp_path_factory.mktemp("presets"), workers=1)


def test_a_sweep_over_presets_can_be_repeated_from_its_report(presets, tmp_path):
    """The first point's window and parts of the scheme stood beside the sweep, and overruled its presets."""
    hashes = [point["hash"] for point in presets.points]
    page = report.html(presets.folder)
    assert points_of(page, tmp_path) == hashes
    assert "does not hold the scenario" not in page
    repeated = [congestree.run(point["scenario"]) for point in expand(tmp_path / "scenario.toml")]
    assert [run.fingerprint for run in repeated] == [run.fingerprint for run in presets]


def test_a_folder_without_the_scenario_as_written_says_so_and_has_the_same_points(presets, tmp_path):
    told = json.loads((presets.folder / "study.json").read_text())
    del told["written"]
    study = congestree.Study(presets.folder, told["points"])
    page = report.html(study)
    assert points_of(page, tmp_path) == [point["hash"] for point in presets.points]
    assert "does not hold the scenario as it was written" in page


def test_settings_that_differ_between_the_runs_are_marked(presets):
    first, *others = [run.scenario for run in presets]
    rows = of_run.settings(first, again.differing([first, *others])).rows
    said = dict(rows)
    assert said["scheme.preset"] == said["adapters.window"] == "varies"
    assert said["links.rate"] == first["links"]["rate"]
    assert {value for key, value in rows if key.startswith("scheme.mark")} == {"varies"}
    assert len(said) == len(rows)


def test_what_was_left_out_is_left_out_again(presets):
    study = congestree.Study(presets.folder, presets.points, {"preset x": "why"}, presets.written)
    assert "--skip-refused" in codes(report.html(study))[0]


def test_files_that_the_scenario_of_a_study_names_are_told(tmp_path):
    (tmp_path / "fabric.toml").write_text(congestree.document.to_toml({"topology": LOOKED["topology"]}))
    (tmp_path / "sizes.txt").write_text("100 1\n")
    scenario = {**LOOKED, **SHORT, "topology": {"file": "fabric.toml"}}
    (tmp_path / "named.toml").write_text(congestree.document.to_toml(scenario))
    over = {"traffic.victim.sizes": [{"cdf": "sizes.txt"}, {"cdf": "web-search"}]}
    study = congestree.sweep(tmp_path / "named.toml", over=over, out=tmp_path / "study", workers=1)
    page = report.html(study)
    assert f"as they were: fabric.toml, sizes.txt. They were in {tmp_path};" in page
    assert points_of(page, tmp_path) == [point["hash"] for point in study.points]


def test_a_run_of_traces_is_repeated_with_the_files_that_its_page_names(tmp_path):
    """Their names were absolute, or relative to where the run was started, and refused in a scenario elsewhere."""
    (tmp_path / "traces").mkdir()
    for rank in range(2):
        (tmp_path / "traces" / f"t.{rank}.et").write_bytes(trace(node(1, COMP, duration_micros=3)))
    run = congestree.run(of_traces([tmp_path / "traces"]))
    page = report.html(run)
    assert f"t.0.et, t.1.et. They were in {tmp_path / 'traces'}, as seen" in page
    assert congestree.run(saved(page, tmp_path / "traces")).fingerprint == run.fingerprint


@pytest.mark.parametrize("facts", [{"stopped": "deadlock: nothing moves"}, {"interrupted": True}])
def test_a_run_that_did_not_end_promises_no_fingerprint(looked, facts):
    run = congestree.Run({**looked.manifest, **facts}, {})
    said = again.of_run(run)[0].text
    assert "ended before its time" in said and "same bits" not in said and run.fingerprint["results"] not in said
    assert run.fingerprint["results"] in again.of_run(looked)[0].text


def listed(count):
    """A scenario with a list of so many messages, of which only the first are made in the time of the run."""
    rows = [{"at": f"{n} ns", "from": f"H{1 + n % 30}", "to": "H31", "message": "1000 B"} for n in range(count)]
    network = {"topology": {"single-switch": {"hosts": 31}}, "links": {"rate": "100 Gbit/s"}}
    return {**network, "traffic": [{"list": rows}], "measure": {"duration": "2 us"}}


def test_a_long_list_is_not_in_the_page_and_the_run_is_repeated_from_its_folder(tmp_path):
    """Every message was four lines: a list of a million made a page of 119 MB."""
    run = congestree.run(listed(20_000), out=tmp_path / "run")
    page = report.html(tmp_path / "run")
    assert len(page) < 1_000_000
    assert "have only their first 10: traffic.0.list (20,000)." in page
    text = codes(page)[-1]
    assert text.startswith("# Not whole. Lists of more than 1,000 entries") and text.count("[[traffic.list]]") == 10
    assert commanded(page, tmp_path) == []
    assert congestree.Run.load(tmp_path / "runs" / "again").fingerprint == run.fingerprint
    assert "once Run.save has written it" in again.of_run(congestree.Run(run.manifest, {}))[1].text


def test_a_list_of_a_thousand_is_in_the_page(tmp_path):
    run = congestree.run(listed(1_000))
    page = report.html(run)
    assert "ot whole" not in page and congestree.run(saved(page, tmp_path)).fingerprint == run.fingerprint


def test_the_lists_that_are_left_out_are_told_and_those_of_a_sweep_are_whole():
    links = [{"a": f"h{n}", "b": "s"} for n in range(1_001)]
    graph = {"hosts": [link["a"] for link in links], "switches": ["s"], "links": links}
    scenario = {"topology": {"graph": graph}, "sweep": {"seed": list(range(2_000))}}
    shown, lengths = again.beginning(scenario)
    assert lengths == {"topology.graph.hosts": 1_001, "topology.graph.links": 1_001}
    assert shown["topology"]["graph"]["links"] == links[:10] and len(links) == 1_001
    assert shown["sweep"] == scenario["sweep"]


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_study_of_a_long_list_is_repeated_from_its_folder(form, tmp_path):
    path = tmp_path / f"long.{form}"
    congestree.Scenario.from_dict({**listed(1_200), "sweep": {"seed": [1, 2]}}).save(path)
    study = congestree.sweep(path, out=tmp_path / "study", workers=1)
    page = report.html(study)
    assert "have only their first 10: traffic.0.list (1,200)." in page and codes(page)[-1].count("H31") == 10
    assert commanded(page, tmp_path) == [["congestree", "sweep", f"scenario.{form}", "--out", "runs/again"]]
    points = expand(tmp_path / f"scenario.{form}")
    assert [scenario_hash(point["scenario"]) for point in points] == [point["hash"] for point in study.points]
    study.written = None
    assert f"which are in each manifest.json of {tmp_path / 'study' / 'runs'};" in report.html(study)
