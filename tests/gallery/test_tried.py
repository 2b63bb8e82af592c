"""Changes tried for claims that are not reproduced: each affects the claim's runs, is valid, and changes little."""

import functools

import pytest
from verdicts import module

import congestree
from congestree.data.gallery.common.tried import changed, judged
from congestree.gallery import shipped

TRIED = [
    (paper, change)
    for paper, folder in shipped.papers().items()
    if (folder / "tried.py").exists()
    for change in module(paper, "tried").TRIED
]


@functools.cache
def runs_of(paper):
    """The full runs of a paper, which take seconds to write down for some."""
    return module(paper, "runs").runs()


@pytest.mark.parametrize(("paper", "change"), TRIED, ids=[f"{paper}-{change.name}" for paper, change in TRIED])
def test_a_change_is_one_thing_in_runs_of_its_claims(paper, change):
    assert set(change.claims) <= set(module(paper, "claims").CLAIMS.texts)
    named = runs_of(paper)
    after = changed(change, named)
    differ = [name for name in after if after[name] != named[name]]
    assert differ
    for name in differ[:1]:
        congestree.check(after[name])
        sections = [key for key in named[name] if named[name][key] != after[name].get(key)]
        assert len(sections) == 1, sections


def test_a_change_is_judged_by_the_formula_of_its_claim(tmp_path):
    """A window of two for the victim, in the quick runs of one figure; stored runs give the same result and stay."""
    (change,) = (change for change in module("hpl2002", "tried").TRIED if change.name == "victim-window")
    named = module("hpl2002", "runs").runs(quick=True)
    chosen = {name: scenario for name, scenario in named.items() if name.startswith("fig4b")}
    claim = "hpl2002-fig4b-no-spreading"
    (decides, verdict), (then, _) = (
        judged("hpl2002", scenarios, (claim,))[claim] for scenarios in (chosen, changed(change, chosen))
    )
    assert judged("hpl2002", chosen, (claim,), folder=tmp_path)[claim] == (decides, verdict)
    made = {path: path.stat().st_mtime_ns for path in tmp_path.glob("runs/*/manifest.json")}
    assert len(made) == len(chosen)
    judged("hpl2002", chosen, (claim,), folder=tmp_path)
    assert made == {path: path.stat().st_mtime_ns for path in made}
    assert verdict != "reproduced"  # two seeds: the interval may reach to both sides
    assert float(decides.split()[0]) < 0.85 < float(then.split()[0])
