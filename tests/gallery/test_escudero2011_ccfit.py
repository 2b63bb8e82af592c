"""CCFIT, the quick version: every claim has a verdict, the firm ones hold, every figure is drawn."""

import tomllib
from pathlib import Path

import pytest
from verdicts import check_verdicts

from congestree import gallery
from congestree.data.gallery.escudero2011_ccfit import runs
from congestree.data.gallery.escudero2011_ccfit.scenario import CASE1, CASE2, STARTS1, STARTS2, hot_spots

PAPER = "escudero2011-ccfit"
CLAIMS = tomllib.loads(
    (Path(__file__).parents[2] / "gallery" / "escudero2011_ccfit" / "claims.toml").read_text(encoding="utf-8")
)
FIRM = {
    "p5-fig7a-ith-dip",
    "p5-fig7b-similar",
    "p5-fig7c-ith-slow",
    "p5-fig8a-ccfit-fbicm",
    "p5-fig8a-ith-poor",
    "p5-s3-five-thresholds",
    "p5-s3c-two-hops-no-mark",
    "p5-s3c-no-hol-in-nfq",
    "p5-s4b-queue-counts",
}
"""What holds with one seed as with three."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return gallery.reproduce(PAPER, out=tmp_path_factory.mktemp(PAPER), quick=True)


def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(made):
    check_verdicts(made, CLAIMS)


def test_the_firm_claims_hold(made):
    verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
    assert {id: verdicts[id] for id in FIRM if verdicts[id] != "reproduced"} == {}
    assert verdicts["p5-s3-voqnet-memory"] == "analytic"


def test_every_figure_is_drawn(made):
    assert not made.missing
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_every_quick_run_is_one_of_the_full_ones():
    full, quick = runs.runs(), runs.runs(quick=True)
    assert all(full[name] == scenario for name, scenario in quick.items())
    assert all(scenario["name"] == name for name, scenario in full.items())


def test_hot_sources_and_roots_are_different_nodes_and_the_same_for_every_technique():
    for seed in range(1, 20):
        drawn = [hot_spots(trees, seed) for trees in (1, 4, 6)]
        for sources, roots in drawn:
            assert len(set(sources)) == 16
            assert not set(sources) & set(roots)
        assert len({tuple(sources) for sources, _ in drawn}) == 1


def test_every_flow_of_the_small_cases_has_a_start():
    assert set(CASE1) == set(STARTS1)
    assert set(CASE2) == set(STARTS2)
