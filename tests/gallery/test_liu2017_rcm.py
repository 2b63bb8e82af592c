"""RCM: every claim has a verdict and its reason, the firm ones hold, the ways are those of Fig. 7."""

from verdicts import QuickVersion

import congestree
from congestree.data.gallery.liu2017_rcm import claims
from congestree.data.gallery.liu2017_rcm.scenario import SPLIT_SEED, victim


class TestRcm(QuickVersion):
    paper = "liu2017-rcm"
    firm = (
        "rcm-fig6-burst-first-50",
        "rcm-fig6-incast-12.5",
        "rcm-fig6-dcqcn-incast-throttled",
        "rcm-fig7-pfc-victim-25",
        "rcm-fig7-pause-each-50",
        "rcm-s4.1-hosts",
    )
    analytic = ("rcm-fig7-ideal",)

    def test_what_has_no_check_says_why_and_what_deviates_says_how(self, made):
        for claim in made.claims:
            run = claim["verdict"] != "not run"
            assert run == (claim["id"] in claims.CLAIMS.checks) == (claim["value"] is not None), claim["id"]
            if claim["verdict"] == "not reproduced":
                assert "deviation" in claims.CLAIMS.texts[claim["id"]], claim["id"]

    def test_rcm_alone_frees_the_victim(self, made):
        values = {claim["id"]: claim["value"] for claim in made.claims}["rcm-fig7-rcm-victim-50"]
        assert values["alone"][0] > 45
        assert sum(values["alone"][1:]) > 95


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
