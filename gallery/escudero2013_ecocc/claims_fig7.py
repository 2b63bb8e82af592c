"""Claims about throughput over time: figure 7, patterns #1 to #3."""

from ..common.judge import Finding
from ..common.study import Missing
from .paper import check
from .scenario import HOT_MS, READINGS, TECHNIQUES, nodes

OTHERS = ("ib-ith", "hfdi", "ecocc", "voqnet")
FIRST, LAST = (1, 1.2), (1.8, 2)
"""Beginning and end of the time in which hot nodes send, ms."""


def where(study, *patterns):
    """Which networks a value stands on, in words; those of which some patterns were run, or all."""
    found = study.networks(patterns=patterns or (1, 2, 3))
    return "networks with " + ", ".join(f"{nodes(network)}" for network in found) + " nodes"


def ratios(study, pattern, above, below, *also):
    """Ratio of two techniques on every network, in every reading: values, those of set A. also: patterns run there."""
    values, judged = {}, []
    for reading in READINGS:
        for network in study.networks(reading, (pattern, *also)):
            found = float(study.ratio(network, pattern, above, below, reading))
            values[f"{nodes(network)} nodes, {above}/{below}, set {reading}"] = found
            if reading == "a":
                judged.append(found)
    return values, judged


@check("p6-fig7-p1-ecocc-near-voqnet")
def near(study):
    values, judged = ratios(study, 1, "ecocc", "voqnet")
    more, also = ratios(study, 1, "hfdi", "voqnet")
    return Finding(values | more, min(judged + also) >= 0.9, where(study, 1))


@check("p6-fig7-p1-hfdi-equal")
def equal(study):
    values, judged = ratios(study, 1, "hfdi", "ecocc")
    return Finding(values, all(0.93 <= value <= 1.07 for value in judged), where(study, 1))


def several(study):
    """Refuses a claim about size where pattern #1 was run on one network alone."""
    if len(study.networks(patterns=(1,))) < 2:
        raise Missing("net", 2, 1)


@check("p6-fig7-p1-size-independent")
def any_size(study):
    """Needs two networks at least."""
    several(study)
    values, judged = ratios(study, 1, "ecocc", "voqnet")
    return Finding(values, max(judged) - min(judged) <= 0.08, where(study, 1))


@check("p6-fig7-p1-ibith")
def slow(study):
    several(study)
    values, judged = ratios(study, 1, "ib-ith", "ecocc")
    more, by_size = ratios(study, 1, "ib-ith", "voqnet")
    return Finding(values | more, max(judged) < 0.9 and by_size[-1] < by_size[0], where(study, 1))


def order(study, holds):
    """Throughput of all techniques in all patterns, and whether something holds in each: {technique: level} -> bool."""
    values, judged = {}, []
    for reading in READINGS:
        for network in study.networks(reading):
            for pattern in (1, 2, 3):
                levels = {t: float(study.mean(network, pattern, t, reading)) for t in TECHNIQUES}
                words = ", ".join(f"{t} {level:.3f}" for t, level in levels.items())
                values[f"{nodes(network)} nodes, pattern {pattern}, set {reading}"] = words
                if reading == "a":
                    judged.append(holds(levels))
    return Finding(values, all(judged), where(study))


@check("p6-fig7-1vl-worst")
def worst(study):
    return order(study, lambda levels: all(levels["1vl"] <= 1.01 * levels[t] for t in OTHERS))


@check("p6-fig7-voqnet-best")
def best(study):
    return order(study, lambda levels: all(levels["voqnet"] >= 0.99 * level for level in levels.values()))


@check("p6-fig7-p2-hfdi-degrades")
def degrades(study):
    values, judged = ratios(study, 2, "hfdi", "voqnet", 1)
    more, one_tree = ratios(study, 1, "hfdi", "voqnet", 2)
    values |= {f"pattern 1, {key}": value for key, value in more.items()}
    for changed in ("hfdi8", "hfdiskip"):
        for span in (HOT_MS, (HOT_MS[1], 4)):
            values |= study.causes(changed, "voqnet", over, span)
    holds = all(four <= 0.85 and four < one for four, one in zip(judged, one_tree, strict=True))
    return Finding(values, holds, where(study, 1, 2))


def over(one, other, span):
    """Mean throughput of a run over that of another."""
    return one.mean(span) / other.mean(span)


@check("p6-fig7-p2-ecocc-over-hfdi")
def above(study):
    values, judged = ratios(study, 2, "ecocc", "hfdi")
    return Finding(values, min(judged) > 1.12, where(study, 2))


@check("p6-fig7-p2-ibith-no-removal")
def stays(study):
    """Throughput of IB-ITh at the end of the hot traffic over that at its beginning."""
    values, judged = {}, []
    for reading in READINGS:
        for network in study.networks(reading, (2,)):
            first, last = (float(study.mean(network, 2, "ib-ith", reading, span)) for span in (FIRST, LAST))
            values[f"{nodes(network)} nodes, set {reading}"] = last / first
            if reading == "a":
                judged.append(last / first)
    return Finding(values, max(judged) <= 1.1, where(study, 2))


@check("p6-fig7-m1")
def six_trees(study):
    finding = order(study, lambda levels: True)
    values = {key: words for key, words in finding.value.items() if "pattern 3" in key}
    return Finding(values, None, finding.note)


@check("p6-order-overall")
def overall(study):
    """EcoCC > HFDI > IB-ITh > 1VL over [1 ms, end], patterns #2 and #3, with ties of 2 per cent below HFDI."""
    values, judged = {}, []
    for reading in READINGS:
        for network in [n for n in study.networks(reading) if n < 3]:
            for pattern in (2, 3):
                names = ("ecocc", "hfdi", "ib-ith", "1vl")
                levels = [float(study.mean(network, pattern, t, reading, (HOT_MS[0], 4))) for t in names]
                words = ", ".join(f"{t} {level:.3f}" for t, level in zip(names, levels, strict=True))
                values[f"{nodes(network)} nodes, pattern {pattern}, set {reading}"] = words
                a, b, c, d = levels
                if reading == "a":
                    judged.append(a > b > c and 1.02 * c >= d)
    return Finding(values, all(judged), where(study))


@check("p6-s2-no-adverse-effect")
def harmless(study):
    """Uniform traffic and nothing else, at two loads, network #1, from 0.5 ms on."""
    values, judged = {}, []
    for load in study.axis("uniform", 0):
        level = {t: float(study.sample(("uniform", load, t), settled)) for t in ("1vl", "ecocc", "voqnet")}
        for other in ("1vl", "voqnet"):
            values[f"ecocc/{other} at {load} %"] = level["ecocc"] / level[other]
        judged.append(level["ecocc"] >= 0.97 * level["1vl"])
    values["before 1 ms of pattern 1"] = float(study.ratio(1, 1, "ecocc", "1vl", "a", (0.5, 1)))
    return Finding(values, all(judged), "64 nodes, set A")


def settled(view):
    return view.mean((0.5, 2))
