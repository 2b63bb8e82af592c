"""The engine against its readable twin where sources pace in bit/s while links change or packets take several paths.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_rates.py 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_rates import random_rates
from reference import run
from reference.reactions.dcqcn import Dcqcn
from reference.reactions.telemetry import Hpcc


@in_chunks(SEEDS // 2)
def test_rates_over_links_that_change_are_those_of_the_twin(seeds):
    check_seeds(random_rates, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Links whose rates no source uses, and paths that are all equal, would be compared in vain."""
    reached = set()
    look_again, hears = Dcqcn.look_again, Hpcc.hears

    def looks(self):
        if not self.allowed and self.flow.last_rate != self.line and self.rate < self.line:
            reached.add("DCQCN paces over a link that is slow")
        look_again(self)

    def hear(self, ack, now):
        if len(ack.records) == len(self.last) and [hop[4] for hop in ack.records] != [hop[4] for hop in self.last]:
            reached.add("an ACK tells of another way")
        if any(wire.rate != wire.own_rate for *_, wire in ack.records):
            reached.add("HPCC hears of a link that is slow")
        hears(self, ack, now)

    monkeypatch.setattr(Dcqcn, "look_again", looks)
    monkeypatch.setattr(Hpcc, "hears", hear)
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 3 and (seed := next(seeds, None)) is not None:
        run(random_rates(seed))
    assert len(reached) == 3, reached


if __name__ == "__main__":
    by_hand(random_rates)
