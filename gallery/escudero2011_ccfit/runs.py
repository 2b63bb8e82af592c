"""Every run of the paper, by name. The quick version has one seed where the full one has ten, and of four timers the
shortest and the longest, and beside the set of parameters that judges only the one that claims name.
"""

from ..common.names import repeated, single
from .scenario import DESTINATION, JUDGED, NAMED, READINGS, TECHNIQUES, THROTTLES, Throttle, case1, case2, case4

TREES = (1, 4, 6)
TIMERS = (4, 8, 16, 32)
"""CCTI_Timer, us: half, one, two and four times that of the paper."""
SHARES = (50, 85, 100)
"""Per cent of the packets marked."""
SEEDS = 10


def variants(quick):
    """(technique, reading, throttle): those that throttle once for each reading, the others once."""
    readings = (JUDGED, NAMED) if quick else READINGS
    for technique in TECHNIQUES:
        for reading in readings if technique in THROTTLES else ("any",):
            yield technique, reading, READINGS.get(reading)


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for technique, reading, throttle in variants(quick):
        key = {"by": technique, "reading": reading}
        single(named, "case1", lambda name: case1(technique, throttle, name), **key)  # noqa: B023 (called at once)
        late = {"F6": 8}
        single(named, "late", lambda name: case1(technique, throttle, name, starts=late), **key)  # noqa: B023
        single(named, "case2", lambda name: case2(technique, throttle, name), **key)  # noqa: B023
        single(named, "case3", lambda name: case2(technique, throttle, name, uniform=True), **key)  # noqa: B023
    for trees in TREES:
        for technique, reading, throttle in variants(quick):
            watched(named, trees, technique, reading, throttle, 1 if quick else SEEDS)
    for technique in THROTTLES:
        for timer in (TIMERS[0], TIMERS[-1]) if quick else TIMERS:
            for share in SHARES:
                throttle = Throttle(share / 100, timer=f"{timer} us")
                key = {"by": technique, "timer": timer, "share": share}
                single(named, "sense", lambda name: case4(1, technique, throttle, 1, name), **key)  # noqa: B023
    for trees in TREES:
        single(named, "doubled", lambda name: doubled(trees, name), trees=trees)  # noqa: B023
    rules(named)
    return named


def doubled(trees, name):
    """Case #4 with VOQnet, seed 1, and twice the memory for each destination."""
    scenario = case4(trees, "voqnet", None, 1, name)
    scenario["switches"]["queues"] = {"voqnet": {"buffer": f"{2 * DESTINATION[64]} B"}}
    return scenario


def watched(named, trees, technique, reading, throttle, seeds):
    """Case #4 with all its seeds."""
    repeated(
        named,
        "case4",
        seeds,
        lambda rep, name: case4(trees, technique, throttle, rep + 1, name),
        trees=trees,
        by=technique,
        reading=reading,
    )


def rules(named):
    """What must never happen: the congestion states of outputs written down, the laws of isolation checked."""
    for technique in THROTTLES:
        scenario = case1(technique, READINGS[JUDGED], f"roots1_by-{technique}_r0")
        scenario["measure"]["probes"].append("events")
        named[scenario["name"]] = scenario
    scenario = case4(1, "ccfit", READINGS[JUDGED], 1, "rules_r0", probes=["events"])
    scenario["measure"] |= {"duration": "2.5 ms", "audit": True}
    named[scenario["name"]] = scenario
