"""A GOAL program in the making, for what is read from the files of others.

Times are in ns, and need not be whole: GOAL text has them to the nearest, `Program.exact` as they are.
"""

import math

from ...errors import AskedError

CLOCK, IDLE, FIRST, LAST = 1, 3, 4, 255
"""Processors: of given times, of operations that take no time, and of delays (the first and the last)."""
INSIDE = 2**31
"""Tags from here on are those of collectives."""
MOST = 20_000_000
"""More operations would not fit."""


class Program:
    """A GOAL program in the making."""

    def __init__(self, ranks, name):
        self.name = name
        self.lines = [[] for _ in range(ranks)]
        self.waits = [[] for _ in range(ranks)]
        self.lengths = [[] for _ in range(ranks)]  # s
        self.delays = [0] * ranks
        self.tag = INSIDE
        self.size = 0

    def add(self, rank, what, after=(), ns=0):
        """An operation that computes for so long, after others of its rank; its label."""
        self.size += 1
        if self.size > MOST:
            raise AskedError(f"{self.name} comes to more than {MOST:,} operations. Take a part of the trace.")
        label = f"l{len(self.lines[rank])}"
        self.lines[rank].append(f"{label}: {what}")
        self.waits[rank] += [f"{label} requires {before}" for before in after]
        self.lengths[rank].append(float(ns) / 1e9)
        return label

    def wait(self, rank, label, before):
        self.waits[rank].append(f"{label} requires {before}")

    def calc(self, rank, ns, cpu, after=()):
        return self.add(rank, f"calc {nearest(ns)} cpu {cpu}", after, ns)

    def idle(self, rank, after=()):
        return self.calc(rank, 0, IDLE, after)

    def delay(self, rank, ns, before):
        """A computation of this length after something; returns its label."""
        if ns == 0:
            return before
        cpu = FIRST + self.delays[rank] % (LAST - FIRST + 1)
        self.delays[rank] += 1
        return self.calc(rank, ns, cpu, [before])

    def clock(self, rank, row):
        """Let operations go off at given times: pairs of ns and label.

        The clock counts whole ns: between times that are not whole, what is rounded would add up.
        """
        now, tick = 0, None
        for time, label in sorted(row):
            if (ns := nearest(time)) > now:
                tick = self.calc(rank, ns - now, CLOCK, [tick] if tick else ())
                now = ns
            if tick:
                self.wait(rank, label, tick)

    def text(self):
        whole = [f"num_ranks {len(self.lines)}"]
        for rank, (lines, waits) in enumerate(zip(self.lines, self.waits, strict=True)):
            if lines:
                whole += [f"rank {rank} {{", *lines, *waits, "}"]
        return "\n".join(whole) + "\n"

    def exact(self):
        """The lengths of all operations (s), in the order of the text."""
        return [length for of_rank in self.lengths for length in of_rank]


def nearest(ns):
    """A time in whole ns; a half is rounded up, as by the engine."""
    return math.floor(2 * ns + 1) // 2
