"""What the user chose by name from what a run has: classes, applications, links."""

import numpy as np

from ..columns import told_apart
from ..errors import CongestreeError
from ..runs.arguments import listed


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

    Of parallel links each can be named (A->B (1), A->B (2)), or all of them (A->B).
    """
    if ports:
        ports = listed(ports)
        both = list(enumerate(zip(names, told_apart(names), strict=True)))
        found = [[i for i, known in both if p in known] for p in ports]
        if unknown := [p for p, ids in zip(ports, found, strict=True) if not ids]:
            raise CongestreeError(f"There is no link {', '.join(unknown)}; links are named like {names[0]}.")
        return [i for ids in found for i in ids]
    hosts = set(run.arrow("flows")["source"].to_pylist())
    origins = run.arrow("ports")["from"].to_pylist()
    inner = [int(i) for i in np.argsort(-busy, kind="stable") if origins[i] not in hosts and busy[i] > 0]
    return inner[:8]
