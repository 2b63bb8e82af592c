"""Files of a release agree with each other: versions, requirements, platforms; the bill of materials is complete."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib

import yaml
from blocks import ROOT

import congestree

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_there_is_one_version():
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    conda = re.search(r'set version = "(.*?)"', (ROOT / "packaging/conda/meta.yaml").read_text())[1]
    debian = re.match(r"congestree \((.*?)-", (ROOT / "packaging/debian/changelog").read_text())[1]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    assert {congestree.__version__, PROJECT["version"], workspace, conda, debian, str(citation)} == {"0.1.0"}
    assert f"## {congestree.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_conda_requires_what_pip_requires():
    recipe = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", (ROOT / "packaging/conda/meta.yaml").read_text())
    run = {
        line.replace(" ", "").replace("matplotlib-base", "matplotlib")
        for line in yaml.safe_load(recipe)["requirements"]["run"]
    }
    assert run == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}


def test_workflows_are_whole_and_name_every_platform():
    github = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text())
    targets = [(one["machine"], one["target"]) for one in github["jobs"]["wheel"]["strategy"]["matrix"]["include"]]
    assert [target for _, target in targets] == ["x86_64", "aarch64", "universal2-apple-darwin", "x64"]
    gitlab = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text())
    assert {"test", "wheel x86-64", "wheel aarch64", "sdist"} <= set(gitlab)
    for path in re.findall(r"tools/\w+\.py", str(github) + str(gitlab)):
        assert (ROOT / path).exists()


def test_the_bill_of_materials_has_every_crate_with_its_sum(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools/sbom.py", tmp_path], check=True, capture_output=True)
    (path,) = tmp_path.iterdir()
    bill = json.loads(path.read_text())
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {c["name"]: c["hashes"][0]["content"] for c in bill["components"] if c["purl"].startswith("pkg:cargo/")}
    assert set(sums) == {p["name"] for p in lock if "source" in p} and all(len(s) == 64 for s in sums.values())
    assert {c["name"] for c in bill["components"] if c["purl"].startswith("pkg:pypi/")} >= {"numpy", "pyarrow"}


def test_fingerprints_of_a_package_are_compared_with_those_of_the_repository(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("fingerprints", ROOT / "tools/fingerprints.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    expected = json.loads((ROOT / "tests/golden/fingerprints.json").read_text())

    class Run:
        def __init__(self, path):
            self.fingerprint = dict(expected[path.stem])
            if path.stem == "hot-spot" and Run.wrong:
                self.fingerprint["results"] = "0"

    monkeypatch.setattr(module.congestree, "run", Run)
    for Run.wrong in (False, True):
        try:
            module.main()
        except SystemExit as end:
            assert bool(end.code) == Run.wrong
    assert "hot-spot" in capsys.readouterr().out
