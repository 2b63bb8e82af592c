"""The engine against its readable twin where links damage frames, and send them again.

By hand: `PYTHONPATH=. python tests/twin/test_twin_checked.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks, twin_says
from random_checked import BARE, random_checked, retries

ALL = SEEDS * BARE // (BARE - 1)
"""As many as it takes for SEEDS of them to have link-level retry: 120 for 100."""


@in_chunks(ALL)
def test_links_err_and_repair_as_their_twin_does(seeds):
    check_seeds(random_checked, seeds)


def test_at_least_a_hundred_scenarios_have_retry():
    assert sum(map(retries, range(ALL))) >= SEEDS


def test_the_random_scenarios_reach_what_they_are_about():
    """Replays, timers, full buffers and lost words occur."""
    reached = set()
    for seed in range(ALL):
        fabric = twin_says(random_checked, seed).fabric
        for wire in fabric.wires:
            checked = wire.checked
            reached |= {what for what, count in checked.counts.items() if count}
        if len(reached) == 6:
            break
    assert reached == {"replayed", "nacks", "timeouts", "held", "words lost", "duplicates"}, reached


if __name__ == "__main__":
    by_hand(random_checked)
