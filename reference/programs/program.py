"""The program of an application: for each rank a few operations, and which of them wait for which.

An operation sends a message, receives one, or computes. It may start when everything that it waits for has finished
(or has started, where the program says so); there is no other order within a rank. Operations that may start at the
same time do so in the order of the program.
"""

from dataclasses import dataclass, field

from reference.quantities import time_for

IDLE = "idle"
"""The processor of operations that take no time, and only join others: it is never busy."""


@dataclass(eq=False)
class Operation:
    """What a rank does."""

    kind: str  # "send", "receive" or "compute"
    peer: int | None = None  # to or from which rank; None: from any
    tag: int | None = 0  # None: any
    size: int = 0  # payload, bytes
    time: int = 0  # of a computation
    cpu: int | str = 0  # the processor that handles it
    waits: set[tuple[int, str]] = field(
        default_factory=set
    )  # for operations of its rank, until "finished" or "started"


@dataclass
class Step:
    """A named part of a program."""

    name: str
    operation: str
    size: int  # the whole vector
    ranks: int


class Program:
    """The operations of all ranks; an operation is known by its rank and its number there."""

    def __init__(self, ranks: int):
        self.ranks: list[list[Operation]] = [[] for _ in range(ranks)]
        self.steps: list[Step] = []
        self.bounds: dict[tuple[int, int], tuple[int, bool]] = {}  # by operation: a step, and whether it ends there

    def add(self, rank: int, operation: Operation, after=()) -> int:
        """Add an operation of a rank, which waits for these to finish. Returns its number."""
        operation.waits |= {(number, "finished") for number in after}
        self.ranks[rank].append(operation)
        return len(self.ranks[rank]) - 1

    def send(self, rank: int, size: int, to: int, tag: int, after=()) -> int:
        """A message to another rank."""
        return self.add(rank, Operation("send", to, tag, size), after)

    def receive(self, rank: int, size: int, source: int, tag: int, after=()) -> int:
        """A message from another rank."""
        return self.add(rank, Operation("receive", source, tag, size), after)

    def compute(self, rank: int, time: int, after=()) -> int:
        """Time on the first processor."""
        return self.add(rank, Operation("compute", time=time), after)

    def busy(self, rank: int, time: int, after: list[int]) -> list[int]:
        """Time on the first processor, if it is any. Returns what to wait for next."""
        return [self.compute(rank, time, after)] if time > 0 else after

    def combine(self, rank: int, size: int, received: int, rate: int | None) -> int:
        """Add what was received to the rank's data, at this rate. Returns what to wait for next."""
        return received if rate is None or size == 0 else self.compute(rank, time_for(size, rate), [received])

    def idle(self, rank: int, after) -> int:
        """An operation that takes no time and follows all of these."""
        return self.add(rank, Operation("compute", cpu=IDLE), after)


def upto(size: int, parts: int, k: int) -> int:
    """Bytes of the first k parts of a vector that is cut into parts as equal as whole bytes allow."""
    return size * k // parts


def part(size: int, parts: int, k: int) -> int:
    """Bytes of part k."""
    return upto(size, parts, k + 1) - upto(size, parts, k)
