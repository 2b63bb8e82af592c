"""The table `hol_blocking` agrees with the twin's queues: who waited behind packets for other outputs, and how long.


By hand: `PYTHONPATH=. python tests/twin/test_twin_blocking.py 0 500`.
"""

import json
import random
import sys
from collections import defaultdict

import pytest
from comparing import SEEDS, check_tables, engine_rows, in_chunks
from random_isolation import random_isolation
from random_queues import random_queues
from reference import Fabric
from reference.quantities import span
from reference.switches.queues import Queue


class Watched:
    """Whom packets stand behind in queues of inputs, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.since = {}  # by queue: since when its head has been there
        self.joined = {}  # by packet: since when it has been in its queue
        self.stood = defaultdict(lambda: defaultdict(int))  # by packet and class in front: time
        self.left = []  # (time, class, class in front, time behind it)
        append, popleft, remove = Queue.append, Queue.popleft, Queue.remove
        watched = self

        def joins(queue, stay):
            watched.joined[stay] = fabric.now
            if not queue:
                watched.since[id(queue)] = fabric.now
            append(queue, stay)

        def goes_first(queue):
            watched.leaves(queue)
            return popleft(queue)

        def goes(queue, stay):
            assert queue[0] is stay
            watched.leaves(queue)
            remove(queue, stay)

        for name, act in (("append", joins), ("popleft", goes_first), ("remove", goes)):
            monkeypatch.setattr(Queue, name, act)
        fabric.run()

    def leaves(self, queue) -> None:
        """The head of a queue is about to leave it."""
        head, now = queue[0], self.fabric.now
        for stay in [*queue][1:]:
            if head.packet.is_data and stay.packet.is_data and stay.output != head.output:
                self.stood[stay][class_of(head)] += now - max(self.since[id(queue)], self.joined[stay])
        self.since[id(queue)] = now
        self.left += [(now, class_of(head), front, time) for front, time in self.stood.pop(head, {}).items()]


def class_of(stay) -> str:
    return stay.packet.flow.source.entry.name


def blocking(seed: int) -> dict:
    """A scenario with queues that packets for several outputs share."""
    rng = random.Random(f"blocking {seed}")
    scenario = random_isolation(seed)
    if seed % 2 == 0:
        draws = (random_queues(rng.randrange(10**6)) for _ in range(100))
        scenario = next(found for found in draws if "islip" in found["switches"]["arbiter"])
    width = max(span(scenario["measure"]["duration"]) // rng.randint(2, 9) + rng.randint(0, 5_000), 1)
    for number, entry in enumerate(scenario["traffic"]):
        entry["name"] = f"class {number}"
    told = {"probes": ["hol-blocking"], "bin": f"{width} ps", "warm_up": "0 ns"}
    return scenario | {"measure": scenario["measure"] | told}


def check(scenario: dict, monkeypatch) -> int:
    """The two agree; returns how many rows they have."""
    width = span(scenario["measure"]["bin"])
    with monkeypatch.context() as patches:
        left = Watched(Fabric(json.loads(json.dumps(scenario))), patches).left
    found = defaultdict(lambda: [0, 0])
    for now, name, front, time in left:
        cell = found[now // width, name, front]
        cell[:] = cell[0] + 1, cell[1] + time
    said = {}
    for row in engine_rows(scenario)["hol_blocking"]:
        key = round(row["time"] * 1e12 / width), row["class"], row["blocked_by"]
        said[key] = [row["packets"], round(row["waited"] * 1e12)]
    assert said == found
    return len(said)


@in_chunks(SEEDS // 4)
def test_packets_stand_behind_others_as_in_the_twin(seeds, monkeypatch):
    check_tables(blocking, seeds, lambda scenario, seed: check(scenario, monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(blocking(number), patch)
