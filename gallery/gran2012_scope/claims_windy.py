"""Windy forests: section V.B, figures 5 to 8, and the statements of section III.B about pairs and hosts."""

from ..common.judge import Finding
from ..common.study import Missing
from .paper import check, hotspots, others, tmax, total
from .study import Sample


def pairs(study, x, measure, low=0, high=100):
    """(on, off) by p, for the p in [low, high] that were run."""
    found = {p: pair for (at, p), pair in study.grid("windy", measure, x).items() if low <= p <= high}
    if not found:
        raise Missing(("windy", x))
    return found


def need(found, *wanted):
    """A statement about a range of p is not judged by less than these points of it."""
    if not set(wanted) <= set(found):
        raise Missing(("windy", *wanted))
    return found


def ratios(study, x, measure, low=0, high=100):
    """On over off by p."""
    return {p: on / max(off, Sample([1e-9])) for p, (on, off) in pairs(study, x, measure, low, high).items()}


def share_of_tmax(study, x, low=0, high=100):
    """What others receive with congestion control, over the most they could, by p."""
    by_p = pairs(study, x, others, low, high)
    return {p: on / tmax(x, p) for p, (on, _) in by_p.items() if tmax(x, p) > 0}


@check("p4-tmax-formula")
def formula(_study):
    by_p = [tmax(25, p) for p in range(0, 101, 10)]
    return Finding(by_p[0], note="13.5 (x (1 - p) + 0.2 (1 - x))")


@check("p4-fig67-m2")
def formula_ends(_study):
    ends = {f"x={x}": {"p=0": tmax(x, 0), "p=100": tmax(x, 100), "slope": -0.135 * x / 100} for x in (25, 50, 75, 100)}
    return Finding(ends, note="slope in Gbit/s per per cent of p")


@check("p4-fig5a-p0-on")
def few_on(study):
    return Finding(study.sample(("windy", 25, "on", 0), others))


@check("p4-fig5a-p0-off")
def few_off(study):
    return Finding(study.sample(("windy", 25, "off", 0), others))


@check("p4-fig5a-p0-factor")
def few_factor(study):
    return Finding(ratios(study, 25, others, 0, 0)[0])


@check("p4-fig5a-p0-tmax")
def few_share(study):
    return Finding(share_of_tmax(study, 25, 0, 0)[0])


@check("p4-fig5a-m1")
def ten_share(study):
    return Finding(share_of_tmax(study, 25, 10, 10)[10])


@check("p4-fig5a-m2")
def ten_factor(study):
    return Finding(ratios(study, 25, others, 10, 10)[10])


@check("p4-fig5a-p60-tmax")
def many_share(study):
    shares = need(share_of_tmax(study, 25, 60, 100), 60, 80, 100)
    return Finding(shares, note="by p")


@check("p4-fig5a-factor-range")
def factor_range(study):
    factors = need(ratios(study, 25, others, 30, 100), 30, 60, 80, 100)
    peak = max(factors, key=factors.get)
    return Finding(factors, note=f"by p; highest at p = {peak:g}")


@check("p4-fig5a-peak1530")
def peak(study):
    return Finding(ratios(study, 25, others, 60, 60)[60])


@check("p4-fig5b-hot-flat")
def hot_flat(study):
    by_p = need(pairs(study, 25, hotspots), 0, 30, 60, 80, 100)
    on, off = ([pair[k] for pair in by_p.values()] for k in (0, 1))
    spread = [max(v) / min(v) - 1 for v in (off, on)]
    value = {
        "off": [min(off), max(off)],
        "on": [min(on), max(on)],
        "range over p, off": spread[0],
        "range over p, on": spread[1],
    }
    return Finding(value, note="lowest and highest over p")


@check("p4-fig5c-m1")
def total_few(study):
    return Finding(need(ratios(study, 25, total), 0, 30, 60, 80, 100), note="by p")


@check("p4-fig67-m1")
def trends(study):
    value = {}
    for x in (50, 75):
        factors = ratios(study, x, others, 0, 99)
        shares = share_of_tmax(study, x)
        hot = [on for on, _ in pairs(study, x, hotspots, 1).values()]
        value[f"x={x}"] = {
            "on above off at every p": all(f > 1 for f in factors.values()),
            "lowest share of tmax": min(shares.values()),
            "highest factor": max(factors.values()),
            "at p": max(factors, key=factors.get),
            "hot rate with CC, range over p": max(hot) / min(hot) - 1,
        }
    return Finding(value)


@check("p4-fig67-m3")
def total_all(study):
    return Finding({f"x={x}": ratios(study, x, total) for x in (25, 50, 75, 100)}, note="total, on over off, by p")


@check("p4-fig8a-m1")
def storm_alone(study):
    return Finding(ratios(study, 100, others, 0, 0)[0] - 1)


@check("p4-fig8a-m2")
def storm_ten(study):
    return Finding(ratios(study, 100, others, 10, 10)[10])


@check("p4-fig8a-m3")
def storm_ninety(study):
    return Finding(ratios(study, 100, others, 90, 90)[90])


@check("p4-fig8a-m4")
def storm_share(study):
    return Finding(share_of_tmax(study, 100, 61, 99), note="by p")


@check("p4-fig8b-m1")
def storm_hot(study):
    return Finding({p: f - 1 for p, f in ratios(study, 100, hotspots, 1).items()}, note="on over off - 1, by p")


@check("p4-fig8c-m1")
def storm_total(study):
    return Finding(ratios(study, 100, total, 60, 60)[60])


@check("p4-fig8c-m2")
def storm_ends(study):
    ends = ratios(study, 100, total)
    if not {0, 100} <= set(ends):
        raise Missing(("windy", 100, 0))
    return Finding({p: ends[p] for p in (0, 100)}, note="by p")


@check("p4-sB-always-better")
def always_better(study):
    on, off = (study.sample(("silent", cc), total) for cc in ("on", "off"))
    points = {"x=0": on / off}
    for (x, p), pair in study.grid("windy", total).items():
        if 0 < p < 100:
            points[f"x={x:g}, p={p:g}"] = pair[0] / pair[1]
    if not {25, 50, 75, 100} <= {x for x, p in study.grid("windy", total) if 0 < p < 100}:
        raise Missing("windy")
    lowest = min(points, key=points.get)
    return Finding(points[lowest], note=f"lowest of {len(points)} points, at {lowest}")


@check("p4-s3b-qp-needed")
def pairs_needed(study):
    pair = study.sample(("windy", 100, "on", 60), others)
    host = study.sample(("perhost", 100, 60), others)
    n = min(len(pair.values), len(host.values))
    ratio = Sample(pair.values[:n] / host.values[:n])
    return Finding({"per pair": pair, "per host": host, "ratio": ratio}, note=f"ratio {ratio.spread()}")
