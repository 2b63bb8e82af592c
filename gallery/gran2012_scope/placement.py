"""The roles, subsets and hot hosts of all hosts, drawn from the seed (OQ-I21, OQ-I23).

Roles are assigned to hosts at random. Contributors (C and B) are assigned to the subsets in turn, so that these have
equal sizes; a host that would contribute to itself is exchanged with its neighbour. A hot host sends according to its
role.
"""

from dataclasses import dataclass, field
from random import Random


@dataclass
class Placement:
    """Hosts by number; one list of contributors a subset."""

    hot: list
    """The hot host of every subset; for a moving forest one such list a slot."""
    others: list = field(default_factory=list)
    """V nodes."""
    contributors: list = field(default_factory=list)
    """C nodes of every subset."""
    both: list = field(default_factory=list)
    """B nodes of every subset."""


def place(hosts, subsets, share_b, share_v, seed, slots=None):
    """Roles for one run.

    share_b: of all hosts that are B nodes; share_v: of the rest that are V nodes; all others are C nodes. slots: the
    hot hosts of every subset change this many times (other hosts in every slot); None: never.
    """
    dice = Random(seed)
    hot = [dice.sample(range(hosts), subsets) for _ in range(slots or 1)]
    order = dice.sample(range(hosts), hosts)
    b = round(share_b * hosts)
    v = round(share_v * (hosts - b))
    placed = Placement(hot if slots else hot[0], sorted(order[b : b + v]))
    placed.both = deal(order[:b], hot[0], slots is None)
    placed.contributors = deal(order[b + v :], hot[0], slots is None)
    return placed


def deal(hosts, hot, apart):
    """Assign hosts in turn to one subset for each hot host; with `apart`, none to the subset that it is hot for."""
    hosts = list(hosts)
    if apart and len(hosts) > 1:
        for at, host in enumerate(hosts):
            if host == hot[at % len(hot)]:
                other = at + 1 if at + 1 < len(hosts) else at - 1
                hosts[at], hosts[other] = hosts[other], hosts[at]
    return [sorted(hosts[k :: len(hot)]) for k in range(len(hot))]
