"""`congestree doctor` reports what is installed and what is missing, and compares the speed with the published one."""

import importlib.metadata
import json
import sys
import tomllib

import pytest

from congestree import doctor


@pytest.fixture
def congestree_requires(monkeypatch, root):
    """What the package requires by pyproject.toml, whatever has been installed here."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = [f"{one}; extra == '{e}'" for e, listed in project["optional-dependencies"].items() for one in listed]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: [*project["dependencies"], *extras])


def test_a_whole_installation_is_well(congestree_cli):
    told = json.loads(congestree_cli("doctor", "--no-bench", "--json").stdout)
    assert told["well"] and {"congestree", "machine", "libraries", "optional"} < set(told)
    assert {f["what"] for f in told["libraries"]} == set(doctor.NEEDED)
    assert "All is well." in congestree_cli("doctor", "--no-bench").stdout


def test_a_missing_library_is_bad_and_an_optional_one_is_not(monkeypatch):
    monkeypatch.setattr(doctor, "NEEDED", ("numpy", "no-such-library"))
    monkeypatch.setattr(doctor, "OPTIONAL", (("no_such_module", "nothing", "pip install nothing"),))
    groups = doctor.findings(bench=False)
    assert not doctor.is_well(groups)
    assert groups["libraries"][1]["remedy"] == "pip install no-such-library"
    assert groups["optional"][0]["state"] == "note"


@pytest.mark.parametrize(
    ("versions", "well", "remedy"),
    [
        ({"polars": "1.0.0"}, False, "pip install 'polars>=1.3'"),
        ({"typer": "0.27.0"}, False, "pip install 'typer<0.27,>=0.15.4'"),
        ({"polars": None}, False, "pip install 'polars>=1.3'"),
        ({"polars": "1.3.0", "typer": "0.26.9rc1"}, True, ""),
    ],
    ids=str,
)
def test_a_library_of_a_version_that_does_not_do_is_bad(monkeypatch, congestree_requires, versions, well, remedy):
    """It was told as good, whatever its version."""
    installed = importlib.metadata.version

    def version(name):
        if versions.get(name, "") is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return versions.get(name) or installed(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    groups = {"libraries": doctor.findings(bench=False)["libraries"]}
    assert doctor.is_well(groups) == well
    assert [f["remedy"] for f in groups["libraries"] if f["state"] == "bad"] == [remedy] * (not well)


def test_without_metadata_no_version_is_compared(monkeypatch):
    def requires(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    assert doctor.is_well({"libraries": doctor.findings(bench=False)["libraries"]})


def test_every_extra_of_the_package_is_looked_for(root):
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = {remedy.split("[")[1].split("]")[0] for _, _, remedy in doctor.OPTIONAL}
    assert told == set(extras) - {"dev", "docs"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no folder in which somebody is")
def test_a_folder_that_has_been_removed_is_told(tmp_path, monkeypatch):
    """There was a traceback."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    groups = doctor.findings(bench=False)
    (finding,) = (f for f in groups["machine"] if f["what"] == "this folder")
    assert (finding["state"], finding["found"]) == ("note", "does not exist any more")


def test_a_package_without_its_viewer_is_not_whole(monkeypatch, tmp_path):
    monkeypatch.setattr("congestree.view.page.BUNDLE", tmp_path / "viewer.js")
    (finding,) = (f for f in doctor.findings(bench=False)["congestree"] if f["what"] == "viewer")
    assert finding["state"] == "bad" and "make viewer, then pip install . again" in finding["remedy"]


def test_the_speed_is_told_beside_the_published_one(monkeypatch):
    from congestree import benchmark

    published = doctor.published_speed(doctor.CASE)
    assert published > 1e6
    for share, state in ((0.5, "good"), (0.1, "note")):
        measured = {"packet_hops_per_s": share * published, "cpu_s": 0.5}
        monkeypatch.setattr(benchmark, "measure", lambda *_, measured=measured, **__: measured)
        (finding,) = doctor.findings()["speed"]
        assert finding["state"] == state and f"{share:.0%} of the published" in finding["found"]
