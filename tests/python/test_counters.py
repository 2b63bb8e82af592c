"""Counters of ports and lanes agree with the other tables."""

import polars as pl
import pytest

import congestree

INCAST = """
[topology.single-switch]
hosts = 5
[links]
rate = "16 Gbit/s"
{lanes}
[switches]
buffer = "32 KiB"
[adapters]
drain_rate = "12 Gbit/s"
receive_buffer = "16 KiB"
[scheme]
preset = "ib-cc"
{cnp}
[[traffic]]
name = "crowd"
from = ["H1", "H2", "H3"]
to = "H5"
[[traffic]]
name = "victim"
from = "H1"
to = "H4"
arrivals.steady = {{ load = 0.2 }}
{service}
[measure]
duration = "2 ms"
warm_up = "0.5 ms"
probes = ["counters"]
"""


def results(lanes: str = "", cnp: str = "", service: str = ""):
    """An incast at a slow host, with a victim."""
    return congestree.run(INCAST.format(lanes=lanes, cnp=cnp, service=service))


@pytest.fixture(scope="module")
def one_lane():
    return results()


@pytest.fixture(scope="module")
def three_lanes():
    return results(
        lanes="lanes = 3\nservice_lanes = [0, 1]\nlane_arbiter.weighted = "
        "{ high = [{ lane = 2, weight = 64 }], low = [{ lane = 0, weight = 64 }, { lane = 1, weight = 64 }] }",
        cnp="[scheme.notify.cnp]\nlane = 2",
        service="service = 1",
    )


@pytest.mark.parametrize("which", ["one_lane", "three_lanes"])
def test_lanes_add_up_to_ports(which, request):
    run = request.getfixturevalue(which)
    ports, counters = run.table("ports"), run.table("counters")
    sums = counters.group_by("port").agg(pl.col("PortXmitPkts").sum(), pl.col("PortXmitData").sum()).sort("port")
    assert sums["PortXmitPkts"].to_list() == ports["packets"].to_list()
    words = [size // 4 for size in ports["bytes"]]
    assert all(word - 3 <= own <= word for word, own in zip(words, sums["PortXmitData"], strict=True))


@pytest.mark.parametrize("which", ["one_lane", "three_lanes"])
def test_every_mark_that_arrives_is_a_fecn_and_comes_back_as_a_becn(which, request):
    run = request.getfixturevalue(which)
    counters = run.table("counters")
    hosts = counters.filter(pl.col("name").str.starts_with("H"))
    marked = run.table("flows")["marked"].sum()
    assert marked > 100
    # A packet that crosses the end of the warm-up on the last link counts on one side only.
    assert abs(hosts["PortRcvFECN"].sum() - marked) <= 2
    assert abs(hosts["PortRcvBECN"].sum() - marked) <= 4
    assert hosts.filter(pl.col("name").str.starts_with("H5"))["PortRcvBECN"].sum() == 0


def test_with_one_lane_waiting_is_being_blocked(one_lane):
    ports, counters = one_lane.table("ports"), one_lane.table("counters")
    assert counters["PortXmitWait"].to_list() == pytest.approx(ports["blocked"].to_list(), abs=1e-12)
    assert counters["PortXmitWait"].sum() > 0


def test_the_root_is_in_the_congestion_state_and_nobody_else(one_lane, three_lanes):
    for run in (one_lane, three_lanes):
        congested = run.table("counters").filter(pl.col("PortXmitTimeCong") > 0)
        assert congested.select("name", "lane").rows() == [("S->H5", 0)]
        assert 0 < congested["PortXmitTimeCong"][0] <= 1.5e-3


def test_notifications_travel_in_their_own_lane(three_lanes):
    counters = three_lanes.table("counters")
    by_lane = counters.filter(pl.col("name") == "H5->S").sort("lane")["PortXmitPkts"].to_list()
    assert by_lane[0] == 0 and by_lane[1] == 0 and by_lane[2] > 100
