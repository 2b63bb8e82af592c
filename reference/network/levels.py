"""Trees written out link by link: the level of each switch, and D-mod-K based on it.

Level 0 are the switches with hosts, any other switch is as high as it is far from them, and every link between switches
joins two neighbouring levels. If hosts on higher switches are in the way of that, the switches with at least a quarter
of the most hosts (and at least two) are level 0 alone.

D-mod-K: hosts are numbered from left to right. On the way up to host number j, a switch of level l takes up-port
⌊j / (w₀·…·w_{l-1})⌋ modulo their number, where w is the largest number of parents of a switch of a level and ports to
different parents come before parallel links; if the host cannot be reached by going up and then down beyond that port,
the next one in turn. Among parallel links down the same quotient chooses.
"""

from collections import Counter
from math import prod


def levels(graph) -> list[int] | None:
    """The level of each switch, or nothing if the network is not a tree of levels."""
    around = [[node for node, _ in graph.ports(("switch", s))] for s in range(len(graph.switches))]
    hosts = [sum(kind == "host" for kind, _ in nodes) for nodes in around]
    for least in (1, max(2, -(-max(hosts) // 4))):
        level = {s: 0 for s in range(len(around)) if hosts[s] >= least or not around[s]}
        while more := {
            peer: level[s] + 1
            for s in level
            for kind, peer in around[s]
            if kind == "switch" and peer not in level and level[s] == max(level.values())
        }:
            level |= more
        pairs = [(s, peer) for s, nodes in enumerate(around) for kind, peer in nodes if kind == "switch"]
        if len(level) == len(around) and all(abs(level[s] - level[peer]) == 1 for s, peer in pairs):
            return [level[s] for s in range(len(around))]
    return None


def d_mod_k_by_levels(graph) -> list[list[int | None]] | None:
    """For each switch and host the port, or nothing if the network is no tree or some path up and down is missing."""
    level = levels(graph)
    if level is None:
        return None
    tree = Tree(graph, level)
    table: list[list[int | None]] = [[None] * len(graph.hosts) for _ in level]
    widest = tree.widest()
    for number, host in enumerate(tree.from_left_to_right()):
        down = tree.ways_down(graph.ports(("host", host))[0][0][1], host)
        reaching = tree.reaching(down)
        if not reaching.issuperset(tree.with_hosts()):
            return None
        for s in reaching:
            quotient = number // prod(widest[: level[s]])
            ports = down.get(s)
            if not ports:  # the first up-port in turn beyond which there is a path
                ports = tree.up[s][quotient % len(tree.up[s]) :] + tree.up[s][: quotient % len(tree.up[s])]
                table[s][host] = next(port for port in ports if tree.beyond(s, port) in reaching)
            else:
                table[s][host] = ports[quotient % len(ports)]
    return table


class Tree:
    """A tree of levels, as its switches see it."""

    def __init__(self, graph, level: list[int]):
        self.level = level
        self.ports = [graph.ports(("switch", s)) for s in range(len(level))]
        self.up = [self.side(s, 1) for s in range(len(level))]
        self.down = [self.side(s, -1) for s in range(len(level))]
        self.from_above = sorted(range(len(level)), key=lambda s: -level[s])

    def beyond(self, s: int, port: int) -> int:
        """The number of the switch, or host, at the far end of a port."""
        return self.ports[s][port][0][1]

    def side(self, s: int, step: int) -> list[int]:
        """Ports up (1) or down (-1), parallel links last."""
        seen, found = Counter(), []
        for port, (node, _) in enumerate(self.ports[s]):
            if node[0] == "switch" and self.level[node[1]] == self.level[s] + step:
                found.append((seen[node], port))
                seen[node] += 1
        return [port for _, port in sorted(found)]

    def with_hosts(self) -> list[int]:
        """The switches that have hosts."""
        return [s for s, ports in enumerate(self.ports) if any(node[0] == "host" for node, _ in ports)]

    def widest(self) -> list[int]:
        """By level: the most parents of a switch there."""
        parents = [{self.beyond(s, port) for port in ports} for s, ports in enumerate(self.up)]
        on = [
            [len(parents[s]) for s in self.from_above if self.level[s] == here] for here in range(max(self.level) + 1)
        ]
        return [max(numbers) or 1 for numbers in on]

    def from_left_to_right(self) -> list[int]:
        """Hosts as a walk from the top finds them."""
        hosts, visited = [], set()

        def walk(s: int) -> None:
            if s not in visited:
                visited.add(s)
                hosts.extend(node[1] for node, _ in self.ports[s] if node[0] == "host")
                for port in self.down[s]:
                    walk(self.beyond(s, port))

        for s in self.from_above:
            walk(s)
        return hosts

    def ways_down(self, home: int, host: int) -> dict[int, list[int]]:
        """By switch, the host's own or one above: the ports that lead down to a host; none without such a path."""
        ways = {home: [port for port, (node, _) in enumerate(self.ports[home]) if node == ("host", host)]}
        for s in reversed(self.from_above):
            if self.level[s] > self.level[home]:
                ways[s] = [port for port in self.down[s] if ways.get(self.beyond(s, port))]
        return ways

    def reaching(self, down: dict[int, list[int]]) -> set[int]:
        """Switches from which a path up, if necessary, and then down by these ports leads to the host."""
        reaching = {s for s, ports in down.items() if ports}
        for s in self.from_above:
            if any(self.beyond(s, port) in reaching for port in self.up[s]):
                reaching.add(s)
        return reaching
