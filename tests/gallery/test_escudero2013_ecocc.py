"""EcoCC, the quick version: every claim has a verdict, the firm ones hold, every figure of network #1 is drawn."""

from verdicts import QuickVersion

from congestree.data.gallery.escudero2013_ecocc.scenario import READINGS, pattern
from congestree.data.gallery.escudero2013_ecocc.traces import CROWDS, trace, ways
from congestree.runs.running import check


class TestEcocc(QuickVersion):
    paper = "escudero2013-ecocc"
    firm = (
        "p6-fig1-third",
        "p6-fig7-1vl-worst",
        "p6-fig7-p1-ecocc-near-voqnet",
        "p6-fig7-p1-hfdi-equal",
        "p6-fig8-mpifft-flat",
        "p6-fig10-p1-equal",
        "p6-s2-no-adverse-effect",
        "p6-s3-in-order",
        "p6-s3.1-low-order-free",
        "p6-s3.1.2-no-local-hpq",
        "p6-s3.1.2-root-needs-credits",
        "p6-s3.2-hca-gate",
        "p6-s3.4-exact-root",
        "p6-s3.4-temporary-low-order",
        "p6-s4.2-voq-hogging",
        "p6-supp9-one-hpq-per-tree",
        "p6-table1-switches",
        "p6-table3-ecocc-1vl-net1",
        "p6-table3-ecocc-voqnet",
    )
    """What holds on 64 nodes, with one seed as with three."""
    analytic = ("p6-supp8-cam-cells", "p6-supp8-sram-cells", "p6-supp8-port-total", "p6-s4.1-voqnet-memory")
    figures = {f"fig{number}{letter}" for number in (7, 8, 10) for letter in "abc"} | {"fig1", "fig11a", "table3"}
    """Those of network #1, and the programs; the others are too large to be quick."""


def test_patterns_have_the_shares_of_the_paper():
    """87.5, 75 and 62.5 per cent uniform; the others to 1, 4 and 6 nodes in equal parts (Table 2)."""
    for number, (hot, roots) in {1: (8, 1), 2: (16, 4), 3: (24, 6)}.items():
        traffic = pattern(1, number, "ecocc", READINGS["a"], 1, "x")["traffic"]
        crowds = [entry["from"] for entry in traffic if entry["name"].startswith("hot")]
        uniform = {node for entry in traffic if entry["name"].startswith("uniform") for node in entry["from"]}
        assert (len(crowds), sum(len(crowd) for crowd in crowds), len(uniform)) == (roots, hot, 64 - hot)
        assert len({len(crowd) for crowd in crowds}) == 1
        assert not uniform & {node for crowd in crowds for node in crowd}


def test_programs_and_crowds_are_where_the_paper_has_them():
    """Even nodes for programs, odd ones for crowds: 32 to node 123, 64 to four others in equal parts."""
    for case, (sources, roots) in CROWDS.items():
        job, *hot = trace(case, "ring", "1vl", "digits", 1, "x")["traffic"]
        ranks = {int(node[1:]) for node in job["from"]}
        assert ranks == set(range(0, 256, 1 if case == 1 else 2))
        senders = [int(node[1:]) for entry in hot for node in entry["from"]]
        to = {int(entry["to"][1:]) for entry in hot}
        assert (len(senders), len(set(senders)), len(to)) == (sources, sources, roots)
        assert not (set(senders) | to) & ranks or case == 1
        assert not set(senders) & to
        assert case != 2 or to == {123}


def test_drawn_ways_lead_to_their_destinations_and_differ_by_seed():
    """Paths without a cycle, which the check would refuse; a program over them ends."""
    assert ways(1) != ways(2)
    scenario = trace(1, "mpifft", "1vl", "drawn", 1, "x")
    assert scenario["routing"]["ports"] == ways(1)
    assert check(scenario)["scenario"]["routing"]["ports"]["s0_0"] == ways(1)["s0_0"]


def test_the_readings_reach_the_engine():
    for reading in READINGS.values():
        resolved = check(pattern(1, 1, "ecocc", reading, 1, "x"))["scenario"]["scheme"]
        assert resolved["mark"]["root"]["share"] == reading.share
        assert resolved["isolate"]["ecocc"]["root_stops"] == reading.root_stops
        assert resolved["react"]["cct"]["timer"] == reading.timer
        assert (resolved["isolate"]["ecocc"]["high"], resolved["isolate"]["ecocc"]["low"]) == (6, 4)


def test_hosts_under_hfdi_are_those_of_ecocc():
    """HFDI is EcoCC without throttling (section 4.1); also with one read port, where there is no EcoCC."""
    made = [("hfdi", "all"), ("hfdi", "one"), ("ecocc", "all")]
    for technique, ports in made:
        resolved = check(pattern(1, 1, technique, READINGS["iii"], 1, "x", ports=ports))["scenario"]["scheme"]
        assert resolved["isolate"][technique]["hosts_skip_stopped"] is True


def test_programs_are_judged_by_the_set_that_judges_all():
    resolved = check(trace(1, "ring", "ecocc", "digits", 1, "x"))["scenario"]["scheme"]
    assert (resolved["mark"]["root"]["share"], resolved["react"]["cct"]["timer"]) == (0.5, "150 us")


def test_table_3_alone_has_the_runs_by_which_it_is_judged():
    """They are additional to those of set A; without them its claims are not run, and nothing else is wrong."""
    import pytest

    from congestree.gallery import papers

    wanted = papers.chosen_runs("escudero2013-ecocc", {"table3": None}, ["table3"], quick=True)
    assert any(name.startswith("ports_n-1_by-ccfit") for name in wanted)
    gains = papers.module("escudero2013-ecocc", "claims.gains")
    with pytest.raises(LookupError, match="set iii"):
        gains.judged({"set a": None})


def test_shares_below_one_per_cent_have_numbers_of_their_own():
    """Ports without a free queue are a few in ten thousand in figure 10a, and every number for them was "0%"."""
    from congestree.data.gallery.common.plots import panels, percent

    figure, (axes,) = panels(1)
    axes.plot([0, 1], [0, 0.0006])
    percent(axes.yaxis)
    figure.canvas.draw()
    words = [label.get_text() for label in axes.get_yticklabels()]
    assert len(set(words)) == len(words) > 2 and "0.02%" in words
    axes.set_ylim(0, 1)
    figure.canvas.draw()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0%", "20%", "40%", "60%", "80%", "100%"]
