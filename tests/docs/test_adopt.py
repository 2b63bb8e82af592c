"""What a reproduction is adopted for: its claims, one by one; a reduced one does not replace a more complete one."""

import json
import sys

import pytest
from blocks import ROOT
from matplotlib.figure import Figure
from PIL import Image

from congestree.gallery import papers, published, statements

sys.path.insert(0, str(ROOT / "tools"))
from docpages import adopted

VICTIM, LINK, IDLE = "hpl2002-fig2a-victim", "hpl2002-fig2b-never-full", "hpl2002-fig2a-idle"


def row(id, value, seeds=None, verdict="reproduced"):
    return {"id": id, "value": value, "unit": None, "target": None, "seeds": seeds, "verdict": verdict, "reason": None}


@pytest.fixture
def adopt(tmp_path, monkeypatch):
    """Adopts rows and figures; returns the result: {claim: value}, {figure: whose it is, by its width}."""
    monkeypatch.setattr(adopted, "DATA", tmp_path / "data")

    widths = {}

    def one(name, rows, figures, how="all"):
        folder = tmp_path / name
        (folder / "figures").mkdir(parents=True)
        (folder / "claims.json").write_text(json.dumps(rows))
        for figure in figures:
            inches = widths.setdefault(name, 3 + len(widths))
            drawing = Figure(figsize=(inches, 1))
            statements.save(drawing, folder / "figures" / f"{figure}.png", ["old"], reduced=name == "quick")
        ways = {"all": adopted.adopt, "figures": adopted.adopt_figures, "cases": adopted.adopt_cases}
        ways[how](folder)
        found = json.loads((tmp_path / "data/hpl2002.json").read_text())
        whose = {inches * statements.DPI: name for name, inches in widths.items()}
        shown = {name: whose[size_of(path)[0]] for name, path in adopted.figures("hpl2002").items()}
        return {r["id"]: r["value"] for r in found}, shown

    return one


def size_of(path):
    with Image.open(path) as image:
        return image.size


def test_rows_are_merged_by_claim_and_the_fuller_one_stays(adopt, capsys):
    first = [row(VICTIM, 0.15, [0.14, 0.15, 0.16]), row(LINK, {"a": 1, "b": 2})]
    adopt("full", first, ["fig2a", "fig2b"])
    some = [row(VICTIM, 0.2, [0.2]), row(LINK, {"a": 3, "b": 4}), row(IDLE, 0.7)]
    values, figures = adopt("quick", some, ["fig2a", "fig2b"])
    assert values == {VICTIM: 0.15, LINK: {"a": 3, "b": 4}, IDLE: 0.7}
    assert figures == {"fig2a": "full", "fig2b": "quick"}
    assert f"kept, as they are of more runs or cases: {VICTIM}\n" in capsys.readouterr().out


def test_more_seeds_of_fewer_networks_take_no_network_away(adopt):
    adopt("full", [row(VICTIM, {"64": 1, "256": 2}, {"64": [1, 1], "256": [2]})], [])
    values, _ = adopt("small", [row(VICTIM, {"64": 3}, {"64": [3] * 9})], [])
    assert values == {VICTIM: {"64": 1, "256": 2}}


def test_cases_of_which_there_is_more_are_taken_alone(adopt):
    """More draws of one network, fewer of another, one that was not known, and a claim that has no cases."""
    first = [row(VICTIM, {"64": 1, "256": 2, "1024": 5}, {"64": [1, 1], "256": [2, 2], "1024": None}), row(LINK, 0.1)]
    adopt("full", first, ["fig2a"])
    more = [
        row(VICTIM, {"1024": 6, "64": 3, "16": 1}, {"1024": [5, 6, 7], "64": [3], "16": [1, 1]}),
        row(LINK, 0.2, [0.2, 0.2]),
    ]
    values, figures = adopt("more", more, ["fig2a"], how="cases")
    assert values == {VICTIM: {"64": 1, "256": 2, "1024": 6}, LINK: 0.1}
    assert figures == {"fig2a": "full"}
    (found,) = [r for r in json.loads((adopted.DATA / "hpl2002.json").read_text()) if r["id"] == VICTIM]
    assert found["seeds"] == {"64": [1, 1], "256": [2, 2], "1024": [5, 6, 7]}


def test_what_was_not_run_takes_nothing_away_and_is_told_if_nothing_is_known(adopt, capsys):
    adopt("full", [row(VICTIM, 0.15)], [])
    values, _ = adopt("some", [row(VICTIM, None, verdict="not run"), row(LINK, None, verdict="not run")], [])
    assert values == {VICTIM: 0.15, LINK: None}
    assert "kept" not in capsys.readouterr().out


def test_the_same_runs_again_take_the_place_of_the_old_ones(adopt):
    adopt("old", [row(VICTIM, 0.15, [0.1, 0.2])], ["fig2a"])
    assert adopt("new", [row(VICTIM, 0.16, [0.11, 0.21])], ["fig2a"]) == ({VICTIM: 0.16}, {"fig2a": "new"})


def test_a_figure_says_beneath_what_the_adopted_claims_say(adopt, tmp_path):
    """Also one of the reduced version, which has none so far, with claims of a fuller run."""
    adopt("full", [row(VICTIM, 0.15, [0.14, 0.15, 0.16])], [])
    adopt("quick", [row(VICTIM, 0.9, [0.9])], ["fig2a"])
    path = tmp_path / "data/figures/hpl2002/fig2a.png"
    height, reduced = statements.beneath(path)
    assert reduced and size_of(path) == (3 * statements.DPI, statements.DPI + height)
    told = adopted.adopted()["hpl2002"]
    lines = adopted.told_of("hpl2002", "fig2a", told, 100, reduced)
    assert lines[:2] == [published.KEY, papers.OTHERS] and any("0.15" in line for line in lines[2:])
    statements.letter(path, lambda width, reduced: lines if reduced else [])
    assert height == pytest.approx(statements.beneath(path)[0], abs=40)
    was = path.stat()
    statements.letter(path, lambda width, reduced: lines)
    assert path.stat() == was, "the same lines are not written again"


def test_figures_alone_take_the_place_of_none_and_leave_the_claims(adopt):
    adopt("full", [row(VICTIM, 0.15)], ["fig2a"])
    values, figures = adopt("quick", [row(VICTIM, 0.2, [0.2, 0.2])], ["fig2a", "fig2b"], how="figures")
    assert (values, figures) == ({VICTIM: 0.15}, {"fig2a": "full", "fig2b": "quick"})


def test_what_could_not_fail_has_no_tick():
    said = {"id": VICTIM, "verdict": "cannot fail here", "value": 0.0, "unit": None, "target": 0.0, "decides": "0 == 0"}
    (line,) = statements.lines_of([said], {}, str, str, 900)
    assert line.startswith("· ") and "cannot fail here" not in statements.MARKS


def test_a_figure_of_claims_alone_is_drawn_from_the_adopted_ones(adopt, tmp_path):
    rows = json.loads((ROOT / "docs/data/uec-htsim.json").read_text(encoding="utf-8"))
    (tmp_path / "data/uec-htsim.json").parent.mkdir()
    (tmp_path / "data/uec-htsim.json").write_text(json.dumps(rows[:40]))
    adopted.letter("uec-htsim")
    assert list(adopted.figures("uec-htsim")) == ["tails"]
