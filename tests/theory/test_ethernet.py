"""Marks and rates of Ethernet: the line of RED, the fixed point of DCQCN, TIMELY and DCTCP at one link.

**RED.** Eight greedy flows with a window of w packets each keep 8 w packets on their way for good. All but the one
that is being sent and those whose ACKs are under way wait at the output, so that the queue stands still and the share
that is marked is the line's: Pmax (q - Kmin) / (Kmax - Kmin).

**DCQCN.** In the fluid model of its paper (Zhu et al., SIGCOMM 2015, section 5 and appendix) N flows have C/N each, and
the share p that is marked solves

    a^2 alpha = tau^2 R_AI R (b + d) (c + e),       alpha = 1 - (1 - p)^(tau' R),   a = 1 - (1 - p)^(tau R)
    b = p / ((1 - p)^-B - 1),                       c = (1 - p)^(F B) b
    d = p / ((1 - p)^(-T R) - 1),                   e = (1 - p)^(F T R) d

with R = C/N and R_AI in packets per second, B in packets, T the timer, tau the least time between notifications and
tau' the period of alpha. The queue is then Kmin + p (Kmax - Kmin) / Pmax. The model smooths over what happens packet by
packet: notifications that come in steps, and cuts that are larger than small. So the queue is asked to agree within a
third, and the shares within a tenth.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

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
    # One is being sent, one is on its way in or answered: what waits when a packet leaves, without it.
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


@pytest.mark.parametrize("flows", [2, 4, 8, 16])
def test_dcqcn_settles_where_its_fluid_model_does(flows):
    result = run(
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
                "mark": {"red": {"min": "5 kB", "max": "200 kB", "probability": 0.01}},
                "react": {"dcqcn": {"alpha_period": "55 us", "additive": "40 Mbit/s", "hyper": "40 Mbit/s"}},
            },
            measure={"warm_up": "60 ms", "bin": "1 ms", "probes": ["output-queues"]},
        )
    )
    rates = column(result, "flows", "bytes") * 8 / 0.1
    assert rates.sum() == pytest.approx(40e9, rel=0.03)
    assert rates == pytest.approx(40e9 / flows, rel=0.1)
    dcqcn = {"tau": 50e-6, "alpha": 55e-6, "T": 55e-6, "B": 10_000, "F": 5}
    _, queue = fixed_point(flows, 40e9, 40e6, (5_000, 200_000, 0.01), dcqcn)
    series = result.arrow("output_queue_series")
    bottleneck = np.array(series["name"].to_pylist()) == f"S->H{flows + 1}"
    waiting = column(result, "output_queue_series", "mean")[
        bottleneck & (column(result, "output_queue_series", "time") > 0.06)
    ]
    # Above Pmax the line ends: the queue stays at Kmax.
    assert waiting.mean() == pytest.approx(min(queue, 200_000), rel=1 / 3)
