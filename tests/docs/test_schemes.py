"""The page of all schemes says what was run: which presets, what is changed in them, and what came out."""

import json
import re

import pytest
from blocks import ROOT

import congestree
from congestree import _engine
from congestree.data.gallery.every_scheme import presets
from congestree.data.gallery.every_scheme.scenario import incast
from congestree.data.gallery.every_scheme.schemes import CASES, SCHEMES

PAGE = (ROOT / "docs/schemes.md").read_text(encoding="utf-8")
README = (ROOT / "gallery/every_scheme/README.md").read_text(encoding="utf-8")
NAMES = {"irn": "IRN", "go-back-n": "go-back-N"}


def leaves(tree, path=""):
    """Every value of a scheme with its path; a part without keys is a value."""
    if not isinstance(tree, dict) or not tree:
        return {path: tree}
    return {k: v for key, branch in tree.items() for k, v in leaves(branch, f"{path}.{key}".lstrip(".")).items()}


def section(title):
    """The rows of the table of a section: lists of cells."""
    text = PAGE.split(f"## {title}")[1].split("\n## ")[0]
    return [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in re.findall(r"^\| .*", text, re.M)[2:]]


@pytest.mark.parametrize("case", CASES)
def test_whatever_a_case_changes_in_its_preset_is_on_the_page_and_in_the_readme(case):
    """Resolved in the network of the comparison, where the preset is valid there."""
    _, scheme = CASES[case]
    preset = {"preset": scheme["scheme"].get("preset", "none")}
    described = incast(case, case, 1, 1, 0)
    now = leaves(congestree.check(described)["scenario"]["scheme"])
    try:
        before = leaves(congestree.check({**described, "scheme": preset})["scenario"]["scheme"])
    except congestree.ScenarioError:
        before = leaves(presets.resolved(preset))
    rows = section("What is changed")
    parts = {part.strip("`"): changes for labels, part, changes in rows if scheme["label"] in labels.split("; ")}
    for path in {path for path in now | before if now.get(path) != before.get(path)}:
        whole, (part, _, key) = path.split(".")[0], path.rpartition(".")
        assert whole in parts or f"`{key}`" in parts[part], path
        assert f"`{whole if whole in parts else part}`" in README or whole == "schedule", path


def test_presets_without_a_row_are_told():
    every = {entry["name"] for entry in json.loads(_engine.catalogue()) if entry["kind"] == "preset"}
    used = {scheme["scheme"].get("preset", "none") for scheme in SCHEMES.values()}
    told = re.findall(r"`([\w-]+)`", " ".join(row[0] for row in section("Presets that are left out")))
    assert sorted(told) == sorted(every - used)


@pytest.mark.parametrize("case", [case for case, (links, _) in CASES.items() if links == "drop"])
def test_a_transport_that_is_not_of_the_preset_is_in_the_label(case):
    scheme = CASES[case][1]
    preset = presets.resolved({"preset": scheme["scheme"].get("preset", "none")})
    (transport,) = scheme["scheme"].get("transport", {"none": {}})
    if preset["transport"] == {"none": {}} and transport != "none":
        assert NAMES[transport] in scheme["label"]
