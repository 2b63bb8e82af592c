"""Every run of the paper, by name. The quick version has network #1 with one seed and the reading that judges."""

from ..common.names import repeated, single
from .closer import LIVES_MS, MOVING, hogging, moving, sharing, sudden, watched
from .scenario import (
    CAUSES,
    JUDGED,
    PATTERNS,
    READINGS,
    TECHNIQUES,
    alone,
    cause,
    one_switch,
    pattern,
    stand_in,
    uniform,
)
from .traces import CROWDS, PROGRAMS, WAYS, trace

SEEDS = {1: 10, 2: 10, 3: 3}
"""Seeds by network."""
PORT = ("1vl", "ib-ith", "hfdi", "ccfit", "voqnet")
"""Techniques with a single read port (Table 3, figure 11)."""
LOADS = (0.6, 1)
"""Uniform traffic and nothing else, by link rate."""
DRAWS = {"digits": {1: 30, 2: 30, 3: 10}, "drawn": {1: 10, 2: 1, 3: 1}}
"""Seeds of the programs, by routing and case. With random routes most programs next to hot spots do not finish."""


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for network in (1,) if quick else (1, 2, 3):
        seeds = 1 if quick else SEEDS[network]
        readings = (JUDGED,) if quick else READINGS
        for number in PATTERNS:
            for technique, reading in variants(TECHNIQUES, readings):
                point(named, network, number, technique, reading, seeds)
        if network < 3:
            single_port(named, network, seeds, readings)
            for changed in CAUSES:
                single(named, "cause", lambda name: cause(network, changed, name), n=network, by=changed)  # noqa: B023
    for load in LOADS:
        for technique in ("1vl", "ecocc", "voqnet"):
            single(
                named,
                "uniform",
                lambda name: uniform(1, technique, READINGS[JUDGED], load, name),  # noqa: B023 (called at once)
                load=round(100 * load),
                by=technique,
            )
    applications(named, quick)
    rules(named, quick)
    closer(named, quick)
    return named


def variants(techniques, readings):
    """(technique, reading): one run serves several readings where they do not differ."""
    for technique in techniques:
        for reading in dict.fromkeys(stand_in(technique, reading) for reading in readings):
            yield technique, reading


def point(named, network, number, technique, reading, seeds):
    """A pattern on a network with all its seeds."""
    repeated(
        named,
        "net",
        seeds,
        lambda rep, name: pattern(network, number, technique, READINGS.get(reading), rep + 1, name),
        n=network,
        pattern=number,
        by=technique,
        reading=reading,
    )


def single_port(named, network, seeds, readings):
    """Pattern #2 where inputs are read one packet at a time."""
    for technique in PORT:
        repeated(
            named,
            "port",
            seeds,
            lambda rep, name: pattern(network, 2, technique, READINGS["a"], rep + 1, name, ports="one"),  # noqa: B023
            n=network,
            by=technique,
        )
    for technique, reading in others(PORT, readings, "a"):
        repeated(
            named,
            "ports",
            seeds,
            lambda rep, name: pattern(network, 2, technique, READINGS[reading], rep + 1, name, ports="one"),  # noqa: B023
            n=network,
            by=technique,
            reading=reading,
        )


def others(techniques, readings, than):
    """(technique, reading) for the runs that one of the readings does not have."""
    return [(t, reading) for t, reading in variants(techniques, readings) if reading != stand_in(t, than)]


def applications(named, quick):
    """Programs next to hot spots (figure 8). Quick: the first seed of the usual routing."""
    for way in ("digits",) if quick else WAYS:
        for case in CROWDS:
            for program in PROGRAMS:
                for technique in TECHNIQUES:
                    repeated(
                        named,
                        "trace",
                        1 if quick else DRAWS[way][case],
                        lambda rep, name: trace(case, program, technique, way, rep + 1, name),  # noqa: B023
                        case=case,
                        program=program,
                        by=technique,
                        ways=way,
                    )
    for case in () if quick else CROWDS:
        for program in PROGRAMS:
            for technique, reading in others(TECHNIQUES, READINGS, JUDGED):
                single(
                    named,
                    "program",
                    lambda name: trace(case, program, technique, "digits", 1, name, READINGS[reading]),  # noqa: B023
                    case=case,
                    program=program,
                    by=technique,
                    reading=reading,
                )


def rules(named, quick):
    """What must never happen, and what each part does without the other."""
    reading = READINGS[JUDGED]
    for skip in (True, False):
        repeated(
            named,
            "bare",
            1 if quick else SEEDS[1],
            lambda rep, name: without_queues(reading, skip, rep + 1, name),  # noqa: B023 (called at once)
            skip="yes" if skip else "no",
        )
    single(named, "alone", lambda name: alone(1, "ecocc", reading, 1, name))
    single(named, "switch", lambda name: one_switch("ecocc", reading, name), by="ecocc")
    single(named, "switch", lambda name: one_switch("1vl", reading, name, memory="reserved"), by="1vl")
    audited = pattern(1, 1, "ecocc", reading, 1, "audit_r0")
    audited["measure"] |= {"duration": "2 ms", "audit": True}
    named[audited["name"]] = audited


def without_queues(reading, skip, seed, name):
    """EcoCC without queues to set flows aside in, pattern #3. skip: whether hosts pass over stopped destinations."""
    scenario = pattern(1, 3, "ecocc", reading, seed, name, hpqs=0)
    scenario["scheme"]["isolate"]["ecocc"]["hosts_skip_stopped"] = skip
    return scenario


def closer(named, quick):
    """Runs with probes of their own, and those of figures 1 and 2; all with the set that judges.
    Quick: without figure 2.
    """
    reading = READINGS[JUDGED]
    single(named, "sharing", sharing)
    single(named, "hogging", lambda name: hogging(reading, name))
    for technique in ("ecocc", "hfdi", "ccfit", "bare"):
        single(named, "watched", lambda name: watched(technique, reading, name), by=technique)  # noqa: B023
    for technique in ("ecocc", "ccfit"):
        single(named, "sudden", lambda name: sudden(technique, reading, name), by=technique)  # noqa: B023
    for technique in MOVING:
        for life in () if quick else LIVES_MS:
            single(named, "moving", lambda name: moving(technique, reading, life, name), by=technique, life=life)  # noqa: B023
