"""CCFIT, the quick version: every claim has a verdict, the firm ones hold, every figure is drawn."""

from verdicts import QuickVersion

from congestree.data.gallery.escudero2011_ccfit.scenario import CASE1, CASE2, STARTS1, STARTS2, hot_spots


class TestCcfit(QuickVersion):
    paper = "escudero2011-ccfit"
    firm = (
        "p5-fig7b-similar",
        "p5-fig7c-ith-slow",
        "p5-fig8a-ccfit-fbicm",
        "p5-fig8a-ith-poor",
        "p5-s3-five-thresholds",
        "p5-s3c-two-hops-no-mark",
        "p5-s3c-no-hol-in-nfq",
        "p5-s4b-queue-counts",
    )
    """What holds with one seed as with three."""
    analytic = ("p5-s3-voqnet-memory",)


def test_hot_sources_and_roots_are_different_nodes_and_the_same_for_every_technique():
    for seed in range(1, 20):
        drawn = [hot_spots(trees, seed) for trees in (1, 4, 6)]
        for sources, roots in drawn:
            assert len(set(sources)) == 16
            assert not set(sources) & set(roots)
        assert len({tuple(sources) for sources, _ in drawn}) == 1


def test_every_flow_of_the_small_cases_has_a_start():
    assert set(CASE1) == set(STARTS1)
    assert set(CASE2) == set(STARTS2)
