"""What is connected to what, and the routes of packets.

A node is ("host", id) or ("switch", id). The ports of a node follow each other in the order in which its links stand
in the list of links, or by the numbers printed on them, if they have any; that order is part of the meaning, because
ties are broken by it.
"""

import json
import tomllib
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from reference.network import networks, regular
from reference.network.levels import d_mod_k_by_levels
from reference.quantities import choice, rate, span

Node = tuple[str, int]


@dataclass
class Link:
    """A two-way link; each direction has its rate (bit/s) and delay (ps), each end perhaps a port number."""

    a: Node
    b: Node
    rate_ab: int
    delay_ab: int
    rate_ba: int
    delay_ba: int
    port_a: int | None = None
    port_b: int | None = None


@dataclass
class Graph:
    """Hosts, switches, links, and named groups of hosts."""

    hosts: list[str] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    groups: dict[str, list[int]] = field(default_factory=dict)
    regular: tuple[str, dict] | None = None  # kind and parameters, for its own routes
    tree: tuple[str, int, int] | None = None  # ("k-ary-n-tree", k, n) or ("fat-tree", radix/2, layers): for d-mod-k

    def host(self, name: str) -> Node:
        """A new host."""
        self.hosts.append(name)
        return "host", len(self.hosts) - 1

    def switch(self, name: str) -> Node:
        """A new switch."""
        self.switches.append(name)
        return "switch", len(self.switches) - 1

    def is_adapter(self, node: Node) -> bool:
        """Whether a switch is the adapter of a host, which joins the planes of a clos and forwards nothing between
        them.
        """
        kind, given = self.regular or ("", {})
        has_planes = kind == "clos" and given.get("planes", 1) > 1
        return has_planes and node[0] == "switch" and any(end[0] == "host" for end, _ in self.ports(node))

    def name(self, node: Node) -> str:
        """The name of a node."""
        return (self.hosts if node[0] == "host" else self.switches)[node[1]]

    def ports(self, node: Node) -> list[tuple[Node, int]]:
        """The (neighbour, link number) at each port of a node, in port order."""
        return [(neighbour, link) for _, neighbour, link in self.numbered(node)]

    def numbered(self, node: Node) -> list[tuple[int, Node, int]]:
        """The (printed number, neighbour, link number) at each port of a node, in port order."""
        found = []
        for id_, link in enumerate(self.links):
            if link.a == node:
                found.append((link.port_a or len(found) + 1, link.b, id_))
            if link.b == node:
                found.append((link.port_b or len(found) + 1, link.a, id_))
        return sorted(found)


def with_file(raw: dict) -> dict:
    """The scenario with the topology of the file that it names, and its routing, unless the scenario has its own."""
    kind, given = choice(raw["topology"])
    if kind != "file":
        return raw
    path = Path(given[""])
    said = json.loads(path.read_text()) if path.suffix == ".json" else tomllib.loads(path.read_text())
    routing = {} if raw.get("routing") else {"routing": said.get("routing")}
    return {**raw, "topology": said["topology"], **routing}


def build(raw: dict) -> Graph:
    """The graph of a scenario."""
    kind, given = choice(raw["topology"])
    wire = rate(raw["links"]["rate"]), span(raw["links"].get("delay") or "0 ns")
    graph = Graph()

    def join(a: Node, b: Node, there=wire, back=None, numbers=(None, None)) -> None:
        graph.links.append(Link(a, b, *there, *(back or there), *numbers))

    if kind in networks.KINDS:
        networks.KINDS[kind](given, wire, graph, join)
    elif kind in regular.KINDS:
        regular.build(kind, given, wire, graph, lambda a, b, wire, *ports: join(a, b, wire, numbers=ports))
    else:
        raise ValueError(f"no topology is called {kind!r}")
    return graph


def rule(raw: dict, graph: Graph) -> tuple[str, dict]:
    """The name of the rule for routes, and its parameters: if none is given, the topology's own."""
    own = "d-mod-k" if graph.tree else "shortest-path"
    if graph.regular:
        own = "d-mod-k" if graph.regular[0] in regular.TREES else "minimal"
    return choice(raw.get("routing") or own)


