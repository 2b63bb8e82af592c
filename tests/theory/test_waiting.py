"""Waiting at one output: M/D/1.

N hosts offer Poisson packets of service time D to one output of a switch with virtual output queues and all read
ports, together a load r of it. Pollaczek and Khinchine give the mean wait of M/D/1,

    W(r) = r D / (2 (1 - r))                  (Kleinrock: Queueing Systems I, 1975, chapter 5)

What kind of queue is it really? A packet can wait twice: behind others of its own host, which is M/D/1 at load r/N,
and in the switch, where what comes in is no longer Poisson, because a host's packets are at least D apart. Yet the sum
of the two waits is W(r) exactly, for any N: if a packet that should be in the switch by now still stands in a host, the
link of that host has been busy all the time, so less than D ago it brought the switch a packet that is still being
served; hence the output is idle only when a lone M/D/1 queue, delayed by the way to the switch, would be. It
serves the same number of packets up to any time, and by Little's law the mean times are the same. So

    total wait = W(r),    wait in the switch = W(r) - W(r/N)

(the continuous counterpart of the (N-1)/N r / (2 (1 - r)) slots of Karol, Hluchyj, Morgan 1987, for output queues). The
order of service does not matter, nor does cut-through: with it all heads are early by the same D. If hosts have links
that are far faster than the output, nearly all waiting is in the switch, and a packet finds the output idle with
probability 1 - r (Poisson arrivals see time averages; Wolff 1982).
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

D = 1e-6  # s: 1000 bytes at 8 Gbit/s
FORWARDING = 100e-9
PACKETS = 700_000
WITHIN = {0.5: 0.015, 0.8: 0.03}  # about three standard errors


def mean_wait(load: float) -> float:
    """W(load) of M/D/1, in seconds."""
    return load * D / (2 * (1 - load))


def many_to_one(hosts: int, load: float, switching: str) -> dict:
    """Latency table of this many Poisson sources into one output: {kind: mean}."""
    result = run(
        scenario(
            {"single-switch": {"hosts": hosts + 1}},
            [
                {
                    "name": "poisson",
                    "from": [f"H{i + 1}" for i in range(hosts)],
                    "to": f"H{hosts + 1}",
                    "arrivals": {"poisson": {"load": load / hosts}},
                }
            ],
            f"{round(PACKETS / load)} us",
            switches={"buffer": "8 MiB", "switching": switching},
            measure={"warm_up": "2 ms", "probes": ["latency"]},
        )
    )
    assert sum(column(result, "ports", "blocked")) == 0, "a buffer was full: this is not the queue we think it is"
    return dict(zip(result.arrow("latency")["kind"].to_pylist(), column(result, "latency", "mean"), strict=True))


@pytest.mark.parametrize(
    ("load", "hosts", "switching"),
    [(0.5, 4, "store-and-forward"), (0.8, 16, "store-and-forward"), (0.8, 3, "cut-through")],
)
def test_packets_wait_as_long_as_the_formula_says(load, hosts, switching):
    mean = many_to_one(hosts, load, switching)
    alone = FORWARDING + (D if switching == "cut-through" else 2 * D)
    assert mean["total"] - alone == pytest.approx(mean_wait(load), rel=WITHIN[load])
    in_switch = mean_wait(load) - mean_wait(load / hosts)
    assert mean["network"] - alone == pytest.approx(in_switch, rel=WITHIN[load])


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_fast_hosts_leave_all_waiting_to_the_switch(load):
    sources = [f"h{i}" for i in range(16)]
    links = [{"a": host, "b": "S", "rate": "800 Gbit/s"} for host in sources] + [{"a": "sink", "b": "S"}]
    result = run(
        scenario(
            {"graph": {"hosts": [*sources, "sink"], "switches": ["S"], "links": links}},
            [{"from": sources, "to": "sink", "arrivals": {"poisson": {"load": load / 1600}}}],
            f"{round(PACKETS / 2 / load)} us",
            switches={"buffer": "8 MiB", "switching": "store-and-forward"},
            measure={"probes": ["deliveries"]},
        )
    )
    alone = 10_000 + 100_000 + 1_000_000
    waits = column(result, "deliveries", "time_ps").astype(float) - column(result, "deliveries", "created_ps") - alone
    assert waits.min() == 0
    assert waits.mean() * 1e-12 == pytest.approx(mean_wait(load), rel=2 * WITHIN[load])
    assert np.mean(waits < 1) == pytest.approx(1 - load, rel=WITHIN[load])
