"""The search for what recurs in a run finds it, and only that."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def recurrence():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from experiments import recurrence

        yield recurrence
    finally:
        sys.path.remove(str(ROOT / "tools"))


def rows(steps):
    """Deliveries from steps in time, each of the flow of its place in the period."""
    at, found = 0, [(0, 0, False)]
    for step, flow in steps:
        at += step
        found.append((at, flow, False))
    return found


PERIOD = [(3, 1), (5, 2), (3, 1), (4, 3)]


@pytest.mark.parametrize("before", [[], [(7, 9)], [(7, 9), (2, 2), (11, 1)]])
def test_a_period_is_found_after_whatever_came_before_it(recurrence, before):
    found = recurrence.recurrence(rows(before + 5 * PERIOD))
    assert found == (4, len(before))


def test_two_periods_are_none_yet_and_neither_are_all_different(recurrence):
    assert recurrence.recurrence(rows(2 * PERIOD)) is None
    assert recurrence.skipped(rows([(n * n, n) for n in range(1, 50)])) == 0


def test_the_share_that_could_be_skipped_is_all_but_what_came_before_and_a_period(recurrence):
    # 15 ps of something else, then ten periods of 15 ps.
    assert recurrence.skipped(rows([(15, 9), *10 * PERIOD])) == pytest.approx(9 * 15 / (11 * 15))
