"""RCM: every claim has a verdict and its reason, firm ones hold, the paths are those of Fig. 7; the reduced tree."""

from itertools import pairwise
from pathlib import Path

import pytest
from verdicts import QuickVersion

import congestree
from congestree.data.gallery.liu2017_rcm import claims, runs, tables
from congestree.data.gallery.liu2017_rcm.claims import applications
from congestree.data.gallery.liu2017_rcm.fabric import MOMENTS, hot_spots
from congestree.data.gallery.liu2017_rcm.scenario import SPLITS, victim


class TestRcm(QuickVersion):
    paper = "liu2017-rcm"
    firm = (
        "rcm-fig6-burst-first-50",
        "rcm-fig6-incast-12.5",
        "rcm-fig6-dcqcn-50",
        "rcm-fig6-dcqcn-incast-throttled",
        "rcm-fig7-pfc-victim-25",
        "rcm-fig7-pause-each-50",
        "rcm-s3.3-cfr-samples",
        "rcm-s3.2-both-queues",
        "rcm-s3.4-max-half",
        "rcm-s3.4-sar-not-harmful",
        "rcm-s4.1-hosts",
    )
    part_of_full = False
    analytic = ("rcm-fig7-ideal",)

    def test_every_claim_is_run_and_what_deviates_says_how(self, made):
        assert set(claims.CLAIMS.checks) == {claim["id"] for claim in made.claims}
        for claim in made.claims:
            if claim["verdict"] == "not reproduced":
                assert "deviation" in claims.CLAIMS.texts[claim["id"]], claim["id"]

    def test_a_victim_is_held_only_where_roots_pace(self, made):
        """At the edge switch, which is a root of its own, the victim is one of the flows that congest it."""
        values = {claim["id"]: claim["value"] for claim in made.claims}["rcm-s3.1-region"]
        assert values["victim's packets held as harmful"] > 0.05 > values["the same, no control at roots"]

    def test_rcm_alone_frees_the_victim(self, made):
        values = {claim["id"]: claim["value"] for claim in made.claims}["rcm-fig7-rcm-victim-50"]
        assert values["alone"][0] > 45
        assert sum(values["alone"][1:]) > 95


@pytest.mark.parametrize("seed", SPLITS)
def test_ways_are_split_two_by_two_and_the_victim_shares_with_the_last_two(seed):
    """Flows of 1, 2, 4, 8 and 16 Gbit/s: the utilisation of a path shows which of them take it."""
    scenario = victim("pfc", "ways", seed)
    rates = {entry["name"]: 2**number for number, entry in enumerate(scenario["traffic"])}
    for entry in scenario["traffic"]:
        entry["arrivals"] = {"steady": {"rate": f"{rates[entry['name']]} Gbit/s"}}
    scenario["measure"] = {"duration": "100 us", "warm_up": "20 us"}
    ports = congestree.run(scenario).ports
    use = dict(zip(ports["name"], ports["utilisation"], strict=True))
    gbit = [round(100 * use[f"edge0->{way}"] * 976 / 1024) for way in ("agg0", "agg1")]
    alone = sum(rates[name] for name in SPLITS[seed][:2])
    assert sorted(gbit) == sorted([alone, 31 - alone])


def test_sizes_that_are_cut_are_the_published_ones_up_to_there():
    folder = Path(__file__).parents[2] / "crates" / "traffic" / "tables"
    for name, text in tables.TABLES.items():
        lines = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        rows = [[float(word) for word in line.split()] for line in lines if line and line[0] != "#"]
        assert rows == [[float(word) for word in pair.split(":")] for pair in text.split()]
        cut = tables.rows(name, tables.MOST)
        assert cut[-1] == {"size": f"{tables.MOST} B", "share": 1.0} and 0.9 < cut[-2]["share"] < 1


def test_the_reduced_tree_is_an_eighth_of_the_full_one():
    for kind in ("hot_by-sar_load-0.6_r0", "app_by-rcm_sizes-datamining_r0"):
        full, quick = (congestree.check(runs.runs(quick)[kind])["facts"] for quick in (False, True))
        assert (full["hosts"], full["switches"], quick["hosts"], quick["switches"]) == (432, 180, 54, 45)
    for quick, count in ((False, 54), (True, 7)):
        pattern = hot_spots("sar", 0.6, "hot", 1, quick)["traffic"][1]["pattern"]
        assert len(pattern["hot-spot"]["to"]) == count


def test_moments_are_those_of_the_tables():
    """With straight lines between the rows."""
    folder = Path(__file__).parents[2] / "crates" / "traffic" / "tables"
    for name, moments in MOMENTS.items():
        lines = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        rows = [[float(word) for word in line.split()] for line in lines if line and line[0] != "#"]
        mean = above = above_bytes = 0.0
        for (low, before), (high, share) in pairwise(rows):
            mean += (share - before) * (low + high) / 2
            if high > applications.ELEPHANTS:
                start = max(low, applications.ELEPHANTS)
                part = (share - before) * (high - start) / (high - low)
                above, above_bytes = above + part, above_bytes + part * (start + high) / 2
        assert moments == pytest.approx((mean, above, above_bytes / mean), rel=1e-5)
