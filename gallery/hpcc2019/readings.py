"""Other readings that were tried: ``python -m gallery.hpcc2019.readings first|acks|acks-full|large [SCHEME ...]``.

All run 50 % load, *acks-full* and *large* in full and the others in the quick version; they print 99th percentiles of
slowdown.
*first*, the first point of the figures: of all flows up to 6.7 KB, as the claims have it; of the second twentieth of
all flows, which ends there, too; and of flows of one packet. *acks*, the points of the figures with ACKs that wait
among the data, and with ACKs that have priority. *large*, the points with one byte of telemetry, and with other seeds.
"""

import sys
from functools import partial

import numpy as np

from .runs import FULL, QUICK
from .scenario import CODE, PAYLOAD, SCHEMES, web
from .study import BIN, View

MOST = 6_700
POINTS = {"6.7 KB": MOST, "50 KB": 50_000, "200 KB": 200_000, "1 MB": 1_000_000, "30 MB": 30_000_000}
GO_FIRST = {"links.lanes": 2, "links.lane_arbiter": {"strict": {"order": [1, 0]}}, "adapters.ack_lane": 1}


def readings(view):
    """The three of a run."""
    sizes, slowdowns = view.flows
    second = slice(round(BIN * len(sizes)), round(2 * BIN * len(sizes)))
    chosen = slowdowns[sizes <= MOST], slowdowns[second], slowdowns[sizes <= PAYLOAD]
    return [float(np.quantile(flows, 0.99)) if len(flows) else float("nan") for flows in chosen]


def first(schemes):
    """The first point."""
    from congestree.runs.running import run_whole

    yield "scheme", "all up to 6.7 KB", "second twentieth", "one packet"
    for scheme in schemes:
        run = run_whole(web(scheme, scheme, 50, *QUICK))
        yield scheme, *(f"{value:.2f}" for value in readings(View(run)))


def acks(schemes, version=QUICK):
    """All points, with ACKs in the lane of the data and with ACKs that go first."""
    from congestree.runs.running import run_whole

    yield "scheme", "ACKs", *POINTS, "queue, 99 %"
    for scheme in schemes:
        for word, lanes in (("wait", {}), ("go first", GO_FIRST)):
            run = run_whole(web(scheme, scheme, 50, *version), values=lanes)
            view = View(run)
            yield scheme, word, *points(view), f"{view.queue(0.99) / 1000:.0f} kB"


def points(view):
    """Those of the figures, of a run."""
    return [f"{view.slowdown(most):.2f}" for most in POINTS.values()]


def large(schemes):
    """All points with one byte of telemetry, and with other draws of flows; three full runs of a scheme."""
    from congestree.runs.running import run_whole

    yield "scheme", "changed", *POINTS
    for scheme in schemes:
        for word, more in (
            ("one byte of telemetry", {"telemetry": CODE}),
            *((f"seed {s}", {"seed": s}) for s in (2, 3)),
        ):
            run = run_whole(web(scheme, scheme, 50, *FULL, **more))
            yield scheme, word, *points(View(run))


def main():
    """Run and print."""
    known = {"first": first, "acks": acks, "acks-full": partial(acks, version=FULL), "large": large}
    rows = known[sys.argv[1]](sys.argv[2:] or SCHEMES)
    for number, row in enumerate(rows):
        print("| " + " | ".join(row) + " |", flush=True)
        if number == 0:
            print("|" + " --- |" * len(row), flush=True)


if __name__ == "__main__":
    main()
