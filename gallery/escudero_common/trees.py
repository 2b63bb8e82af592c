"""Traffic of congestion trees on k-ary n-trees: some nodes send uniformly, others to a few hot nodes for a while."""

import random


def tree(k, n=3):
    """A k-ary n-tree."""
    return {"k-ary-n-tree": {"k": k, "n": n}}


def hot_spots(trees, seed, nodes=64, count=16, most=6):
    """Random sources and, among the other nodes, roots: the same for every technique.

    nodes: of the network; count: of sources; most: the largest number of roots in any pattern.
    """
    drawn = random.Random(seed).sample(range(nodes), count + most)
    return sorted(drawn[:count]), drawn[count : count + trees]


MANY = 500
"""Nodes from which on a source draws its destinations, instead of one source for each pair of nodes."""


def background(nodes, of, load=1.0):
    """Uniform traffic of some of these nodes, with a queue for each destination at its source.

    Poisson streams add up: one stream of a node with random destinations is the same as a stream for each of them. Up
    to MANY nodes there is one for each, which techniques without flows for each destination need; for more nodes there
    would be nearly a million.
    """
    if of > MANY:
        entry = {"name": "uniform", "from": [f"h{node}" for node in nodes], "pattern": "uniform"}
        return [entry | {"arrivals": {"poisson": {"load": load}}}]
    arrivals = {"poisson": {"load": load / (of - 1)}}
    names, places = [f"h{node}" for node in nodes], {node: place for place, node in enumerate(nodes)}
    entries = []
    for to in range(of):
        place = places.get(to, len(names))
        others = names[:place] + names[place + 1 :]
        entries.append({"name": f"uniform{to}", "from": others, "to": f"h{to}", "arrivals": arrivals})
    return entries


def hot(sources, roots, span_ms):
    """Sources that send to the roots in equal parts at full rate, between two times."""
    entries = []
    for number, root in enumerate(roots):
        ours = [f"h{node}" for node in sources[number :: len(roots)]]
        entry = {"name": f"hot{number}", "from": ours, "to": f"h{root}", "arrivals": {"steady": {"load": 1.0}}}
        entries.append(entry | {"start": f"{span_ms[0]} ms", "stop": f"{span_ms[1]} ms"})
    return entries
