"""Tables of runs that end before their warm-up, or with failed links, contain nothing that did not happen."""

import pytest

import congestree

JOB = """
[topology.single-switch]
hosts = 4
[links]
rate = "10 Gbit/s"
[[traffic]]
name = "job"
from = "all"
program.all-to-all.bytes = "4 KiB"
[[traffic]]
name = "late"
from = "H1"
to = "H2"
start = "800 us"
[measure]
duration = "1 ms"
warm_up = "500 us"
until_jobs_end = true
"""
SLOW = """
[topology.single-switch]
hosts = 2
[links]
rate = "10 Gbit/s"
[[links.faults.failures]]
link = ["H2", "S"]
at = "500 us"
rate = "1 Gbit/s"
[[traffic]]
from = "H1"
to = "H2"
arrivals.steady.load = 0.05
[measure]
duration = "1 ms"
"""


def test_what_ends_before_the_warm_up_has_measured_nothing():
    run = congestree.run(JOB)
    assert run.duration < 500e-6 and run.value("measured") == 0
    for column in ("packets", "bytes", "blocked", "marked"):
        assert run.ports[column].sum() == 0, column
    assert run.ports["utilisation"].is_nan().all()
    assert run.flows["packets"].sum() == run.flows["bytes"].sum() == 0
    assert run.jobs["completion"][0] > 0


def test_a_class_that_sends_nothing_is_named():
    run = congestree.run(JOB, values={"measure": {"duration": "1 ms", "warm_up": "0 s", "until_jobs_end": True}})
    assert run.silent_classes() == ["late"]


def test_the_use_of_a_link_is_that_of_its_whole_rate_though_it_is_slow_at_the_end():
    run = congestree.run(SLOW)
    (row,) = (row for row in run.ports.iter_rows(named=True) if row["name"] == "S->H2")
    assert row["rate"] == 10e9
    assert row["utilisation"] == pytest.approx(row["bytes"] * 8 / 10e9 / 1e-3)
    assert 0.05 < row["utilisation"] < 0.06
