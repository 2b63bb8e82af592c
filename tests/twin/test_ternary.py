"""The engine against its twin where switches tell held outputs from congested ones (TCD, NP-ECN), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_ternary.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_ternary import random_ternary
from reference import run
from reference.hosts.host import Host
from reference.marks.np_ecn import NpEcnMarker
from reference.marks.ternary import TernaryMarker


@in_chunks(SEEDS // 2)
def test_the_engine_detects_as_its_twin_does(seeds):
    check_seeds(random_ternary, seeds)


def test_the_random_scenarios_reach_every_state_and_sources_hear_of_it(monkeypatch):
    """Rules that no scenario reaches would be compared in vain."""
    reached = Counter()
    state, hear = TernaryMarker.state, Host.hear

    def watched(self, output, lane):
        found = state(self, output, lane)
        reached[found] += 1
        return found

    def heard(self, answer):
        reached["hears", answer.feedback] += 1
        hear(self, answer)

    starts, counts_out = NpEcnMarker.starts, NpEcnMarker.counts_out

    def marks(self, packet, output):
        starts(self, packet, output)
        reached["np-ecn", packet.marked] += 1

    def counted(self, packet, output, waiting):
        held = counts_out(self, packet, output, waiting)
        reached["was held", packet.kind] += held
        return held

    monkeypatch.setattr(NpEcnMarker, "counts_out", counted)
    monkeypatch.setattr(NpEcnMarker, "starts", marks)
    monkeypatch.setattr(TernaryMarker, "state", watched)
    monkeypatch.setattr(Host, "hear", heard)
    by_np_ecn = [("np-ecn", False), ("np-ecn", True)]
    feedback = [("hears", kind) for kind in ("clear", "congested", "undetermined")]
    held = [("was held", "data"), ("was held", "ack")]
    wanted = ["free", "congested", "undetermined", *feedback, *by_np_ecn, *held]
    seeds = iter(range(40))
    while any(reached[what] <= 100 for what in wanted) and (seed := next(seeds, None)) is not None:
        run(random_ternary(seed))
    assert all(reached[what] > 100 for what in wanted), reached


if __name__ == "__main__":
    by_hand(random_ternary)
