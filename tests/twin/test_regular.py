"""Regular networks compared with those of the twin: the same links at the same ports, and the same routes."""

import random

import pytest
from reference.network import regular, topology

from congestree.runs import running

SEEDS = 40


def random_topology(rng: random.Random, kind: str) -> dict:
    """Parameters of a small network of this kind."""

    def some(low: int, high: int) -> int:
        return rng.randint(low, high)

    def sizes(most: int) -> list[int]:
        return [some(2, most) for _ in range(some(1, 3))]

    if kind in ("dragonfly", "dragonfly-plus"):
        given = {"p": some(1, 2), "h": some(1, 3), "arrangement": rng.choice(list(ARRANGEMENTS))}
        if kind == "dragonfly":
            given["a"] = some(1, 4)
            ports = given["a"] * given["h"]
        else:
            given |= {"leaves": some(1, 3), "spines": some(1, 3)}
            ports = given["spines"] * given["h"]
        if rng.random() < 0.5:
            given["groups"] = rng.choice([g for g in range(2, ports + 2) if ports % (g - 1) == 0])
        if rng.random() < 0.3:
            given |= {"global_rate": "4 Gbit/s", "global_delay": "1 us"}
        return given
    if kind == "clos":
        levels = some(1, 3)
        down, up = [some(1, 4) for _ in range(levels)], [some(1, 3) for _ in range(levels - 1)]
        given = {"down": down, "up": up}
        if rng.random() < 0.5:
            given["bundle"] = [some(1, 2) for _ in up]
        if rng.random() < 0.3:
            given |= {"rates": [f"{some(1, 4)} Gbit/s" for _ in down], "delays": [f"{some(1, 9)} ns" for _ in down]}
        if levels > 1 and rng.random() < 0.5:
            given["rails"] = down[1]
        if rng.random() < 0.4:
            given["planes"] = some(2, 3)
        return given
    given = {"dimensions": sizes(5), "hosts_per_switch": some(1, 2)}
    if kind == "hyper-x" and rng.random() < 0.5:
        given["trunks"] = [some(1, 2) for _ in given["dimensions"]]
    return given


ARRANGEMENTS = ("absolute", "relative", "palmtree", "circulant")


def hosts(network: dict) -> int:
    return len(network["hosts"])


def described(topology: dict) -> dict:
    return {
        "topology": topology,
        "links": {"rate": "8 Gbit/s", "delay": "5 ns"},
        "allow_credit_loops": True,
        "traffic": [{"from": "all", "pattern": "uniform"}],
        "measure": {"duration": "1 us"},
    }


def compare(scenario: dict, graph: topology.Graph) -> None:
    found = running.network(scenario)
    assert (found["hosts"], found["switches"]) == (graph.hosts, graph.switches), scenario["topology"]
    assert {end(link) for link in found["links"]} == ends(graph), scenario["topology"]
    routes = topology.route(scenario, graph)
    for switch, row in enumerate(routes):
        own = [number for number, _, _ in graph.numbered(("switch", switch))]
        said = found["routes"][graph.switches[switch]]
        # Where no path leads through a switch the twin has no value.
        wanted = [own[port] if port is not None else number for port, number in zip(row, said, strict=True)]
        assert said == wanted, (scenario["topology"], graph.switches[switch])


def end(link: dict) -> tuple:
    """A link as the twin has it."""
    return link["a"], link["port_a"], link["b"], link["port_b"], link["rate"], link["delay"]


def ends(graph: topology.Graph) -> set[tuple]:
    """All links of the twin."""
    nodes = [("host", h) for h in range(len(graph.hosts))] + [("switch", s) for s in range(len(graph.switches))]
    port = {(node, link): number for node in nodes for number, _, link in graph.numbered(node)}
    return {
        (graph.name(x.a), port[x.a, id_], graph.name(x.b), port[x.b, id_], x.rate_ab, x.delay_ab)
        for id_, x in enumerate(graph.links)
    }


@pytest.mark.parametrize("kind", regular.KINDS)
def test_links_ports_and_routes_are_those_of_the_twin(kind):
    rng, compared = random.Random(kind), 0
    while compared < SEEDS:
        scenario = described({kind: random_topology(rng, kind)})
        graph = topology.build(scenario)
        if 2 <= len(graph.hosts) <= 60:
            compare(scenario, graph)
            compared += 1


@pytest.mark.parametrize("radix", [2, 4, 6])
@pytest.mark.parametrize("layers", [2, 3])
def test_a_fat_tree_is_that_of_the_twin(layers, radix):
    scenario = described({"fat-tree": {"radix": radix, "layers": layers}})
    compare(scenario, topology.build(scenario))


def test_shortest_paths_over_parallel_links_in_any_order_are_those_of_the_twin():
    for seed in range(SEEDS):
        rng = random.Random(seed)
        leaves, spines, each = rng.randint(2, 5), rng.randint(1, 4), rng.randint(1, 6)
        on = [(f"h{leaf}_{host}", f"leaf{leaf}") for leaf in range(leaves) for host in range(each)]
        pairs = [(f"leaf{leaf}", f"spine{spine}") for leaf in range(leaves) for spine in range(spines)]
        links = on + [pair for pair in pairs for _ in range(rng.randint(1, 3))]
        names = [host for host, _ in on]
        rng.shuffle(links)
        rng.shuffle(names)
        switches = [f"leaf{leaf}" for leaf in range(leaves)] + [f"spine{spine}" for spine in range(spines)]
        scenario = {
            "topology": {
                "graph": {"hosts": names, "switches": switches, "links": [{"a": a, "b": b} for a, b in links]}
            },
            "routing": "shortest-path",
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{"from": "all", "pattern": "uniform"}],
            "measure": {"duration": "1 us"},
        }
        graph, found = topology.build(scenario), running.network(scenario)["routes"]
        for switch, row in enumerate(topology.route(scenario, graph)):
            own = [number for number, _, _ in graph.numbered(("switch", switch))]
            assert found[graph.switches[switch]] == [own[port] for port in row], (seed, graph.switches[switch])
