"""How a library such as NCCL executes a collective: by which algorithm, in how many channels, in chunks of which size.

A channel is a part of the data that proceeds independently; a chunk is what a rank passes on as a whole, and is sent
in slices. A vector of n parts has one for every rank.
"""

from dataclasses import dataclass

from reference.programs import algorithms
from reference.programs.program import Program, Step, part
from reference.programs.teams import Place, Team, open_place, together
from reference.quantities import given, rate, size

USUAL = {"all-to-all": "direct", "gather": "direct", "scatter": "direct", "barrier": "halving-doubling"}
"""Algorithms that are used by default, if not a ring."""
STEP = {"simple": 512 * 1024, "ll": 32 * 1024, "ll128": 576_000}
"""Payload of one of the eight steps of a channel's buffer."""
LINES = {"simple": (1, 1), "ll": (8, 16), "ll128": (120, 128)}
"""Payload and its size on the wire, in whole lines: flags are sent with it."""


@dataclass
class Chunking:
    """How data are cut and sent."""

    channels: int
    chunk: int
    slices: int
    protocol: str

    def on_wire(self, nbytes: int) -> int:
        """The size on the wire of a number of bytes of data."""
        payload, line = LINES[self.protocol]
        return -(-nbytes // payload) * line

    def shares(self, nbytes: int) -> list[int]:
        """The share of every channel."""
        return [part(nbytes, self.channels, channel) for channel in range(self.channels)]

    def chunks(self, share: int) -> list[int]:
        """The chunks of a share; an empty one if the share is empty."""
        return [min(self.chunk, share - begun) for begun in range(0, max(share, 1), self.chunk)]


@dataclass
class Library:
    """The settings of all collectives of a job."""

    algorithms: dict[str, str]
    channels: int
    protocol: str
    chunk: int | None
    node: int
    along_rails: bool
    rate: int | None

    @classmethod
    def read(cls, table: dict):
        """The settings of the library in a scenario."""
        chosen = {one["operation"]: one["algorithm"] for one in reversed(given(table, "algorithms", []))}
        chunk = None if table.get("chunk") is None else size(table["chunk"])
        parts = given(table, "channels", 1), given(table, "protocol", "simple"), chunk
        nodes = given(table, "node", 1), given(table, "along_rails", False)
        return cls(chosen, *parts, *nodes, rate(table.get("combine_rate")))

    def chunking(self, operation: str) -> Chunking:
        """Chunks have NCCL's sizes by default: four steps of a buffer, in two slices, or a step."""
        if self.chunk is not None:
            return Chunking(self.channels, self.chunk, 1, self.protocol)
        is_long = operation in ("all-reduce", "all-gather", "reduce-scatter") and self.protocol == "simple"
        steps, slices = (4, 2) if is_long else (1, 1)
        return Chunking(self.channels, steps * STEP[self.protocol], slices, self.protocol)

    def carry_out(
        self, program: Program, name: str, operation: str, nbytes: int, places: list[Place], tag: int, root=0
    ):
        """Add a collective as a step. Returns the first tag that is free then."""

        def task(team: Team) -> None:
            if team.size > 1:
                self.do(team, operation, nbytes, root)

        step = Step(name, operation, 0 if operation == "barrier" else nbytes, len(places))
        return together(program, step, places, tag, self.rate, task)

    def do(self, team: Team, operation: str, nbytes: int, root: int) -> None:
        """The members of a team perform it."""
        algorithm, cut = self.algorithms.get(operation, USUAL.get(operation, "ring")), self.chunking(operation)
        nodes = algorithms.Nodes(team.members_per_node(self.node), self.along_rails)
        if operation in ("broadcast", "reduce"):
            return algorithms.chain(team, nbytes, root, nodes, cut, operation == "reduce")
        if operation == "barrier":
            return algorithms.barrier(team)
        if operation in ("gather", "scatter", "all-to-all"):
            return algorithms.exchange(team, sizes(operation, nbytes, root, team.size, cut), algorithm == "pairwise")
        ways = operation in ("all-reduce", "reduce-scatter"), operation in ("all-reduce", "all-gather")
        if algorithm in ("ring", "bidirectional-ring"):
            return algorithms.rings(team, nbytes, nodes, cut, ways, algorithm != "ring")
        if algorithm == "tree":
            return algorithms.trees(team, nbytes, nodes.size, cut)
        if algorithm == "halving-doubling":
            return algorithms.halving_doubling(team, nbytes, cut, ways)
        if algorithm == "hierarchical":
            return algorithms.nodes_and_rails(team, nbytes, nodes, cut, ways)
        return algorithms.direct(team, nbytes, cut, ways)


def sizes(operation: str, nbytes: int, root: int, ranks: int, cut: Chunking):
    """Who sends how much to whom: sizes of sent parts depend on the receiver, of gathered ones on the sender."""

    def of(source: int, to: int) -> int:
        if (operation == "gather" and to != root) or (operation == "scatter" and source != root):
            return 0
        return cut.on_wire(part(nbytes, ranks, source if operation == "gather" else to))

    return of


def collective(parameters: dict, ranks: int) -> Program:
    """The program of a collective of all ranks."""
    operation, chunking = parameters["operation"], given(parameters, "chunking", {})
    algorithm = parameters.get("algorithm")
    chosen = [] if algorithm is None else [{"operation": operation, "algorithm": algorithm}]
    said = {key: parameters.get(key) for key in ("node", "along_rails", "combine_rate")} | {"algorithms": chosen}
    program = Program(ranks)
    places = [open_place(program, rank, []) for rank in range(ranks)]
    library, root = Library.read({**chunking, **said}), given(parameters, "root", 0)
    library.carry_out(program, operation, operation, size(given(parameters, "bytes", "0 B")), places, 0, root)
    return program
