"""Programs by their names in a scenario."""

from pathlib import Path

from reference.jobs.placement import count_ranks
from reference.programs import benchmarks, collectives
from reference.programs.chakra import Chakra
from reference.programs.experts import moe
from reference.programs.goal import read_goal
from reference.programs.library import collective
from reference.programs.program import Program
from reference.programs.training import Training
from reference.quantities import choice, given, rate, size, span
from reference.rng import Rng, shuffle


def read_program(entry, seed: int) -> Program:
    """The program of a traffic entry."""
    kind, parameters = choice(entry.program)
    if kind in ("text", "goal"):
        text = parameters[""]
        return read_goal(text if kind == "text" else Path(text).read_text())
    if kind == "training":
        return Training(parameters).program
    if kind == "chakra":
        return Chakra(parameters, entry.job).program
    ranks = count_ranks(entry.job, len(entry.sources))
    if kind == "collective":
        return collective(parameters, ranks)
    if kind == "moe":
        return moe(parameters, ranks, seed, entry.name)
    if kind == "random-ring":
        order = shuffle(range(ranks), Rng(seed, f"ring {entry.name}", 0))
        return benchmarks.ring(order, size(parameters["bytes"]), given(parameters, "count", 1))
    return of_benchmark(kind, parameters, ranks)


def of_benchmark(kind: str, parameters: dict, ranks: int) -> Program:
    """A benchmark, or a collective of a textbook."""
    nbytes, count = size(given(parameters, "bytes", "0 B")), given(parameters, "count", 1)
    time, combining = span(given(parameters, "compute", "0 ns")), rate(parameters.get("combine_rate"))
    order = given(parameters, "order", "in-turn")
    makers = {
        "ping-pong": lambda: benchmarks.ping_pong(ranks, nbytes, count),
        "natural-ring": lambda: benchmarks.ring([*range(ranks)], nbytes, count),
        "ptrans": lambda: benchmarks.ptrans(ranks, nbytes, count, time),
        "mpifft": lambda: benchmarks.mpifft(ranks, nbytes, given(parameters, "transposes", 3), time, order),
        "all-reduce-ring": lambda: collectives.all_reduce_ring(ranks, nbytes, combining),
        "all-reduce-doubling": lambda: collectives.all_reduce_doubling(ranks, nbytes, combining),
        "reduce-scatter": lambda: collectives.reduce_scatter(ranks, nbytes, combining),
        "all-gather": lambda: collectives.all_gather(ranks, nbytes),
        "all-to-all": lambda: benchmarks.all_to_all(ranks, nbytes, order),
        "broadcast": lambda: collectives.broadcast(ranks, nbytes, given(parameters, "root", 0)),
        "barrier": lambda: collectives.barrier(ranks, nbytes),
    }
    return makers[kind]()
