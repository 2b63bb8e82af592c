"""EcoCC, the quick version: every claim has a verdict, the firm ones hold, every figure of network #1 is drawn."""

import tomllib
from pathlib import Path

import pytest

from congestree import gallery
from congestree.data.gallery.escudero2013_ecocc import runs
from congestree.data.gallery.escudero2013_ecocc.scenario import READINGS, pattern
from congestree.running import check

PAPER = "escudero2013-ecocc"
CLAIMS = tomllib.loads(
    (Path(__file__).parents[2] / "gallery" / "escudero2013_ecocc" / "claims.toml").read_text(encoding="utf-8")
)
FIRM = {
    "p6-fig7-1vl-worst",
    "p6-fig10-p1-equal",
    "p6-fig11-order",
    "p6-s2-no-adverse-effect",
    "p6-s3-in-order",
    "p6-s3.1-low-order-free",
    "p6-s3.1.2-no-local-hpq",
    "p6-supp9-one-hpq-per-tree",
    "p6-table1-switches",
    "p6-table3-ecocc-1vl-net1",
    "p6-table3-ecocc-voqnet",
}
"""What holds on 64 nodes, with one seed as with three."""
ARITHMETIC = {"p6-supp8-cam-cells", "p6-supp8-sram-cells", "p6-supp8-port-total", "p6-s4.1-voqnet-memory"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return gallery.reproduce(PAPER, out=tmp_path_factory.mktemp(PAPER), quick=True)


def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(made):
    assert [claim["id"] for claim in made.claims] == list(CLAIMS)
    for claim in made.claims:
        text = CLAIMS[claim["id"]]
        untried = "lacks" in text or "full" in text
        assert (claim["verdict"] == "not run") == untried, claim["id"]
        assert (claim["verdict"] == "external") == (text["check"] == "external"), claim["id"]
        if not untried:
            assert (claim["verdict"] == "measured") == bool(text.get("measure_only")), claim["id"]
        if claim["verdict"] in ("not reproduced", "not run", "external"):
            assert claim["reason"], claim["id"]
        else:
            assert claim["value"] is not None, claim["id"]


def test_the_firm_claims_hold(made):
    verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
    assert {id: verdicts[id] for id in FIRM if verdicts[id] != "reproduced"} == {}
    assert {id: verdicts[id] for id in ARITHMETIC if verdicts[id] != "analytic"} == {}


def test_every_figure_of_the_smallest_network_is_drawn(made):
    drawn = {f"fig{number}{letter}" for number in (7, 10) for letter in "abc"} | {"fig11a"}
    assert set(made.figures) == drawn
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_every_quick_run_is_one_of_the_full_ones():
    full, quick = runs.runs(), runs.runs(quick=True)
    assert all(full[name] == scenario for name, scenario in quick.items())
    assert all(scenario["name"] == name for name, scenario in full.items())


def test_patterns_have_the_shares_of_the_paper():
    """87.5, 75 and 62.5 per cent uniform; the others to 1, 4 and 6 nodes in equal parts (Table 2)."""
    for number, (hot, roots) in {1: (8, 1), 2: (16, 4), 3: (24, 6)}.items():
        traffic = pattern(1, number, "ecocc", READINGS["a"], 1, "x")["traffic"]
        crowds = [entry["from"] for entry in traffic if entry["name"].startswith("hot")]
        uniform = {node for entry in traffic if entry["name"].startswith("uniform") for node in entry["from"]}
        assert (len(crowds), sum(len(crowd) for crowd in crowds), len(uniform)) == (roots, hot, 64 - hot)
        assert len({len(crowd) for crowd in crowds}) == 1
        assert not uniform & {node for crowd in crowds for node in crowd}


def test_the_readings_reach_the_engine():
    for reading in READINGS.values():
        resolved = check(pattern(1, 1, "ecocc", reading, 1, "x"))["scenario"]["scheme"]
        assert resolved["mark"]["root"]["share"] == reading.share
        assert resolved["isolate"]["ecocc"]["root_stops"] == reading.root_stops
        assert (resolved["isolate"]["ecocc"]["high"], resolved["isolate"]["ecocc"]["low"]) == (6, 4)
