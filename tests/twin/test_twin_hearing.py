"""The engine against its twin where windows and rates are told of losses by the transport that retransmits.

By hand: `PYTHONPATH=. python tests/twin/test_twin_hearing.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_hearing import random_hearing
from reaching import around
from reference import run
from reference.reactions.dctcp import Dctcp
from reference.reactions.swift import Swift


@in_chunks(SEEDS // 8)
def test_windows_and_rates_over_losses_are_those_of_the_twin(seeds):
    check_seeds(random_hearing, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Both are told of losses of both kinds, react to some, and Swift reaches its smallest window."""
    reached = set()

    def loses(inner, self, timeout, now):
        before, kind = self.cwnd, type(self)
        inner(self, timeout, now)
        how = "timeout" if timeout else "told"
        reached.add((kind.__name__, how, "smaller" if self.cwnd < before else "kept"))
        if kind is Swift and self.timeouts >= self.rule.retx_reset:
            reached.add((kind.__name__, "reset"))

    around(monkeypatch, Dctcp, "loses", loses)
    around(monkeypatch, Swift, "loses", loses)
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 9 and (seed := next(seeds, None)) is not None:
        run(random_hearing(seed))
    assert len(reached) == 9, sorted(reached)


if __name__ == "__main__":
    by_hand(random_hearing)