def route(raw: dict, graph: Graph) -> list[list[int | None]]:
    """For each switch and each host, the local port by which the switch forwards to the host."""
    name, given = rule(raw, graph)
    if name == "minimal":
        return regular.minimal(graph)
    if name == "d-mod-k" and not graph.tree:
        return d_mod_k_by_levels(graph)
    if name == "d-mod-k":
        return [[d_mod_k(graph, s, h) for h in range(len(graph.hosts))] for s in range(len(graph.switches))]
    if name == "table":
        return by_table(graph, given)
    if name == "ports":
        return by_ports(graph, given)
    return shortest_paths(graph)


def shortest_paths(graph: Graph, gone: frozenset = frozenset()) -> list[list[int | None]]:
    """Fewest links; of several equally short ways a digit of the destination's number chooses: the lowest one at
    switches with hosts, the next one a link above them, and so on. Hosts are numbered switch by switch. Ways to
    different neighbours come before parallel links. Links between switches may be gone."""
    ways = shortest_ways(graph, gone)
    below = choices_below(graph, gone)
    number = {h: at for at, h in enumerate(pod_by_pod(graph, gone))}
    table: list[list[int | None]] = []
    for s, row in enumerate(ways):
        to = [neighbour for neighbour, _ in graph.ports(("switch", s))]
        ordered = [
            sorted(good, key=lambda port: (sum(to[o] == to[port] for o in good if o < port), port)) for good in row
        ]
        table.append([good[number[h] // below[s] % len(good)] if good else None for h, good in enumerate(ordered)])
    return table


def heights(graph: Graph, gone: frozenset) -> tuple[dict[int, int], dict[int, list[int]]]:
    """How many links each switch is away from the nearest one with hosts, and the switches next to it, link by link."""
    ports = {s: graph.ports(("switch", s)) for s in range(len(graph.switches))}
    near = {
        s: [number for (node, number), link in ends if node == "switch" and link not in gone]
        for s, ends in ports.items()
    }
    height = {s: 0 for s, ends in ports.items() if any(node == "host" for (node, _), _ in ends)}
    todo = deque(height)
    while todo:
        s = todo.popleft()
        for other in near[s]:
            if other not in height:
                height[other] = height[s] + 1
                todo.append(other)
    return height, near


def pod_by_pod(graph: Graph, gone: frozenset) -> list[int]:
    """The hosts, those of a switch one after the other, and those of switches that are connected below a height too."""
    height, near = heights(graph, gone)
    home = [graph.ports(("host", h))[0][0][1] for h in range(len(graph.hosts))]

    def first_in_reach(s: int, most: int) -> int:
        """The first host of all switches that are connected with this one over switches up to this height."""
        reached, todo = {s}, [s]
        while todo:
            for other in near[todo.pop()]:
                if height[other] <= most and other not in reached:
                    reached.add(other)
                    todo.append(other)
        return min(h for h, at in enumerate(home) if at in reached)

    levels = range(max(height.values()) - 1, -1, -1)
    keys = {s: [first_in_reach(s, most) for most in levels] + [home.index(s)] for s in set(home)}
    return sorted(range(len(home)), key=lambda h: (keys[home[h]], h))


def choices_below(graph: Graph, gone: frozenset) -> list[int]:
    """For each switch, how many ways up there are below it: the most neighbours a link further up that any switch with
    hosts has, times the most that any switch at that height has, and so on to the height below its own. 1 where no
    switch with hosts can be reached."""
    height, near = heights(graph, gone)
    below = {0: 1}
    for level in range(max(height.values())):
        here = [s for s in height if height[s] == level]
        below[level + 1] = below[level] * max(len({o for o in near[s] if height[o] == level + 1}) for s in here)
    return [below[height[s]] if s in height else 1 for s in range(len(graph.switches))]


def equal_ways(raw: dict, graph: Graph, gone: frozenset) -> list[list[list[int]]]:
    """For each switch and host, the ports of all shortest paths; none at the switch of the host.

    By its own rule a whole dragonfly has the shortest of the paths with at most one link between groups.
    """
    home = [graph.ports(("host", h))[0][0] for h in range(len(graph.hosts))]
    if not gone and rule(raw, graph)[0] == "minimal" and graph.regular[0] == "dragonfly":
        ways = regular.minimal_ways(graph)
    else:
        ways = shortest_ways(graph, gone)
    return [[[] if home[h] == ("switch", s) else good for h, good in enumerate(row)] for s, row in enumerate(ways)]


def shortest_ways(graph: Graph, gone: frozenset) -> list[list[list[int]]]:
    """For each switch and host, the ports that lead one link nearer to the host."""
    nodes = [("host", h) for h in range(len(graph.hosts))] + [("switch", s) for s in range(len(graph.switches))]
    ports = {node: graph.ports(node) for node in nodes}
    left = {
        node: [end for end in around if end[1] not in gone or "host" in (node[0], end[0][0])]
        for node, around in ports.items()
    }
    adapters = {node for node in nodes if graph.is_adapter(node)}
    table: list[list[list[int]]] = [[[] for _ in graph.hosts] for _ in graph.switches]
    for h in range(len(graph.hosts)):
        distance = {("host", h): 0}
        others = adapters - {ports["host", h][0][0]}
        todo = deque([("host", h)])
        while todo:
            node = todo.popleft()
            if node[0] == "host" and node[1] != h:
                continue  # packets do not pass through hosts
            if node in others:
                continue  # nor through their adapters
            for neighbour, _ in left[node]:
                if neighbour not in distance:
                    distance[neighbour] = distance[node] + 1
                    todo.append(neighbour)
        for s in range(len(graph.switches)):
            here = distance.get(("switch", s))
            if here is None:
                continue
            good = [
                port
                for port, (neighbour, link) in enumerate(ports["switch", s])
                if (neighbour, link) in left["switch", s]
                and distance.get(neighbour) == here - 1
                and (neighbour[0] == "switch" or neighbour[1] == h)
                and neighbour not in others
            ]
            table[s][h] = good
    return table


def by_table(graph: Graph, given: dict) -> list[list[int | None]]:
    """As in the table, `SWITCH.HOST = "next node"` or a port's number; otherwise the shortest path.

    Of several links to the next node it is that of the shortest path. If this leads elsewhere, it is the one of the
    same place among parallel links or, if there are not as many, a digit of the destination's number chooses.
    """
    table = shortest_paths(graph)
    below = choices_below(graph, frozenset())
    counted = {h: at for at, h in enumerate(pod_by_pod(graph, frozenset()))}
    for switch, entries in given.items():
        s = graph.switches.index(switch)
        own = [(number, graph.name(neighbour)) for number, neighbour, _ in graph.numbered(("switch", s))]
        for host, hop in entries.items():
            h = graph.hosts.index(host)
            good = [port for port, known in enumerate(own) if hop in known]
            if table[s][h] in good:
                continue
            parallel = [port for port, known in enumerate(own) if known[1] == own[table[s][h]][1]]
            alike = len(parallel) == len(good)
            table[s][h] = good[parallel.index(table[s][h]) if alike else counted[h] // below[s] % len(good)]
    return table


def by_ports(graph: Graph, given: dict) -> list[list[int | None]]:
    """Port numbers as listed, for each switch one for each host; 0 is the shortest path."""
    table = shortest_paths(graph)
    for switch, numbers in given.items():
        s = graph.switches.index(switch)
        own = [number for number, _, _ in graph.numbered(("switch", s))]
        for h, number in enumerate(numbers):
            if number:
                table[s][h] = own.index(number)
    return table


def d_mod_k(graph: Graph, switch: int, host: int) -> int:
    """Down if the host is below; else up, by digit number `level` of the host's id in base k."""
    kind, k, n = graph.tree
    level, index = divmod(switch, k ** (n - 1) * (2 if kind == "fat-tree" else 1))
    if kind == "fat-tree" and level == n - 1:  # at the top: port = pod, or leaf
        return host // k ** (n - 1)
    digit = host // k**level % k
    # The switches below have the digits `level` and up of the index in common with this one.
    return digit if host // k // k**level == index // k**level else k + digit
