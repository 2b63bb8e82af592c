"""The engine against its twin where switches tell held outputs from congested ones (TCD, NP-ECN), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_ternary.py 0 500`.
"""

from collections import Counter
from functools import partial

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_ternary import random_ternary
from reaching import watch
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
    counted = partial(watch, monkeypatch, reached)
    counted(NpEcnMarker, "counts_out", lambda _, held, packet, *more: ("was held", packet.kind) if held else None)
    counted(NpEcnMarker, "starts", lambda _, answer, packet, *more: ("np-ecn", packet.marked))
    counted(TernaryMarker, "state", lambda _, found, *more: found)
    counted(Host, "hear", lambda _, nothing, answer: ("hears", answer.feedback))
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
