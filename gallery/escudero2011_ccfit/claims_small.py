"""Claims about Configurations #1 and #2: figure 7, and how congested flows share the bandwidth."""

from ..common.judge import Finding
from .paper import check
from .scenario import JUDGED, NAMED, STARTS2

ALL = ("fbicm", "ith", "ccfit")
"""The techniques that the paper calls similar."""
HOT = {"case1": ("F1", "F2", "F5", "F6"), "case2": ("F0", "F4", "F2", "F3")}
"""Flows to the hot node."""
SETTLED = (8, 10)
"""When all flows have been there for a while, ms."""


def level(study, case, technique, reading, span):
    """Mean throughput of a single run."""
    return float(study.mean(case, technique, reading, span))


def apart(study, case, reading, span):
    """The largest distance between the techniques that are called similar, over their largest value."""
    values = [level(study, case, technique, reading, span) for technique in ALL]
    return (max(values) - min(values)) / max(values)


def similar(study, case, span, also=()):
    """The distance in every reading; judged by one set."""
    values = {f"set {reading}": apart(study, case, reading, span) for reading in study.readings(case)}
    values |= {f"{word}, set {JUDGED}": apart(study, other, JUDGED, span) for word, other in also}
    means = {t: round(level(study, case, t, JUDGED, span), 3) for t in ALL}
    note = f"throughput with set {JUDGED.upper()}: " + ", ".join(f"{t} {mean:g}" for t, mean in means.items())
    return Finding(values, note=note)


@check("p5-fig7a-similar")
def similar_case1(study):
    finding = similar(study, "case1", (6, 10), [("F6 from 8 ms", "late")])
    finding.value |= {
        f"set {reading}, [8, 10] ms": apart(study, "case1", reading, SETTLED) for reading in (JUDGED, NAMED)
    }
    return finding


@check("p5-fig7b-similar")
def similar_case2(study):
    return similar(study, "case2", (7, 10))


@check("p5-fig7a-1q-worst")
def one_queue(study):
    """Case #1 from 4 ms on, Cases #2 and #3 from 4 ms on: two contenders are active."""
    values = {}
    for case in ("case1", "case2", "case3"):
        others = {t: level(study, case, t, JUDGED, (4, 10)) for t in ("ith", "fbicm", "ccfit", "voqnet")}
        one = level(study, case, "1q", JUDGED, (4, 10))
        values[f"1q/ccfit, {case}"] = one / others["ccfit"]
        values[f"1q lowest, {case}"] = one <= min(others.values())
    return Finding(values, note="means over [4, 10] ms")


@check("p5-fig7a-ith-dip")
def dip(study):
    """ITh against CCFIT in [4, 6] ms, and whether the output of the left switch to the right one marks."""
    values = {}
    for reading in study.readings("case1"):
        values[f"ith/ccfit, set {reading}"] = level(study, "case1", "ith", reading, (4, 6)) / level(
            study, "case1", "ccfit", reading, (4, 6)
        )
    later = level(study, "case1", "ith", JUDGED, (6, 10)) / level(study, "case1", "ccfit", JUDGED, (6, 10))
    entries = study.views("roots1", "ith")[0].entries()
    settled = level(study, "case1", "ith", JUDGED, SETTLED) / level(study, "case1", "ccfit", JUDGED, SETTLED)
    values[f"ith/ccfit in [6, 10] ms, set {JUDGED}"] = later
    values[f"ith/ccfit in [8, 10] ms, set {JUDGED}"] = settled
    values[f"entries at S1 to S2, set {JUDGED}"] = entries.get(TRUNK, 0)
    return Finding(values)


TRUNK = "S1->S2"
"""The output of the left switch towards the right one."""


@check("p5-fig7c-ith-slow")
def slow(study):
    """From each activation until 95 % of what CCFIT has in the second half of the phase, over 0.2 ms, mean."""
    values = {}
    starts = sorted({start for start in STARTS2.values() if start})
    for reading in study.readings("case3"):
        taken = {technique: [] for technique in ("ith", "ccfit")}
        for start, end in zip(starts, [*starts[1:], 10], strict=True):
            aim = 0.95 * level(study, "case3", "ccfit", reading, ((start + end) / 2, end))
            for technique, times in taken.items():
                times.append(study.case("case3", technique, reading)[0].reaches(aim, start, end))
        for technique, times in taken.items():
            values[f"{technique}, set {reading}"] = sum(times) / len(times)
    return Finding(values, note="ms, mean of the three activations")


def shares(study, techniques):
    """Largest over smallest rate of the flows to the one node, when all are there."""
    values = {}
    for case, flows in HOT.items():
        for technique in techniques:
            for reading in study.readings(case) if technique in ("ith", "ccfit") else ("any",):
                word = "" if reading == "any" else f", set {reading}"
                view = study.case(case, technique, reading)[0]
                values[f"{case}, {technique}{word}"] = view.spread(flows, SETTLED)
    return Finding(values, note="means over [8, 10] ms")


@check("p5-s4c-m1")
def unfair(study):
    return shares(study, ("1q", "fbicm"))


@check("p5-s4c-m2")
def fair(study):
    return shares(study, ("ith", "ccfit"))
