"""Measures of goals are what the tables of a run say, worked out again."""

import pytest

import congestree
from congestree.evaluation.goals import Goal, told_beside

from ..test_transports import LOSSY
from .question import CROWD


def value(text, run):
    return Goal.read(text).take(run)


def test_the_time_of_a_message_is_from_when_it_is_made_to_its_last_byte():
    """Messages are made one after the other, and those before the warm-up do not count."""
    run = congestree.run(LOSSY, values={"measure.warm_up": "1 ms"})
    sent = [row for row in run.table("transfers").to_dicts() if row["created"] >= 1e-3]
    for name in ("small", "large"):
        times = [row["finished"] - row["created"] for row in sent if row["class"] == name]
        assert len({row["created"] for row in sent if row["class"] == name}) == len(times) > 1
        assert value(f"message-mean:{name}", run) == pytest.approx(sum(times) / len(times))


def test_the_share_that_is_marked_is_of_the_packets_delivered():
    run = congestree.run(CROWD, values={"scheme.preset": "input-triggered"})
    share = value("marks", run)
    assert share == run.value("marked") / run.value("delivered") and 0 < share <= 1


def test_pauses_are_a_mean_share_of_the_measured_time():
    values = {"links.flow_control": "pfc", "measure.probes": ["pauses"]}
    run = congestree.run(CROWD, values=values)
    paused = run.pause_counters["rx_pause_duration"]
    share = value("pauses", run)
    assert share == pytest.approx(paused.mean() / 160e-6) and 0 < share < 1
    assert run.value("measured") == pytest.approx(160e-6)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["fct-p99"], ["finished"]),
        (["fct-p99", "finished"], []),
        (["slowdown-p99:a", "finished"], ["finished:a"]),
        (["message-p99:a", "arrived:a", "fct-mean:a"], ["finished:a"]),
        (["rate:a", "finished"], []),
    ],
)
def test_what_is_asked_for_is_not_told_beside_it_again(asked, told):
    assert [goal.label for goal in told_beside([Goal.read(text) for text in asked])] == told
