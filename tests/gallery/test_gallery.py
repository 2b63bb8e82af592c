"""The quick version of both HP reports: every claim gets a verdict, the firm ones hold, every figure is drawn."""

from verdicts import QuickVersion, texts


class HewlettPackard(QuickVersion):
    """Firm is what must hold whatever the phases: too short a run can miss the rest."""

    part_of_full = False

    def test_every_claim_has_a_value(self, made):
        assert {claim["id"] for claim in made.claims if claim["value"] is None} == set()

    def test_the_analytic_claims_hold(self, made):
        listed = texts(self.paper)
        analytic = {
            claim["id"]: claim["verdict"] for claim in made.claims if listed[claim["id"]]["check"] == "analytic"
        }
        assert set(analytic.values()) <= {"analytic"}, analytic


class TestHpl2002(HewlettPackard):
    paper = "hpl2002"
    firm = (
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
    )


class TestEcn2002(HewlettPackard):
    paper, repeats = "ecn2002", "hpl2002"
    firm = (
        "ecn2002-fig2-victim",
        "ecn2002-fig2-interswitch",
        "ecn2002-fig3a-local90",
        "ecn2002-s4b-retrigger",
        "ecn2002-fn8-never-full",
    )
