"""Lanes by destination: packets for a host travel in its lane, so that packets waiting for it block none in others.

Lanes are assigned in turn among the hosts of a switch (as in vFtree), by the number of the host, or written out. A
lane that a traffic entry gives takes precedence.
"""

from reference.quantities import choice


def read_destination_lanes(links: dict, graph) -> list[int | None]:
    """The lane of every host, if it has one."""
    if links.get("destination_lanes") is None:
        return [None] * len(graph.hosts)
    kind, parameters = choice(links["destination_lanes"])
    if kind == "given":
        return [parameters["lanes"].get(host) for host in graph.hosts]
    lanes = parameters.get("lanes") or list(range(links["lanes"]))
    if kind == "modulo":
        return [lanes[host % len(lanes)] for host in range(len(graph.hosts))]
    before: dict = {}  # by switch: hosts of it that have a lane
    found = []
    for host in range(len(graph.hosts)):
        switch = graph.ports(("host", host))[0][0]
        found.append(lanes[before.get(switch, 0) % len(lanes)])
        before[switch] = before.get(switch, 0) + 1
    return found
