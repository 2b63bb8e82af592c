"""The predictions of theory, in closed form or by an exact chain; nothing here depends on the simulator.

r load, D time of a packet, N ports, k links up, n flows
"""

from math import comb, prod, sqrt

KAROL = {2: 0.75, 3: 0.6825, 4: 0.6553, 5: 0.6399, 6: 0.6302, 7: 0.6234, 8: 0.6184}
"""Saturation of a switch of N ports with a single FIFO queue at each input (Karol, Hluchyj, Morgan 1987, Table I)."""
LIMIT = 2 - sqrt(2)
"""Saturation of such a switch with N without bound: 0.5858."""


def wait(load):
    """Mean wait of M/D/1, in times of a packet: r / (2 (1 - r)) (Pollaczek, Khinchine; Kleinrock 1975, chapter 5)."""
    return load / (2 * (1 - load))


def occupied(flows, links):
    """{number: probability that this many links have a flow}, if each flow takes one at random (balls into bins)."""

    def ways(used):
        """Functions from the flows onto `used` links, by inclusion and exclusion."""
        return sum((-1) ** out * comb(used, out) * (used - out) ** flows for out in range(used + 1))

    return {used: comb(links, used) * ways(used) / links**flows for used in range(1, min(flows, links) + 1)}


def collision(flows, links):
    """Chance that at least two flows share a link: the birthday problem."""
    return 1 - prod(range(links - flows + 1, links + 1)) / links**flows if flows <= links else 1.0


def in_use(flows, links):
    """Mean share of the links that have a flow: 1 - (1 - 1/k)^n."""
    return 1 - (1 - 1 / links) ** flows


def max_min(flows, capacity=1.0):
    """Max-min fair rates of flows {flow: links}: all grow equally until a link is full (Bertsekas, Gallager, 6.5)."""
    rates, growing = dict.fromkeys(flows, 0.0), set(flows)
    while growing:
        links = {link: [f for f in growing if link in flows[f]] for f in growing for link in flows[f]}
        room = {k: (capacity - sum(rates[f] for f in flows if k in flows[f])) / len(v) for k, v in links.items()}
        least = min(room.values())
        for flow in growing:
            rates[flow] += least
        full = {link for link, left in room.items() if left <= least + 1e-9}
        growing -= {flow for flow in growing if full & set(flows[flow])}
    return rates
