"""How the lanes of a link share it: by two tables of weights, or by priorities and quanta.

**Weights** (VL arbitration of InfiniBand).

Lanes of the high table have priority until they have sent more than the limit allows; then a packet of the low table
goes first, if there is one. Within a table the entries take turns, and each may send as many bytes in a row as its
weight says. The packet that uses up the weight is sent completely. An entry that has nothing to send is skipped.
(InfiniBand Architecture Specification, volume 1, section 7.6.9.)

**Priorities and quanta** (Ethernet switches). Some lanes have strict priority. The others take turns: a lane whose
turn it is may send a quantum of bytes in addition to what it has left over, and continues while its next packet fits
into this. A lane that has nothing to send is skipped and loses what it has left over, and all lanes lose it while the
link is idle. (Deficit round robin: Shreedhar, Varghese, IEEE/ACM Trans. Networking 4 (3), 1996.)
"""

from dataclasses import dataclass

WEIGHT_UNIT = 64  # bytes
LIMIT_UNIT = 4096  # bytes
NO_LIMIT = 255


@dataclass
class Weights:
    """The tables: (lane, weight), and the limit of the high one."""

    high: list[tuple[int, int]]
    low: list[tuple[int, int]]
    limit: int


class Table:
    """One table, and where its turn is."""

    def __init__(self, entries: list[tuple[int, int]]):
        self.entries = entries
        self.current = 0
        self.used = 0  # bytes of its weight that the current entry has used up, in whole units

    def order(self) -> list[int]:
        """Entries in the order in which they are tried: the current one first if it has weight left, otherwise last."""
        count = len(self.entries)
        first = self.current + (not self.has_weight_left())
        return [(first + k) % count for k in range(count) if self.entries[(first + k) % count][1] > 0]

    def has_weight_left(self) -> bool:
        """Whether the current entry may continue its turn."""
        return bool(self.entries) and self.used < self.entries[self.current][1] * WEIGHT_UNIT

    def sends(self, entry: int, size: int) -> None:
        """A packet of this entry starts: the entry continues its turn, or begins a new one."""
        if entry != self.current or not self.has_weight_left():
            self.current, self.used = entry, 0
        self.used += -(-size // WEIGHT_UNIT) * WEIGHT_UNIT


class LaneTurn:
    """Which lanes a port tries, and in which order."""

    def __init__(self, weights: Weights):
        self.high, self.low = Table(weights.high), Table(weights.low)
        self.limit = weights.limit
        self.since_low = 0  # bytes of the high table since the low one was last served

    def order(self) -> list[tuple[Table, int]]:
        """Entries of both tables in the order in which they are tried."""
        low_first = self.limit != NO_LIMIT and self.since_low > self.limit * LIMIT_UNIT
        tables = (self.low, self.high) if low_first else (self.high, self.low)
        return [(table, entry) for table in tables for entry in table.order()]

    def lanes(self) -> list[int]:
        """The lanes in that order."""
        return [table.entries[entry][0] for table, entry in self.order()]

    def sends(self, lane: int, size: int) -> None:
        """A packet of a lane starts; its entry is the first of that lane."""
        table, entry = next((table, entry) for table, entry in self.order() if table.entries[entry][0] == lane)
        table.sends(entry, size)
        self.since_low = self.since_low + size if table is self.high else 0


@dataclass
class Schedule:
    """Lanes with priority, in this order; and (lane, quantum) of the others."""

    strict: list[int]
    shares: list[tuple[int, int]]


class ScheduleTurn:
    """The position of a port in the order of its lanes.

    A *try* is (lane, most bytes of its packet, place among those that share).
    """

    def __init__(self, schedule: Schedule):
        self.schedule = schedule
        self.left = [0] * len(schedule.shares)
        self.turn = 0

    def tries(self) -> list[tuple]:
        """The lanes in the order of trial: the current one comes first, with its rest, and last, with a new quantum."""
        found = [(lane, float("inf"), None) for lane in self.schedule.strict]
        count = len(self.left)
        for k in range(count + 1 if count else 0):
            place = (self.turn + k) % count
            lane, quantum = self.schedule.shares[place]
            found.append((lane, self.left[place] + (quantum if k > 0 else 0), place))
        return found

    def idled(self) -> None:
        """The link had nothing to do."""
        self.left = [0] * len(self.left)

    def passes(self, place: int | None) -> None:
        """A lane had no packet that can be sent."""
        if place is not None:
            self.left[place] = 0

    def goes(self, attempt: tuple, size: int) -> None:
        """A lane that was tried sends a packet."""
        _, most, place = attempt
        if place is not None:
            self.left[place] = most - size
            self.turn = place
