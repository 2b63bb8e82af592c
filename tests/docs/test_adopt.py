"""What a reproduction is adopted for: its claims, one by one; a smaller one does not take the place of a fuller one."""

import json
import sys

import pytest
from blocks import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import adopted

VICTIM, LINK, IDLE = "hpl2002-fig2a-victim", "hpl2002-fig2b-never-full", "hpl2002-fig2a-idle"


def row(id, value, seeds=None, verdict="reproduced"):
    return {"id": id, "value": value, "seeds": seeds, "verdict": verdict}


@pytest.fixture
def adopt(tmp_path, monkeypatch):
    """Adopts rows and figures, each with a letter in it; what is there then: {claim: value}, {figure: letter}."""
    monkeypatch.setattr(adopted, "DATA", tmp_path / "data")

    def one(name, rows, figures):
        folder = tmp_path / name
        (folder / "figures").mkdir(parents=True)
        (folder / "claims.json").write_text(json.dumps(rows))
        for figure in figures:
            (folder / "figures" / f"{figure}.png").write_text(name)
        adopted.adopt(folder)
        found = json.loads((tmp_path / "data/hpl2002.json").read_text())
        return {r["id"]: r["value"] for r in found}, {n: p.read_text() for n, p in adopted.figures("hpl2002").items()}

    return one


def test_rows_are_merged_by_claim_and_the_fuller_one_stays(adopt, capsys):
    first = [row(VICTIM, 0.15, [0.14, 0.15, 0.16]), row(LINK, {"a": 1, "b": 2})]
    adopt("full", first, ["fig2a", "fig2b"])
    some = [row(VICTIM, 0.2, [0.2]), row(LINK, {"a": 3, "b": 4}), row(IDLE, 0.7)]
    values, figures = adopt("quick", some, ["fig2a", "fig2b"])
    assert values == {VICTIM: 0.15, LINK: {"a": 3, "b": 4}, IDLE: 0.7}
    assert figures == {"fig2a": "full", "fig2b": "quick"}
    assert f"kept, as they are of more runs: {VICTIM}\n" in capsys.readouterr().out


def test_what_was_not_run_takes_nothing_away_and_is_told_if_nothing_is_known(adopt, capsys):
    adopt("full", [row(VICTIM, 0.15)], [])
    values, _ = adopt("some", [row(VICTIM, None, verdict="not run"), row(LINK, None, verdict="not run")], [])
    assert values == {VICTIM: 0.15, LINK: None}
    assert "kept" not in capsys.readouterr().out


def test_the_same_runs_again_take_the_place_of_the_old_ones(adopt):
    adopt("old", [row(VICTIM, 0.15, [0.1, 0.2])], ["fig2a"])
    assert adopt("new", [row(VICTIM, 0.16, [0.11, 0.21])], ["fig2a"]) == ({VICTIM: 0.16}, {"fig2a": "new"})
