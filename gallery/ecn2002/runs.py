"""Every run of the paper, by name; L = R = 10, window one, LIPD wherever rates are controlled.

Repetition 0 has starts exactly 100 us apart, the others random offsets below 100 us on top (OQ-H13).
"""

from ..common.names import repeated
from ..hp_common import sweeps
from ..hp_common.scenario import LINK, controlled, two_switch

EVENTS = ("flows", "ports", "events")
FAIR_LIMIT = 20.0
"""R_max/r at which twenty contenders share the root exactly."""


STARTS = 16
"""Repetitions of the runs of 100 ms, in which the phases of the starts determine small values (OQ-H13)."""


def runs(quick=False):
    """Named scenarios; ``quick`` has fewer repetitions, points and milliseconds."""
    named = {}
    repetitions = 2 if quick else STARTS

    def add(family, local=10, remote=10, probes=EVENTS, **changes):
        keys = {key: changes.pop(key) for key in ("k",) if key in changes}

        def build(rep, name):
            return two_switch(local, remote, probes=probes, rep=rep, name=name, **changes)

        repeated(named, family, repetitions, build, **keys)

    add("fig2", probes=("flows", "ports"))
    add("paced", probes=("flows", "ports"), rates={"remote": LINK / 20})
    add("pacedall", probes=("flows", "ports"), rates={"remote": LINK / 20, "local": LINK / 20})
    for family, mark in (("fig3a", "naive"), ("fig3b", "input"), ("fig3c", "io4"), ("fig3d", "io8")):
        add(family, **controlled(mark))
    add("fair", **controlled("input", start=FAIR_LIMIT))
    for k in (2, 5, 10):
        add("naive", remote=k, **controlled("naive"), probes=("flows",), k=k)
    add("output", local=2, **controlled("out16"))
    add("both", local=2, **controlled("io16"))
    for trigger in (2, 3, 4):

        def lower(rep, name, trigger=trigger):
            return two_switch(
                10,
                10,
                **controlled(f"trigger{trigger}"),
                victim=None,
                duration_ms=150 if quick else 500,
                warm_up_ms=30 if quick else 100,
                rep=rep,
                name=name,
            )

        repeated(named, "trigger", repetitions, lower, at=trigger)

    duration = 150 if quick else 500
    points = (2, 3, 4, 6, 8, 12, 20)
    sizes = (5,) if quick else (5, 15, 20)
    buffers = points if quick else sweeps.BUFFERS
    sweeps.add(named, "fig4", (10,), sweeps.THRESHOLDS, buffers, 1 if quick else 4, duration)
    large = [buffer for buffer in sweeps.BUFFERS if buffer >= 12]
    sweeps.add(named, "fig4events", (10,), ("none", 8), (12,) if quick else large, 1, duration, events=True)
    sweeps.add(named, "sizes", sizes, sweeps.THRESHOLDS, points, 1 if quick else 4, duration)
    return named
