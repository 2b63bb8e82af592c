"""Every scheme on one fabric, the quick version: each has its row, and what sets them apart is there."""

import pytest
from verdicts import QuickVersion

from congestree.data.gallery.every_scheme import runs
from congestree.data.gallery.every_scheme.scenario import SCHEMES


@pytest.fixture
def rows(made):
    return {claim["id"].removeprefix("every-"): claim["value"] for claim in made.claims}


class TestEveryScheme(QuickVersion):
    paper = "every-scheme"

    def test_every_scheme_has_a_row(self, rows):
        assert list(rows) == list(SCHEMES)

    def test_flow_control_alone_gives_the_victim_what_a_far_sender_has(self, rows):
        for scheme in ("credits", "voq", "pfc"):
            assert rows[scheme]["victim"] == pytest.approx(0.05 / 0.48, rel=0.02)
            assert rows[scheme]["far part"] == pytest.approx(0.2, rel=0.02)
            assert rows[scheme]["marked"] == 0
        assert rows["pfc"]["paused"] > 0.2
        assert rows["voq"]["paused"] == 0

    def test_setting_aside_frees_the_victim_and_leaves_the_parking_lot(self, rows):
        for scheme in ("fbicm", "hfdi", "voqnet"):
            assert rows[scheme]["victim"] > 1.5
            assert rows[scheme]["far part"] == pytest.approx(0.2, rel=0.02)

    def test_throttling_brings_fairness(self, rows):
        for scheme in ("dcqcn-paper", "dcqcn-vendor", "rcm-dcqcn", "ib-cc", "ccfit", "ecocc"):
            assert rows[scheme]["Jain"] > rows["voq"]["Jain"] + 0.1
            assert rows[scheme]["victim"] > 2 * rows["voq"]["victim"]
            assert rows[scheme]["marked"] > 0


def test_runs_differ_only_in_what_a_scheme_needs():
    named = runs.runs(quick=True)
    assert len({str(scenario["traffic"]) for scenario in named.values()}) == 1
    assert len({str(scenario["topology"]) for scenario in named.values()}) == 1
