"""How sources react to round-trip times and marks at one link: the cases of TIMELY, and the equilibrium of DCTCP.

**TIMELY** (Mittal et al., SIGCOMM 2015, algorithm 1). A flow alone on a long path has one round-trip time R and no
gradient. Below T_high its rate can only rise, so it stays at line rate. Above, every segment reduces it by the factor
1 - beta (1 - T_high / R): after n segments it has line * factor^n, until it is at its least rate. Several flows at
one link have gradients of both signs. They raise their rates until the round trip takes T_low, slow down from there on
as it grows, and so come nowhere near T_high.

**DCTCP** (Alizadeh et al., SIGCOMM 2010, section 3.3). N flows in step fill the queue to K with windows of
W = (C R + K) / N, R being the round trip through idle switches. Marking begins, the sources are told, and the windows
shrink by alpha / 2; they grow back by a packet a round, which takes W alpha / 2 rounds. Two things are not as in the
paper. Packets are marked when they leave the queue, so the sources are told after R and not R + K / C: in every cycle
the share f = C R / (C R + K) of one round is marked. And in the round of the cut windows do not grow (RFC 8257). So the
share of marked packets, which is alpha, solves alpha (W alpha / 2 + 1) = f.

**Links that are slow for a time.** A rate in bit/s is that of the source, whatever its link does: a source at rate R
continues at R over a link that is slow for a time, or at the rate of the link if that is lower. A limit of R_max/x is a
share of the link's rate.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

ONE = {"single-switch": {"hosts": 2}}
LINE = 8e9
PACKET = 1000


def alone(high: str, low: str, duration: str = "20 ms", **measure):
    """A flow that counts every packet as a segment, 50 us from the switch, which is as far from its destination."""
    timely = {"low": low, "high": high, "segment": "1000 B", "min_rate": "100 Mbit/s", "least_round_trip": "20 us"}
    return run(
        scenario(
            ONE,
            [{"from": "H1", "to": "H2"}],
            duration,
            delay="50 us",
            switches={"buffer": "4 MB"},
            scheme={"preset": "timely", "react": {"timely": timely}},
            measure=measure,
        )
    )


@pytest.mark.parametrize("low", ["10 us", "300 us"], ids=["no gradient", "below T_low"])
def test_timely_keeps_its_line_below_the_high_threshold(low):
    result = alone("400 us", low)
    # 20 ms less a way of 102 us, a packet a microsecond.
    assert int(column(result, "flows", "packets").sum()) == pytest.approx(20_000 - 102, abs=3)


def test_timely_falls_by_the_excess_above_the_high_threshold():
    result = alone("100 us", "10 us", "1 ms")
    round_trip = 4 * 50e-6 + 2e-6 + 2 * 20 / 1e9
    factor = 1 - 0.8 * (1 - 100e-6 / round_trip)
    # Packets start at line rate until the first ACK is in; from then on every ACK slows down by the factor. ACKs come
    # as packets went, so the first 202 ACKs come a microsecond apart: in a few of them the least rate is reached.
    in_flight = round_trip / 1e-6
    steps = int(np.ceil(np.log(0.1e9 / LINE) / np.log(factor)))
    assert 5 < steps < 15
    left = 1e-3 - round_trip - round_trip / 2
    expected = in_flight + left * 0.1e9 / 8 / PACKET
    assert int(column(result, "flows", "packets").sum()) == pytest.approx(expected, abs=steps)


def test_timely_at_its_least_rate_sends_no_more_and_no_less():
    result = alone("100 us", "10 us", "50 ms", warm_up="10 ms")
    assert int(column(result, "flows", "packets").sum()) == pytest.approx(0.04 * 0.1e9 / 8 / PACKET, abs=1)


def queue(result, flows: int, after: float) -> np.ndarray:
    """Bytes of these flows that wait at the switch, bin by bin."""
    series = result.arrow("buffer_series")
    name, time = np.array(series["name"].to_pylist()), column(result, "buffer_series", "time")
    inputs = [column(result, "buffer_series", "mean")[(name == f"H{i + 1}->S") & (time > after)] for i in range(flows)]
    assert len({len(mean) for mean in inputs}) == 1
    return sum(inputs)


@pytest.mark.parametrize("flows", [2, 4])
def test_timely_lets_delays_grow_to_its_low_threshold_and_not_to_the_high_one(flows):
    result = run(
        scenario(
            {"single-switch": {"hosts": flows + 1}},
            [{"from": [f"H{i + 1}" for i in range(flows)], "to": f"H{flows + 1}"}],
            "250 ms",
            delay="1 us",
            links={"flow_control": "pfc"},
            switches={"switching": "store-and-forward", "buffer": "20 MB"},
            scheme={"preset": "timely", "react": {"timely": {"segment": "16000 B"}}},
            measure={"warm_up": "150 ms", "probes": ["deliveries"]},
        )
    )
    rates = column(result, "flows", "bytes") * 8 / 0.1
    assert rates.sum() == pytest.approx(LINE, rel=0.05)
    # The ACK takes two delays and two times of its own; what is sent while the first of those that tell of T_low is on
    # its way comes on top.
    delivered, injected = (column(result, "deliveries", name) / 1e12 for name in ("time_ps", "injected_ps"))
    longest = (delivered - injected)[delivered > 0.15].max() + 2.04e-6
    assert 50e-6 < longest < 100e-6


@pytest.mark.parametrize("flows", [2, 4])
def test_dctcp_settles_where_its_analysis_does(flows):
    threshold = 60
    result = run(
        scenario(
            {"single-switch": {"hosts": flows + 1}},
            [{"from": [f"H{i + 1}" for i in range(flows)], "to": f"H{flows + 1}"}],
            "120 ms",
            delay="20 us",
            links={"flow_control": "pfc"},
            switches={"switching": "store-and-forward", "buffer": "20 MB"},
            scheme={
                "preset": "dctcp",
                "mark": {"red": {"min": f"{threshold} kB", "max": f"{threshold} kB", "probability": 1.0}},
            },
            measure={"warm_up": "20 ms", "probes": ["buffers"], "bin": "10 us"},
        )
    )
    rates = column(result, "flows", "bytes") * 8 / 0.1
    assert rates.sum() == pytest.approx(LINE, rel=0.01)
    assert rates == pytest.approx(LINE / flows, rel=0.1)
    # Two ways of 40 us, two packets' times on the way there, ACKs of 20 B back.
    pipe = LINE / 8 / PACKET * (80e-6 + 2e-6)
    window, heard = (pipe + threshold) / flows, pipe / (pipe + threshold)
    alpha = (np.sqrt(1 + 2 * window * heard) - 1) / window
    share = column(result, "flows", "marked").sum() / column(result, "flows", "packets").sum()
    assert share == pytest.approx(alpha, rel=0.2)
    most = queue(result, flows, 0.02).max() / PACKET
    assert threshold < most <= threshold + 2 * flows + 2


# Fixed rates: DCQCN that may not send faster, TIMELY that has come down to its least rate, a limit of the traffic.
FIXED_RATES = {
    "dcqcn": {"scheme": {"react": {"dcqcn": {"max_rate": "2 Gbit/s"}}, "notify": {"cnp": {}}}},
    "timely": {
        "scheme": {"react": {"timely": {"low": "1 ns", "high": "2 ns", "segment": "1000 B", "min_rate": "2 Gbit/s"}}}
    },
    "rate": {"traffic": [{"from": "H1", "to": "H2", "rate": "2 Gbit/s"}]},
}


@pytest.mark.parametrize("slow", [4, 1])
@pytest.mark.parametrize("fixed", FIXED_RATES)
def test_a_rate_in_bits_a_second_stays_what_it_is_while_the_link_is_slow(fixed, slow):
    """2 of 8 Gbit/s, for a while over a link of 4 or 1: 2 Gbit/s, or what the link carries."""
    sections = {"traffic": [{"from": "H1", "to": "H2"}]} | FIXED_RATES[fixed]
    failure = {"link": ["H1", "S"], "at": "4 ms", "until": "8 ms", "rate": f"{slow} Gbit/s"}
    result = run(
        scenario(
            ONE,
            sections.pop("traffic"),
            "12 ms",
            links={"faults": {"failures": [failure]}},
            measure={"probes": ["deliveries"]},
            **sections,
        )
    )
    times = column(result, "deliveries", "time_ps") / 1e9
    for begin, most in ((1, 2), (5, min(2, slow)), (9, 2)):
        packets = np.count_nonzero((times >= begin) & (times < begin + 2))
        assert packets * 8 * PACKET / 2e-3 == pytest.approx(most * 1e9, rel=5e-3), begin


def test_a_limit_by_packet_times_is_a_share_of_what_the_link_carries_meanwhile():
    """A marker that marks all keeps LIPD at a fourth of its link, of 8 Gbit/s or of 4."""
    scheme = {"react": {"lipd": {"floor": 4}}, "mark": {"output-triggered": {"output_threshold": 1}}}
    failure = {"link": ["H1", "S"], "at": "4 ms", "until": "8 ms", "rate": "4 Gbit/s"}
    crowd = [{"from": ["H1", "H3", "H4", "H5", "H6"], "to": "H2"}]
    result = run(
        scenario(
            {"single-switch": {"hosts": 6}},
            crowd,
            "12 ms",
            links={"faults": {"failures": [failure]}},
            scheme=scheme,
            measure={"probes": ["deliveries"]},
        )
    )
    flows = column(result, "deliveries", "flow")
    times = column(result, "deliveries", "time_ps") / 1e9
    slow = [np.count_nonzero((flows == 0) & (times >= begin) & (times < begin + 2)) for begin in (1, 5, 9)]
    assert slow[1] < 0.75 * slow[0]
    assert slow[1] < 0.75 * slow[2]
