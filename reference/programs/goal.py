"""Programs as GOAL text, the schedules of LogGOPSim.

    num_ranks 2
    rank 0 {
      l1: send 10b to 1 tag 5
      l2: calc 100
      l2 requires l1
    }
    rank 1 { recv 10b from 0 tag 5 cpu 1 }

`calc` counts nanoseconds; -1 is any rank or tag; the default of the tag and of the processor is 0.
"""

import re

from reference.programs.program import Operation, Program

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PIECE = re.compile(r"[A-Za-z_]\w*|-1|\d+|[{}:;]")


class Pieces:
    """The tokens of a text, one after the other."""

    def __init__(self, text: str):
        self.all = PIECE.findall(COMMENT.sub(" ", text))

    def next(self) -> str:
        """The next piece."""
        return self.all.pop(0)

    def number(self) -> int | None:
        """A number; none if it is -1."""
        number = int(self.next())
        return None if number < 0 else number

    def note(self, word: str, default: int | None) -> int | None:
        """The number after a word, if the word comes next."""
        if self.all[:1] != [word] or not self.all[1].lstrip("-").isdigit():
            return default
        self.next()
        return self.number()


def read_goal(text: str) -> Program:
    """The program described by a text."""
    pieces = Pieces(text)
    assert pieces.next() == "num_ranks"
    program = Program(pieces.number())
    while pieces.all:
        if pieces.next() == "rank":
            rank = pieces.number()
            assert pieces.next() == "{"
            read_rank(pieces, program, rank)
    return program


def read_rank(pieces: Pieces, program: Program, rank: int) -> None:
    """The content of the brackets of a rank."""
    labels, waits = {}, []
    while (word := pieces.next()) != "}":
        label = None
        if word == ";":
            continue
        if pieces.all[0] == ":":
            label, _, word = word, pieces.next(), pieces.next()
        elif pieces.all[0] in ("requires", "irequires"):
            waits.append((word, pieces.next(), pieces.next()))
            continue
        labels[label] = program.add(rank, read_operation(pieces, word))
    for after, how, before in waits:
        until = "finished" if how == "requires" else "started"
        program.ranks[rank][labels[after]].waits.add((labels[before], until))


def read_operation(pieces: Pieces, verb: str) -> Operation:
    """The arguments of an operation."""
    if verb == "calc":
        operation = Operation("compute", time=1000 * pieces.number())
    else:
        size, _, _, peer = pieces.number(), pieces.next(), pieces.next(), pieces.number()
        operation = Operation({"send": "send", "recv": "receive"}[verb], peer, pieces.note("tag", 0), size)
    operation.cpu = pieces.note("cpu", 0)
    pieces.note("nic", 0)  # hosts have one adapter
    return operation
