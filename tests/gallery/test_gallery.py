"""The quick version of both HP reports: every claim gets a verdict, the firm ones hold, every figure is drawn."""

import json
import tomllib
from pathlib import Path

import pytest

from congestree import gallery

FOLDER = Path(__file__).parents[2] / "gallery"

FIRM = {
    "hpl2002": {
        "hpl2002-fig2a-victim",
        "hpl2002-fig2a-interswitch",
        "hpl2002-fig2a-sixth-share",
        "hpl2002-fig2a-remote-equals-victim",
        "hpl2002-fig2a-idle",
        "hpl2002-fig2b-spreading-gone",
        "hpl2002-fig2b-never-full",
        "hpl2002-fig3a-spreading-back",
        "hpl2002-s1-bdp",
        "hpl2002-fig4a-local90",
        "hpl2002-fig4a-no-local-marks",
        "hpl2002-fig4b-fairer-than-naive",
        "hpl2002-fig5b-only-output-triggered",
        "hpl2002-s6.3-start-at-rmax",
    },
    "ecn2002": {
        "ecn2002-fig2-victim",
        "ecn2002-fig2-interswitch",
        "ecn2002-fig3a-local90",
        "ecn2002-s4b-retrigger",
        "ecn2002-fn8-never-full",
    },
}
"""What must hold whatever the phases: too short a run can miss the rest."""


@pytest.fixture(scope="module", params=sorted(FIRM))
def made(request, tmp_path_factory):
    out = tmp_path_factory.mktemp(request.param)
    return gallery.reproduce(request.param, out=out, quick=True)


def test_every_claim_has_a_verdict(made):
    listed = tomllib.loads((FOLDER / made.paper / "claims.toml").read_text(encoding="utf-8"))
    assert [claim["id"] for claim in made.claims] == list(listed)
    assert json.loads((made.folder / "claims.json").read_text(encoding="utf-8")) == made.claims
    for claim in made.claims:
        assert set(claim) == {"id", "value", "unit", "target", "verdict", "reason"}
        assert claim["value"] is not None, claim["id"]
        if claim["verdict"] == "not reproduced":
            assert claim["reason"], claim["id"]


def test_what_is_only_measured_is_not_judged(made):
    listed = tomllib.loads((FOLDER / made.paper / "claims.toml").read_text(encoding="utf-8"))
    for claim in made.claims:
        text = listed[claim["id"]]
        assert (claim["verdict"] == "measured") == bool(text.get("measure_only")), claim["id"]
        assert (text["check"] == "analytic") >= (claim["verdict"] == "analytic"), claim["id"]


def test_the_firm_claims_hold(made):
    verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
    assert {id: verdicts[id] for id in FIRM[made.paper] if verdicts[id] != "reproduced"} == {}


def test_the_analytic_claims_hold(made):
    listed = tomllib.loads((FOLDER / made.paper / "claims.toml").read_text(encoding="utf-8"))
    analytic = {claim["id"]: claim["verdict"] for claim in made.claims if listed[claim["id"]]["check"] == "analytic"}
    assert set(analytic.values()) <= {"analytic"}, analytic


def test_every_figure_is_drawn(made):
    assert not made.missing
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")
