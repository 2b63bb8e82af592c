"""The rates at which hosts send. Settings of adapters may be for one rate, and are the same at all hosts."""

from collections import defaultdict

from ..quantities import exactly
from ..runs import running

FEW = 3
"""Hosts that are named one by one."""


def line_rates(scenario):
    """The hosts of a resolved scenario by the rate (bit/s) at which their links send: {rate: names}, slowest first."""
    network = running.network(scenario, routes=False)
    hosts, found = set(network["hosts"]), defaultdict(dict)
    for link in network["links"]:
        for end, way in (("a", "rate"), ("b", "rate_back")):
            if link[end] in hosts:
                found[link[way]][link[end]] = None
    return {rate: list(found[rate]) for rate in sorted(found)}


def in_words(rates):
    """Such rates with their hosts: "25 Gbit/s (h0, h1, h2 and 5 more) and 100 Gbit/s (h8)"."""
    return " and ".join(f"{exactly(rate, 'bit/s')} ({_few(hosts)})" for rate, hosts in rates.items())


def _few(hosts):
    more = f" and {len(hosts) - FEW:,} more" if len(hosts) > FEW else ""
    return ", ".join(hosts[:FEW]) + more
