"""Steady sources of one host that offer more than it can send, and one beside other traffic of its host.

A host whose bus carries half of the rates of its sources always has a backlog of all of them. Each gets a share in
proportion to its rate, whatever its destinations: one host, any host, or one that moves. All messages have one length,
so the number of messages of one source is binomial.
"""

from math import sqrt

import pytest
from fabrics import run, scenario

HOSTS = 6
KINDS = {
    "fixed": {"to": "H2"},
    "uniform": {"pattern": "uniform"},
    "moving": {"pattern": {"moving": {"to": ["H3", "H4"], "every": "70 us"}}},
}
CONTROL = {"mark": {"fecn": {"threshold": 0}}, "notify": {"cnp": {}}, "react": {"cct": {}}}
"""Marks nothing, but gives a source with many destinations a flow for each of them."""


@pytest.mark.parametrize("control", [None, CONTROL], ids=["one flow", "a flow for each destination"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_host_divides_what_it_can_send_by_the_rates_of_its_sources(kind, control):
    def entry(name, gigabits, where):
        arrivals = {"steady": {"rate": f"{gigabits} Gbit/s"}}
        return {"name": name, "from": "H1", "arrivals": arrivals, "message": "1960 B"} | where

    described = scenario(
        {"single-switch": {"hosts": HOSTS}},
        [entry("small", 2.4, KINDS[kind]), entry("large", 5.6, {"pattern": "uniform"})],
        "8 ms",
        adapters={"injection_rate": "4 Gbit/s"},
        links={"flow_control": "byte-credits"},
        **({"scheme": control} if control else {}),
    )
    flows = run(described).arrow("flows")
    sent = {"small": 0, "large": 0}
    for label, packets in zip(flows["class"].to_pylist(), flows["packets"].to_pylist(), strict=True):
        sent[label] += packets
    messages = sum(sent.values()) / 2
    assert messages == pytest.approx(2000, abs=3)
    assert sent["small"] / 2 == pytest.approx(0.3 * messages, abs=4 * sqrt(0.3 * 0.7 * messages))


def test_a_throttle_of_the_whole_host_leaves_the_shares_as_they_are():
    """Its hot flow meets others, and both of its sources slow down equally, though one has many flows."""

    def entry(name, where):
        return {"name": name, "from": "H1", "arrivals": {"steady": {"rate": "4 Gbit/s"}}} | where

    cct = {"per": "sl", "limit": 127, "timer": "50 us", "table": {"quadratic": {"delay": "20 us", "at": 106}}}
    described = scenario(
        {"single-switch": {"hosts": 12}},
        [
            {"name": "crowd", "from": ["H3", "H4", "H5", "H6"], "to": "H2"},
            entry("hot", {"to": "H2"}),
            entry("rest", {"pattern": "uniform"}),
        ],
        "8 ms",
        links={"flow_control": "byte-credits"},
        scheme={"mark": {"fecn": {"enter": "4 KiB", "marking_rate": 0}}, "notify": {"cnp": {}}, "react": {"cct": cct}},
    )
    flows = run(described).arrow("flows").to_pylist()
    sent = {name: sum(f["packets"] for f in flows if f["class"] == name) for name in ("hot", "rest")}
    assert 500 < sent["hot"] < 4000, "it is throttled, and not silenced"
    assert sent["rest"] == pytest.approx(sent["hot"], rel=0.15)


WEIGHTS = {"weighted": {"low": [{"lane": lane, "weight": 1} for lane in range(3)]}}
QUANTA = {"drr": {"shares": [{"lane": lane, "quantum": "4 KiB"} for lane in range(3)]}}


@pytest.mark.parametrize("arbiter", [WEIGHTS, QUANTA], ids=["weights", "quanta"])
@pytest.mark.parametrize("senders", [["H1"] * 4, ["H1", "H2", "H3", "H4"]], ids=["at a host", "at a switch"])
def test_flows_of_a_lane_share_what_the_lane_gets(arbiter, senders):
    """Three lanes get a third of a link each; the two flows of lane 1 half of that each, whatever the other lanes send.

    At a host that remembered only which flow had sent last in any lane, one of the two never sent.
    """
    to = ["H5", "H6", "H7", "H8"] if senders[0] == senders[1] else ["H5"] * 4
    traffic = [
        {"name": f"flow {n}", "from": source, "to": target, "lane": lane}
        for n, (source, target, lane) in enumerate(zip(senders, to, (0, 1, 1, 2), strict=True))
    ]
    links = {"lanes": 3, "lane_arbiter": arbiter}
    rows = run(scenario({"single-switch": {"hosts": 8}}, traffic, "10 ms", links=links)).arrow("flows")
    shares = dict(zip(rows["class"].to_pylist(), rows["rate"].to_pylist(), strict=True))
    carried = sum(shares.values())
    for label, sixths in (("flow 0", 2), ("flow 1", 1), ("flow 2", 1), ("flow 3", 2)):
        assert shares[label] == pytest.approx(carried * sixths / 6, rel=0.02), label


@pytest.mark.parametrize("source", ["H1", None], ids=["at a host", "at a switch"])
def test_a_packet_uses_a_weight_in_units_of_64_bytes_rounded_up(source):
    """65 bytes use up two units: with the weight of 128, lane 2 gets 64 packets of them where lane 1 gets 8 KiB.

    As in InfiniBand (volume 1, section 7.6.9). By bytes lanes 1 and 2 would get the same.
    """
    sizes, weights = (4096, 4096, 65), (64, 128, 128)
    arbiter = {"weighted": {"high": [{"lane": lane, "weight": weight} for lane, weight in enumerate(weights)]}}
    ways = [(source or f"H{n + 1}", f"H{n + 4}" if source else "H4") for n in range(3)]
    traffic = [
        {"name": f"lane {n}", "from": a, "to": b, "lane": n, "message": f"{size} B"}
        for n, ((a, b), size) in enumerate(zip(ways, sizes, strict=True))
    ]
    links = {"rate": "100 Gbit/s", "lanes": 3, "lane_arbiter": arbiter, "flow_control": "byte-credits"}
    adapters = {"mtu": "4096 B", "header": "0 B"}
    described = scenario({"single-switch": {"hosts": 6}}, traffic, "2 ms", links=links, adapters=adapters)
    rates = run(described).arrow("flows")["rate"].to_pylist()
    turn = [weight // -(-size // 64) * size for size, weight in zip(sizes, weights, strict=True)]
    assert turn == [4096, 8192, 4160]
    assert [rate / sum(rates) for rate in rates] == pytest.approx([part / sum(turn) for part in turn], abs=0.003)


LANES = {"lanes": 2, "flow_control": "byte-credits", "lane_arbiter": "strict"}
BESIDE = {"greedy": {}, "steady": {"arrivals": {"steady": {"load": 0.9}}}}
"""What a steady source of 30 % in the lane that goes first has beside it at its host."""


@pytest.mark.parametrize("window", [None, 64], ids=["without a window", "with one"])
@pytest.mark.parametrize("where", [{"to": "H3"}, {"pattern": "uniform"}], ids=["to one host", "to any"])
@pytest.mark.parametrize("beside", BESIDE)
def test_a_steady_source_takes_its_turns_beside_other_traffic(beside, where, window):
    """A window gives a source a flow for each destination, so that it is polled: the others went before it for ever."""
    described = scenario(
        {"single-switch": {"hosts": HOSTS}},
        [
            {"name": "low", "from": "H1", "to": "H2", "lane": 0} | BESIDE[beside],
            {"name": "high", "from": "H1", "lane": 1, "arrivals": {"steady": {"load": 0.3}}} | where,
        ],
        "1 ms",
        links=LANES,
        adapters={"header": "0 B"} | ({"window": window} if window else {}),
    )
    flows = run(described).arrow("flows")
    share = {"low": 0, "high": 0}
    for label, packets in zip(flows["class"].to_pylist(), flows["packets"].to_pylist(), strict=True):
        share[label] += packets / sum(flows["packets"].to_pylist())
    assert share["high"] == pytest.approx(0.3, abs=0.01)
    assert share["low"] == pytest.approx(0.7, abs=0.01)
