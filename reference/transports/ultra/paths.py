"""Which of many paths the next packet takes: its entropy, chosen by earlier answers (Ultra Ethernet 1.0, section 3.6).

All paths in turn (`oblivious`), all but those with a penalty for marks and trims (`bitmap`), again those with a good
answer (`reps`), or such first and otherwise by penalties (`mixed`). An answer is "good", "marked" or "trimmed".
"""

from abc import ABC, abstractmethod
from collections import deque

from reference.quantities import choice, given, span
from reference.rng import mix

EXPLORING = 16  # packets that take any path after a ring was frozen


class Draws:
    """Paths drawn at random, each as likely."""

    def __init__(self, paths: int, salt: int):
        self.paths, self.salt, self.draws = paths, salt, 0

    def draw(self) -> int:
        """The next one."""
        self.draws += 1
        return mix(self.salt ^ mix(self.draws)) * self.paths >> 64


class Paths(ABC):
    """How the paths of a flow are chosen."""

    def __init__(self, paths: int, salt: int):
        self.paths = paths
        self.draws = Draws(paths, salt)
        self.counts = {"passed over": 0, "used again": 0, "frozen": 0, "thawed": 0}

    @abstractmethod
    def next(self, now: int) -> int:
        """That of the next packet."""

    def hears(self, path: int, fared: str) -> None:
        """An answer says what happened to a packet."""
        return  # paths in turn need no feedback

    def times_out(self, now: int) -> None:
        """A packet is lost on an unknown path."""
        return


class Oblivious(Paths):
    """All paths in turn, in an order that is drawn again in every round."""

    def __init__(self, paths: int, salt: int):
        super().__init__(paths, salt)
        self.turn, self.order = 0, self.draws.draw()

    def here(self) -> int:
        """The path whose turn it is."""
        return (self.turn ^ self.order) % self.paths

    def step(self) -> int:
        """The path whose turn it is; then it is the next one's."""
        path = self.here()
        self.turn += 1
        if self.turn == self.paths:
            self.turn, self.order = 0, self.draws.draw()
        return path

    def next(self, now: int) -> int:
        """The path whose turn it is."""
        return self.step()


class Bitmap(Oblivious):
    """Paths with a penalty are passed over; the first of those in a draw loses one point."""

    def __init__(self, paths: int, salt: int, points: dict, most: int):
        super().__init__(paths, salt)
        self.points, self.most = points, most
        self.penalty = [0] * paths

    def next(self, now: int) -> int:
        """The next path without a penalty; after more passes than there are paths, the next one in any case."""
        for passes in range(self.paths + 1):
            if self.penalty[self.here()] == 0:
                break
            self.counts["passed over"] += 1
            self.penalty[self.step()] -= passes == 0
        return self.step()

    def hears(self, path: int, fared: str) -> None:
        """Marks and trims add to the penalty of the path."""
        self.penalty[path] = min(self.penalty[path] + self.points.get(fared, 0), self.most)


class Mixed(Bitmap):
    """Paths with unmarked packets are used again, the oldest first; while there is none, by penalties."""

    def __init__(self, paths: int, salt: int):
        super().__init__(paths, salt, {"marked": 1, "trimmed": 4}, 15)
        self.good: deque[int] = deque()

    def next(self, now: int) -> int:
        """Of those that did well, or by penalties."""
        if self.good:
            self.counts["used again"] += 1
            return self.good.popleft()
        return super().next(now)

    def hears(self, path: int, fared: str) -> None:
        """The path may be used for one packet more, or gets a penalty."""
        if fared == "good":
            self.good.append(path)
        super().hears(path, fared)


class Reps(Paths):
    """A ring of paths with good feedback, each to be used for one packet; a timeout freezes it for a while."""

    def __init__(self, paths: int, salt: int, places: int, freeze: int):
        super().__init__(paths, salt)
        self.places, self.freeze = places, freeze
        self.ring: list[list] = []  # [path, whether it is still to be used]
        self.put = self.take = self.exploring = 0
        self.frozen_until: int | None = None

    def next(self, now: int) -> int:
        """The oldest of the ring that is to be used, or of a frozen ring the next of all; else any path."""
        if self.frozen_until is not None and self.frozen_until <= now:
            self.counts["thawed"] += 1
            self.frozen_until, self.exploring = None, EXPLORING
            self.ring, self.put, self.take = [], 0, 0
        if self.exploring > 0:
            self.exploring -= 1
            return self.draws.draw()
        for _ in self.ring:
            place = self.ring[self.take]
            found = place[1] or self.frozen_until is not None
            place[1] = False
            self.take = (self.take + 1) % len(self.ring)
            if found:
                self.counts["used again"] += 1
                return place[0]
        return self.draws.draw()

    def hears(self, path: int, fared: str) -> None:
        """It replaces the oldest, once the ring is full."""
        if fared != "good":
            return
        if len(self.ring) < self.places:
            self.ring.append([path, True])
            return
        if self.ring[self.put][1] and self.put == self.take:
            self.take = (self.take + 1) % len(self.ring)
        self.ring[self.put] = [path, True]
        self.put = (self.put + 1) % len(self.ring)

    def times_out(self, now: int) -> None:
        """A link may be dead: only paths that are known to work are used for a while."""
        if self.frozen_until is None and self.exploring == 0 and self.freeze > 0:
            self.counts["frozen"] += 1
            self.frozen_until = now + self.freeze


def read_paths(paths):
    """What makes the paths of a flow, from a number of its own."""
    kind, table = choice(paths)
    count = given(table, "paths", 64)
    if kind == "oblivious":
        return lambda salt: Oblivious(count, salt)
    if kind == "bitmap":
        points = {"marked": given(table, "marked", 1), "trimmed": given(table, "trimmed", 4)}
        most = given(table, "most", 15)
        return lambda salt: Bitmap(count, salt, points, most)
    if kind == "mixed":
        return lambda salt: Mixed(count, salt)
    places, freeze = max(given(table, "ring", 8), 1), span(given(table, "freeze", "10 ms"))
    return lambda salt: Reps(count, salt, places, freeze)
