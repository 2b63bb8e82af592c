"""Wrong arguments of Python functions are told in a sentence, and none is taken for something else."""

import pytest

import congestree
from congestree.errors import CongestreeError, ScenarioError

from .conftest import SMALL

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
