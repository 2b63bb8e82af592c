"""Values that switch a scheme off are refused."""

import dataclasses

import pytest

import congestree
from congestree.evaluation import in_vain
from congestree.scenario.scheme import react

LOSSY = {
    "topology": {"single-switch": {"hosts": 3}},
    "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "none"},
    "switches": {"output_queue": "200 kB"},
    "traffic": [{"from": ["H1", "H2"], "to": "H3"}],
    "measure": {"duration": "10 us"},
}
PAUSED = LOSSY | {
    "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "pfc"},
    "switches": {"buffer": "1 MB"},
}


def diagnosis(scheme, base=PAUSED):
    """The places of all errors with their facts, and the sentences about what works to no effect."""
    try:
        checked = congestree.check(base | {"scheme": scheme})
    except congestree.ScenarioError as error:
        return {told["path"]: told["fact"] for told in error.complaints}, []
    return {}, in_vain.without_effect(checked["scenario"])


def kebab(name):
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).strip("-")


LEAST = [
    kebab(name)
    for name, part in vars(react).items()
    if dataclasses.is_dataclass(part) and "min_rate" in {field.name for field in dataclasses.fields(part)}
]


def test_reactions_with_a_least_rate_are_known():
    assert {"dcqcn", "timely", "pcn", "hpcc", "power-tcp"} <= set(LEAST)


@pytest.mark.parametrize("name", LEAST)
def test_a_least_rate_above_that_of_the_links_is_refused(name):
    """No source would ever slow down."""
    marks = {"dcqcn": {"mark": "red", "notify": "cnp"}, "pcn": {"mark": "np-ecn"}}.get(name, {})
    errors, _ = diagnosis(marks | {"react": {name: {"min_rate": "200 Gbit/s"}}})
    assert list(errors) == [f"scheme.react.{name}.min_rate"]
    assert diagnosis(marks | {"react": {name: {"min_rate": "50 Gbit/s"}}}) == ({}, [])


@pytest.mark.parametrize("own", [{}, {"rate": "400 Gbit/s"}])
def test_hosts_with_faster_links_of_their_own_may_have_a_least_rate_above_that_of_the_others(own):
    ends = [{"a": host, "b": "S", **own} for host in ("H1", "H2", "H3")]
    graph = {"hosts": ["H1", "H2", "H3"], "switches": ["S"], "links": ends}
    errors, _ = diagnosis({"react": {"timely": {"min_rate": "200 Gbit/s"}}}, PAUSED | {"topology": {"graph": graph}})
    assert bool(errors) == (not own)
