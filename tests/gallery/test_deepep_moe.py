"""Experts on InfiniBand, the quick version: the table's beginning, and one disturbance."""

import pytest
from verdicts import QuickVersion, module

TABLE = ("deepep-dispatch-32", "deepep-combine-16", "deepep-combine-32")


class TestDeepepMoe(QuickVersion):
    paper = "deepep-moe"
    firm = ("deepep-combine-8", *TABLE)

    def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(self, made):
        """Those of larger runs are left out."""
        told = {claim["id"] for claim in made.claims}
        assert {"deepep-fixed", "deepep-control", "deepep-static", "safe-storage-static", *TABLE} <= told
        assert not {"deepep-dispatch-256", "safe-skew"} & told


def test_runs_of_the_study_differ_in_what_disturbs_control_and_routes_alone():
    runs = module("deepep-moe", "runs").runs()
    study = [scenario for name, scenario in runs.items() if name.startswith("study_")]
    assert len({str(scenario["traffic"][0]) for scenario in study if "zipf" not in str(scenario)}) == 1
    assert len({str(scenario["links"]) + str(scenario["adapters"]) for scenario in runs.values()}) == 1


def test_the_slow_link_is_that_of_the_storage_host_alone():
    scenario = module("deepep-moe", "scenario")
    links = scenario.fabric("static", "50 Gbit/s")["topology"]["graph"]["links"]
    slow = [link for link in links if {"rate", "rate_back"} & set(link)]
    assert len(links) == 512 and len(slow) == 1
    assert scenario.STORAGE in (slow[0]["a"], slow[0]["b"])
    towards = "rate" if slow[0]["b"] == scenario.STORAGE else "rate_back"
    assert slow[0][towards] == "50 Gbit/s"
    assert "routing" in scenario.fabric("adaptive", "50 Gbit/s")
    assert pytest.approx(sum(scenario.PUBLISHED["dispatch"].values())) == 909
