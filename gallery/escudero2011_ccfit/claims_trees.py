"""Claims about Configuration #3 with one, four and six trees: figure 8, and what throttling does for isolation."""

from ..common.judge import Finding
from .paper import check
from .runs import SHARES, TREES
from .scenario import JUDGED, THROTTLES

HOT = (1, 2)
AFTER = (2, 4)
WHOLE = ("1q", "ith", "fbicm", "ccfit", "voqnet")


def mean(study, trees, technique, reading, span, beginning=""):
    """Mean throughput over all seeds."""
    return study.mean(("case4", trees), technique, reading, span, beginning)


def ratio(study, trees, above, below, reading, span, beginning=""):
    """Of two techniques, seed by seed."""
    top = mean(study, trees, above, reading, span, beginning).values
    return study.sample_of(top / mean(study, trees, below, reading, span, beginning).values)


def by_reading(study, trees, above, below, span):
    """The ratio of two techniques in every reading, and the spread of the one that judges."""
    samples = {
        f"set {reading}": ratio(study, trees, above, below, reading, span) for reading in study.readings("case4", trees)
    }
    return samples, f"set {JUDGED.upper()}: {samples[f'set {JUDGED}'].spread()}"


def levels(study, trees, technique, spans):
    """Throughput of a technique in spans, by reading if it throttles."""
    values = {}
    for reading in study.readings("case4", trees) if technique in THROTTLES else ("any",):
        word = "" if reading == "any" else f", set {reading}"
        for span in spans:
            values[f"[{span[0]:g}, {span[1]:g}] ms{word}"] = mean(study, trees, technique, reading, span)
    return values


@check("p5-fig8a-ccfit-fbicm")
def like_fbicm(study):
    values, note = by_reading(study, 1, "ccfit", "fbicm", HOT)
    values[f"after, set {JUDGED}"] = ratio(study, 1, "ccfit", "fbicm", JUDGED, AFTER)
    return Finding(values, note=note)


@check("p5-fig8a-voqnet-max")
def most(study):
    """VOQnet over the best of the others, by trees; also with twice the memory for each destination, seed 1."""
    values = {}
    for trees in TREES:
        levels_of = {t: float(mean(study, trees, t, JUDGED, HOT)) for t in WHOLE}
        best = max((value, t) for t, value in levels_of.items() if t != "voqnet")
        values[f"{trees} trees: voqnet/{best[1]}"] = levels_of["voqnet"] / best[0]
    for trees in TREES:
        pair = study.views("doubled", trees)[0], study.case("case4", "fbicm", "any", trees)[0]
        values[f"{trees} trees, twice the memory: voqnet/fbicm"] = pair[0].mean(HOT) / pair[1].mean(HOT)
    return Finding(values, note=f"best of the others with set {JUDGED.upper()}, [1, 2] ms")


@check("p5-fig8a-ith-poor")
def poor(study):
    values, note = by_reading(study, 1, "ith", "ccfit", HOT)
    return Finding(values, note=note)


@check("p5-fig8b-m1")
def run_out(study):
    views = study.case("case4", "fbicm", "any", 4)
    values = levels(study, 4, "fbicm", (HOT, AFTER))
    values["most ports without a free CFQ"] = max(view.isolation("most_exhausted").max() for view in views)
    values["mean of them in [1, 2] ms"] = sum(in_hot(view, "exhausted") for view in views) / len(views)
    values["times that no CFQ was left"] = sum(view.number("queues_exhausted") for view in views) / len(views)
    return Finding(values, note="of 320 inputs of switches that are linked")


def in_hot(view, column):
    """Mean of a column of isolation in [1, 2] ms."""
    inside = (view.times() > HOT[0]) & (view.times() < HOT[1])
    return float(view.isolation(column)[inside].mean())


@check("p5-fig8b-m2")
def lead(study):
    values, note = by_reading(study, 4, "ccfit", "fbicm", (1, 3))
    return Finding(values, note=note)


@check("p5-fig8b-m3")
def throttled(study):
    return Finding(levels(study, 4, "ith", ((0.5, 1), (1, 1.5), (1.5, 2), (2, 3), (3, 4))))


@check("p5-fig8b-m4")
def one_queue(study):
    return Finding(levels(study, 4, "1q", ((0.5, 1), HOT, AFTER)))


@check("p5-fig8c-m1")
def order(study):
    values = {}
    for reading in study.readings("case4", 6):
        for span in (HOT, AFTER):
            found = {t: float(mean(study, 6, t, reading, span)) for t in ("ccfit", "fbicm", "ith")}
            words = " > ".join(f"{t} {found[t]:.3f}" for t in sorted(found, key=found.get, reverse=True))
            values[f"set {reading}, [{span[0]}, {span[1]}] ms"] = words
    return Finding(values)


@check("p5-fig8-m1")
def growing_lead(study):
    values = {}
    for reading in study.readings("case4", TREES[0]):
        for trees in TREES:
            values[f"set {reading}, {trees} trees"] = ratio(study, trees, "ccfit", "fbicm", reading, (1, 3))
    return Finding(values, note="means over [1, 3] ms")


@check("p5-s1-hol-immediate")
def at_once(study):
    """The loss of uniform traffic in the first 100 us, as a share of what it had in the 0.5 ms before."""
    values = {}
    for reading in study.readings("case4", 1):
        for technique in ("ccfit", "ith"):
            before = mean(study, 1, technique, reading, (0.5, 1), "uniform").values
            first = mean(study, 1, technique, reading, (1, 1.1), "uniform").values
            later = mean(study, 1, technique, reading, HOT, "uniform").values
            values[f"{technique}, set {reading}"] = study.sample_of(1 - first / before)
            values[f"{technique}, whole ms, set {reading}"] = study.sample_of(1 - later / before)
    return Finding(values)


@check("p5-s3b-release-fast")
def released(study):
    values = {}
    for technique, reading in [("fbicm", "any"), *(("ccfit", reading) for reading in study.readings("case4", 4))]:
        found = [view.lifetime() for view in study.case("case4", technique, reading, 4)]
        word = technique if reading == "any" else f"{technique}, set {reading}"
        values[f"{word}: us"] = sum(life for life, _ in found) / len(found)
        values[f"{word}: taken"] = sum(taken for _, taken in found) / len(found)
    return Finding(values, note="CFQs of switches, whole run")


@check("p5-s4b-parameter-sensitivity")
def sensitivity(study):
    """Range over the maximum of the mean throughput in [1, 2] ms, over all timers and three shares of marks."""
    values, timers = {}, study.axis("sense", 1)
    for technique in ("ccfit", "ith"):
        levels_of = [float(study.sample(("sense", technique, t, s), hot)) for t in timers for s in SHARES]
        values[technique] = (max(levels_of) - min(levels_of)) / max(levels_of)
    return Finding(values, note=f"{len(timers) * len(SHARES)} pairs of timer and share; ITh by destination")


def hot(view):
    return view.mean(HOT)
