"""The engine against its twin where queues mark by their length and sources use DCQCN, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_dcqcn.py 0 500`.
"""

from collections import Counter
from functools import partial

import pytest
from comparing import SEEDS, by_hand, check_seeds, in_chunks, twin_says
from random_dcqcn import random_dcqcn
from reaching import watch
from reference.marks.red import RedMarker
from reference.reactions.dcqcn import Dcqcn, Notifier


@in_chunks(SEEDS)
def test_rates_fall_and_rise_as_those_of_the_twin_do(seeds):
    check_seeds(random_dcqcn, seeds)


@pytest.fixture(scope="module", autouse=True)
def reached():
    """How often each rule is reached in the runs of the twin."""
    seen = Counter()
    with pytest.MonkeyPatch.context() as patched:
        watch_all(patched, seen)
        yield seen


def watch_all(patched, reached):
    """Have all rules count how often they are reached."""
    counted = partial(watch, patched, reached)
    counted(Dcqcn, "cut", lambda *_: "a rate is cut")
    counted(Dcqcn, "cut_period_ends", lambda *_: "a cut had to wait")
    counted(Dcqcn, "rise", lambda rate, _: f"a rate rises by {'bytes' if rate.counted > rate.timed else 'time'}")
    counted(Dcqcn, "alpha_period_ends", lambda *_: "alpha falls")
    counted(Notifier, "tells", lambda notifier, told, *_: "a mark is told" if told else "a mark is not told")
    counted(RedMarker, "rng_of", lambda *_: "a mark is drawn")


def test_the_random_scenarios_reach_what_they_are_about(reached):
    """Rules that no scenario reaches would be compared in vain."""
    wanted = ("a rate is cut", "a cut had to wait", "a rate rises by bytes", "a rate rises by time", "alpha falls")
    wanted += ("a mark is told", "a mark is not told", "a mark is drawn")
    seeds = iter(range(SEEDS))
    while any(reached[what] <= 50 for what in wanted) and (seed := next(seeds, None)) is not None:
        twin_says(random_dcqcn, seed)
    assert all(reached[what] > 50 for what in wanted), reached


@pytest.mark.parametrize("rule", ["cut", "rise"])
def test_a_rate_that_is_a_little_off_is_found(rule, monkeypatch):
    from comparing import differences

    plain = getattr(Dcqcn, rule)

    def off(self):
        plain(self)
        self.rate *= 0.9999

    monkeypatch.setattr(Dcqcn, rule, off)
    assert any(differences(random_dcqcn(seed)) for seed in range(30))


if __name__ == "__main__":
    by_hand(random_dcqcn)
