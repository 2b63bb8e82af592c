"""Wrong arguments of Python functions are told in a sentence, and none is taken for something else."""

import pytest

import congestree
from congestree.errors import CongestreeError, ScenarioError

from .conftest import SHORT, SMALL

VALUES = "are not values by path: give them as a table"
KEY = "is not the path of a value: give a text such as"


def refused(call, wrong, told):
    with pytest.raises((CongestreeError, ScenarioError), match=told):
        call(wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: congestree.run(SMALL, values=wrong),
        lambda wrong: congestree.check(SMALL, values=wrong),
        lambda wrong: congestree.network(SMALL, values=wrong),
        lambda wrong: congestree.sweep(SMALL, over=wrong),
        lambda wrong: congestree.sweep(SMALL, over={"seed": [1]}, values=wrong),
        lambda wrong: congestree.Live(SMALL, values=wrong),
        lambda wrong: congestree.Scenario.from_text(SMALL).set(wrong),
        lambda wrong: congestree.tune.ask(SMALL, goals=["rate"], values=wrong),
    ],
    ids=["run", "check", "network", "over", "sweep", "Live", "set", "tune"],
)
@pytest.mark.parametrize(
    ("wrong", "told"),
    [("seed=1", VALUES), (5, VALUES), ([("seed", [1])], VALUES), ({1: 2}, KEY), ({("seed",): 2}, KEY)],
    ids=str,
)
def test_values_go_by_their_paths(call, wrong, told):
    refused(call, wrong, told)


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: congestree.run(SMALL, values=SHORT, out=wrong),
        lambda wrong: congestree.sweep(SMALL, over={"seed": [1]}, out=wrong),
        lambda wrong: congestree.load(wrong),
        lambda wrong: congestree.Run.load(wrong),
        lambda wrong: congestree.Study.load(wrong),
        lambda wrong: congestree.Scenario.from_text(SMALL).save(wrong),
        lambda wrong: congestree.run(SMALL, values=SHORT).save(wrong),
    ],
    ids=["run", "sweep", "load", "Run.load", "Study.load", "Scenario.save", "Run.save"],
)
@pytest.mark.parametrize("wrong", [5, ["x"], b"x", False], ids=str)
def test_paths_are_texts_or_paths(call, wrong):
    refused(call, wrong, "which is no path: give a text or a Path")


@pytest.mark.parametrize("call", [congestree.load, congestree.Run.load, congestree.Study.load])
def test_none_is_no_path(call):
    refused(call, None, "is None, which is no path")


@pytest.mark.parametrize("wrong", [5, "print"])
def test_what_cannot_be_called_is_told_before_the_run(wrong):
    """A short run made no report, and so did not call it."""
    refused(lambda wrong: congestree.run(SMALL, values=SHORT, on_progress=wrong), wrong, "is no function: give one")
    refused(lambda wrong: congestree.sweep(SMALL, over={"seed": [1]}, on_progress=wrong), wrong, "is no function")
