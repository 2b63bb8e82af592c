"""Links that lose: M/D/1/K at an output queue of bounded size, and TCP against the square-root law.

**Blocking.** Hosts with links far faster than the output make the arrivals at its queue nearly Poisson. With room for
K packets, the one being sent included, the embedded chain at departures has states 0 to K - 1 and Poisson(r) arrivals
in a service time; with pi_0 its probability of an empty queue the share of packets that find no room is

    P = 1 - 1 / (pi_0 + r)                    (Gross and Harris: Fundamentals of Queueing Theory, section 5.1.7)

**Square-root law.** A TCP whose packets are lost independently with probability p has a mean window of C / sqrt(p)
packets, C = 1.31 with an ACK a packet [mathis1997].
"""

import numpy as np
import pytest
from fabrics import column, run, scenario
from numpy.linalg import lstsq

LOSSY = {"switching": "store-and-forward", "arbiter": {"fifo": {}}}


def blocking(load: float, room: int) -> float:
    """The share of packets that M/D/1/K with K = `room` turns away."""
    arrivals = np.exp(-load) * np.cumprod([1.0, *(load / k for k in range(1, room))])
    chain = np.zeros((room, room))
    for state in range(room):
        left = max(state - 1, 0)
        chain[state, left:] = arrivals[: room - left]
        chain[state, -1] += 1 - chain[state].sum()
    system = np.vstack([chain.T - np.eye(room), np.ones(room)])
    empty = lstsq(system, [0.0] * room + [1.0], rcond=None)[0][0]
    return 1 - 1 / (empty + load)


@pytest.mark.parametrize(("load", "waiting"), [(0.9, 4), (1.2, 10), (0.7, 2)])
def test_a_bounded_queue_turns_away_what_m_d_1_k_does(load, waiting):
    sources = [f"h{i}" for i in range(24)]
    links = [{"a": host, "b": "S", "rate": "800 Gbit/s"} for host in sources] + [{"a": "sink", "b": "S"}]
    result = run(
        scenario(
            {"graph": {"hosts": [*sources, "sink"], "switches": ["S"], "links": links}},
            [{"from": sources, "to": "sink", "arrivals": {"poisson": {"load": load / 2400}}}],
            "300 ms",
            links={"flow_control": "none"},
            switches=LOSSY | {"output_queue": f"{1000 * waiting} B"},
        )
    )
    sent, dropped = column(result, "flows", "sent").sum(), column(result, "flows", "dropped").sum()
    assert sent > 200_000
    assert dropped / sent == pytest.approx(blocking(load, waiting + 1), rel=0.04)


@pytest.mark.parametrize("loss", [0.0005, 0.002])
def test_new_reno_keeps_the_square_root_law(loss):
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2"}],
            "200 s",
            rate="100 Gbit/s",
            delay="5 ms",
            links={"flow_control": "none"},
            switches=LOSSY | {"output_queue": "10 MB", "random_loss": loss},
            scheme={"preset": "new-reno"},
            measure={"deadlock_timeout": "1 s", "audit": True},
        )
    )
    round_trips = 200 / 20e-3
    window = column(result, "flows", "sent")[0] / round_trips
    assert window == pytest.approx(1.31 / np.sqrt(loss), rel=0.15)
