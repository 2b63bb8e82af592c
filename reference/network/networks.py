"""Small networks, simple trees, and networks written out link by link: how each is built.

A function adds hosts, switches and links to a graph: `join(a, b)` makes a link with the rate (bit/s) and delay (ps) of
`wire`, and `join(a, b, (rate, delay))` one with its own. The order in which nodes and links are made is part of the
meaning: ids follow from it, and ties are broken by them.
"""

from itertools import pairwise, product

from reference.quantities import rate, span


def two_switch(given: dict, wire, graph, join) -> None:
    """Local and remote contenders, a victim, and the host to which all but the victim send."""
    near = [graph.host(f"B_{i + 1}") for i in range(given["local"])]
    far = [graph.host(f"A_{i + 1}") for i in range(given["remote"])]
    a_v, b_c, b_v = graph.host("A_V"), graph.host("B_C"), graph.host("B_V")
    a, b = graph.switch("A"), graph.switch("B")
    for host in near:
        join(host, b)
    for host in far:
        join(host, a)
    join(a_v, a)
    join(b_c, b)
    join(b_v, b)
    join(a, b)
    graph.groups = {"local": [i for _, i in near], "remote": [i for _, i in far]}


def single_switch(given: dict, wire, graph, join) -> None:
    """One switch with all hosts."""
    middle = graph.switch("S")
    for i in range(given["hosts"]):
        join(graph.host(f"H{i + 1}"), middle)


def test_bed(given: dict, wire, graph, join) -> None:
    """Three hosts and four, on two switches with a trunk of twice the rate unless another is given."""
    trunk = rate(given.get("trunk_rate")) or 2 * wire[0]
    s1, s2 = graph.switch("S1"), graph.switch("S2")
    for i in range(7):
        join(graph.host(f"H{i + 1}"), s1 if i < 3 else s2)
    join(s1, s2, (trunk, wire[1]))


def dumbbell(given: dict, wire, graph, join) -> None:
    """Senders and receivers on either side of a trunk."""
    pairs, delay = given["pairs"], given.get("trunk_delay")
    trunk = rate(given.get("trunk_rate")) or wire[0], wire[1] if delay is None else span(delay)
    a, b = graph.switch("A"), graph.switch("B")
    for name, switch in (("S", a), ("R", b)):
        for i in range(pairs):
            join(graph.host(f"{name}_{i + 1}"), switch)
    join(a, b, trunk)
    graph.groups = {"senders": list(range(pairs)), "receivers": list(range(pairs, 2 * pairs))}


def chain(given: dict, wire, graph, join) -> None:
    """Switches in a row, with hosts on each."""
    switches = [graph.switch(f"S{s + 1}") for s in range(given["switches"])]
    for s, switch in enumerate(switches):
        for i in range(given["hosts_per_switch"]):
            join(graph.host(f"S{s + 1}_{i + 1}"), switch)
    for left, right in pairwise(switches):
        join(left, right)


def fat_tree(given: dict, wire, graph, join) -> None:
    """Leaves and spines: each leaf has a link to each spine. Three layers: pods of such trees, without hosts on their
    spines but with links to cores, of which each has one to every pod.
    """
    radix, half = given["radix"], given["radix"] // 2
    graph.tree = ("fat-tree", half, given.get("layers", 2))
    if graph.tree[2] == 3:
        edges = [[graph.switch(f"edge{pod}_{i}") for i in range(half)] for pod in range(radix)]
        middle = [[graph.switch(f"agg{pod}_{i}") for i in range(half)] for pod in range(radix)]
        cores = [[graph.switch(f"core{i * half + j}") for j in range(half)] for i in range(half)]
        for i in range(radix * half * half):
            join(graph.host(f"h{i}"), edges[i // half // half][i // half % half])
        for pod, switches in enumerate(edges):
            for edge, aggregation in product(switches, middle[pod]):
                join(edge, aggregation)
        for switches in middle:
            for aggregation, above in zip(switches, cores, strict=True):
                for core in above:
                    join(aggregation, core)
        return
    leaves = [graph.switch(f"leaf{i}") for i in range(radix)]
    spines = [graph.switch(f"spine{i}") for i in range(radix // 2)]
    for i in range(radix * radix // 2):
        join(graph.host(f"h{i}"), leaves[i // (radix // 2)])
    for leaf in leaves:
        for spine in spines:
            join(leaf, spine)


def k_ary_n_tree(given: dict, wire, graph, join) -> None:
    """n levels of k^(n-1) switches; port j up from level l leads to the index with j for digit l in base k."""
    k, n = given["k"], given["n"]
    width = k ** (n - 1)
    levels = [[graph.switch(f"s{level}_{i}") for i in range(width)] for level in range(n)]
    for i in range(k**n):
        join(graph.host(f"h{i}"), levels[0][i // k])
    for level in range(n - 1):
        for i in range(width):
            for j in range(k):
                digit = i // k**level % k
                join(levels[level][i], levels[level + 1][i + (j - digit) * k**level])
    graph.tree = ("k-ary-n-tree", k, n)


def written(given: dict, wire, graph, join) -> None:
    """Hosts, switches and links by name; a link's two directions may differ."""
    nodes = {name: graph.host(name) for name in given["hosts"]}
    nodes |= {name: graph.switch(name) for name in given["switches"]}
    for link in given["links"]:
        there = rate(link.get("rate")) or wire[0], span(link["delay"]) if link.get("delay") else wire[1]
        back = (
            rate(link.get("rate_back")) or there[0],
            span(link["delay_back"]) if link.get("delay_back") else there[1],
        )
        join(nodes[link["a"]], nodes[link["b"]], there, back, (link.get("port_a"), link.get("port_b")))
    for name, members in (given.get("groups") or {}).items():
        graph.groups[name] = [graph.hosts.index(host) for host in members]


KINDS = {
    "two-switch": two_switch,
    "single-switch": single_switch,
    "test-bed": test_bed,
    "dumbbell": dumbbell,
    "chain": chain,
    "fat-tree": fat_tree,
    "k-ary-n-tree": k_ary_n_tree,
    "graph": written,
}
