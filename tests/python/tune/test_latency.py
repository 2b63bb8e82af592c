"""Latency in the network leaves out the wait at the source: names, searches and sweeps say so."""

import pytest

import congestree
from congestree import tune
from congestree.evaluation import goals
from congestree.evaluation.goals.measured import MEASURES

pytest.importorskip("optuna")
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


def test_the_latency_with_the_wait_is_told_beside_that_without():
    asked = [goals.Goal.read("latency-p99:u"), goals.Limit.read("latency-mean <= 2 us"), goals.Goal.read("rate:u")]
    assert [goal.label for goal in goals.told_beside(asked)] == ["latency-total-p99:u", "latency-total-mean"]
    assert goals.told_beside([*asked[:1], goals.Limit.read("latency-total-p99:u <= 1 ms")]) == []


def test_a_search_tells_what_its_choice_waits_at_the_sources(tmp_path, congestree_cli):
    (tmp_path / "open.toml").write_text(OPEN)
    search = ("tune", tmp_path / "open.toml", "--param", 'switches.buffer=["4 KiB", "1 MiB"]', "-n", "2")
    told = congestree_cli(*search, "--fresh", "1", "--goal", "latency-p99", "--workers", "1", "--out", "one").stdout
    said = "latency-p99 leaves out the wait at the source: of the choice it is 1.48 us, and latency-total-p99, with"
    assert said in told.replace("\n", " ")
    assert any(line.startswith("latency-total-p99 ") for line in told.splitlines())
    asked = tune.ask(OPEN, parameters=['switches.buffer=["4 KiB", "1 MiB"]'], goals="latency-total-p99")
    made = tune.tune(asked, out=tmp_path / "two", evaluations=2, fresh_seeds=0, workers=1)
    assert made.chosen["setting"] == {"switches.buffer": "1 MiB"} and made.notes == []


def test_a_search_without_fresh_seeds_tells_it_too(tmp_path):
    few = ['switches.buffer=["4 KiB", "1 MiB"]']
    asked = tune.ask(OPEN, parameters=few, goals="rate", limits=["latency-p99:u <= 2 us"])
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=0, workers=1)
    assert len(made.notes) == 1 and "latency-total-p99:u, with that wait, 173 us" in made.notes[0]


def test_a_sweep_tells_how_many_runs_have_a_wait(tmp_path, congestree_cli):
    (tmp_path / "open.toml").write_text(OPEN)
    sweep = ("sweep", tmp_path / "open.toml", "--set", 'sweep={"switches.buffer"=["4 KiB", "1 MiB"]}', "--workers", "1")
    told = congestree_cli(*sweep, "--measure", "latency-p99").stdout.replace("\n", " ")
    assert "latency-p99 leaves out the wait at the source: with it (latency-total-p99) the latency of 1 of 2" in told
    both = ("--measure", "latency-p99", "--measure", "latency-total-p99")
    assert "leaves out" not in congestree_cli(*sweep, *both).stdout
