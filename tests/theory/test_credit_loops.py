"""Can packets wait for each other in a cycle? Every topology with every choice of paths and lanes, searched again.

`check` refuses a scenario whose channels (and lanes) could wait for each other in a cycle (Dally and Seitz 1987). Here
packets from every host for every other are followed one by one, by another program with its own model of paths and
lanes, and their wait-for graph is searched. Accepted scenarios have no cycle; those refused for a cycle have one.

Paths: those of the routes, or all minimal ones where switches choose: all shortest, and on a dragonfly a link of the
group, a global one, a link of the group. On a detour a packet first goes to the switch of any host (PAR: after deciding
so at any switch), and then to its destination; there is none by the switch of its source or destination, hence none if
only two switches have hosts. Lanes by route: the next one after a global link; the second one where a ring closes, and
as long as the packet stays in that ring; those of a detour begin anew. Lanes by hop: the next one between switches.
"""

from collections import defaultdict, deque
from itertools import product

import pytest
from fabrics import scenario

TREES = [
    {"fat-tree": {"radix": 4}},
    {"fat-tree": {"radix": 4, "layers": 3}},
    {"k-ary-n-tree": {"k": 2, "n": 3}},
    {"clos": {"down": [2, 2, 2], "up": [2, 1]}},
    {"clos": {"down": [2, 3], "up": [2], "planes": 2}},
    {"clos": {"down": [4, 4], "up": [2], "rails": 2}},
]
DRAGONFLIES = [
    {"dragonfly": {"p": 1, "a": 2, "h": 1}},
    {"dragonfly": {"p": 1, "a": 3, "h": 1, "arrangement": "palmtree"}},
    {"dragonfly": {"p": 1, "a": 4, "h": 1, "groups": 3, "arrangement": "circulant"}},
    {"dragonfly": {"p": 1, "a": 2, "h": 2, "groups": 2}},
    {"dragonfly": {"p": 1, "a": 2, "h": 2, "groups": 3}},
    {"dragonfly-plus": {"p": 1, "leaves": 2, "h": 1}},
    {"dragonfly-plus": {"p": 1, "leaves": 2, "h": 2, "groups": 3}},
]
GRIDS = [
    *({"hyper-x": {"dimensions": sizes}} for sizes in ([2], [4], [3, 3], [2, 2, 2])),
    {"hyper-x": {"dimensions": [3, 2], "trunks": [2, 1]}},
    *({"torus": {"dimensions": sizes}} for sizes in ([3], [4], [5], [6], [3, 3], [4, 4], [5, 3], [2, 6])),
    *({"mesh": {"dimensions": sizes}} for sizes in ([4], [3, 3], [2, 2, 2])),
    {"chain": {"switches": 4, "hosts_per_switch": 1}},
]
TURNS = {"none": 0, "ecmp": 0, "valiant": 1, "ugal": 1, "par": 2}
LANES = [(None, 1), *product(["by-route"], [1, 2, 4, 6]), *product(["by-hop"], [2, 3, 4, 6, 9])]


class Network:
    """Switches, their ports, and the paths through them."""

    def __init__(self, topology):
        from congestree.runs import running

        (self.kind, self.sizes), *_ = topology.items()
        found = running.network(described(topology, "none", None, 1, allow_credit_loops=True))
        self.hosts, self.routes = found["hosts"], found["routes"]
        self.switches = found["switches"]
        # By node and port: the node and port at the other end.
        self.peer = {
            (link[a], link[f"port_{a}"]): (link[b], link[f"port_{b}"])
            for link in found["links"]
            for a, b in (("a", "b"), ("b", "a"))
        }
        self.ports = {switch: [port for node, port in self.peer if node == switch] for switch in self.switches}
        self.at = {host: self.peer[host, 1] for host in self.hosts}
        self.far = {home: self.distances(home) for home, _ in self.at.values()}

    def distances(self, home):
        """Links between switches to one of them."""
        far, todo = {home: 0}, deque([home])
        while todo:
            here = todo.popleft()
            for port in self.ports[here]:
                there, _ = self.peer[here, port]
                if there not in self.at and there not in far:
                    far[there] = far[here] + 1
                    todo.append(there)
        return far

    def next_to(self, switch):
        """Ports that lead to other switches, with these."""
        ends = ((port, self.peer[switch, port][0]) for port in self.ports[switch])
        return [(port, end) for port, end in ends if end not in self.at]

    def ways(self, switch, host, chooses):
        """Ports to a host on another switch."""
        home = self.at[host][0]
        if switch == home:
            return []
        if not chooses:
            return [self.routes[switch][self.hosts.index(host)]]
        if self.kind != "dragonfly":
            far = self.far[home]
            return [port for port, end in self.next_to(switch) if far[end] < far[switch]]
        cost = {port: self.rest(end, home, group(end) != group(switch)) for port, end in self.next_to(switch)}
        least = min(links for links in cost.values() if links is not None)
        return [port for port, links in cost.items() if links == least]

    def rest(self, switch, home, crossed):
        """Links of a dragonfly from a switch on, if one more global link is allowed; None: there is no such path."""
        if group(switch) == group(home):
            return int(switch != home)
        over = [int(end != home) for _, end in self.next_to(switch) if group(end) == group(home)]
        return None if crossed or not over else 1 + min(over)

    def phase(self):
        """Lanes that the topology's own routes need."""
        rings = self.kind == "torus" and max(self.sizes["dimensions"]) > 4
        return 2 if rings or self.kind == "dragonfly" else 1

    def lane(self, mode, count, came, here, leaves, lane):
        """The lane in which a packet leaves: from what node it came, where it is, where it goes."""
        last = count - 1
        if mode == "by-hop":
            return min(last, lane + (came not in self.at and leaves not in self.at))
        phase = self.phase()
        if mode is None or phase == 1 or leaves in self.at:
            return lane
        base, own = lane // phase * phase, lane % phase
        if self.kind == "dragonfly":
            return min(last, base + max(own, came not in self.at and group(came) != group(here)))
        dimension, closes = self.step(here, leaves)
        stays = came not in self.at and self.step(came, here)[0] == dimension
        return min(last, base + int(closes or (stays and own > 0)))

    def step(self, a, b):
        """The dimension of a link of a torus, and whether it closes a ring."""
        a, b = self.switches.index(a), self.switches.index(b)
        for number, size in enumerate(self.sizes["dimensions"]):
            if a % size != b % size:
                return number, size > 2 and {a % size, b % size} == {0, size - 1}
            a, b = a // size, b // size
        raise AssertionError("no link leads from a switch to itself")


