"""The quick versions of Gran's Papers I and II and of the background chapters: verdicts, firm claims, figures."""

import json
import tomllib

import pytest

import congestree
from congestree import gallery, shelf
from congestree.data.gallery.gran2011_fairness.measures import chain_shares, tree_shares
from congestree.data.gallery.gran2014_background.measures import diameter, hypercube, mesh
from congestree.data.gallery.gran2014_background.runs import runs as background
from congestree.data.gallery.gran_common.scenario import SCENARIO_2, congestion_control
from congestree.data.gallery.gran_common.scenario import test_bed as seven_hosts
from congestree.data.gallery.gran_common.study import View

PAPERS = ("gran2011-fairness", "gran2011-validation", "gran2014-background")
CHANCE = {
    "p1-fig9-fairness",
    "p2-fig4-h3-over-h2",
    "p2-fig4-last-largest",
    "p2-fig4-unfair-with-h7",
    "p2-s4a-equal-marks",
    "p2-s7-unstable",
    "p2-fig7-fair",
    "p2-fig7-fast-settle",
    "p2-fig11-equalised",
}
"""What depends on the chance of marks, or takes longer to settle than the quick version lasts."""


@pytest.fixture(scope="module", params=PAPERS)
def made(request, tmp_path_factory):
    return gallery.reproduce(request.param, out=tmp_path_factory.mktemp(request.param), quick=True, workers=1)


@pytest.fixture(scope="module")
def listed(made):
    return tomllib.loads((shelf.papers()[made.paper] / "claims.toml").read_text(encoding="utf-8"))


def test_every_claim_has_the_kind_of_verdict_that_its_check_allows(made, listed):
    assert [claim["id"] for claim in made.claims] == list(listed)
    assert json.loads((made.folder / "claims.json").read_text(encoding="utf-8")) == made.claims
    for claim in made.claims:
        text = listed[claim["id"]]
        if text["check"] == "external":
            assert claim["verdict"] == "external" and claim["reason"], claim["id"]
        elif "lacks" in text:
            assert claim["verdict"] == "not run" and claim["reason"], claim["id"]
        else:
            assert claim["value"] is not None, claim["id"]
            assert (claim["verdict"] == "measured") == bool(text.get("measure_only")), claim["id"]
            assert (claim["verdict"] == "analytic") <= (text["check"] == "analytic"), claim["id"]


def test_all_that_does_not_hang_on_chance_holds(made):
    failed = {c["id"]: c["value"] for c in made.claims if c["verdict"] == "not reproduced" and c["id"] not in CHANCE}
    assert failed == {}


def test_what_fails_in_the_full_version_says_why(made, listed):
    for claim in made.claims:
        if claim["verdict"] == "not reproduced":
            assert claim["reason"].startswith(listed[claim["id"]].get("deviation", "outside the accepted range"))


def test_every_figure_is_drawn(made):
    assert not made.missing and made.figures
    for path in made.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_shares_of_a_tree_add_up_and_are_the_formula():
    for k, n in ((2, 2), (2, 3), (4, 3), (3, 4)):
        shares = tree_shares(k, n)
        sources = [k**level - k ** (level - 1) for level in range(1, n + 1)]
        assert sum(s * count for s, count in zip(shares, sources, strict=True)) == pytest.approx(1)
        assert (shares[0], shares[-1]) == (1 / k, pytest.approx(1 / (k ** (2 * n - 1) - k ** (2 * n - 2))))


def test_shares_of_a_chain_add_up():
    shares = chain_shares(4, 3)
    assert 2 * shares[0] + 2 * shares[1] + 3 * shares[2] == pytest.approx(1)


def test_direct_networks_have_their_sizes():
    assert (len(hypercube(3)), diameter(hypercube(3))) == (12, 3)
    assert (len(mesh(3, 2)), diameter(mesh(3, 2))) == (7, 3)


def test_phases_start_with_flows_and_end_with_the_run():
    view = View(congestree.run(seven_hosts(SCENARIO_2, phase_ms=2, control=congestion_control())))
    assert view.phases == [(0.0, 0.002), (0.002, 0.004), (0.004, 0.006)]
    assert view.plateau(-1) == (pytest.approx(0.0046), 0.006)
    assert view.rate("F1", 0) == pytest.approx(13.5 * 2048 / 2074, rel=0.01)
    assert view.rate_in("F3", (0.0, 0.004)) == 0


def test_a_run_carries_its_name():
    """Results and pictures can be traced back to the list of runs."""
    for label, scenario in background(quick=True).items():
        assert scenario["name"] == label
