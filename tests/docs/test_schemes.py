"""The page of all schemes says what was run: which presets, what is changed in them, and what came out."""

import json
import re
import tomllib

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


def test_the_numbers_of_the_result_are_those_of_the_tables():
    rows = {row["id"]: row["value"] for row in json.loads((ROOT / "docs/data/every-scheme.json").read_text())}
    said = tomllib.loads((ROOT / "gallery/every_scheme/summary.toml").read_text(encoding="utf-8"))["teaches"]
    lossless = ("credits", "pfc")

    def of(case, kind, name):
        return rows[f"every-{case}"][kind][name]

    times = {case: of(case, "exchange", "job") for case in CASES}
    gain = {case: 1 - times[case] / times[f"{case.split('-')[0]}-none"] for case in CASES if case.startswith(lossless)}
    assert max(gain.values()) < 0.05 and sorted(gain, key=gain.get)[-2:] == ["pfc-rccc", "credits-rccc"]
    least, most = sorted(100 * gain[case] for case in ("pfc-rccc", "credits-rccc"))
    words = f"by more than 5 % (RCCC: by {least:.0f} to {most:.0f} %)"
    assert words in said and words in README.replace("\n", " ")
    for scheme in ("nscc", "rccc"):
        for links in lossless:
            here, trimming = f"{links}-{scheme}", f"trim-{scheme}"
            assert times[here] == pytest.approx(times[trimming], rel=0.02)
            assert of(here, "incast", "victim") == pytest.approx(of(trimming, "incast", "victim"), rel=0.01)
            assert of(here, "incast", "pauses") == 0
    tails = {of(f"{links}-nscc", "incast", "tail") for links in lossless}
    assert all(
        f"take {tail:.1f} us with NSCC instead of {of('trim-nscc', 'incast', 'tail'):.1f}," in said for tail in tails
    )
    waits = [of(f"{links}-rccc", "exchange", "victim's tail") for links in (*lossless, "trim")]
    assert f"wait up to {max(waits):.0f} us with RCCC instead of {waits[-1]:.0f}." in said
    pauses = [of(f"pfc-{scheme}", "exchange", "pauses") for scheme in ("nscc", "rccc", "none")]
    assert (
        "causes {:.0f} a millisecond with NSCC and {:.0f} with RCCC, where flow control alone has {:.0f}.".format(
            *pauses
        )
        in said
    )
