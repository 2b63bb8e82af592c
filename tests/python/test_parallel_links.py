"""Parallel links have one name in tables, and a column tells them apart; `faults` and sentences number them."""

import re

import polars
import pytest

import congestree
from congestree.evaluation import trees

SHARED = re.compile(r"parallel links share it: (\w+) tells them apart")


def scenario(probes, **more):
    """Two switches with two links between them, which four flows fill."""
    ends = [("h1", "A"), ("h2", "A"), ("h3", "B"), ("h4", "B"), ("A", "B"), ("A", "B")]
    measure = {"duration": "100 us", "probes": probes}
    return {
        "topology": {
            "graph": {
                "hosts": ["h1", "h2", "h3", "h4"],
                "switches": ["A", "B"],
                "links": [{"a": a, "b": b} for a, b in ends],
            }
        },
        "links": {"rate": "100 Gbit/s"},
        "traffic": [
            {"name": "crowd", "from": ["h1", "h2", "h4"], "to": "h3"},
            {"name": "other", "from": ["h1", "h2"], "to": "h4"},
            {"name": "back", "from": ["h3", "h4"], "to": "h1"},
        ],
        **more,
        "measure": measure | more.get("measure", {}),
    }


PFC = {"links": {"rate": "100 Gbit/s", "flow_control": "pfc"}, "switches": {"buffer": "400 kB"}}
FAILING = {
    "rate": "100 Gbit/s",
    "retry": {},
    "faults": {"failures": [{"link": ["A", "B"], "number": 2, "at": "20 us", "until": "30 us"}]},
}
RUNS = {
    "marked": (["events", "counters", "trees", "output-queues", "queues"], {"scheme": {"preset": "input-triggered"}}),
    "paused": (["pauses", "buffers"], PFC),
    "isolated": (["detections", "input-queues", "credits"], {"scheme": {"preset": "ecocc"}}),
    "regional": (["regions"], {"scheme": {"schedule": {"rcm": {}}}}),
    "failing": (["trees"], {"links": FAILING}),
}


@pytest.mark.parametrize("case", RUNS)
def test_a_name_that_parallel_links_share_says_which_column_tells_them_apart(case):
    probes, more = RUNS[case]
    run = congestree.run(scenario(probes, **more))
    names, seen = set(run.ports["name"]), 0
    assert run.ports["name"].to_list().count("A->B") == 2
    for table in run.tables:
        frame, meanings = run.table(table), run.meanings(table)
        for column in frame.columns:
            values = set(frame[column]) - {""} if frame[column].dtype == polars.String else set()
            if values and values <= names:
                seen += 1
                told = SHARED.search(meanings[column])
                assert told and told[1] in frame.columns, (table, column, meanings[column])
                assert frame.select(column, told[1]).unique().height == frame[told[1]].n_unique(), (table, column)
    assert seen >= {"marked": 8, "paused": 4, "isolated": 3, "regional": 3, "failing": 2}[case], seen


def test_a_failed_link_and_the_links_of_sentences_have_numbers():
    probes, more = RUNS["failing"]
    run = congestree.run(scenario(probes, **more))
    assert run.faults["link"].to_list() == ["A<->B (2)"]
    said = " ".join(trees.explain(run, trees.summary(run)))
    assert "A->B" in said and not re.search(r"A->B(?! \(\d\))", said), said
