"""Backpressure flow control (BFC, NSDI 2022): the promises of its abstract and its rules, on a small network.

Eight hosts send to one as fast as they can, over a trunk that could carry four times as much as that host's link; a
ninth sends to another host over the same trunk. Without isolation the trunk is paused, and the ninth, a victim, gets
hardly more than the eight. Expectations:

- with more queues than flows each has its own, and the ninth gets all of its link;
- with four queues flows share some;
- at the last output no more than 2 H C waits once the start is over, H being the round trip of a hop. This is
  *refuted* here: a queue that is not stopped is filled at the rate of the trunk, four times C, until its stop takes
  effect, and each of the eight by itself. The bound of a queue is its threshold plus what the trunk carries in a round
  trip;
- short messages among long flows have a shorter tail (the abstract has 2.3 to 60 times, in a fabric of its own; here
  only the sign is required).
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

GBPS8 = 10**9  # bytes per second at 8 Gbit/s
SENDERS = [f"h{i}" for i in range(8)]


def two_switches(traffic: list[dict], duration: str, delay: str = "50 ns", **sections) -> dict:
    """Nine senders, a trunk of 32 Gbit/s, and two receivers."""
    hosts = [*SENDERS, "ninth", "hot", "cool"]
    links = [{"a": host, "b": "S1" if host in SENDERS or host == "ninth" else "S2"} for host in hosts]
    links.append({"a": "S1", "b": "S2", "rate": "32 Gbit/s"})
    graph = {"graph": {"hosts": hosts, "switches": ["S1", "S2"], "links": links, "groups": {"senders": SENDERS}}}
    switches = {"buffer": "60 kB", "forwarding_delay": "100 ns"}
    return scenario(graph, traffic, duration, delay=delay, links={"flow_control": "pfc"}, switches=switches, **sections)


def incast(duration: str = "4 ms", **sections) -> dict:
    traffic = [{"from": "senders", "to": "hot"}, {"from": "ninth", "to": "cool"}]
    return two_switches(traffic, duration, measure={"warm_up": "1 ms", "probes": ["output-queues"]}, **sections)


def bfc(**keys) -> dict:
    return {"preset": "bfc", "isolate": {"bfc": keys}}


def value(result, name: str) -> float:
    table = result.arrow("summary")
    return dict(zip(table["name"].to_pylist(), table["value"].to_pylist(), strict=True))[name]


def victim(result) -> float:
    """The ninth's share of its link, after the warm-up."""
    rows = dict(zip(result.arrow("flows")["name"].to_pylist(), column(result, "flows", "packets"), strict=True))
    return rows["ninth->cool"] * 1000 / (GBPS8 * 3e-3)


def test_with_a_queue_for_each_flow_the_victim_gets_all_of_its_link():
    result = run(incast(scheme=bfc(queues=16)))
    assert value(result, "flow_queues_shared") == 0
    assert value(result, "flow_stops") > 8
    assert victim(result) == pytest.approx(1.0, abs=0.005)


def test_without_them_it_gets_hardly_more_than_those_who_make_the_congestion():
    assert victim(run(incast())) < 0.5


def test_with_fewer_queues_than_flows_some_share():
    result = run(incast(scheme=bfc(queues=4)))
    assert value(result, "flow_queues_shared") > 0


def test_more_waits_at_the_root_than_two_round_trips_but_no_more_than_the_trunk_brings_for_each_queue():
    """The round trip is that of the slowest link into the second switch: 1 us for a packet each way, 64 ns for the
    notice, 2 us for the link each way, 100 ns in the switch."""
    result = run(incast(scheme=bfc(queues=16), delay="2 us"))
    series = result.arrow("output_queue_series")
    root = np.array(series["name"].to_pylist()) == "S2->hot"
    late = series["time"].to_numpy() >= 1e-3
    longest = column(result, "output_queue_series", "most")[root & late].max()
    of_link, of_trunk = 6.164e-6 * GBPS8, 4 * 6.164e-6 * GBPS8
    assert 2 * of_link < longest <= of_link + 8 * of_trunk


def test_short_messages_among_long_flows_end_sooner_at_the_tail():
    def tail(**sections) -> float:
        traffic = [
            {"from": "senders", "to": "hot", "name": "long"},
            {
                "from": "ninth",
                "to": "cool",
                "name": "short",
                "message": "4900 B",
                "arrivals": {"poisson": {"load": 0.3}},
            },
        ]
        result = run(two_switches(traffic, "20 ms", measure={"probes": ["deliveries"]}, **sections))
        times = column(result, "deliveries", "time_ps") - column(result, "deliveries", "created_ps")
        names = result.arrow("flows")["name"].to_pylist()
        short = np.array([names[flow] == "ninth->cool" for flow in column(result, "deliveries", "flow")])
        return float(np.quantile(times[short], 0.99))

    assert tail() > 2.3 * tail(scheme=bfc(queues=16))
