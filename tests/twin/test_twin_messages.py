"""The engine against its readable twin where credits come back in messages.

By hand: `PYTHONPATH=. python tests/twin/test_twin_messages.py 17`, or `... 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks, twin_says
from random_messages import random_messages

ALL = SEEDS


@in_chunks(ALL)
def test_credits_come_back_as_in_their_twin(seeds):
    check_seeds(random_messages, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Messages are spaced, lost, repeated unless they still wait, and cells of lost packets come back."""
    reached = set()
    for seed in range(SEEDS // 2):
        for wire in twin_says(random_messages, seed).fabric.wires:
            reached |= {what for what, count in wire.teller.counts.items() if count}
        if len(reached) == 5:
            break
    assert reached == {"told", "spaced", "told again", "not yet left", "healed"}, reached


if __name__ == "__main__":
    by_hand(random_messages)
