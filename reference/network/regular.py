"""Regular networks, built link by link from their definitions, and their minimal routes.

Everything here uses the names of switches: a switch is named by its place, and a link joins two places. A route is
found by trying every neighbour. This is slow, and hard to get wrong.
"""

from functools import cache
from itertools import product

from reference.quantities import rate, span

KINDS = ("dragonfly", "dragonfly-plus", "hyper-x", "torus", "mesh", "clos")
TREES = ("clos",)


def build(kind: str, given: dict, wire: tuple[int, int], graph, join) -> None:
    """Adds hosts, switches and links to a graph; `join(a, b, (rate, delay), port of a, port of b)` makes a link."""
    {
        "dragonfly": dragonfly,
        "dragonfly-plus": dragonfly_plus,
        "hyper-x": hyper_x,
        "torus": grid,
        "mesh": grid,
        "clos": clos,
    }[kind](kind, given, wire, graph, join)
    graph.regular = kind, given


def hosts_on(switches: list, each: int, wire, graph, join) -> None:
    """As many hosts on each switch, in the order of switches."""
    for number in range(len(switches) * each):
        join(graph.host(f"h{number}"), switches[number // each], wire, 1, number % each + 1)


def global_pairs(groups: int, ports: int, arrangement: str) -> dict:
    """(group, global port) -> (group, global port), by the rule of the arrangement."""
    leads = {}
    for group in range(groups):
        others = [g for g in range(groups) if g != group]
        order = {
            "absolute": others,
            "relative": [(group + 1 + j) % groups for j in range(groups - 1)],
            "palmtree": [(group - 1 - j) % groups for j in range(groups - 1)],
            "circulant": [(group + (j // 2 + 1) * (-1) ** j) % groups for j in range(groups - 1)],
        }[arrangement]
        for port in range(ports):
            leads[group, port] = order[port % (groups - 1)]
    back = {}
    for (group, port), to in leads.items():
        # The link of the same round that leads back.
        first = port // (groups - 1) * (groups - 1)
        back[group, port] = next((to, other) for other in range(first, first + groups - 1) if leads[to, other] == group)
    return back


def far(given: dict, wire: tuple[int, int]) -> tuple[int, int]:
    """Rate and delay of links between groups."""
    delay = given.get("global_delay")
    return rate(given.get("global_rate")) or wire[0], wire[1] if delay is None else span(delay)


def dragonfly(kind, given, wire, graph, join):
    """Groups of switches that are all linked to each other."""
    p, a, h = given["p"], given["a"], given["h"]
    groups = given.get("groups") or a * h + 1
    at = {(g, r): graph.switch(f"r{g}_{r}") for g in range(groups) for r in range(a)}
    hosts_on(list(at.values()), p, wire, graph, join)
    for g in range(groups):
        for r in range(a):
            for s in range(r + 1, a):
                # Each switch skips itself in counting the others.
                join(at[g, r], at[g, s], wire, p + s, p + r + 1)
    pairs = global_pairs(groups, a * h, given.get("arrangement", "absolute"))
    for (g, j), (to, k) in pairs.items():
        if g < to:
            join(at[g, j // h], at[to, k // h], far(given, wire), p + a + j % h, p + a + k % h)


def dragonfly_plus(kind, given, wire, graph, join):
    """Groups of leaves and spines."""
    p, leaves, h = given["p"], given["leaves"], given["h"]
    spines = given.get("spines") or leaves
    groups = given.get("groups") or spines * h + 1
    low = {(g, i): graph.switch(f"leaf{g}_{i}") for g in range(groups) for i in range(leaves)}
    high = {(g, i): graph.switch(f"spine{g}_{i}") for g in range(groups) for i in range(spines)}
    hosts_on(list(low.values()), p, wire, graph, join)
    for (g, i), leaf in low.items():
        for j in range(spines):
            join(leaf, high[g, j], wire, p + j + 1, i + 1)
    pairs = global_pairs(groups, spines * h, given.get("arrangement", "absolute"))
    for (g, j), (to, k) in pairs.items():
        if g < to:
            ports = leaves + j % h + 1, leaves + k % h + 1
            join(high[g, j // h], high[to, k // h], far(given, wire), *ports)


def places(dimensions: list[int]) -> list[tuple]:
    """All coordinates, the first running fastest."""
    return [tuple(reversed(place)) for place in product(*(range(size) for size in reversed(dimensions)))]


def grid(kind, given, wire, graph, join):
    """Rows that are rings (torus) or open (mesh)."""
    dimensions, each = given["dimensions"], given.get("hosts_per_switch", 1)
    at = {place: graph.switch("s" + "_".join(map(str, place))) for place in places(dimensions)}
    hosts_on(list(at.values()), each, wire, graph, join)
    for dimension, size in enumerate(dimensions):
        for place, switch in at.items():
            above = place[dimension] + 1
            if above == size and (kind == "mesh" or size == 2):
                continue
            other = (*place[:dimension], above % size, *place[dimension + 1 :])
            up = each + 2 * dimension + 1
            join(switch, at[other], wire, up, up + 1)


def hyper_x(kind, given, wire, graph, join):
    """Rows whose switches are all linked to each other."""
    dimensions, each = given["dimensions"], given.get("hosts_per_switch", 1)
    trunks = given.get("trunks") or [1] * len(dimensions)
    at = {place: graph.switch("s" + "_".join(map(str, place))) for place in places(dimensions)}
    hosts_on(list(at.values()), each, wire, graph, join)
    first = each + 1
    for dimension, (size, trunk) in enumerate(zip(dimensions, trunks, strict=True)):
        for place, switch in at.items():
            for to in range(place[dimension] + 1, size):
                other = (*place[:dimension], to, *place[dimension + 1 :])
                for k in range(trunk):
                    ports = first + (to - 1) * trunk + k, first + place[dimension] * trunk + k
                    join(switch, at[other], wire, *ports)
        first += (size - 1) * trunk


def clos(kind, given, wire, graph, join):
    """Levels of switches, perhaps with rails and planes."""
    down, up = list(given["down"]), list(given["up"])
    bundle = given.get("bundle") or [1] * len(up)
    rates = [rate(r) for r in given.get("rates") or []] or [wire[0]] * len(down)
    delays = [span(d) for d in given.get("delays") or []] or [wire[1]] * len(down)
    wires = list(zip(rates, delays, strict=True))
    rails, planes, servers = given.get("rails", 1), given.get("planes", 1), down[0]
    names = ["leaf", *(f"s{level}_" for level in range(1, len(down) - 1)), "spine"][: len(down)]
    if planes > 1:
        down, up, bundle, names = [1, *down], [planes, *up], [1, *bundle], ["nic", *names]
        wires = [(wires[0][0] * planes, 0), *wires]
    # A switch of a level is identified by the upward choices that lead to it and the branches that it is below.
    levels = []
    for level in range(len(down)):
        digits = up[:level] + down[level + 1 :]
        levels.append({place: graph.switch(f"{names[level]}{i}") for i, place in enumerate(places(digits))})
    total = 1
    for count in down:
        total *= count
    leaves = list(levels[0].values())
    for number in range(total):
        unit, inside = divmod(number, rails * servers)
        server, rail = divmod(inside, rails)
        position = (unit * rails + rail) * servers + server
        join(graph.host(f"h{number}"), leaves[position // down[0]], wires[0], 1, position % down[0] + 1)
    links = 1
    for level, above in enumerate(up):
        for place, switch in levels[level].items():
            for u in range(above):
                other = levels[level + 1][(*place[:level], u, *place[level + 1 :])]
                for k in range(bundle[level]):
                    mine = down[level] * links + u * bundle[level] + k + 1
                    join(switch, other, wires[level + 1], mine, place[level] * bundle[level] + k + 1)
        links = bundle[level]
    if rails > 1:
        graph.groups = {f"rail{rail}": list(range(rail, total, rails)) for rail in range(rails)}


def minimal(graph) -> list[list[int | None]]:
    """For each switch and host the local port, by the topology's own rule."""
    kind, _ = graph.regular
    ports, home = surroundings(graph)
    table = [[None] * len(graph.hosts) for _ in graph.switches]
    for s, row in enumerate(minimal_ways(graph)):
        for h, good in enumerate(row):
            turn = TURNS.get(kind, in_order)(graph, ports, home, s, h) if len(good) > 1 else 0
            table[s][h] = good[turn % len(good)] if good else None
    return table


def minimal_ways(graph) -> list[list[list[int]]]:
    """For each switch and host the local ports among which that rule chooses."""
    kind, given = graph.regular
    ports, home = surroundings(graph)
    step = {"dragonfly": by_groups, "dragonfly-plus": by_groups}.get(kind, by_dimensions)
    table = [[[] for _ in graph.hosts] for _ in graph.switches]
    for s, h in product(range(len(graph.switches)), range(len(graph.hosts))):
        here = [port for port, (neighbour, _) in enumerate(ports[s]) if neighbour == ("host", h)]
        table[s][h] = here or step(kind, given, graph, ports, s, home[h])
    return table


def surroundings(graph) -> tuple[list, dict[int, int]]:
    """The ports of each switch, and the switch of each host."""
    ports = [graph.ports(("switch", s)) for s in range(len(graph.switches))]
    home = {neighbour[1]: s for s, own in enumerate(ports) for neighbour, _ in own if neighbour[0] == "host"}
    return ports, home


def in_order(graph, ports, home, s, h) -> int:
    """The number of the host decides among the ports."""
    return h


def over_trunks(graph, ports, home, s, h) -> int:
    """HyperX: the place of a host among all those to which the same parallel links lead."""
    here, there = place_of(graph, s)[1], place_of(graph, home[h])[1]
    known = 1 + next(d for d in range(len(here)) if here[d] != there[d])
    return [other for other in sorted(home) if place_of(graph, home[other])[1][:known] == there[:known]].index(h)


def over_spines(graph, ports, home, s, h) -> int:
    """Dragonfly+: the links between two groups take hosts in turn, in rounds over the spines that have another one."""
    (kind, (group, _)), to = place_of(graph, s), place_of(graph, home[h])[1][0]
    if group == to:
        return h
    rounds = []
    for spine in range(len(graph.switches)):
        if place_of(graph, spine)[0] == "spine" and place_of(graph, spine)[1][0] == group:
            ends = [place_of(graph, end[1]) for end, _ in ports[spine] if end[0] == "switch"]
            rounds += [(number, spine) for number in range(sum(end[0] == "spine" and end[1][0] == to for end in ends))]
    number, chosen = sorted(rounds)[h % len(rounds)]
    # A spine takes its own link of that round, and a leaf, of the spines that have any, the chosen one.
    return number if kind == "spine" else sorted({spine for _, spine in rounds}).index(chosen)


TURNS = {"hyper-x": over_trunks, "dragonfly-plus": over_spines}


def place_of(graph, switch: int) -> tuple:
    """Kind and place of a switch, from its name."""
    return place_in(graph.switches[switch])


@cache
def place_in(name: str) -> tuple:
    """Kind and place, by the name."""
    kind = name.rstrip("0123456789_")
    return kind, tuple(int(part) for part in name[len(kind) :].split("_"))


def by_dimensions(kind, given, graph, ports, s, goal) -> list[int]:
    """Ports along the first dimension in which the two differ, the shorter way round."""
    _, here = place_of(graph, s)
    _, there = place_of(graph, goal)
    dimension = next(d for d in range(len(here)) if here[d] != there[d])
    at, to, size = here[dimension], there[dimension], given["dimensions"][dimension]
    if kind == "hyper-x":
        wanted = to
    elif kind == "mesh":
        wanted = at + (1 if to > at else -1)
    else:
        up, down = (to - at) % size, (at - to) % size
        upward = up < down or (up == down and to % 2 == 0)
        wanted = (at + (1 if upward else -1)) % size
    good = []
    for port, (neighbour, link) in enumerate(ports[s]):
        if neighbour[0] != "switch":
            continue
        _, place = place_of(graph, neighbour[1])
        if place == (*here[:dimension], wanted, *here[dimension + 1 :]):
            good.append((port, link))
    return [port for port, _ in good]


def by_groups(kind, given, graph, ports, s, goal) -> list[int]:
    """By groups: ports on the shortest of all paths with at most one link between groups, found by trying them all."""

    def group(switch: int) -> int:
        return place_of(graph, switch)[1][0]

    def ways(switch: int, crossed: bool, left: int):
        """First ports of paths to the goal with this many links left, and whether there is any."""
        if switch == goal:
            return [True]
        found = []
        if left == 0:
            return found
        for port, (neighbour, _) in enumerate(ports[switch]):
            if neighbour[0] != "switch":
                continue
            crosses = group(neighbour[1]) != group(switch)
            if crosses and (crossed or group(neighbour[1]) != group(goal)):
                continue
            if ways(neighbour[1], crossed or crosses, left - 1):
                found.append(port)
        return found

    for length in (1, 2, 3):
        if found := ways(s, False, length):
            return found
    return []


def lanes(kind: str, given: dict) -> int:
    """The number of lanes that break all cycles of the topology's own routes."""
    if kind == "torus":
        return 2 if max(given["dimensions"]) > 4 else 1
    return 2 if kind == "dragonfly" else 1


def lane(graph, switch: int, came: int | None, to: int | None, lane: int) -> int:
    """The lane in which a packet leaves that came from one switch (None: from a host) and goes to another."""
    if graph.regular is None:
        return lane  # trees need no others
    kind, given = graph.regular
    here = place_of(graph, switch)[1]
    came_from = None if came is None else place_of(graph, came)[1]
    goes_to = None if to is None else place_of(graph, to)[1]
    # In phases a route has lanes of its own in each.
    first = lane - lane % lanes(kind, given)
    if kind == "dragonfly":
        return first + 1 if came_from is not None and came_from[0] != here[0] else lane
    if kind != "torus" or goes_to is None or lanes(kind, given) == 1:
        return lane
    dimension = next(d for d in range(len(here)) if here[d] != goes_to[d])
    closes = given["dimensions"][dimension] > 2 and abs(here[dimension] - goes_to[dimension]) > 1
    stayed = came_from is not None and came_from[dimension] != here[dimension]
    return first + 1 if closes or (stayed and lane > first) else first
