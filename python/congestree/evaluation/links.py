"""Names of links: A->B, and of parallel ones with a number behind each, A->B (1), A->B (2), in the order of the ports.

Names are plain ones here (A->B), a name for each port, unless they are said to be told apart.
"""

from collections import Counter


def told_apart(names):
    """Names of links (or others) with a number behind each that is not the only one of its name: A->B (1), A->B (2)."""
    several, met, told = Counter(names), Counter(), []
    for name in names:
        met[name] += 1
        told.append(f"{name} ({met[name]})" if several[name] > 1 else name)
    return told


def meant(name, names):
    """The ids of those of `names` that a name means: of parallel links the one with the number, or all without one."""
    return [i for i, both in enumerate(zip(names, told_apart(names), strict=True)) if name in both]


def of_network(network):
    """The names of both directions of all links of a network (see `congestree.network`), and the link of each.

    They are in the order of the table of ports, in which parallel ones are counted: by node, and by its port.
    """
    rank = {node: i for i, node in enumerate((*network["hosts"], *network["switches"]))}
    ways = []
    for link in network["links"]:
        for a, b in ("ab", "ba"):
            ways.append((rank[link[a]], link[f"port_{a}"], f"{link[a]}->{link[b]}", link))
    ways.sort(key=lambda way: way[:2])
    return [name for _, _, name, _ in ways], [link for *_, link in ways]


def places(network):
    """The names of all hosts and switches of a network, and those of the links, one for each port."""
    return [*network["hosts"], *network["switches"]], of_network(network)[0]


def places_of_run(run):
    """The same of a finished run, from its table of ports."""
    ports = run.arrow("ports", ["from", "name"]).to_pydict()
    return list(dict.fromkeys(ports["from"])), ports["name"]
