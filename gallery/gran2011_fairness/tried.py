"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried gran2011-fairness``.

``python -m gallery.gran2011_fairness.tried`` has who leads with every packet marked when flows start a little later.
"""

from functools import partial

from ..common.tried import Change
from .runs import ENTERS, ONE, ONE_SWITCH, bed, congestion_control

PHASE_MS, LATER, STARTS = 200, "1 ms", 10
"""Of the runs with other starts: length of a phase, by how much each flow starts later at most, and how often."""


def every(scenario, kib):
    """A congested queue marks every packet, so that nothing is random; its threshold, KiB."""
    scheme = scenario["scheme"]
    fecn = scheme["mark"]["fecn"] | {"marking_rate": 0, "enter": f"{kib} KiB"}
    return scenario | {"scheme": scheme | {"mark": {"fecn": fecn}}}


TRIED = [
    Change(
        f"every-{kib}",
        f"every packet marked, threshold at {kib} KiB",
        ("p2-s7-unstable",),
        ("order_",),
        partial(every, kib=kib),
    )
    for kib in ENTERS
]


def leads(kib, start):
    """Whether the newest flow leads with 2, 3 and 4 contributors, and H3 less H2 with two, in one of the starts."""
    from congestree.runs.running import run_whole

    from .claims import CLAIMS
    from .claims_one_switch import newest_leads

    control = congestion_control(gap=ONE, marking_rate=0, enter=f"{kib} KiB")
    scenario = bed(ONE_SWITCH, PHASE_MS, start, "later_r0", control=control, one_switch=True)
    later = scenario | {"traffic": [entry | {"jitter": LATER} for entry in scenario["traffic"]]}
    view = CLAIMS.study({"later_r0": run_whole(later)}).views("later")[0]
    return newest_leads(view), view.rate("H3", 2) - view.rate("H2", 2)


def main():
    """Run and print."""
    print("| threshold | newest leads, of 2, 3, 4 | H3 less H2, Gbit/s, by start |\n| --- | --- | --- |")
    for kib in ENTERS:
        found = [leads(kib, start) for start in range(STARTS)]
        often = [sum(column) for column in zip(*(newest for newest, _ in found), strict=True)]
        ahead = " ".join(f"{lead:.1f}" for _, lead in found)
        print(f"| {kib} KiB | {' '.join(map(str, often))} of {STARTS} | {ahead} |", flush=True)


if __name__ == "__main__":
    main()
