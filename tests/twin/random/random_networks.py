"""Random small networks and their routes."""

import random

from reference.network import topology
from reference.network.levels import d_mod_k_by_levels

RATES = ["1 GB/s", "8 Gbit/s", "2 GB/s", "16 Gbit/s", "10 Gbit/s", "7 Gbit/s", "13.3 Gbit/s", "4 Gbit/s"]
DELAYS = ["0 ns", "0 ns", "5 ns", "37 ns", "250 ns", "1.001 us"]


def random_topology(rng: random.Random) -> dict:
    """A family of the catalogue, or any small graph."""
    kind = rng.choice(["two-switch", "two-switch", "single-switch", "test-bed", "chain", "tree", "fat-tree", "graph"])
    if kind == "two-switch":
        local, remote = rng.randint(1, 5), rng.randint(1, 4)
        return random_dumbbell(rng, local) if local == remote else {kind: {"local": local, "remote": remote}}
    if kind == "single-switch":
        return {kind: {"hosts": rng.randint(2, 8)}}
    if kind == "test-bed":
        return {kind: {"trunk_rate": rng.choice(RATES)} if rng.random() < 0.5 else {}}
    if kind == "chain":
        return {kind: {"switches": rng.randint(2, 4), "hosts_per_switch": rng.randint(1, 3)}}
    if kind == "tree":
        return {"k-ary-n-tree": {"k": 2, "n": rng.choice([2, 2, 3])}}
    if kind == "fat-tree":
        return {kind: {"radix": 4}}
    if rng.random() < 0.3:
        return {"graph": random_levels(rng)}
    return {"graph": random_graph(rng)}


def random_dumbbell(rng: random.Random, pairs: int) -> dict:
    """As many senders as receivers, with a trunk between them. Later draws of `rng` are not affected."""
    own = random.Random(f"dumbbell {rng.getstate()[1][:2]}")
    trunk = {key: own.choice(values) for key, values in (("trunk_rate", RATES), ("trunk_delay", DELAYS))}
    return {"dumbbell": {"pairs": pairs} | {key: value for key, value in trunk.items() if own.random() < 0.5}}


def random_levels(rng: random.Random) -> dict:
    """A small tree given in full, with some links missing or doubled, and perhaps a host on a higher switch."""
    tree = {"k-ary-n-tree": {"k": 2, "n": 3}} if rng.random() < 0.5 else {"fat-tree": {"radix": 6}}
    graph = topology.build({"topology": tree, "links": {"rate": "8 Gbit/s"}})
    links = [{"a": graph.name(link.a), "b": graph.name(link.b)} for link in graph.links]
    hosts = list(graph.hosts)
    between = [link for link in links if link["a"] not in hosts]
    for link in rng.sample(between, rng.choice([0, 0, 1, 2])):
        links.remove(link)
    links += [dict(link) for link in rng.sample(between, rng.choice([0, 1, 3])) if link in links]
    if rng.random() < 0.2:
        hosts.append("manager")
        links.append({"a": "manager", "b": graph.switches[-1]})
    rng.shuffle(links)
    return {"hosts": hosts, "switches": graph.switches, "links": links}


def random_graph(rng: random.Random) -> dict:
    """A random tree of switches with hosts on it, and perhaps a few more links; rates and delays of their own."""
    switches = [f"s{i}" for i in range(rng.randint(1, 6))]
    hosts = [f"h{i}" for i in range(rng.randint(2, 10))]
    pairs = [(host, rng.choice(switches)) for host in hosts]
    pairs += [(switches[rng.randrange(i)], switches[i]) for i in range(1, len(switches))]
    for _ in range(rng.choice([0, 0, 1, 2])):
        if len(switches) > 1:
            pairs.append(tuple(rng.sample(switches, 2)))
    rng.shuffle(pairs)
    links = []
    for a, b in pairs:
        link = {"a": a, "b": b} if rng.random() < 0.5 else {"a": b, "b": a}
        for key, values in (("rate", RATES), ("delay", DELAYS), ("rate_back", RATES), ("delay_back", DELAYS)):
            if rng.random() < 0.2:
                link[key] = rng.choice(values)
        links.append(link)
    if rng.random() < 0.4:
        free = {name: rng.sample(range(1, 2 * len(links) + 1), len(links)) for name in hosts + switches}
        for link in links:
            link["port_a"], link["port_b"] = free[link["a"]].pop(), free[link["b"]].pop()
    group = rng.sample(hosts, rng.randint(1, len(hosts)))
    return {"hosts": hosts, "switches": switches, "links": links, "groups": {"some": group}}


def random_routing(rng: random.Random, graph):
    """Mostly the default; sometimes shortest paths, or a few given one by one; on trees given in full D-mod-K."""
    if not graph.tree and len(graph.switches) > 3 and d_mod_k_by_levels(graph) and rng.random() < 0.7:
        return "d-mod-k"
    if rng.random() < 0.75:
        return None
    if rng.random() < 0.5:
        return "shortest-path"
    paths = topology.shortest_paths(graph)

    def parallel(switch, host):
        """The number of a port that leads to the next node of a shortest path: any of several parallel links. None (0)
        if no path leads there."""
        own = graph.numbered(("switch", switch))
        if paths[switch][host] is None:
            return 0, None
        neighbour = own[paths[switch][host]][1]
        return rng.choice([number for number, other, _ in own if other == neighbour]), graph.name(neighbour)

    if rng.random() < 0.3:
        rows = range(len(graph.switches))
        hosts = range(len(graph.hosts))
        lists = {graph.switches[s]: [rng.choice([0, parallel(s, h)[0]]) for h in hosts] for s in rows}
        return {"ports": {name: ports for name, ports in lists.items() if rng.random() < 0.8}}
    table = {}
    for _ in range(rng.randint(1, 5)):
        switch, host = rng.randrange(len(graph.switches)), rng.randrange(len(graph.hosts))
        if paths[switch][host] is not None:
            table.setdefault(graph.switches[switch], {})[graph.hosts[host]] = rng.choice(parallel(switch, host))
    return {"table": table}


def apart(graph, routes) -> bool:
    """Whether a tree without some of its links is disconnected: a switch with hosts has no path to a host."""
    with_hosts = {graph.ports(("host", host))[0][0][1] for host in range(len(graph.hosts))}
    return any(None in routes[switch] for switch in with_hosts)


def credit_loop(graph, routes) -> bool:
    """Whether packets could wait for each other: a cycle among (link, direction)."""
    after: dict[tuple, set] = {}
    nodes = [("host", h) for h in range(len(graph.hosts))] + [("switch", s) for s in range(len(graph.switches))]
    ports = {node: graph.ports(node) for node in nodes}
    for source in range(len(graph.hosts)):
        for host in range(len(graph.hosts)):
            node, (_, link) = ("host", source), ports["host", source][0]
            channel = link, node
            node = ports[node][0][0]
            while node[0] == "switch" and source != host:
                neighbour, link = ports[node][routes[node[1]][host]]
                after.setdefault(channel, set()).add((link, node))
                channel, node = (link, node), neighbour
    done, path = set(), set()

    def circular(channel) -> bool:
        if channel in path:
            return True
        if channel in done:
            return False
        path.add(channel)
        found = any(circular(following) for following in after.get(channel, ()))
        path.remove(channel)
        done.add(channel)
        return found

    return any(circular(channel) for channel in list(after))
