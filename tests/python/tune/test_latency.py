"""Latency in the network leaves out the wait at the source."""

import congestree
from congestree.evaluation.goals.measured import MEASURES


OPEN = """
name = "depth"
topology.single-switch.hosts = 8
links = { rate = "100 Gbit/s", delay = "500 ns" }
switches = { buffer = "64 KiB", queues = "single", read_ports = "one" }
adapters = { mtu = "2048 B", header = "0 B" }
traffic = [{ name = "u", from = "all", pattern = "uniform", arrivals.poisson.load = 0.6 }]
measure = { duration = "300 us", warm_up = "100 us", probes = ["latency"] }
"""
BUFFERS = ["4 KiB", "8 KiB", "32 KiB", "1 MiB"]


def test_the_worst_buffer_has_the_least_latency_in_the_network(tmp_path):
    """It delivers less than half of the load: the rest waits at the sources, which only latency-total tells."""
    study = congestree.sweep(OPEN, over={"switches.buffer": BUFFERS}, out=tmp_path, workers=1)
    names = ("latency-p99", "latency-total-p99", "rate")
    network, total, rate = (study.measure(name).runs[name].to_list() for name in names)
    assert network == sorted(network) and total == sorted(total, reverse=True)
    assert total[0] > 100 * network[0] and rate[0] < 0.5 * rate[3]
    assert min(total[2:]) < total[1] / 5
    for run, p99 in zip(study, total, strict=True):
        assert p99 == run.latency.filter(run.latency["kind"] == "total")["p99"][0]


def test_every_latency_says_where_it_begins():
    for name in ("mean", "p50", "p99", "p999"):
        assert "from the first bit sent to the last bit delivered, without" in MEASURES[f"latency-{name}"].about
        assert "from when the message is made to the last bit" in MEASURES[f"latency-total-{name}"].about
    assert "packets, mean" in MEASURES["latency-total-mean"].about
