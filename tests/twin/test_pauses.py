"""The engine against its twin where links pause: random small scenarios, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_pauses.py 0 500`.
"""

from functools import wraps

from comparing import SEEDS, by_hand, check_seeds, in_chunks
from random_pauses import random_pauses
from reference import run
from reference.lanes import ScheduleTurn
from reference.memory import SharedMemory
from reference.switch import Switch
from reference.watchdog import Watchdog


@in_chunks(SEEDS // 2)
def test_the_engine_pauses_as_its_twin_does(seeds):
    check_seeds(random_pauses, seeds)


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Rules that no scenario ever comes to would be compared in vain."""
    reached = set()

    def watch(kind, name, what, holds):
        plain = getattr(kind, name)

        @wraps(plain)
        def watched(self, *arguments, **named):
            answer = plain(self, *arguments, **named)
            if holds(self, answer, *arguments):
                reached.add(what)
            return answer

        monkeypatch.setattr(kind, name, watched)

    watch(SharedMemory, "take", "headroom is used", lambda memory, taken, lane, *_: memory.above[lane] > 0)
    watch(SharedMemory, "take", "memory runs out", lambda memory, taken, *_: not taken)
    watch(SharedMemory, "give", "memory is shared", lambda memory, *_: memory.pool.used > 0)
    watch(Switch, "move_over", "packets wait at outputs", lambda switch, _, out, lane: len(out.waiting[lane]) > 1)
    watch(Switch, "drop_waiting", "a watchdog drops", lambda switch, dropped, *_: dropped)
    watch(Watchdog, "detect", "a storm is detected", lambda watchdog, _, lane: lane in watchdog.ignored)
    watch(Watchdog, "restore", "a storm is over", lambda watchdog, _, lane: lane not in watchdog.ignored)
    watch(ScheduleTurn, "goes", "bytes are left for the next turn", lambda turn, *_: any(turn.left))
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 8 and (seed := next(seeds, None)) is not None:
        run(random_pauses(seed))
    assert len(reached) == 8, reached


if __name__ == "__main__":
    by_hand(random_pauses)
