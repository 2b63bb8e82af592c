"""Wrong arguments of Python functions are told in a sentence, and none is taken for something else."""

from pathlib import Path

import pytest

import congestree
from congestree import jobs, opensm, tune
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
        lambda wrong: tune.tune(None, out=wrong),
        lambda wrong: tune.tune(None, out="x", runs=wrong),
        lambda wrong: tune.Tuning(None, wrong),
        congestree.traces.info,
    ],
    ids=[
        *("run", "sweep", "load", "Run.load", "Study.load", "Scenario.save", "Run.save"),
        *("tune", "tune, runs", "Tuning", "traces"),
    ],
)
@pytest.mark.parametrize("wrong", [5, [1.5], b"x", False], ids=str)
def test_paths_are_texts_or_paths(call, wrong):
    refused(call, wrong, "which is no path: give a text or a Path")


@pytest.fixture(scope="module")
def files():
    """Functions that read or write a file, or a folder, at a path."""
    run = congestree.run(SMALL, values=SHORT)
    frame, settings = jobs.parse(jobs.make("barrier", 2))[0], opensm.Settings()
    seen = congestree.run(SMALL, values={**SHORT, "measure.probes": ["trees"]})
    return [
        jobs.read,
        lambda wrong: jobs.write(frame, wrong),
        lambda wrong: congestree.view.write(wrong, run),
        lambda wrong: congestree.report.write(wrong, run),
        lambda wrong: congestree.plots.draw_all(run, wrong),
        lambda wrong: congestree.drawing.animate_trees(seen, wrong),
        opensm.read,
        lambda wrong: opensm.write(wrong, settings),
        run.save,
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        *((wrong, "which is no path: give a text or a Path") for wrong in (None, 5, b"x", ["x"])),
        ("", "empty: give a path; the current folder is"),
        ("a\0.goal", "and no path has a character NUL: leave it out"),
        (Path("a\0.gif"), "no path has a character NUL"),
    ],
    ids=repr,
)
def test_files_are_read_and_written_at_paths(files, wrong, told, tmp_path, monkeypatch):
    """An empty one was the current folder, which plots were written to."""
    monkeypatch.chdir(tmp_path)
    for call in files:
        refused(call, wrong, f"^(path|folder) is .*{told}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", [congestree.load, congestree.Run.load, congestree.Study.load])
def test_none_is_no_path(call):
    refused(call, None, "is None, which is no path")


@pytest.mark.parametrize("wrong", [5, "print"])
@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: congestree.run(SMALL, values=SHORT, on_progress=wrong),
        lambda wrong: congestree.sweep(SMALL, over={"seed": [1]}, on_progress=wrong),
        lambda wrong: tune.tune(None, out="x", on_progress=wrong),
        lambda wrong: congestree.job_report.report(SMALL, on_progress=wrong),
        lambda wrong: congestree.view.gather([], on_progress=wrong),
    ],
    ids=["run", "sweep", "tune", "report", "view"],
)
def test_what_cannot_be_called_is_told_before_the_run(call, wrong):
    """A short run made no report, and so did not call it."""
    refused(call, wrong, "is no function: give one")


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
        (lambda run, wrong: run.arrow("flows", wrong), 1j, "1j is no name: give one, or a list"),
        (lambda run, wrong: list(run.pieces("flows", wrong)), "rates", 'no column "rates"'),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), None, "None is no name"),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), [5], "no measure '5'"),
        (lambda _, wrong: congestree.sweep(SMALL, over={"seed": [1]}, measures=wrong), "us:H4", "no measure 'us'"),
        (lambda _, wrong: congestree.traces.info(wrong), 1.5, "paths is 1.5, which is no path"),
        (lambda _, wrong: congestree.traces.info(wrong), 5, "paths is 5, which is no path"),
        (lambda _, wrong: congestree.traces.info(wrong), "nowhere", "There is no file nowhere"),
    ],
)
def test_names_that_are_none_are_told(finished, call, wrong, told):
    refused(lambda wrong: call(finished, wrong), wrong, told)


@pytest.fixture(scope="module")
def flows():
    """A run in which flows of 20 kB come and go."""
    entry = {"name": "one", "from": "H1", "to": "H2", "flows": "by-message", "message": "20 kB"}
    return congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{**entry, "arrivals": {"poisson": {"load": 0.5}}}],
            "measure": {"duration": "1 ms", "probes": ["completions"]},
        }
    )


def test_classes_of_sizes_may_have_units(flows):
    """Texts were compared as texts, and the flows between them were lost."""
    assert flows.by_size_class(edges=["1 kB", "1 MB"]) == flows.by_size_class(edges=[1e3, 1e6])
    rows, finished = flows.by_size_class(edges=["1 kB", 1e4, "1 MB", float("inf")]), len(flows.completions)
    assert [row["flows"] for row in rows] == [0, finished, 0]
    assert [row["flows"] for row in congestree.measures.by_size_class([2000], [1.0], ["1 kB", "1 MB"])] == [1]
    late = flows.by_size_class(edges=[0, 1e9], after="100 us")
    assert late == flows.by_size_class(edges=[0, 1e9], after=1e-4) and 0 < late[0]["flows"] < finished


def test_any_column_of_numbers_has_statistics_by_size(flows):
    for value in ("created", "size", "packets"):
        (row,) = flows.by_size_class(value, edges=[0, 1e9], classes="one")
        assert row["mean"] == pytest.approx(flows.completions[value].mean())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"edges": [10, 0]}, r"edges are \[10, 0\]: give at least two sizes, each larger"),
        ({"edges": [10, 10]}, "each larger than the one before"),
        ({"edges": [0, float("nan")]}, "each larger than the one before"),
        ({"edges": "1 kB"}, "at least two sizes"),
        ({"edges": 5}, "at least two sizes"),
        ({"edges": []}, "at least two sizes"),
        ({"edges": ["1 kB", "1 m"]}, "edges are sizes, as texts or in bytes: expected a size such as"),
        ({"edges": [0, None]}, "edges are sizes, as texts or in bytes"),
        ({"edges": 1.5}, "at least two sizes"),
        ({"value": "class"}, 'The column "class" has no numbers: name one'),
        ({"value": "speed"}, 'no column "speed"'),
        ({"value": 5}, 'no column "5"'),
        ({"value": ["fct"]}, "no column"),
        ({"after": "soon"}, "after is 'soon': give a length of time"),
        ({"after": None}, "after is None: give a length of time"),
        ({"classes": "two"}, "no class of traffic two"),
        ({"bins": -1}, "-1 bins are too few"),
        ({"bins": 0}, "0 bins are too few"),
        ({"bins": 2.5}, "bins is 2.5: give a whole number"),
    ],
    ids=str,
)
def test_statistics_by_size_that_make_no_sense_are_told(flows, arguments, told):
    refused(lambda wrong: (flows.by_size_share if "bins" in wrong else flows.by_size_class)(**wrong), arguments, told)
    if "edges" in arguments:
        refused(lambda wrong: congestree.measures.by_size_class([1], [1.0], **wrong), arguments, told)
    if "bins" in arguments:
        refused(lambda wrong: congestree.measures.by_size_share([1], [1.0], **wrong), arguments, told)
