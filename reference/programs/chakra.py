"""Execution traces of a training job (Chakra) as a program, in their JSON form: one per rank, or one for all ranks.

A computation occupies the accelerator of its rank, or the host if it says so, for the recorded time; without one, for
the longer of the times that its operations and its bytes take at given rates. A load or store does so on a third
processor. A collective is the part of its rank in the next operation of its process group: the k-th node of a group at
one rank belongs to the k-th at every other. A node of which nothing is known takes its recorded time, in parallel with
everything else. A dependency on a node that is not in the trace is ignored.
"""

import json
import re
from pathlib import Path

from reference.programs.library import Library
from reference.programs.program import Operation, Program
from reference.programs.teams import Place, open_place
from reference.programs.training import INSIDE
from reference.quantities import given, rate, time_for

METADATA, LOAD, STORE, COMPUTATION, SEND, RECEIVE, COLLECTIVE = range(1, 8)
OPERATIONS = [
    *("all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter"),
    *("reduce-scatter", "barrier"),
]
"""Collective operations by the numbers of the schema."""
OF_A_RANK = ("all-gather", "gather")
"""Those whose size is that of the part of a rank; of others it is that of the whole vector."""


class Node:
    """A node of a trace; all that is said of it are attributes."""

    def __init__(self, said: dict):
        more = {one["name"]: next(value for key, value in one.items() if key != "name") for one in said.get("attr", [])}
        self.said = {**more, **said}
        self.id, self.kind = self.first("Id", "id"), self.first("NodeType", "type")
        self.name = self.first("Name", "name") or ""
        self.control = self.first("ctrlDeps", "ctrl_deps") or []
        self.data = self.first("dataDeps", "data_deps") or []
        self.recorded = 10**6 * int(self.first("runtime", "durationMicros", "duration_micros") or 0)

    def first(self, *names: str):
        """The first value found under one of these names."""
        return next((self.said[name] for name in names if name in self.said), None)

    def number(self, name: str) -> int | None:
        """An attribute that is a whole number."""
        return None if self.said.get(name) is None else int(self.said[name])


def read_trace(path: Path) -> list[Node]:
    """The nodes of a trace, in the order of its file."""
    said = json.loads(path.read_text())
    nodes = said if isinstance(said, list) else next(said[key] for key in ("workload_graph", "nodes") if key in said)
    return [Node(node) for node in nodes]


def files_of(traces: list[str]) -> list[Path]:
    """The files of a list of files and folders; those of a folder by the ranks in their names."""
    found = []
    for path in map(Path, traces):
        by_rank = lambda file: int(re.search(r"\.(\d+)\.\w+$", file.name)[1])  # noqa: E731
        found += sorted(path.iterdir(), key=by_rank) if path.is_dir() else [path]
    return found


class Chakra:
    """The program under construction."""

    def __init__(self, parameters: dict, job: dict):
        files = files_of(parameters["traces"])
        ranks = given(job, "ranks", len(files)) if len(files) == 1 else len(files)
        self.program, self.tags = Program(ranks), {}
        self.data_only = parameters.get("order") == "data"
        self.peak = None if parameters.get("teraflops") is None else parameters["teraflops"] * 1e12
        self.memory = rate(parameters.get("memory_rate"))
        self.parts: dict[str, dict[int, list[tuple[Node, Place]]]] = {}  # by group and rank
        for rank in range(ranks):
            self.take(rank, read_trace(files[rank if len(files) > 1 else 0]))
        self.collectives(Library.read(given(parameters, "library", {})), given(parameters, "groups", {}))

    def take(self, rank: int, nodes: list[Node]) -> None:
        """The trace of a rank. Some nodes wait for others that come later in the file."""
        first, last = {}, {}
        for node in nodes:
            first[node.id], last[node.id] = self.operations(rank, node)
        for node in nodes:
            waits = node.data if self.data_only else [*node.control, *node.data]
            before = {(last[other], "finished") for other in waits if other in last and other != node.id}
            self.program.ranks[rank][first[node.id]].waits |= before

    def operations(self, rank: int, node: Node) -> tuple[int, int]:
        """The operation of a node that waits for others, and that for which others wait."""
        size = node.number("comm_size") or 0
        if node.kind == COLLECTIVE and node.said.get("comm_type") is not None:
            place = open_place(self.program, rank, [])
            self.parts.setdefault(str(node.said.get("pg_name", "")), {}).setdefault(rank, []).append((node, place))
            return place.begin, place.end
        if node.kind in (SEND, RECEIVE):
            tag = self.tags.setdefault(node.number("comm_tag") or 0, len(self.tags))
            peer = node.number("comm_dst" if node.kind == SEND else "comm_src")
            add = self.program.send if node.kind == SEND else self.program.receive
            number = add(rank, size, peer, tag)
        elif node.kind in (LOAD, STORE, COMPUTATION, COLLECTIVE):
            number = self.program.add(rank, Operation("compute", time=self.time(node), cpu=self.processor(node)))
        else:
            number = self.program.idle(rank, [])
        return number, number

    def processor(self, node: Node) -> str:
        """The processor that a node occupies."""
        if node.kind in (LOAD, STORE):
            return "loads and stores"
        if node.kind == COLLECTIVE:
            return "unknown"
        return "host" if node.said.get("is_cpu_op") is True else 0

    def time(self, node: Node) -> int:
        """How long the node occupies it."""
        if node.recorded > 0:
            return node.recorded
        work, nbytes, computing = node.number("num_ops") or 0, node.number("tensor_size") or 0, 0
        if self.peak is not None and node.kind == COMPUTATION:
            computing = int(work / self.peak * 1e12 + 0.5)
        return max(computing, 0 if self.memory is None else time_for(nbytes, self.memory))

    def collectives(self, library: Library, groups: dict[str, list[int]]) -> None:
        """The members of every group perform their collectives, group by group."""
        tag = INSIDE
        for name, parts in sorted(self.parts.items()):
            everybody = [*range(len(self.program.ranks))]
            members = groups.get(name, everybody if name == "" else sorted(parts))
            for row in zip(*(parts[member] for member in members), strict=True):
                node, places = row[0][0], [place for _, place in row]
                operation, size = OPERATIONS[node.number("comm_type")], node.number("comm_size") or 0
                if operation in OF_A_RANK:
                    size *= len(members)
                root = next((number for key in ("comm_src", "root") if (number := node.number(key)) is not None), 0)
                root = members.index(root) if root in members else root  # by its rank, or by its place in the group
                tag = library.carry_out(self.program, node.name, operation, size, places, tag, root)
