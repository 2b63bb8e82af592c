"""The first part of a run is a scenario, whatever comes later in the whole."""

import itertools

import pytest

import congestree
from congestree import document
from congestree.runs import shorter

FAILING = """
name = "failing"
topology.k-ary-n-tree = { k = 2, n = 2 }
links.rate = "16 Gbit/s"
links.delay = "10 ns"
links.faults.failures = [{ share = 0.25, at = "60 us", until = "150 us" }]
links.faults.reroute.subnet-manager.delay = "5 us"

[[traffic]]
name = "uniform"
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.5

[measure]
duration = "200 us"
warm_up = "50 us"
"""
AGAIN = [
    {"share": 1.0, "at": "60 us", "until": "70 us"},
    {"share": 1.0, "at": "70 us", "until": "80 us"},
    {"share": 1.0, "at": "190 us"},
]
SLOW = [{"share": 0.25, "at": "0 ns", "keeps": 0.5}, {"share": 0.25, "at": "60 us", "seed": 7}]
NONE = [{"share": 0.0}, {"share": 0.1, "at": "60 us"}]
AT_ONCE = [{"share": 0.25}]
SHARES = (shorter.INSTANT, 0.1, 0.299999999999, 0.3, 0.5, 0.74, 0.75, 0.76, 0.9)


def failing(**values):
    """The scenario of failing links, resolved, with other values."""
    return congestree.check(FAILING, values=values)["scenario"]


@pytest.mark.parametrize("failures", [None, AGAIN, SLOW, NONE, AT_ONCE])
@pytest.mark.parametrize("reroute", ["none", "local", "5 us", "100 us", "0 ns"])
def test_links_that_fail_later_do_not_refuse_the_beginning(reroute, failures):
    values = {"links.faults.failures": failures} if failures else {}
    if reroute == "local":
        values |= {"scheme.route": "least-queue", "links.faults.reroute": "local"}
    else:
        told = "none" if reroute == "none" else {"subnet-manager": {"delay": reroute}}
        values["links.faults.reroute"] = told
    whole = failing(**values)
    written = document.parse(FAILING, "toml")
    for path, value in values.items():
        written = document.set_value(written, path, value)
    for share, scenario in itertools.product(SHARES, (whole, written)):
        part = congestree.check(shorter.beginning(scenario, share))["scenario"]
        assert len(part["links"]["faults"]["failures"]) == len(failures or [0])


def test_a_beginning_has_the_failures_that_come_in_it():
    whole = failing(**{"measure.probes": ["deliveries"]})
    part = shorter.beginning(whole, 0.5)
    assert part["links"]["faults"]["failures"][0]["at"] == "60 us"
    assert part["links"]["faults"]["reroute"] == whole["links"]["faults"]["reroute"]
    rows, first = (congestree.run(scenario).deliveries for scenario in (whole, part))
    same = rows.filter(rows["time_ps"] < 99e6)
    assert 0 < len(same) < len(rows)
    assert same.equals(first.filter(first["time_ps"] < 99e6))


def test_times_of_hosts_do_not_refuse_the_beginning():
    whole = failing(**{"adapters.ack_turnaround": "30 us", "adapters.message_cost": "40 us"})
    for share in SHARES:
        assert congestree.check(shorter.beginning(whole, share))
    assert shorter.beginning(whole, 0.5)["adapters"] == whole["adapters"]


def test_a_sweep_over_failing_links_may_be_asked_for_numbers_of_the_summary():
    study = congestree.sweep(FAILING, over={"seed": [1, 2]}, measures="summary:blocked", workers=1)
    assert study.runs["summary:blocked"].to_list() == study.runs["blocked"].to_list()
