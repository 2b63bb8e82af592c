"""The engine against its twin where outputs hold packets behind a crossbar, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_crossed.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_crossed import random_crossed
from reaching import around
from reference import run
from reference.marks.red import RedMarker
from reference.marks.ternary import TernaryMarker
from reference.reactions.telemetry import Port


@in_chunks(SEEDS // 2)
def test_what_goes_by_all_that_waits_for_a_link_counts_what_outputs_hold_as_the_twin_does(seeds):
    check_seeds(random_crossed, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Everything that goes by the bytes that wait for a link looks at them while the output holds some."""
    reached = Counter()

    def looks(inner, own, packet, output, *more):
        reached[type(own).__name__] += bool(output.behind)
        return inner(own, packet, output, *more)

    for owner, name in ((RedMarker, "starts"), (TernaryMarker, "starts"), (Port, "leaves")):
        around(monkeypatch, owner, name, looks)
    wanted = "RedMarker", "TernaryMarker", "Port"
    seeds = iter(range(60))
    while any(reached[what] <= 20 for what in wanted) and (seed := next(seeds, None)) is not None:
        run(random_crossed(seed))
    assert all(reached[what] > 20 for what in wanted), reached


if __name__ == "__main__":
    by_hand(random_crossed)
