"""What a report says of how to run it again makes the same runs again."""

import html
import json
import re

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
