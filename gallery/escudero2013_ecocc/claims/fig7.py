"""Claims about throughput over time: figure 7, patterns #1 to #3."""

from ...common.judge import Finding
from ...common.study import Missing
from ..paper import check
from ..scenario import HOT_MS, JUDGED, READINGS, TECHNIQUES, nodes

FIRST, LAST = (1, 1.2), (1.8, 2)
"""Beginning and end of the time in which hot nodes send, ms."""


def where(study, *patterns):
    """The networks on which a value is based, in words; those of which some patterns were run, or all."""
    found = study.networks(patterns=patterns or (1, 2, 3))
    return "networks with " + ", ".join(f"{nodes(network)}" for network in found) + " nodes"


def ratios(study, pattern, above, below, *also):
    """Ratio of two techniques on every network, in every reading. also: patterns that must have been run there."""
    values = {}
    for reading in READINGS:
        for network in study.networks(reading, (pattern, *also)):
            found = study.ratio(network, pattern, above, below, reading)
            values[f"{nodes(network)} nodes, {above}/{below}, set {reading}"] = found
    return values


@check("p6-fig7-p1-ecocc-near-voqnet")
def near(study):
    values = ratios(study, 1, "ecocc", "voqnet")
    return Finding(values | ratios(study, 1, "hfdi", "voqnet"), note=where(study, 1))


@check("p6-fig7-p1-hfdi-equal")
def equal(study):
    return Finding(ratios(study, 1, "hfdi", "ecocc"), note=where(study, 1))


def several(study):
    """Refuses a claim about size where pattern #1 was run on one network alone."""
    if len(study.networks(patterns=(1,))) < 2:
        raise Missing("net", 2, 1)


@check("p6-fig7-p1-size-independent")
def any_size(study):
    """Needs two networks at least."""
    several(study)
    return Finding(ratios(study, 1, "ecocc", "voqnet"), note=where(study, 1))


@check("p6-fig7-p1-ibith")
def slow(study):
    several(study)
    values = ratios(study, 1, "ib-ith", "ecocc")
    return Finding(values | ratios(study, 1, "ib-ith", "voqnet"), note=where(study, 1))


@check("p6-fig7-1vl-worst", "p6-fig7-voqnet-best")
def order(study):
    """Throughput of all techniques in all patterns."""
    values = {}
    for reading in READINGS:
        for network in study.networks(reading):
            for pattern in (1, 2, 3):
                levels = {t: study.mean(network, pattern, t, reading) for t in TECHNIQUES}
                values[f"{nodes(network)} nodes, pattern {pattern}, set {reading}"] = levels
    return Finding(values, note=where(study))


@check("p6-fig7-p2-hfdi-degrades")
def degrades(study):
    values = ratios(study, 2, "hfdi", "voqnet", 1)
    values |= {f"pattern 1, {key}": value for key, value in ratios(study, 1, "hfdi", "voqnet", 2).items()}
    for changed in ("hfdi8", "hfdihold"):
        for span in (HOT_MS, (HOT_MS[1], 4)):
            values |= study.causes(changed, "voqnet", over, span)
    return Finding(values, note=where(study, 1, 2))


def over(one, other, span):
    """Mean throughput of a run over that of another."""
    return one.mean(span) / other.mean(span)


@check("p6-fig7-p2-ecocc-over-hfdi")
def above(study):
    return Finding(ratios(study, 2, "ecocc", "hfdi"), note=where(study, 2))


@check("p6-fig7-p2-ibith-no-removal")
def stays(study):
    """Throughput of IB-ITh at the end of the hot traffic over that at its beginning."""
    values = {}
    for reading in READINGS:
        for network in study.networks(reading, (2,)):
            first, last = (study.mean(network, 2, "ib-ith", reading, span) for span in (FIRST, LAST))
            values[f"{nodes(network)} nodes, set {reading}"] = last / first
    return Finding(values, note=where(study, 2))


@check("p6-fig7-m1")
def six_trees(study):
    finding = order(study)
    values = {key: levels for key, levels in finding.value.items() if "pattern 3" in key}
    return Finding(values, note=finding.note)


@check("p6-order-overall")
def overall(study):
    """Throughput over [1 ms, end], patterns #2 and #3."""
    values = {}
    for reading in READINGS:
        for network in [n for n in study.networks(reading) if n < 3]:
            for pattern in (2, 3):
                names = ("ecocc", "hfdi", "ib-ith", "1vl")
                levels = {t: study.mean(network, pattern, t, reading, (HOT_MS[0], 4)) for t in names}
                values[f"{nodes(network)} nodes, pattern {pattern}, set {reading}"] = levels
    return Finding(values, note=where(study))


@check("p6-s2-no-adverse-effect")
def harmless(study):
    """Uniform traffic and nothing else, at two loads, network #1, from 0.5 ms on."""
    values = {}
    for load in study.axis("uniform", 0):
        level = {t: study.sample(("uniform", load, t), settled) for t in ("1vl", "ecocc", "voqnet")}
        for other in ("1vl", "voqnet"):
            values[f"ecocc/{other} at {load} %"] = level["ecocc"] / level[other]
    values["before 1 ms of pattern 1"] = study.ratio(1, 1, "ecocc", "1vl", JUDGED, (0.5, 1))
    return Finding(values, note=f"64 nodes, set {JUDGED.upper()}")


def settled(view):
    return view.mean((0.5, 2))
