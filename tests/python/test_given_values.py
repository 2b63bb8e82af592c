"""`Scenario.set` and `values=` take the same: what one refuses the other refuses, and neither is an error of Python."""

import numpy as np
import pandas
import polars
import pytest

import congestree
from congestree.errors import AskedError, CongestreeError, ScenarioError
from congestree.scenario import Scheme, Traffic
from congestree.scenario.topology import TwoSwitch

from .conftest import SHORT, SMALL

BASE = congestree.load("hot-spot").set({"measure.duration": "200 us"})
NAMES = ["flows", "ports"]
TAKEN = [
    ("measure.probes", np.array(NAMES)),
    ("measure.probes", pandas.Series(NAMES)),
    ("measure.probes", polars.Series(NAMES)),
    ("measure.probes", tuple(NAMES)),
    ("measure.probes", [np.str_("flows"), "ports"]),
    ("measure", {"duration": "1 us", "probes": np.array(NAMES)}),
    ("links.lanes", 1),
    ("links.lanes", np.int64(1)),
    ("allow_credit_loops", np.bool_(False)),
    ("topology", TwoSwitch(local=2, remote=2)),
    ("topology", {"two-switch": {"local": np.int64(2), "remote": 2}}),
    ("scheme", Scheme(preset="input-triggered")),
    ("traffic", [Traffic(name="all", from_="all", pattern="uniform")]),
]
REFUSED = [
    ("links.lanes", 1.0),
    ("links.lanes", np.float64(1.0)),
    ("seed", True),
    ("seed", np.array([1])),
    ("allow_credit_loops", 0),
    ("measure.probes", np.array("flows")),
    ("measure.probes", (name for name in NAMES)),
    ("measure.probes", dict.fromkeys(NAMES).keys()),
    ("measure.probes", set(NAMES)),
    ("seed", object()),
    ("seed", float("nan")),
]


def kind(value):
    """What a test is called by: some values are told by their place in memory, which is another in every process."""
    return value if isinstance(value, str) else type(value).__name__


@pytest.mark.parametrize(("path", "value"), TAKEN, ids=kind)
def test_what_values_take_set_takes_and_it_means_the_same(path, value):
    there = congestree.check(BASE, values={path: value})["scenario"]
    changed = BASE.set({path: value})
    assert congestree.check(changed)["scenario"] == there
    assert congestree.check(congestree.Scenario.from_dict(changed.to_dict()))["scenario"] == there
    assert congestree.Scenario.from_text(changed.to_toml()) == changed
    if path.count(".") == 0:
        assert congestree.check({**BASE.to_dict(), path: value})["scenario"] == there
        assert congestree.check(BASE.replace(**{path: value}))["scenario"] == there


@pytest.mark.parametrize(("path", "value"), REFUSED, ids=kind)
def test_what_values_refuse_set_refuses(path, value):
    with pytest.raises((CongestreeError, ScenarioError)):
        congestree.check(BASE, values={path: value})
    with pytest.raises((CongestreeError, ScenarioError)):
        congestree.check(BASE.set({path: value}))


def test_columns_of_other_libraries_may_be_given_to_parts():
    measure = BASE.measure.replace(probes=np.array(NAMES))
    assert congestree.check(BASE.replace(measure=measure))["scenario"]["measure"]["probes"] == NAMES
    told = {**BASE.to_dict(), "measure": {"duration": "1 us", "probes": pandas.Series(NAMES)}}
    assert congestree.Scenario.from_dict(told).to_dict()["measure"]["probes"] == NAMES


def test_what_is_no_value_is_told_with_what_is():
    with pytest.raises(AskedError, match=r"cannot hold .*generator\): give a text, a number"):
        congestree.check(BASE, values={"measure.probes": (name for name in NAMES), "seed": 1})
    odd = BASE.set({"measure.probes": (name for name in NAMES), "seed": 1})
    with pytest.raises(AskedError, match="cannot hold"):
        congestree.check(odd.set({"seed": 2}))
    endless = {}
    endless["endless"] = endless
    with pytest.raises(AskedError, match="more than can be read"):
        BASE.set({"links": endless})


def test_a_sweep_takes_parts(tmp_path):
    schemes = [Scheme(preset="none"), Scheme(preset="input-triggered")]
    study = congestree.sweep(SMALL, over={"scheme": schemes}, values=SHORT, out=tmp_path, workers=1)
    assert [run.scenario["scheme"]["preset"] for run in study] == ["none", "input-triggered"]
