"""The engine against its readable twin where switches write into packets and sources use it.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_telemetry.py 0 5000`.
"""

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_telemetry import random_telemetry
from reference import run
from reference.reactions.telemetry import Hpcc, Port


@in_chunks(SEEDS // 2)
def test_what_switches_write_is_what_their_twins_write(seeds):
    check_seeds(random_telemetry, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Queues that no packet has seen and rates that never moved would be compared in vain."""
    reached = set()
    plain, leaves = Hpcc.hears, Port.leaves

    def hears(self, ack, now):
        before = self.rate
        plain(self, ack, now)
        if self.rate < before:
            reached.add("a rate falls")
        if self.rate > before:
            reached.add("a rate rises")
        if any(queue > 0 for _, _, queue, *_ in ack.records):
            reached.add("a queue is seen")
        if len(ack.records) > 2:
            reached.add("several switches write")
        if ack.digest > 0:
            reached.add("a digest is written")

    def leaving(self, packet, output, queue):
        if self.rule.log_base is not None and not packet.is_data:
            reached.add("an ACK counts for the utilisation")
        leaves(self, packet, output, queue)

    monkeypatch.setattr(Hpcc, "hears", hears)
    monkeypatch.setattr(Port, "leaves", leaving)
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 6 and (seed := next(seeds, None)) is not None:
        run(random_telemetry(seed))
    assert len(reached) == 6, reached


if __name__ == "__main__":
    by_hand(random_telemetry)
