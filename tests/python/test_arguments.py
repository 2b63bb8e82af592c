"""Wrong arguments of Python functions are told in a sentence, and none is taken for something else."""

import pytest

import congestree
from congestree.errors import CongestreeError, ScenarioError

from .conftest import SHORT, SMALL
from .test_traces import COMP, node, trace

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


def test_one_name_needs_no_brackets(finished, tmp_path):
    """Its letters were taken for names: "There is no measure 'u'"."""
    assert finished.arrow("flows", "rate").column_names == ["rate"]
    assert next(finished.pieces("flows", "rate")).schema.names == ["rate"]
    study = congestree.sweep(
        SMALL, over={"seed": [1]}, values=SHORT, measures="use:H4", out=tmp_path / "study", workers=1
    )
    assert study.runs["use:H4"][0] > 0
    (tmp_path / "t.0.et").write_bytes(trace(node(1, COMP)))
    for one in (tmp_path, str(tmp_path), tmp_path / "t.0.et"):
        assert len(congestree.traces.info(one)[0]) == 1


@pytest.mark.parametrize(
    ("call", "wrong", "told"),
    [
        (lambda run, wrong: run.arrow("flows", wrong), 5, 'no column "5"'),
        (lambda run, wrong: run.arrow("flows", wrong), 1.5, "1.5 is no name: give one, or a list"),
        (lambda run, wrong: list(run.pieces("flows", wrong)), "rates", 'no column "rates"'),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), None, "None is no name"),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), [5], "no measure '5'"),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), "us:H4", "no measure 'us'"),
        (lambda _, wrong: congestree.traces.info(wrong), 1.5, "1.5 is no name"),
        (lambda _, wrong: congestree.traces.info(wrong), 5, "paths is 5, which is no path"),
        (lambda _, wrong: congestree.traces.info(wrong), "nowhere", "There is no file nowhere"),
    ],
)
def test_names_that_are_none_are_told(finished, call, wrong, told):
    refused(lambda wrong: call(finished, wrong), wrong, told)
