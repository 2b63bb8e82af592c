"""Paper III, the quick version: every claim has a verdict, the firm ones hold, every figure is drawn; its measures."""

import numpy as np
import pytest
from verdicts import QuickVersion

import congestree
from congestree.data.gallery.gran2010_hardware import hpcc, runs
from congestree.data.gallery.gran2010_hardware.claims_parameters import neighbours
from congestree.data.gallery.gran2010_hardware.measures import samples, var
from congestree.data.gallery.gran_common.scenario import congestion_control
from congestree.data.gallery.gran_common.study import View


class TestPaper3(QuickVersion):
    paper = "gran2010-hardware"
    firm = (
        "p3-fig7a-f1-alone",
        "p3-fig7a-f2-added",
        "p3-fig7a-f3-added",
        "p3-fig7a-f4-added",
        "p3-fig7a-f5-added",
        "p3-s5a-link-underused",
        "p3-fig7b-victim",
        "p3-fig7b-two-flow-penalty",
        "p3-fig7b-no-penalty-four",
        "p3-fig7b-oscillation",
        "p3-fig8-nocc-skew",
        "p3-table2-off-mean",
        "p3-s5b-root-moved",
        "p3-table3-nat-ring-bw",
        "p3-s6-cc-restores",
        "p3-s7a-packet-size-kills",
    )
    """What holds in phases of 20 ms too; shares take longer to settle."""
    analytic = ("p3-s1-bdp",)
    part_of_full = False


def test_a_run_has_the_parameters_of_table_1_and_the_bus_of_the_paper():
    scenario = runs.runs()["on_r0"]
    cct, fecn = scenario["scheme"]["react"]["cct"], scenario["scheme"]["mark"]["fecn"]
    assert (cct["increase"], cct["limit"], cct["min"], cct["timer"]) == (1, 127, 0, "153600 ns")
    assert (fecn["marking_rate"], fecn["packet_size"], fecn["enter"]) == (1, "512 B", "8 KiB")
    assert float(scenario["adapters"]["injection_rate"].split()[0]) == pytest.approx(13e9 * 2074 / 2048, abs=1)


def test_thresholds_fall_evenly_from_1_to_15():
    levels = [int(runs.threshold(weight).split()[0]) for weight in range(1, 16)]
    assert levels[-1] == 8 * 1024
    assert set(np.diff(levels)) == {-1536}


class Still:
    """A view whose contributors have given rates in each of ten bins of the last second."""

    def __init__(self, rates):
        self.rates, self.bin = rates, 0.1
        self.phases = [(0.0, 1.0), (1.0, 2.0)]

    def series(self, flow):
        return np.concatenate([np.zeros(10), self.rates[flow]])


def test_var_is_the_variance_of_the_gap():
    ones = np.ones(10)
    gap = np.array([1.0, 3.0] * 5)
    view = Still({"F2": ones, "F3": ones + gap, "F4": ones, "F5": ones})
    assert var(view) == pytest.approx(1.0)
    assert samples(view, "F3", (1.0, 2.0)) == pytest.approx(ones + gap)


def test_how_often_a_random_ring_crosses():
    chances = hpcc.ring_chances()
    assert sum(chances.values()) == pytest.approx(1)
    assert sum(messages * chance for messages, chance in chances.items()) == pytest.approx(8 * 4 / 7)
    assert chances[2] == pytest.approx(24 * 24 / 5040)


def test_twelve_of_28_pairs_are_inside_a_host():
    assert hpcc.over_pairs(1.0, 0.0) == pytest.approx(12 / 28)


def test_a_message_takes_its_packets_at_the_pace_of_the_bus():
    scenario = hpcc.scenario("none", 2, 20_480, congestion_control(), rounds=3, congested_ms=1, **runs.BED)
    rounds = hpcc.Rounds(View(congestree.run(scenario)))
    for way in ("there", "back"):
        times = rounds.times_us(way)
        assert len(times) == 3
        assert times == pytest.approx(20 * 2048 * 8 / 13e3, rel=0.02)  # 20 packets at 13 Gbit/s of payload


def test_a_ping_is_followed_by_its_pong():
    scenario = hpcc.scenario("none", 1, 8, None, together=False, rounds=4, congested_ms=1, **runs.BED)
    starts = {entry["name"]: entry["start"] for entry in scenario["traffic"]}
    assert starts == {"there 1": "1 ms", "back 1": "1.05 ms"}
    rounds = hpcc.Rounds(View(congestree.run(scenario)))
    assert rounds.one_way_us() == pytest.approx(hpcc.HOST_US + rounds.times_us("there").mean())


def test_the_point_of_table_1_has_neighbours():
    points = [(weight, rate, timer) for weight in (12, 15) for rate in (0, 1, 5) for timer in (50, 150, 500, 1000)]
    near = neighbours(points, (15, 1, 150))
    assert (12, 5, 500) in near
    assert (15, 1, 1000) not in near
    assert len(near) == 2 * 3 * 3
