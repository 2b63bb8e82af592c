"""EFL, the quick version: every claim has a verdict, the firm ones hold, every figure is drawn."""

import tomllib
from pathlib import Path

import pytest
from verdicts import check_verdicts

from congestree import gallery

PAPER = "shimonishi2008-efl"
CLAIMS = tomllib.loads(
    (Path(__file__).parents[2] / "gallery" / "shimonishi2008_efl" / "claims.toml").read_text(encoding="utf-8")
)
FIRM = {
    "efl-fig6-lag-one-rtt",
    "efl-fig6-predicted-peak",
    "efl-fig6-catch-up",
    "efl-fig7-plain-13ms",
    "efl-fig8-proposed-fast",
    "efl-fig8-initial-4g",
    "efl-fig8-sum-18",
    "efl-fig8-converge",
    "efl-fig7-oscillation",
    "efl-fig9-reaction-100",
    "efl-fig9-half",
    "efl-s2-header",
    "efl-s3-rttp-signs",
    "efl-s3-loss-halves",
    "efl-s2-go-back-n",
    "efl-s3-overestimate",
    "efl-s4-ramp-plain-vs-probe",
}
"""What holds without the load of the on-off runs, which are shorter here."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return gallery.reproduce(PAPER, out=tmp_path_factory.mktemp(PAPER), quick=True)


def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(made):
    check_verdicts(made, CLAIMS)


def test_the_firm_claims_hold(made):
    verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
    assert {id: verdicts[id] for id in FIRM if verdicts[id] != "reproduced"} == {}
    assert verdicts["efl-s3-probe-bytes"] == "analytic"


def test_every_figure_is_drawn(made):
    assert not made.missing
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")
