"""The first point of the figures, read in other ways: ``python -m gallery.hpcc2019.readings [SCHEME ...]``.

Runs the quick version at 50 % load, and prints 99th percentiles of slowdown: of all flows up to 6.7 KB, as the claims
have it; of the second twentieth of all flows, which ends there, too; and of flows of one packet.
"""

import sys

import numpy as np

from .runs import QUICK
from .scenario import PAYLOAD, SCHEMES, web
from .study import BIN, View

MOST = 6_700


def readings(view):
    """The three of a run."""
    sizes, slowdowns = view.flows
    second = slice(round(BIN * len(sizes)), round(2 * BIN * len(sizes)))
    chosen = slowdowns[sizes <= MOST], slowdowns[second], slowdowns[sizes <= PAYLOAD]
    return [float(np.quantile(flows, 0.99)) if len(flows) else float("nan") for flows in chosen]


def main():
    """Run and print."""
    import congestree

    print("| scheme | all up to 6.7 KB | second twentieth | one packet |\n| --- | --- | --- | --- |")
    for scheme in sys.argv[1:] or SCHEMES:
        run = congestree.run(web(scheme, scheme, 50, *QUICK))
        print(f"| {scheme} | " + " | ".join(f"{value:.2f}" for value in readings(View(run))) + " |", flush=True)


if __name__ == "__main__":
    main()
