"""Sections VII and VIII: Packet_Size, Threshold, Marking_Rate and CCTI_Timer, idle times, the sweet spot."""

import numpy as np

from ..common.judge import Finding
from .measures import CONTRIBUTORS, Surface, contributor, good, sampled, sweet, unfairness, var, victim
from .paper import check
from .runs import TABLES

FULL = 32
"""Packet_Size that a full packet of 2074 B still has, in units of 64 B."""


@check("p3-s7a-packet-size-irrelevant")
def packet_size(study):
    sizes = [size for size in study.axis("packetsize", 0) if size <= FULL]
    rates = np.array([[study.sample(("packetsize", size), f).mean for f in (victim, contributor)] for size in sizes])
    away = np.abs(rates / rates.mean(axis=0) - 1).max(axis=0)
    return Finding(away, note=f"F1, mean contributor; Packet_Size {', '.join(map(str, sizes))}")


@check("p3-s7a-packet-size-kills")
def packet_size_above(study):
    views = [view for size in study.axis("packetsize", 0) if size > FULL for view in study.views("packetsize", size)]
    marks = sum(int(view.run.flows["marked"].sum()) for view in views)
    plain = victim(study.views("off")[0])
    found = [victim(view) for view in views]
    value = {"marks": marks, "F1 / F1 without congestion control": [rate / plain for rate in found]}
    return Finding(value, note=f"F1 without congestion control {plain:.4g} Gbit/s")


@check("p3-s7a-m1")
def thresholds(study):
    value = {}
    for weight in study.axis("threshold", 0):
        key = ("threshold", weight)
        value[weight] = [study.sample(key, victim).mean, 4 * study.sample(key, contributor).mean]
    return Finding(value, note="F1, sum of the contributors, Gbit/s; Threshold 15 stands for 8 KiB, 1 for 29 KiB")


@check("p3-fig11-m1")
def marking_rate(study):
    surface = Surface(study)
    low, high = (1 if 1 in surface.rates else surface.rates[0]), 30
    value = {t: [surface.at(low, t, victim), surface.at(high, t, victim)] for t in surface.timers}
    return Finding(value, note="by CCTI_Timer: F1 at Marking_Rate 1 and 30, Gbit/s")


@check("p3-fig11-m2")
def sensitivity(study):
    surface = Surface(study)
    values = surface.matrix(victim)
    return Finding(
        dict(zip(surface.timers, values.max(axis=1) - values.min(axis=1), strict=True)),
        note="by CCTI_Timer: the highest less the lowest F1 over all Marking_Rates, Gbit/s",
    )


def extremes(study, measure, wanted=lambda timer: True):
    """Lowest and highest of a measure over all Marking_Rates, by CCTI_Timer."""
    surface = Surface(study)
    rows = zip(surface.timers, surface.matrix(measure), strict=True)
    return {timer: [row.min(), row.max()] for timer, row in rows if wanted(timer)}


@check("p3-fig11-m3")
def short_timers(study):
    value = extremes(study, victim, lambda timer: timer < 150)
    return Finding(
        value, note="by CCTI_Timer in units of 1.024 us: lowest and highest F1 over all Marking_Rates, Gbit/s"
    )


@check("p3-fig11-m4")
def long_timers(study):
    value = extremes(study, victim, lambda timer: timer >= 1000)
    return Finding(value, note="by CCTI_Timer: lowest and highest F1 over all Marking_Rates")


@check("p3-fig12-m1")
def contributors(study):
    note = "by CCTI_Timer: lowest and highest mean over all Marking_Rates, Gbit/s"
    return Finding(extremes(study, contributor), note=note)


@check("p3-fig14-m1")
def variation(study):
    note = "by CCTI_Timer: lowest and highest Var over all Marking_Rates, (Gbit/s)^2"
    return Finding(extremes(study, var), note=note)


@check("p3-s7b-m1")
def regions(study):
    surface = Surface(study)
    free, served = surface.best(victim), surface.best(contributor)
    value = {}
    for timer in surface.timers:
        up_to = max((rate for rate, at in free if at == timer), default=None)
        from_ = min((rate for rate, at in served if at == timer), default=None)
        value[timer] = [up_to, from_]
    return Finding(
        value,
        note="by CCTI_Timer: the highest Marking_Rate at which F1, and the lowest at which the mean contributor, is "
        "within a hundredth of its best; the victim wants low rates and long timers, the contributors the opposite",
    )


def swing(view):
    """Standard deviation of the contributors' samples, their mean, Gbit/s."""
    return float(np.mean([sampled(view, flow, -1).std() for flow in CONTRIBUTORS]))


def tables(study):
    """F1, mean contributor and its swing for each table of idle times."""
    found = {}
    for number, label in enumerate(TABLES):
        found[label] = np.array([study.sample(("table", number), f).mean for f in (victim, contributor, swing)])
    return found


@check("p3-s7b-m2")
def longer_table(study):
    found = tables(study)
    ours, _, long = found
    return Finding(
        found[long] / found[ours] - 1,
        note="F1, contributors, their oscillation. Fastest over slowest contributor: "
        f"{fairness(study, 0)}, with 512 entries {fairness(study, 2)}",
    )


def fairness(study, number):
    return f"{study.sample(('table', number), unfairness).mean:.3g}"


@check("p3-s7b-m3")
def vendor_table(study):
    found = tables(study)
    return Finding(
        {label: found[label][[2, 1]] for label in list(TABLES)[:2]},
        note="standard deviation of the contributors, their mean, Gbit/s",
    )


def neighbours(points, centre):
    """The points one step away from a centre along one axis each."""
    axes = [sorted({p[axis] for p in points}) for axis in range(3)]
    where = [axis.index(x) for axis, x in zip(axes, centre, strict=True)]
    near = []
    for p in points:
        steps = [abs(axis.index(x) - at) for axis, x, at in zip(axes, p, where, strict=True)]
        if max(steps) <= 1:
            near.append(p)
    return near


@check("p3-s8-sweet-spot")
def sweet_spot(study):
    points = sweet(study)
    share = np.mean(list(points.values()))
    table_1 = (15, 1, 150)
    inside = points[table_1]
    near = inside or any(points[p] for p in neighbours(list(points), table_1))
    where = "inside" if inside else "next to it" if near else "outside"
    held = [good(view) for view in study.views("on")]
    return Finding(
        {"share": float(share), "Table I inside or adjacent": near},
        note=f"{sum(points.values())} of {len(points)} points; the point of Table I is {where}; its long runs are "
        f"{'inside' if all(held) else 'partly outside' if any(held) else 'outside'}",
    )
