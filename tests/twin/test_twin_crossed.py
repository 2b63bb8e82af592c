"""The engine against its twin where outputs hold packets behind a crossbar, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_crossed.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_crossed import random_crossed
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

    def watch(owner, name, output_of):
        inner = getattr(owner, name)

        def watched(self, *arguments):
            output = output_of(*arguments)
            reached[owner.__name__] += bool(output.behind)
            return inner(self, *arguments)

        monkeypatch.setattr(owner, name, watched)

    for marker in (RedMarker, TernaryMarker):
        watch(marker, "starts", lambda packet, output: output)
    watch(Port, "leaves", lambda packet, output, queue: output)
    wanted = "RedMarker", "TernaryMarker", "Port"
    seeds = iter(range(60))
    while any(reached[what] <= 20 for what in wanted) and (seed := next(seeds, None)) is not None:
        run(random_crossed(seed))
    assert all(reached[what] > 20 for what in wanted), reached


if __name__ == "__main__":
    by_hand(random_crossed)
