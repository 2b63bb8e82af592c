"""EcoCC, the quick version: every claim has a verdict, the firm ones hold, every figure of network #1 is drawn."""

from verdicts import QuickVersion

from congestree.data.gallery.escudero2013_ecocc.scenario import READINGS, pattern
from congestree.running import check


class TestEcocc(QuickVersion):
    paper = "escudero2013-ecocc"
    firm = (
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
    )
    """What holds on 64 nodes, with one seed as with three."""
    analytic = ("p6-supp8-cam-cells", "p6-supp8-sram-cells", "p6-supp8-port-total", "p6-s4.1-voqnet-memory")
    figures = {f"fig{number}{letter}" for number in (7, 10) for letter in "abc"} | {"fig11a"}
    """Those of network #1; the others are too large to be quick."""


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
