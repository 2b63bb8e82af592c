"""The engine against its readable twin where sources keep windows and rates by marks, round-trip times or telemetry.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_reactions.py 0 5000`.
"""

import pytest
from comparing import SEEDS, by_hand, check_seeds, in_chunks, twin_says
from random_reactions import random_reactions
from reaching import around
from reference.reactions.dctcp import Dctcp
from reference.reactions.pcn import Pcn
from reference.reactions.power_tcp import PowerTcp
from reference.reactions.swift import Swift
from reference.reactions.timely import Timely

ALL = SEEDS * 5 // 3
"""As many as it takes to see every reaction do all it can: 162 of 166."""


@in_chunks(ALL)
def test_windows_and_rates_are_those_of_the_twin(seeds):
    check_seeds(random_reactions, seeds)


@pytest.fixture(scope="module", autouse=True)
def reached():
    """What windows and rates do in the runs of the twin."""
    seen = set()
    with pytest.MonkeyPatch.context() as patched:
        watch_all(patched, seen)
        yield seen


def watch_all(patched, reached):
    """Have all kinds of reactions record what they do."""

    def watch(kind, method, told):
        def hook(inner, self, *args):
            before = dict(vars(self))
            inner(self, *args)
            reached.update((kind.__name__, name) for name, moved in told(self, before).items() if moved)

        around(patched, kind, method, hook)

    def of(name):
        return lambda self, before: {
            "up": getattr(self, name) > before[name],
            "down": getattr(self, name) < before[name],
        }

    watch(Dctcp, "hears", lambda self, before: of("cwnd")(self, before) | {"alpha": self.alpha != before["alpha"]})
    watch(Swift, "hears", lambda self, before: of("cwnd")(self, before) | {"less than a packet": self.cwnd < 1.0})
    watch(
        PowerTcp,
        "hears",
        lambda self, before: {f"{self.rule.signal} {k}": v for k, v in of("rate")(self, before).items()},
    )
    watch(Pcn, "catches_up", of("rate"))
    watch(
        Timely,
        "moves",
        lambda self, before: (
            {f"{self.rule.model} {k}": v for k, v in of("rate")(self, before).items()}
            | {f"{self.rule.model} many": self.rate > before["rate"] + self.rule.additive}
        ),
    )


def test_the_random_scenarios_reach_what_they_are_about(reached):
    """Windows and rates that never moved would be compared in vain."""
    wanted = 3 + 3 + 4 + 2 + 6
    seeds = iter(range(ALL))
    while len(reached) < wanted and (seed := next(seeds, None)) is not None:
        twin_says(random_reactions, seed)
    assert len(reached) == wanted, sorted(reached)


if __name__ == "__main__":
    by_hand(random_reactions)
