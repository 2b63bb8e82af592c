"""What queues at the inputs of switches can and cannot do, where theory knows the answer.

*iSLIP* (McKeown 1999): under saturated uniform demand its pointers drift apart until every slot has a perfect matching,
so even one round of request, grant and accept carries almost everything; with single queues only heads can be matched,
and Karol's limit holds for every arbiter.

*Blocking.* Ten hosts send to one, which is ten times too much, and a victim shares links with some of them. A queue for
each destination (VOQnet) gives the victim the rest of its link; a single queue makes it as slow as the packets in front
of it; queues by destination modulo n (DBBM) protect it if, and only if, its remainder is not that of the hot host.

*Hogging.* Virtual output queues over shared memory fill with packets for the slow output until no others find room.
Reserved shares, or a limit for each queue (DAMQ), leave the victim its link.

*Crossbars.* A crossbar of a much higher rate moves the queue from the inputs to the output, and does not change it.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario
from test_saturation import SINGLE, carried, saturated

ISLIP = {"queues": "voq", "read_ports": "one", "buffer": "256 packets"}


def islip(iterations=None, matching="slotted") -> dict:
    """The arbiter."""
    rounds = {"iterations": iterations} if iterations else {}
    return {"arbiter": {"islip": {"matching": matching} | rounds}}


@pytest.mark.parametrize("matching", ["slotted", "asynchronous"])
@pytest.mark.parametrize(("iterations", "least"), [(1, 0.97), (3, 0.98), (None, 0.98)])
def test_islip_carries_nearly_all_of_uniform_saturated_demand(iterations, least, matching):
    throughput, _ = saturated(8, 12_000, ISLIP | islip(iterations, matching))
    assert least <= throughput <= 1.0


@pytest.mark.parametrize("ports", [2, 4, 8])
def test_no_matching_helps_single_queues(ports):
    throughput, _ = saturated(ports, 120_000 // ports, SINGLE | islip(4))
    assert throughput == pytest.approx(carried(ports), abs=0.006)


def victim(switches: dict, to="h14") -> float:
    """Rate of the victim, as a share of its link, with a hot spot in a tree of 4 leaves with 4 hosts each.

    Ten hosts on three leaves send to h15, so that each of the four on leaf 0 gets a twelfth. One of them, h0, also
    sends to another host: by D-mod-K over another link, but through the input of its own host.
    """
    hot = [f"h{i}" for i in range(10)]
    result = run(
        scenario(
            {"k-ary-n-tree": {"k": 4, "n": 2}},
            [
                {"name": "hot", "from": hot, "to": "h15"},
                {"name": "victim", "from": ["h0"], "to": to},
            ],
            "3 ms",
            links={"flow_control": {"packet-slots": {}}, "delay": "10 ns"},
            switches={"read_ports": "all"} | switches,
            measure={"warm_up": "1 ms"},
        )
    )
    flows = result.arrow("flows")
    rates = dict(zip(flows["name"].to_pylist(), column(result, "flows", "rate").tolist(), strict=True))
    return rates[f"h0->{to}"] / 8e9


VOQNET = {"queues": {"voqnet": {"buffer": "4 packets"}}}
FAIR = 1 - 1 / 12  # the rest of the link of h0 beside its share of the hot link


def test_a_queue_for_each_destination_removes_all_blocking():
    assert victim(VOQNET) == pytest.approx(FAIR, abs=0.01)


def test_with_a_queue_for_each_destination_a_source_is_not_blocked_by_its_own_packets():
    """Half of the traffic of h0 is for the hot host, drawn message by message; the other half gets through, except for
    the part to the hot host, which is one of its 15 destinations."""
    result = run(
        scenario(
            {"k-ary-n-tree": {"k": 4, "n": 2}},
            [
                {"name": "hot", "from": [f"h{i}" for i in range(1, 10)], "to": "h15"},
                {
                    "name": "both",
                    "from": ["h0"],
                    "pattern": {"hot-spot": {"to": ["h15"], "fraction": 0.5}},
                    "arrivals": {"poisson": {"load": 0.9}},
                },
            ],
            "9 ms",
            links={"flow_control": {"packet-slots": {}}, "delay": "10 ns"},
            switches={"read_ports": "all"} | VOQNET,
            measure={"warm_up": "1 ms"},
        )
    )
    rates = dict(zip(result.arrow("flows")["name"].to_pylist(), column(result, "flows", "rate").tolist(), strict=True))
    cold = sum(rate for name, rate in rates.items() if name.startswith("h0->") and name != "h0->h15")
    assert cold / 8e9 == pytest.approx(0.45 * 14 / 15, abs=0.02)


def test_a_single_queue_makes_the_victim_as_slow_as_the_hot_ones():
    assert victim({"queues": "single", "read_ports": "one", "buffer": "16 packets"}) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("memory", ["reserved", {"damq": {"limit": "4 packets"}}])
def test_queues_by_destination_spare_who_has_another_remainder(memory):
    def with_queues(count, to):
        return victim({"queues": {"dbbm": {"queues": count}}, "memory": memory, "buffer": f"{4 * count} packets"}, to)

    assert with_queues(8, "h14") == pytest.approx(FAIR, abs=0.01)
    assert with_queues(2, "h13") == pytest.approx(0.1, abs=0.02)
    assert with_queues(1, "h14") == pytest.approx(0.1, abs=0.02)


def between(switches: dict) -> float:
    """Total rate, in links, of flows between all hosts, from hosts of which each has eight flows to a hot one too."""
    hosts = [f"h{i}" for i in range(4, 12)]
    result = run(
        scenario(
            {"k-ary-n-tree": {"k": 4, "n": 2}},
            [
                *({"name": f"hot {k}", "from": hosts, "to": "h15"} for k in range(8)),
                {
                    "name": "victim",
                    "from": hosts,
                    "pattern": "uniform",
                    "arrivals": {"poisson": {"load": 0.8}},
                    "window": 1000,
                },
            ],
            "4 ms",
            links={"flow_control": {"packet-slots": {}}, "delay": "10 ns"},
            switches={"read_ports": "all"} | switches,
            measure={"warm_up": "1 ms"},
        )
    )
    flows = result.arrow("flows")
    pairs = zip(flows["class"].to_pylist(), column(result, "flows", "rate").tolist(), strict=True)
    return sum(rate for label, rate in pairs if label == "victim") / 8e9


def test_queues_by_destination_are_between_one_queue_and_a_queue_for_each():
    found = [between({"queues": "single", "read_ports": "one", "buffer": "64 packets"})]
    for count in (2, 4, 8):
        queues = {"queues": {"dbbm": {"queues": count}}, "memory": "reserved", "buffer": f"{4 * count} packets"}
        found.append(between(queues))
    found.append(between(VOQNET))
    assert found == sorted(found), found
    assert found[-1] > 3 * found[0], found


def hogged(switches: dict) -> float:
    """Share of its link for a flow to an idle host from a host that also sends to a congested one."""
    result = run(
        scenario(
            {"chain": {"switches": 2, "hosts_per_switch": 4}},
            [
                {"name": "hot", "from": ["S1_1", "S2_1", "S2_2", "S2_3"], "to": "S2_4"},
                {"name": "victim", "from": ["S1_2"], "to": "S2_1"},
            ],
            "3 ms",
            links={"flow_control": {"packet-slots": {}}, "delay": "10 ns"},
            switches={"read_ports": "all", "queues": "voq"} | switches,
            measure={"warm_up": "1 ms"},
        )
    )
    flows = result.arrow("flows")
    rates = dict(zip(flows["name"].to_pylist(), column(result, "flows", "rate").tolist(), strict=True))
    return rates["S1_2->S2_1"] / 8e9


def test_a_hot_queue_hogs_memory_that_is_shared():
    assert hogged({"buffer": "16 packets"}) == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize(
    "memory",
    [
        "reserved",
        {"damq": {"limit": "8 packets"}},
        {"damq": {"reserve": "2 packets"}},
    ],
)
def test_reserves_and_limits_keep_room_for_others(memory):
    assert hogged({"buffer": "16 packets", "memory": memory}) == pytest.approx(0.75, abs=0.02)


CROSSED = [{}, {"crossbar": "32 Gbit/s"}, {"crossbar": "32 Gbit/s", "output_packets": 100}]


def test_a_crossbar_does_not_hide_the_queue_behind_it_from_marks_and_tables():
    red = {"red": {"min": "5 kB", "max": "10 kB", "probability": 1}}
    waiting, marked = [], []
    for switches in CROSSED:
        described = scenario(
            {"single-switch": {"hosts": 3}},
            [{"from": ["H1", "H2"], "to": "H3"}],
            "500 us",
            delay="50 ns",
            switches=switches,
            adapters={"window": 20},
            scheme={"mark": red, "react": "none"},
            measure={"warm_up": "100 us", "probes": ["output-queues"]},
        )
        result = run(described)
        series = result.arrow("output_queue_series").to_pylist()
        waiting.append(np.mean([row["mean"] for row in series if row["name"].endswith("->H3")]))
        marked.append(column(result, "flows", "marked").sum())
    assert waiting[0] > 20_000
    assert waiting[1:] == pytest.approx([waiting[0]] * 2, abs=2_000)
    assert marked[1:] == pytest.approx([marked[0]] * 2, abs=2) and marked[0] > 300
