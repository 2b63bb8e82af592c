"""Ranks that take part in a named step of a program, which has a first and a last operation at each of them."""

from dataclasses import dataclass

from reference.programs.program import Program, Step


@dataclass
class Place:
    """A rank's part of a step: the operations with which it begins and ends there, which take no time."""

    rank: int
    begin: int
    end: int


def open_place(program: Program, rank: int, after) -> Place:
    """A rank's part of a future step; what follows waits for its end."""
    begin = program.idle(rank, after)
    return Place(rank, begin, program.idle(rank, [begin]))


class Team:
    """The members of a step by their places in it, what each waits for, and the first tag that is free between them."""

    def __init__(self, program: Program, ranks: list[int], ready: list[list[int]], tag: int, rate: int | None = None):
        self.program, self.ranks, self.ready, self.tag = program, ranks, ready, tag
        self.rate = rate  # rate at which received data are added to the rank's own; none: at once

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self.ranks)

    def members_per_node(self, node: int) -> int:
        """How many members share a node of this many ranks, if it is as many in each, and they follow each other."""
        homes = [rank // max(node, 1) for rank in self.ranks]
        many = next((place for place, home in enumerate(homes) if home != homes[0]), len(homes))
        groups = [homes[first : first + many] for first in range(0, len(homes), many)]
        return many if all(len(set(group)) == 1 for group in groups) else 1

    def new_tag(self) -> int:
        """An unused tag."""
        self.tag += 1
        return self.tag - 1

    def gathered(self, place: int) -> list[int]:
        """What a place waits for, as at most one operation."""
        self.ready[place] = self.gather(place, self.ready[place])
        return self.ready[place]

    def gather(self, place: int, after: list[int]) -> list[int]:
        """One operation that follows all of these, if there are several."""
        return after if len(after) < 2 else [self.program.idle(self.ranks[place], after)]

    def send(self, place: int, size: int, to: int, tag: int, after: list[int]) -> int:
        """A message to another place."""
        return self.program.send(self.ranks[place], size, self.ranks[to], tag, after)

    def receive(self, place: int, size: int, source: int, tag: int, after: list[int]) -> int:
        """A message from another place."""
        return self.program.receive(self.ranks[place], size, self.ranks[source], tag, after)

    def combine(self, place: int, size: int, received: int) -> int:
        """Add the received data."""
        return self.program.combine(self.ranks[place], size, received, self.rate)

    def among(self, places: list[int], task) -> None:
        """Some of the places perform a task among themselves."""
        ready = [self.ready[place] for place in places]
        some = Team(self.program, [self.ranks[place] for place in places], ready, self.tag, self.rate)
        task(some)
        self.tag = some.tag
        for place, done in zip(places, some.ready, strict=True):
            self.ready[place] = done


def together(program: Program, step: Step, places: list[Place], tag: int, rate: int | None, task) -> int:
    """A step: its members perform a task between its begin and its end. Returns the first tag that is free then."""
    team = Team(program, [place.rank for place in places], [[place.begin] for place in places], tag, rate)
    task(team)
    program.steps.append(step)
    for place, done in zip(places, team.ready, strict=True):
        program.ranks[place.rank][place.end].waits |= {(number, "finished") for number in done}
        program.bounds[place.rank, place.begin] = len(program.steps) - 1, False
        program.bounds[place.rank, place.end] = len(program.steps) - 1, True
    return team.tag
