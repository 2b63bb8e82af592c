"""RCM: every claim has a verdict and its reason, the firm ones hold, the ways are those of Fig. 7."""

import tomllib
from pathlib import Path

import pytest

import congestree
from congestree import gallery
from congestree.data.gallery.liu2017_rcm import claims, runs
from congestree.data.gallery.liu2017_rcm.scenario import SPLIT_SEED, victim

PAPER = "liu2017-rcm"
CLAIMS = tomllib.loads((Path(__file__).parents[2] / "gallery" / "liu2017_rcm" / "claims.toml").read_text("utf-8"))
FIRM = {
    "rcm-fig6-burst-first-50",
    "rcm-fig6-incast-12.5",
    "rcm-fig6-dcqcn-incast-throttled",
    "rcm-fig7-pfc-victim-25",
    "rcm-fig7-pause-each-50",
    "rcm-s4.1-hosts",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return gallery.reproduce(PAPER, out=tmp_path_factory.mktemp(PAPER), quick=True)


def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(made):
    assert [claim["id"] for claim in made.claims] == list(CLAIMS)
    for claim in made.claims:
        run = "lacks" not in CLAIMS[claim["id"]]
        assert run == (claim["verdict"] != "not run") == (claim["id"] in claims.CLAIMS.checks), claim["id"]
        assert (claim["value"] is not None) == run, claim["id"]
        if claim["verdict"] in ("not run", "not reproduced"):
            assert claim["reason"], claim["id"]
        if claim["verdict"] == "not reproduced":
            assert "deviation" in CLAIMS[claim["id"]], claim["id"]


def test_the_firm_claims_hold(made):
    verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
    assert {id: verdicts[id] for id in FIRM if verdicts[id] != "reproduced"} == {}
    assert verdicts["rcm-fig7-ideal"] == "analytic"


def test_rcm_alone_frees_the_victim(made):
    values = {claim["id"]: claim["value"] for claim in made.claims}["rcm-fig7-rcm-victim-50"]
    assert values["alone"][0] > 45
    assert sum(values["alone"][1:]) > 95


def test_every_figure_is_drawn(made):
    assert not made.missing
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_runs_have_their_names():
    assert all(scenario["name"] == name for name, scenario in runs.runs().items())


def test_ways_are_split_two_by_two_and_the_victim_shares_with_the_last_two():
    """Flows of 1, 2, 4, 8 and 16 Gbit/s: the use of a way says which of them go there."""
    scenario = victim("pfc", "ways", SPLIT_SEED)
    for number, entry in enumerate(scenario["traffic"]):
        entry["arrivals"] = {"steady": {"rate": f"{2**number} Gbit/s"}}
    scenario["measure"] = {"duration": "100 us", "warm_up": "20 us"}
    ports = congestree.run(scenario).ports
    use = dict(zip(ports["name"], ports["utilisation"], strict=True))
    gbit = [round(100 * use[f"edge0->{way}"] * 976 / 1024) for way in ("agg0", "agg1")]
    assert gbit == [1 + 2, 4 + 8 + 16]
