"""Which rank is on which host, and which hosts are one node."""

from dataclasses import dataclass

from reference.quantities import choice, given, rate, span
from reference.rng import Rng, shuffle


@dataclass
class Node:
    """Neighbouring hosts with a link each into a switch that never blocks, which messages of jobs take."""

    hosts: int
    rate: int
    delay: int  # from the end of a message at its sender until it has arrived


def read_node(adapters: dict) -> Node | None:
    """The links inside nodes, if there are any."""
    node = adapters.get("node")
    return None if node is None else Node(node["hosts"], rate(node["rate"]), span(given(node, "delay", "0 ns")))


def count_ranks(job: dict, hosts: int) -> int:
    """The number of ranks if the program does not say: as in the job, or one for each place."""
    kind, parameters = choice(given(job, "placement", "linear"))
    if job.get("ranks") is not None:
        return job["ranks"]
    return len(parameters["hosts"]) if kind == "given" else hosts * given(job, "per_host", 1)


def place(job: dict, ranks: int, hosts: list[int], names: list[str], rng: Rng) -> list[int]:
    """The host of every rank; `hosts` are those that the job may use."""
    kind, parameters = choice(given(job, "placement", "linear"))
    each = given(job, "per_host", max(1, -(-ranks // len(hosts))))
    if kind == "given":
        return [names.index(name) for name in parameters["hosts"]]
    if kind == "round-robin":
        return [hosts[rank % len(hosts)] for rank in range(ranks)]
    if kind == "random":
        hosts = shuffle(hosts, rng)
    elif kind == "by-rail":
        hosts = [host for rail in range(parameters["node"]) for host in hosts[rail :: parameters["node"]]]
    return [hosts[rank // each] for rank in range(ranks)]
