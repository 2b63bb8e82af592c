"""VEF traces (UCLM: VEF-Prospector writes them, VEF-TraceLIB reads them): messages of MPI ranks and their dependencies.

    VEF ranks messages communicators collectives parts flag
    C0 0 1 2 3                              a communicator and its ranks
    id from to bytes dep time of            a message
    Gid comm operation rank sent received dep time of     the part of a rank in a collective operation

`dep`: 0, it is sent at `time`; 1, `time` after message `of` was sent; 2, after message `of` was received; 3, after its
rank has finished collective `of` (G and its number). Times are in ns, `of` is -1 for 0. The flag says whether all
messages wait for sent ones; it has no effect here. (Format: the head of TraceManager.h of VEF-TraceLIB.)
"""

import io
import re
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice

from ...errors import AskedError

OPERATIONS = ("broadcast", "reduce", "all-reduce", "gather", "scatter", "all-gather", "barrier", "all-to-all")
"""By their number in a trace."""
MOST_RANKS, MOST_ID = 65_535, 2**31 - 1
LONGEST = 10**15
"""ns: 11 days."""


@dataclass(frozen=True, slots=True)
class Wait:
    """When a message starts: this many ns after another event. kind: 0 to 3, as above."""

    kind: int
    ns: Decimal
    of: int


@dataclass(frozen=True, slots=True)
class Message:
    line: int
    source: int
    to: int
    bytes: int
    wait: Wait


@dataclass(frozen=True, slots=True)
class Taking:
    """The part of a rank in a collective operation."""

    line: int
    rank: int
    sent: int
    received: int
    wait: Wait


@dataclass
class Collective:
    line: int
    communicator: int
    operation: str
    parts: dict = field(default_factory=dict)  # rank -> Taking


@dataclass
class Trace:
    ranks: int
    communicators: list
    messages: dict = field(default_factory=dict)
    collectives: dict = field(default_factory=dict)

    def __post_init__(self):
        self.members = [set(ranks) for ranks in self.communicators]


def is_one(data):
    """Whether bytes begin as a VEF trace does."""
    return re.match(rb"\s*VEF\s", data[:80]) is not None


class Line:
    """A line of a trace, which raises complaints with its number."""

    def __init__(self, name, number, text):
        self.place, self.number, self.words = f"{name}, line {number}", number, text.split()

    def fail(self, fact, remedy="Correct it there, or take the trace again"):
        raise AskedError(f"{self.place}: {fact}. {remedy}.")

    def expect(self, count, what):
        if len(self.words) != count:
            self.fail(f"{what} has {count} fields, this line {len(self.words)}", "The trace may be cut: take it again")

    def number_at(self, at, what, most=2**62):
        word = self.words[at]
        if not re.fullmatch(r"\d{1,19}", word) or int(word) > most:
            self.fail(f"'{word[:40]}' is no {what}", f"Write a whole number from 0 to {most:,}")
        return int(word)

    def letter_at(self, at, letter, what):
        found = re.fullmatch(rf"{letter}(\d{{1,10}})", self.words[at])
        if not found or int(found[1]) > MOST_ID:
            self.fail(f"'{self.words[at][:40]}' is no {what}", f"Write {letter} and its number")
        return int(found[1])

    def wait_at(self, at):
        """dep, time and of."""
        kind = self.number_at(at, "kind of dependency", 3)
        word = self.words[at + 1]
        if not re.fullmatch(r"\d{1,18}(\.\d{1,18})?", word) or float(word) > LONGEST:
            self.fail(f"'{word[:40]}' is no time", "Write nanoseconds, less than 11 days")
        if kind == 0:
            return Wait(0, Decimal(word), -1)
        of = self.letter_at(at + 2, "G", "collective") if kind == 3 else self.number_at(at + 2, "message", MOST_ID)
        return Wait(kind, Decimal(word), of)


def read(data, name):
    """A trace. Raises CongestreeError with the line, the error in it, and a remedy."""
    if not data.isascii():
        place = next(k for k, byte in enumerate(data) if byte > 127)
        raise AskedError(f"{name} is no VEF trace: byte {place:,} is no ASCII. Name a trace as text.")
    lines = _lines(data, name)
    head = next(lines)
    head.expect(7, "the head")
    ranks = head.number_at(1, "number of ranks", MOST_RANKS)
    if head.words[0] != "VEF" or ranks == 0:
        head.fail("there are no ranks", "A trace begins with VEF and the number of its ranks")
    messages, communicators, collectives, parts = (head.number_at(k, "number") for k in (2, 3, 4, 5))
    trace = Trace(ranks, [_communicator(line, k, ranks) for k, line in enumerate(islice(lines, communicators))])
    told = [("communicators", communicators, len(trace.communicators))]
    for line in lines:
        (_part if line.words[0].startswith("G") else _message)(line, trace)
    told += [("messages", messages, len(trace.messages)), ("collectives", collectives, len(trace.collectives))]
    told += [("parts of collectives", parts, sum(len(one.parts) for one in trace.collectives.values()))]
    for what, said, found in told:
        if said != found:
            head.fail(f"it promises {said:,} {what}, and there are {found:,}", "The trace may be cut: take it again")
    return trace


def _lines(data, name):
    """Those that are not empty, one at a time: all of them at once would take many times the memory of the file."""
    for number, text in enumerate(io.BytesIO(data), 1):
        line = Line(name, number, text.decode("ascii"))
        if line.words:
            yield line


def _communicator(line, number, ranks):
    """Its ranks, in the order given."""
    if line.letter_at(0, "C", "communicator") != number:
        line.fail(f"communicator C{number} was expected", "Number them from C0 on")
    members = [line.number_at(k, "rank", ranks - 1) for k in range(1, len(line.words))]
    if not members or len(set(members)) < len(members):
        line.fail("its ranks are missing, or one stands twice")
    return members


def _message(line, trace):
    line.expect(7, "a message")
    id = line.number_at(0, "message", MOST_ID)
    if id in trace.messages:
        line.fail(f"message {id} stands in line {trace.messages[id].line} already")
    source, to = (line.number_at(k, "rank", trace.ranks - 1) for k in (1, 2))
    trace.messages[id] = Message(line.number, source, to, line.number_at(3, "number of bytes", 10**15), line.wait_at(4))


def _part(line, trace):
    line.expect(9, "the part of a rank in a collective")
    id, of = line.letter_at(0, "G", "collective"), line.number_at(1, "communicator")
    if of >= len(trace.communicators):
        line.fail(f"there is no communicator C{of}: there are {len(trace.communicators)}")
    operation = OPERATIONS[line.number_at(2, "collective operation", len(OPERATIONS) - 1)]
    rank = line.number_at(3, "rank", trace.ranks - 1)
    one = trace.collectives.setdefault(id, Collective(line.number, of, operation))
    if (one.communicator, one.operation) != (of, operation):
        line.fail(f"G{id} was {one.operation} of C{one.communicator} in line {one.line}, and is {operation} of C{of}")
    if rank not in trace.members[of]:
        line.fail(f"rank {rank} is not in C{of}")
    if rank in one.parts:
        line.fail(f"rank {rank} takes part in G{id} in line {one.parts[rank].line} already")
    sizes = (line.number_at(k, "number of bytes", 10**15) for k in (4, 5))
    one.parts[rank] = Taking(line.number, rank, *sizes, line.wait_at(6))