def group(switch):
    """The group of a switch of a dragonfly: r3_1 is of group 3."""
    return int(switch[1:].split("_")[0])


def waits(net, route, mode, count):
    """Which (switch, port, lane) wait for which: packets from all hosts to all hosts, followed."""
    turns, chooses = TURNS[route], route == "ecmp"
    if turns == 1 and len(net.far) < 3:
        turns = 0
    after, seen, todo = defaultdict(set), set(), []

    def leave(here, came, lane, host, turned, held):
        for port in net.ways(here, host, chooses):
            channel = here, port, net.lane(mode, count, came, here, net.peer[here, port][0], lane)
            if held is not None:
                after[held].add(channel)
            if (channel, host, turned) not in seen:
                seen.add((channel, host, turned))
                todo.append((channel, host, turned))

    for source, host in product(net.hosts, repeat=2):
        leave(net.at[source][0], source, 0, host, 0, None)
    local = {home: host for host, (home, _) in net.at.items()}
    while todo:
        (before, port, lane), host, turned = held, host, turned = todo.pop()
        here = net.peer[before, port][0]
        leave(here, before, lane, host, turned, held)
        if turned < turns and (turned + 2 == turns or net.at[host][0] == here):
            anew = mode == "by-route"
            came = local.get(here, before) if anew else before
            lane = (lane // net.phase() + 1) * net.phase() if anew else lane
            for other in net.hosts:
                leave(here, came, lane, other, turned + 1, held)
    return after


def circular(after):
    """Whether a graph has a cycle: nodes without waiting ones are removed until all are gone, or none can be."""
    behind = defaultdict(int)
    for ends in after.values():
        for end in ends:
            behind[end] += 1
    free = [one for one in after if not behind[one]]
    while free:
        for end in after.pop(free.pop(), ()):
            behind[end] -= 1
            if not behind[end]:
                free.append(end)
    return any(after.values())


def described(topology, route, mode, count, **more):
    links = {"lanes": count} | ({"hop_lanes": mode} if mode else {})
    switches = {"forwarding_delay": "100 ns"}
    traffic = [{"from": "all", "pattern": "uniform"}]
    return scenario(topology, traffic, "1 us", links=links, switches=switches, scheme={"route": route}, **more)


def verdict(topology, route, mode, count):
    """True: refused because of a cycle; False: accepted; None: refused for another reason."""
    import congestree

    try:
        congestree.check(described(topology, route, mode, count))
    except congestree.ScenarioError as error:
        facts = [complaint["fact"] for complaint in error.complaints]
        return True if any("in a cycle" in fact for fact in facts) else None
    return False


@pytest.mark.parametrize("topology", [*TREES, *DRAGONFLIES, *GRIDS], ids=str)
def test_what_is_accepted_has_no_cycle_and_what_is_refused_has_one(topology):
    net = Network(topology)
    looked = []
    for route, (mode, count) in product(TURNS, LANES):
        said = verdict(topology, route, mode, count)
        if said is not None:
            assert circular(waits(net, route, mode, count)) == said, (route, mode, count)
            looked.append(said)
    assert len(looked) >= 20 and False in looked
