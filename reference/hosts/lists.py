"""Messages from a list: in the scenario, in a file, or drawn for incasts. Each is a flow of its own.

In an incast some of the hosts (each set of them equally likely) send one message each to one host, repeatedly. No
messages are injected into a run of the twin, so the list of injected messages is empty.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from reference.hosts.posting import packets_of
from reference.quantities import given, size, span
from reference.rng import Rng

KINDS = ("incast", "injected", "listed")
"""Arrivals of such messages."""


@dataclass
class Listed:
    """A message: how long after the start of its entry it is made, where it goes, and its payload."""

    after: int
    to: int
    size: int


def read_list(written, hosts: list[str]) -> list[tuple[int, Listed]]:
    """The messages of a list, in the scenario or in a file, each with the host that sends it."""
    if isinstance(written, str):
        lines = (line.split("#")[0] for line in Path(written).read_text().splitlines())
        rows = csv.DictReader((line for line in lines if line.strip()), skipinitialspace=True)
        written = [{key.strip(): text.strip() for key, text in row.items()} for row in rows]
    return [
        (hosts.index(row["from"]), Listed(span(row["at"]), hosts.index(row["to"]), size(row["message"])))
        for row in written
    ]


def by_host(fabric, entry) -> dict[int, list[Listed]]:
    """The messages of each host, in the order in which they are made."""
    if entry.arrivals == "injected":
        return {host: [] for host in entry.sources}
    found: dict[int, list[Listed]] = {}
    for host, message in draw(fabric, entry) if entry.arrivals == "incast" else entry.listed:
        found.setdefault(host, []).append(message)
    return {host: sorted(found[host], key=lambda message: message.after) for host in sorted(found)}


def draw(fabric, entry) -> list[tuple[int, Listed]]:
    """The messages of incasts."""
    setup, parameters, number = fabric.setup, entry.arrival_parameters, fabric.setup.entries.index(entry)
    rng, found = Rng(setup.seed, "incast", number), []
    for after in times(fabric, entry, Rng(setup.seed, "incast times", number)):
        to = entry.pattern_parameters["to"] if entry.pattern == "fixed" else rng.below(len(fabric.hosts))
        hosts = [host for host in entry.sources if host != to]
        for place in range(parameters["senders"]):
            other = place + rng.below(len(hosts) - place)
            hosts[place], hosts[other] = hosts[other], hosts[place]
        found += [(host, Listed(after, to, entry.message)) for host in hosts[: parameters["senders"]]]
    return found


def times(fabric, entry, rng: Rng) -> list[int]:
    """The times of incasts: at a fixed distance, or after gaps whose mean gives the load."""
    setup, parameters = fabric.setup, entry.arrival_parameters
    count = parameters.get("count")
    if parameters.get("load") is None:
        every = span(given(parameters, "every", "0 ns"))
        return [number * every for number in range(given(parameters, "count", 1))]
    capacity = sum(float(fabric.hosts[host].wire.own_rate) for host in entry.sources)
    load = parameters["load"] / float(parameters["senders"])
    gap = max(1, int(float(sum(packets_of(entry.message, setup))) * 8e12 / (load * capacity) + 0.5))
    end = setup.duration if entry.stop is None else min(entry.stop, setup.duration)
    found, after = [], rng.exponential(gap)
    while (count is None or len(found) < count) and entry.start + after < end:
        found.append(after)
        after += rng.exponential(gap)
    return found
