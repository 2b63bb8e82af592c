"""One iteration of a part of GPT-13B: computations and sums agree with the closed forms."""

from verdicts import QuickVersion


class TestGpt128(QuickVersion):
    paper = "gpt-128"
    part_of_full = False
    firm = ("gpt-128-time", "gpt-128-computing", "gpt-128-gradients")

    def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(self, made):
        assert {claim["id"] for claim in made.claims} == {
            "gpt-128-time",
            "gpt-128-hops",
            "gpt-128-computing",
            "gpt-128-gradients",
            "gpt-128-bubble",
        }
