"""The quick versions of Gran's Papers I and II and of the background chapters: verdicts, firm claims, figures."""

import pytest
from verdicts import QuickVersion, not_holding, texts

import congestree
from congestree.data.gallery.gran2011_fairness.measures import chain_shares, tree_shares
from congestree.data.gallery.gran2014_background.measures import diameter, hypercube, mesh
from congestree.data.gallery.gran_common.scenario import SCENARIO_2, congestion_control
from congestree.data.gallery.gran_common.scenario import test_bed as seven_hosts
from congestree.data.gallery.gran_common.study import View

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
LITERAL = {"thesis-fig2.4d-growth"}
"""Claims that do not hold as the thesis words them, in the full version neither; the deviation states what holds."""

JUDGED = ("reproduced", "not reproduced", "undecided", "cannot fail here")


class Gran(QuickVersion):
    part_of_full = False

    def test_the_firm_claims_hold(self, made):
        """All judged claims are firm, except those that depend on chance or are worded otherwise."""
        judged = {c["id"] for c in made.claims if c["verdict"] in JUDGED}
        firm = judged - CHANCE - LITERAL
        assert firm
        assert not_holding(made.claims, texts(self.paper), firm) == {}


class TestFairness(Gran):
    paper = "gran2011-fairness"


class TestValidation(Gran):
    paper = "gran2011-validation"


class TestBackground(Gran):
    paper = "gran2014-background"


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
