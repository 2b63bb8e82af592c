"""Fixed points of reactions to telemetry and delay: HPCC's utilisation, PowerTCP's power, Swift's target.

N greedy flows meet at one output of rate C, with a round trip of T through the empty network.

**HPCC** (Li et al., SIGCOMM 2019). With an empty queue u is the utilisation of the link. From U a source computes
R_c / (U / eta) + R_AI: it is at its fixed point if R_c (1 - eta / U) = R_AI. N such sources have U C together, so that
U = eta / (1 - N R_AI / (U C)): U^2 - (eta + N R_AI / C) U = 0, and U = eta + N R_AI / C.

**PowerTCP** (Addanki et al., NSDI 2022). At the fixed point R (1 - eta / G) = beta, with G = 1 + q / (C T) where the
link is full: N R = C, so G = eta / (1 - N beta / C). Where that is below one the link is not full, and G = N R / C:
then N R / C = eta + N beta / C.

One flow reaches this within a thousandth. The packets of several flows meet or do not, depending on their phases, and a
waiting packet is seen as a queue: they reach it within a fiftieth.

**Swift** (Kumar et al., SIGCOMM 2020). The window settles where the round-trip time is the target for that window.

**Several paths.** If the packets of a flow take one path after the other, two consecutive ACKs seldom report the same
outputs. Their counters cannot be compared (HPCC's header has a pathID for that, section 4.1), so a flow alone in a
network with several paths is not slowed down by them.
"""

import pytest
from fabrics import column, run, scenario

SWITCH = {"switching": "store-and-forward", "buffer": "1 MB", "forwarding_delay": "0 ns"}
LINE = 8e9


def shared(flows: int, react: dict, duration="20 ms", switches=None, **measure):
    """This many flows to one host over links of a byte a nanosecond and 2 us, with a round trip of about 10 us."""
    traffic = [{"from": [f"H{i + 1}" for i in range(flows)], "to": f"H{flows + 1}"}]
    described = scenario(
        {"single-switch": {"hosts": flows + 1}},
        traffic,
        duration,
        delay="2 us",
        switches=SWITCH | (switches or {}),
        adapters={"ack": "20 B"},
        scheme={"react": react},
        measure={"warm_up": "10 ms"} | measure,
    )
    return run(described)


def share(result) -> float:
    """Of the link, in bytes that arrived after the warm-up."""
    return column(result, "flows", "rate").sum() / LINE


@pytest.mark.parametrize("flows", [1, 2, 4])
@pytest.mark.parametrize("target", [0.7, 0.9, 0.95])
def test_hpcc_uses_what_it_aims_at_and_what_is_added(flows, target):
    react = {"hpcc": {"u_target": target, "mi_thresh": 0, "rate_ai": "40 Mbit/s", "min_rate": "10 Mbit/s"}}
    # R_AI is half a per cent of the link for each.
    expected = target + flows * 0.005
    assert share(shared(flows, react)) == pytest.approx(expected, abs=0.001 if flows == 1 else 0.02)


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_power_tcp_uses_what_it_aims_at_and_what_is_added(flows):
    react = {"power-tcp": {"target": 0.9, "additive": "80 Mbit/s", "min_rate": "10 Mbit/s"}}
    # Beta is one per cent of the link for each.
    expected = 0.9 + flows * 0.01
    assert share(shared(flows, react)) == pytest.approx(expected, abs=0.001 if flows == 1 else 0.02)


def test_a_digest_measures_acks_as_records_do():
    """Data both ways: six per cent of the trunk are ACKs. With either form there is hardly a queue in front of it."""

    def trunk(**digest):
        hpcc = {"u_target": 0.95, "mi_thresh": 0, "rate_ai": "4 Mbit/s", "round_trip": "13 us"} | digest
        pairs = {"pattern": {"shift": {"by": 2}}}
        described = scenario(
            {"dumbbell": {"pairs": 2}},
            [{"from": "senders", "name": "there"} | pairs, {"from": "receivers", "name": "back"} | pairs],
            "6 ms",
            rate="25 Gbit/s",
            delay="1 us",
            switches=SWITCH,
            adapters={"ack": "60 B"},
            scheme={"react": {"hpcc": hpcc}},
            measure={"warm_up": "2 ms", "probes": ["output-queues"]},
        )
        result = run(described)
        port = result.ports.filter(result.ports["name"] == "A->B")
        queues = result.output_queue_series
        queue = queues.filter((queues["name"] == "A->B") & (queues["time"] > 2e-3))
        return port["utilisation"].item(), queue["mean"].mean()

    busy, queue = trunk(pint={})
    # The largest of several codes that are drawn is a little too high: a fraction of a per cent.
    assert busy == pytest.approx(0.95, abs=0.01)
    assert queue < 3 * trunk()[1]


@pytest.mark.parametrize("packets", [2, 100])
def test_telemetry_tells_of_the_queue_behind_a_crossbar(packets):
    """Four flows whose windows add so much that there is always a queue to tell of."""
    react = {"power-tcp": {"target": 0.9, "additive": "1.28 Gbit/s", "min_rate": "10 Mbit/s"}}

    def wait(**switches):
        result = shared(4, react, "6 ms", switches, warm_up="2 ms", probes=["latency"])
        return column(result, "latency", "mean")[0]

    crossed = wait(crossbar="64 Gbit/s", output_packets=packets)
    assert crossed == pytest.approx(wait(), rel=0.1)


@pytest.mark.parametrize("flows", [2, 4])
def test_swift_keeps_the_round_trip_at_its_target(flows):
    swift = {"base_target": "40 us", "hop_scale": "0 ns", "fs_range": "1 ps", "beta": 0.2}
    result = shared(flows, {"swift": swift}, probes=["deliveries"])
    late = column(result, "deliveries", "injected_ps") > 10_000_000_000
    one_way = (column(result, "deliveries", "time_ps") - column(result, "deliveries", "injected_ps"))[late].mean() / 1e6
    # An ACK takes two links of 2 us and 40 ns back.
    assert one_way + 4.04 == pytest.approx(40, rel=0.05)
    assert share(result) == pytest.approx(1.0, abs=0.005)


@pytest.mark.parametrize(
    "route", ["spray", "least-queue", {"flowlet": {"gap": "1 ns"}}], ids=["spray", "least", "flowlet"]
)
@pytest.mark.parametrize("react", ["hpcc", "power-tcp"])
def test_outputs_of_different_ways_are_not_compared(react, route):
    """One flow over two leaves and four spines has the same rate as on a single path: the target, and a little more."""
    described = scenario(
        {"fat-tree": {"radix": 8}},
        [{"from": "h0", "to": "h8"}],
        "4 ms",
        delay="1 us",
        switches=SWITCH,
        adapters={"ack": "20 B"},
        scheme={"react": react, "route": route},
        measure={"warm_up": "1 ms"},
    )
    assert 0.9 < share(run(described)) <= 1.0
