"""What the user chose by name from what a run has: classes, applications, links."""

from collections import Counter

import numpy as np

from ..errors import CongestreeError
from ..runs.arguments import listed
from . import links


def chosen(what, there, wanted):
    """The names that are meant: all if none is given, one if it is a text; refuses names that do not exist."""
    names = list(dict.fromkeys(there))
    if wanted is None:
        return names
    wanted = listed(wanted)
    if unknown := [str(name) for name in wanted if name not in names]:
        raise CongestreeError(
            f"There is no {what} {', '.join(unknown)} here; there are: {', '.join(map(str, names)) or 'none'}."
        )
    return [name for name in names if name in wanted]


def chosen_ports(run, names, busy, ports):
    """The ids of ports with these names; without any, of the eight busiest that leave a switch.

    Of parallel links each can be named (A->B (1), A->B (2)), or all of them (A->B). One named twice is there once.
    """
    if ports is not None:
        ports = listed(ports)
        found = [links.meant(port, names) for port in ports]
        if unknown := [p for p, ids in zip(ports, found, strict=True) if not ids]:
            raise CongestreeError(f"There is no link {', '.join(map(str, unknown))}; links are named like {names[0]}.")
        return list(dict.fromkeys(i for ids in found for i in ids))
    inner = used_by_switches(run, busy)
    return inner[np.argsort(-busy[inner], kind="stable")][:MOST_PORTS].tolist()


def used_by_switches(run, busy):
    """The ids of ports that leave a switch, of those that are busy.

    A host has one link, and a switch with one link can pass nothing on. Sources of flows are not all hosts: those that
    only receive send ACKs.
    """
    origins = run.arrow("ports", ["from"])["from"].to_pylist()
    several = Counter(origins)
    return np.flatnonzero([several[origin] > 1 and use > 0 for origin, use in zip(origins, busy, strict=True)])


MOST_PORTS = 8
"""Ports that are drawn if none are chosen."""
