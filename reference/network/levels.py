"""Trees written out link by link: which level a switch is on, and D-mod-K upon that.

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
    """For each switch and host the port, or nothing if the network is no tree or some way up and down is missing."""
    level = levels(graph)
    if level is None:
        return None
    count = len(graph.switches)
    ports = [graph.ports(("switch", s)) for s in range(count)]

    def side(s: int, step: int) -> list[int]:
        """Ports up (1) or down (-1), parallel links last."""
        seen, found = Counter(), []
        for port, (node, _) in enumerate(ports[s]):
            if node[0] == "switch" and level[node[1]] == level[s] + step:
                found.append((seen[node], port))
                seen[node] += 1
        return [port for _, port in sorted(found)]

    up, down = [side(s, 1) for s in range(count)], [side(s, -1) for s in range(count)]
    widest = [
        max(len({ports[s][port][0] for port in up[s]}) for s in range(count) if level[s] == here) or 1
        for here in range(max(level) + 1)
    ]
    order, visited = [], set()

    def walk(s: int) -> None:
        if s not in visited:
            visited.add(s)
            order.extend(node[1] for node, _ in ports[s] if node[0] == "host")
            for port in down[s]:
                walk(ports[s][port][0][1])

    from_above = sorted(range(count), key=lambda s: -level[s])
    for s in from_above:
        walk(s)

    table: list[list[int | None]] = [[None] * len(graph.hosts) for _ in range(count)]
    for j, h in enumerate(order):
        home = graph.ports(("host", h))[0][0][1]
        leads = {home: [next(p for p, (node, _) in enumerate(ports[home]) if node == ("host", h))]}
        for s in reversed(from_above):
            if level[s] > level[home]:
                leads[s] = [port for port in down[s] if leads.get(ports[s][port][0][1])]
        reaches = {s for s, there in leads.items() if there}
        for s in from_above:
            if any(ports[s][port][0][1] in reaches for port in up[s]):
                reaches.add(s)
        for s in reaches:
            digit = j // prod(widest[: level[s]])
            if leads.get(s):
                table[s][h] = leads[s][digit % len(leads[s])]
            else:
                turn = [up[s][(digit + k) % len(up[s])] for k in range(len(up[s]))]
                table[s][h] = next(port for port in turn if ports[s][port][0][1] in reaches)
        if any(node[0] == "host" and s not in reaches for s in range(count) for node, _ in ports[s]):
            return None
    return table
