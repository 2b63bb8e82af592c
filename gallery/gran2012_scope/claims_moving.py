"""Moving forests: section V.C, figures 9 and 10; and what holds over all forests."""

import numpy as np

from ..common.judge import Finding
from ..common.study import Missing, spearman
from .paper import check, mean, total


def by_lifetime(study, mix):
    """(on, off) of the mean receive rate by the lifetime of hot hosts, ms; the longest first."""
    pairs = study.grid("moving", mean, mix)
    return {100 / n: pair for (_, n), pair in sorted(pairs.items())}


def gains(study, mix):
    """On over off - 1, by lifetime."""
    return {life: on / off - 1 for life, (on, off) in by_lifetime(study, mix).items()}


def at(by_life, lifetime):
    """The entry for a lifetime, ms."""
    for life, value in by_life.items():
        if np.isclose(life, lifetime):
            return value
    raise Missing(lifetime)


@check("p4-fig9a-10ms")
def slow(study):
    on, off = (1e3 * sample for sample in at(by_lifetime(study, "V20"), 10))
    return Finding({"on": on, "off": off, "ratio": on / off})


@check("p4-fig9a-2ms")
def faster(study):
    by_life = gains(study, "V20")
    gain = at(by_life, 2)
    return Finding({"gain": gain, "gain at 10 ms": at(by_life, 10)})


@check("p4-fig9a-1ms")
def fastest(study):
    gain = at(gains(study, "V20"), 1)
    return Finding(gain)


@check("p4-fig9a-trends")
def trends(study):
    by_life = by_lifetime(study, "V20")
    lives = list(by_life)
    if len(lives) < 4:
        raise Missing("moving")
    rate = spearman(lives, [off.mean for _, off in by_life.values()])
    gain = spearman(lives, [on / off for on, off in by_life.values()])
    value = {"rate CC off and lifetime": rate, "gain and lifetime": gain}
    return Finding(value, note=f"rank correlations over {len(lives)} lifetimes")


@check("p4-fig9b-m1")
def many_v_slow(study):
    on, off = at(by_lifetime(study, "V60"), 10)
    return Finding(on / off)


@check("p4-fig9b-m2")
def many_v_fast(study):
    return Finding(at(gains(study, "V60"), 1))


@check("p4-fig9b-m3")
def many_v_against_few(study):
    value = {}
    for mix, label in (("V60", "60 % V"), ("V20", "20 % V")):
        by_life = gains(study, mix)
        value[label] = {"10 ms": at(by_life, 10), "1 ms": at(by_life, 1)}
        value[label]["ratio"] = value[label]["10 ms"] / value[label]["1 ms"]
    return Finding(value, note="gains from CC and their ratio")


@check("p4-fig10-m1")
def all_b(study):
    value = {f"p={mix[1:]}": gains(study, mix) for mix in ("B30", "B60", "B90")}
    return Finding(value, note="on over off - 1, by lifetime in ms")


@check("p4-s3c-m1")
def rate_by_lifetime(study):
    value = {}
    for mix in study.mixes():
        value[mix] = {life: off for life, (_, off) in by_lifetime(study, mix).items()}
    return Finding(value, note="mean of all hosts in Gbit/s without CC, by roles and lifetime in ms")


@check("p4-s6-single-parameter-set")
def one_set(study):
    points, free = {}, set()
    for family, label in (("silent", "silent"), ("quiet", "no hot host")):
        on, off = (study.sample((family, cc), total) for cc in ("on", "off"))
        points[label] = float(on / off)
    free.add("no hot host")
    for (x, p), (on, off) in study.grid("windy", total).items():
        points[f"windy x={x:g} p={p:g}"] = float(on / off)
        if x == 100 and p in (0, 100):
            free.add(f"windy x={x:g} p={p:g}")
    for (mix, n), (on, off) in study.grid("moving", total).items():
        points[f"moving {mix} {100 / n:.3g} ms"] = float(on / off)
    if not {25, 50, 75, 100} <= {x for x, _ in study.grid("windy", total)}:
        raise Missing("windy")
    lowest, highest = min(points, key=points.get), max(points, key=points.get)
    worse = [label for label, ratio in points.items() if ratio < 0.97 or (label not in free and ratio <= 1)]
    value = {"lowest": points[lowest], "highest": points[highest], "points": len(points), "not better": len(worse)}
    note = f"total, on over off; lowest at {lowest}, highest at {highest}"
    if worse:
        note += "; not better at " + ", ".join(f"{label} ({points[label]:.3g})" for label in worse[:8])
    return Finding(value, note=note)
