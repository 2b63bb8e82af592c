"""Marks and rates of Ethernet: the line of RED, the fixed point of DCQCN, headroom in shared memory.

**RED.** Eight greedy flows with a window of w packets each always have 8 w packets in flight. All but the one that is
being sent and those whose ACKs are under way wait at the output, so that the queue is constant and the share of marked
packets is that of the line: Pmax (q - Kmin) / (Kmax - Kmin).

**DCQCN.** In the fluid model of its paper (Zhu et al., SIGCOMM 2015, section 5 and appendix) N flows have C/N each, and
the share p that is marked solves

    a^2 alpha = tau^2 R_AI R (b + d) (c + e),       alpha = 1 - (1 - p)^(tau' R),   a = 1 - (1 - p)^(tau R)
    b = p / ((1 - p)^-B - 1),                       c = (1 - p)^(F B) b
    d = p / ((1 - p)^(-T R) - 1),                   e = (1 - p)^(F T R) d

with R = C/N and R_AI in packets per second, B in packets, T the timer, tau the least time between notifications and
tau' the period of alpha. The queue is then Kmin + p (Kmax - Kmin) / Pmax. The model averages over discrete events:
notifications that come in steps, and cuts that are not small. So the queue is required to agree within a third, and the
shares within a tenth.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

import congestree

SWITCH = {"switching": "store-and-forward"}


def incast(flows: int) -> dict:
    return {"single-switch": {"hosts": flows + 1}}


def to_last(flows: int, **keys) -> list[dict]:
    return [{"from": [f"H{i + 1}" for i in range(flows)], "to": f"H{flows + 1}"} | keys]


QUEUES_AT_INPUTS = {"switches": SWITCH | {"buffer": "64 KiB"}}
QUEUES_AT_OUTPUTS = {"switches": SWITCH | {"output_buffer": "90 kB"}, "links": {"flow_control": "pfc"}}


@pytest.mark.parametrize("queues", [QUEUES_AT_INPUTS, QUEUES_AT_OUTPUTS], ids=["inputs", "outputs"])
@pytest.mark.parametrize("window", [6, 10, 16, 22])
def test_the_share_that_is_marked_follows_the_line(window, queues):
    result = run(
        scenario(
            incast(8),
            to_last(8, window=window),
            "200 ms",
            **queues,
            scheme={"mark": {"red": {"min": "20 kB", "max": "220 kB", "probability": 0.5}}},
            measure={"warm_up": "1 ms"},
        )
    )
    packets, marked = column(result, "flows", "packets").sum(), column(result, "flows", "marked").sum()
    # One is being sent, one has just arrived or is answered: the waiting packets when a packet leaves, without it.
    waiting = 1000 * (8 * window - 2)
    assert marked / packets == pytest.approx(0.5 * (waiting - 20_000) / 200_000, abs=0.006)


def fixed_point(flows: int, line: float, increase: float, red: tuple, dcqcn: dict) -> tuple[float, float]:
    """The share that is marked, and the queue in bytes."""
    rate = line / flows / 8 / 1000
    period, alpha_period, timer, counter, stages = (dcqcn[key] for key in ("tau", "alpha", "T", "B", "F"))

    def excess(p: float) -> float:
        keep = 1 - p
        a, alpha = 1 - keep ** (period * rate), 1 - keep ** (alpha_period * rate)
        b, d = p / (keep**-counter - 1), p / (keep ** (-timer * rate) - 1)
        c, e = keep ** (stages * counter) * b, keep ** (stages * timer * rate) * d
        return a**2 * alpha - period**2 * increase / 8 / 1000 * rate * (b + d) * (c + e)

    low, high = 1e-9, 0.5
    for _ in range(200):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    least, most, share = red
    return low, least + low * (most - least) / share


@pytest.mark.parametrize(("window", "share"), [(2, 0), (30, 1)])
def test_below_the_line_nothing_is_marked_and_above_it_everything(window, share):
    result = run(
        scenario(
            incast(8),
            to_last(8, window=window),
            "20 ms",
            **QUEUES_AT_INPUTS,
            scheme={"mark": {"red": {"min": "20 kB", "max": "220 kB", "probability": 0.5}}},
            measure={"warm_up": "1 ms"},
        )
    )
    packets = column(result, "flows", "packets").sum()
    assert packets > 18_000 and column(result, "flows", "marked").sum() == share * packets


def settled(flows: int, share: float):
    """DCQCN after 60 ms at one link, with this Pmax."""
    return run(
        scenario(
            incast(flows),
            to_last(flows),
            "160 ms",
            rate="40 Gbit/s",
            delay="1 us",
            links={"flow_control": "none"},
            switches=SWITCH | {"output_queue": "20 MB"},
            scheme={
                "preset": "dcqcn-paper",
                "mark": {"red": {"min": "5 kB", "max": "200 kB", "probability": share}},
                "react": {"dcqcn": {"alpha_period": "55 us", "additive": "40 Mbit/s", "hyper": "40 Mbit/s"}},
            },
            measure={"warm_up": "60 ms", "bin": "1 ms", "probes": ["output-queues"]},
        )
    )


DCQCN = {"tau": 50e-6, "alpha": 55e-6, "T": 55e-6, "B": 10_000, "F": 5}


def mean_queue(result, flows: int) -> float:
    """Bytes that wait at the bottleneck after the warm-up."""
    series = result.arrow("output_queue_series")
    bottleneck = np.array(series["name"].to_pylist()) == f"S->H{flows + 1}"
    late = column(result, "output_queue_series", "time") > 0.06
    return column(result, "output_queue_series", "mean")[bottleneck & late].mean()


@pytest.mark.parametrize("flows", [2, 4, 8, 16])
def test_dcqcn_settles_where_its_fluid_model_does(flows):
    result = settled(flows, 0.01)
    rates = column(result, "flows", "bytes") * 8 / 0.1
    assert rates.sum() == pytest.approx(40e9, rel=0.03)
    assert rates == pytest.approx(40e9 / flows, rel=0.1)
    marked, queue = fixed_point(flows, 40e9, 40e6, (5_000, 200_000, 0.01), DCQCN)
    # Above Pmax the line ends: the queue stays at Kmax.
    assert mean_queue(result, flows) == pytest.approx(min(queue, 200_000), rel=1 / 3)
    if flows <= 4:  # of more the queue swings above Kmax, where everything is marked
        share = column(result, "flows", "marked").sum() / column(result, "flows", "packets").sum()
        assert share == pytest.approx(marked, rel=1 / 3)


def test_twice_the_share_holds_half_the_queue():
    """The sources determine the share of marks; the switch determines the queue length for this share."""
    queues = [mean_queue(settled(4, share), 4) for share in (0.01, 0.02, 0.04)]
    above = [queue - 5_000 for queue in queues]
    assert above[0] / above[1] == pytest.approx(2, rel=0.2) and above[1] / above[2] == pytest.approx(2, rel=0.2)


def worst_case(switching: str, headroom: int, losses: str) -> dict:
    """The largest amount of data arrives after a pause was requested: the packet that crosses XOFF counts a picosecond
    after a packet has started in the other direction, and the pause takes effect at the sender a picosecond after it
    has started another packet.

    H1 fills the shared memory up to its threshold, because H3 is paused for ever. Links carry a byte in a nanosecond,
    so that the sender pauses three packets after the crossing one.
    """
    crossing = 11_000 if switching == "cut-through" else 10_000
    pfc = {"threshold": {"static": {"xoff": "10 kB"}}, "response": "836.002 ns", "losses": losses}
    return scenario(
        {"single-switch": {"hosts": 3}},
        [
            {"from": "H1", "to": "H3"},
            {"from": "H2", "to": "H1", "message": "1000 B", "start": f"{crossing - 1}.999 ns"}
            | {"arrivals": {"messages": {"count": 1}}},
        ],
        "60 us",
        delay="500 ns",
        links={"flow_control": {"pfc": pfc | {"storms": [{"host": "H3"}]}}},
        adapters={"mtu": "1000 B", "header": "0 B", "ack": "64 B"},
        switches={
            "switching": switching,
            "forwarding_delay": "100 ns",
            "shared_memory": {"size": "1 MB", "reserved": "0 B", "headroom": f"{headroom} B"},
        },
        measure={"audit": False, "probes": ["buffers"]},
    )


@pytest.mark.parametrize(("switching", "headroom"), [("cut-through", 4_000), ("store-and-forward", 5_000)])
def test_headroom_in_shared_memory_is_exact_and_a_byte_less_loses_a_packet(switching, headroom):
    enough = run(worst_case(switching, headroom, "refuse"))
    assert column(enough, "ports", "dropped").sum() == 0
    assert column(enough, "buffer_series", "most").max() == 10_000 + headroom
    with pytest.raises(congestree.ScenarioError, match=f"make it at least {headroom // 1000} kB"):
        congestree.check(worst_case(switching, headroom - 1, "refuse"))
    short = run(worst_case(switching, headroom - 1, "count"))
    assert column(short, "ports", "dropped").sum() == 1


@pytest.mark.parametrize(("arrives", "end", "dropped"), [(21, 75, 1), (69, 75, 1), (71, 75, 0), (71, 125, 1)])
def test_a_watchdog_drops_what_waits_when_the_time_is_over_however_long_it_has_waited(arrives, end, dropped):
    """A pause begins at 20 us, and the watchdog looks 50 and 100 us later. A packet takes 1 us to arrive."""
    watchdog = {"detection_time": "50 us", "restoration_time": "50 us"}
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2", "start": f"{arrives - 1} us", "arrivals": {"messages": {"count": 1}}}],
            f"{end} us",
            links={"flow_control": {"pfc": {"storms": [{"host": "H2", "start": "20 us"}], "watchdog": watchdog}}},
            switches={"forwarding_delay": "100 ns"},
            measure={"audit": False},
        )
    )
    assert column(result, "ports", "dropped").sum() == dropped


def into_a_switch(fastest: int, **links) -> dict:
    """40 Gbit/s and 5 us into a switch, and this rate (Gbit/s) out of it: the sums of the page about how it works."""
    link = {"a": "A", "b": "S", "rate": "40 Gbit/s", "delay": "5 us"}
    return scenario(
        {"graph": {"hosts": ["A", "B"], "switches": ["S"], "links": [link, {"a": "S", "b": "B"}]}},
        [{"from": "A", "to": "B"}],
        "3 us",
        links={"flow_control": "pfc", "rate": f"{fastest} Gbit/s"} | links,
        switches={"switching": "cut-through", "forwarding_delay": "100 ns", "buffer": "1 MB"},
        adapters={"mtu": "2 KiB", "header": "20 B"},
    )


@pytest.mark.parametrize("fastest", [40, 100])
def test_headroom_of_a_slow_link_waits_for_the_fastest_output(fastest):
    """In ns, and bytes at 5 B/ns."""
    packet = 2048 + 20
    until_it_counts = 5000 + 100 + packet / 5 - packet * 8 / fastest
    until_the_sender_obeys = packet / 5 + 64 / 5 + 5000
    headroom = int(5 * (until_it_counts + until_the_sender_obeys - 0.001)) + packet
    assert congestree.network(into_a_switch(fastest), routes=False)["links"][0]["headroom_b"] == headroom


@pytest.mark.parametrize(("recovers", "slow"), [(True, 1.25), (False, 5)])
def test_headroom_of_a_link_that_is_slow_for_a_time_is_for_a_slow_packet_and_fast_ones_after_it(recovers, slow):
    """Slow, at 1.25 B/ns: the crossing packet and what is on the way back. If it stays slow, no more than before."""
    failure = {"link": ["A", "S"], "at": "1 us", "rate": "10 Gbit/s"} | ({"until": "2 us"} if recovers else {})
    packet = 2048 + 20
    until_it_counts = 5000 + 100 + packet / slow - packet * 8 / 100
    until_the_sender_obeys = packet / slow + 64 / slow + 5000
    headroom = int(5 * (until_it_counts + until_the_sender_obeys - 0.001)) + packet
    network = congestree.network(into_a_switch(100, faults={"failures": [failure]}), routes=False)
    assert network["links"][0]["headroom_b"] == headroom


def twice(headroom_pool: int, losses: str) -> dict:
    """The worst case at two inputs at once: H4 does what H1 does, towards H6. Headroom is that of all ports."""
    found = worst_case("cut-through", 4_000, losses)
    found["topology"] = {"single-switch": {"hosts": 6}}
    found["links"]["flow_control"]["pfc"]["storms"].append({"host": "H6"})
    there = {"H1": "H4", "H2": "H5", "H3": "H6"}
    found["traffic"] += [one | {"from": there[one["from"]], "to": there[one["to"]]} for one in found["traffic"]]
    found["switches"]["shared_memory"]["headroom_pool"] = f"{headroom_pool} B"
    found["measure"]["audit"] = True
    return found


def test_a_headroom_that_ports_share_is_exact_and_a_byte_less_loses_a_packet():
    enough = run(twice(8_000, "stop"))
    assert enough.stopped is None and column(enough, "ports", "dropped").sum() == 0
    assert column(enough, "buffer_series", "most").max() == 14_000
    short = run(twice(7_999, "count"))
    assert column(short, "ports", "dropped").sum() == 1
    assert "came in by H" in congestree.run(twice(7_999, "stop")).stopped
    # Six links could need 4 kB each: less is a bet, which must be called one.
    with pytest.raises(
        congestree.ScenarioError, match="no room for the 24 kB that may come in over all links of switch"
    ):
        congestree.check(twice(23_999, "refuse"))
    assert run(twice(24_000, "refuse")).stopped is None


def test_a_pause_ends_although_the_threshold_is_never_as_large_as_its_offset():
    """An input that holds nothing of the shared memory goes on."""
    dynamic = {"alpha": 0.001, "offset": "1 MB"}
    described = scenario(
        {"single-switch": {"hosts": 3}},
        [{"from": ["H1", "H2"], "to": "H3"}],
        "200 us",
        links={"flow_control": {"pfc": {"threshold": {"dynamic": dynamic}}}},
        switches={"shared_memory": {"size": "60 kB"}},
        measure={"probes": ["pauses"]},
    )
    result = run(described)
    events = {}
    for row in result.arrow("pauses").to_pylist():
        events.setdefault(row["port"], []).append(row["event"])
    assert len(events) == 2 and min(map(len, events.values())) > 10
    for told in events.values():
        assert told == [("pause", "resume")[k % 2] for k in range(len(told))]


@pytest.mark.parametrize(("alpha", "offset"), [(0.5, "0 B"), (1.0, "0 B"), (2.0, "0 B"), (0.3, "1 kB"), (1.0, "3 kB")])
def test_which_output_decides_first_does_not_matter_to_a_dynamic_threshold(alpha, offset):
    """Two outputs start packets at the same instants, of inputs that share memory: what both free counts for both."""
    rates = {"a": "16 Gbit/s", "b": "13.7 Gbit/s", "c": "8 Gbit/s", "d": "8 Gbit/s"}
    links = [{"a": "S", "b": host, "rate": rate} for host, rate in rates.items()]
    dynamic = {"alpha": alpha, "offset": offset}
    found = []
    for order in (links, links[::-1]):
        described = scenario(
            {"graph": {"hosts": list(rates), "switches": ["S"], "links": order}},
            [{"from": "a", "to": "c"}, {"from": "b", "to": "d"}],
            "1 ms",
            links={"flow_control": {"pfc": {"threshold": {"dynamic": dynamic}}}},
            switches={"shared_memory": {"size": "60 kB"}, "forwarding_delay": "1 us"},
            measure={"probes": ["pauses"]},
        )
        rows = run(described).arrow("pauses").to_pylist()
        found.append(sorted((row["time_ps"], row["node"], row["event"]) for row in rows))
    assert len(found[0]) > 100
    assert found[0] == found[1]
