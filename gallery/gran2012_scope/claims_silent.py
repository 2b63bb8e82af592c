"""Silent forests: Table II and section V.A."""

from ..common.judge import Finding, within
from .paper import check, hotspots, mean, others, total
from .study import Sample


def both(study, family, measure):
    """A measure with and without congestion control."""
    return study.sample((family, "on"), measure), study.sample((family, "off"), measure)


@check("p4-table2-nohot-off")
def quiet_off(study):
    return within(study.sample(("quiet", "off"), mean), 2.63, 2.71)


@check("p4-table2-nohot-on")
def quiet_on(study):
    on, off = both(study, "quiet", mean)
    change = on.mean / off.mean - 1
    holds = 2.60 <= on.mean <= 2.71 and abs(change) <= 0.02
    return Finding({"rate": on, "change": change}, holds, on.spread())


@check("p4-table2-hot-off-hot")
def hot_off(study):
    return within(study.sample(("silent", "off"), hotspots), 13.4, 13.65)


@check("p4-table2-hot-off-nonhot")
def others_off(study):
    return within(study.sample(("silent", "off"), others), 0.08, 0.40)


@check("p4-table2-hot-on-hot")
def hot_on(study):
    return within(study.sample(("silent", "on"), hotspots), 12.2, 13.6)


@check("p4-table2-hot-on-nonhot")
def others_on(study):
    return within(study.sample(("silent", "on"), others), 1.7, 2.6)


@check("p4-table2-total-off")
def total_off(study):
    return within(study.sample(("silent", "off"), total), 160, 370)


@check("p4-table2-total-on")
def total_on(study):
    return within(study.sample(("silent", "on"), total), 1200, 1750)


def by_seed(study, measure):
    """On over off, seed by seed, and the ratio of the means."""
    on, off = both(study, "silent", measure)
    return Sample(on.values / off.values), on.mean / off.mean


@check("p4-sA-nonhot-gain")
def others_gain(study):
    ratios, ratio = by_seed(study, others)
    return Finding(ratio - 1, ratio - 1 > 5, f"ratio of means; by seed {Sample(ratios.values - 1).spread()}")


@check("p4-sA-17-below")
def below_quiet(study):
    share = 1 - study.sample(("silent", "on"), others).mean / study.sample(("quiet", "on"), mean).mean
    return Finding(share, 0.05 <= share <= 0.35)


@check("p4-sA-hot-drop")
def hot_drop(study):
    ratios, ratio = by_seed(study, hotspots)
    return Finding(1 - ratio, 0 <= 1 - ratio <= 0.10, f"by seed {Sample(1 - ratios.values).spread()}")


@check("p4-sA-total-gain")
def total_gain(study):
    ratios, ratio = by_seed(study, total)
    return Finding(ratio, ratio > 3.5, f"ratio of means; by seed {ratios.spread()}")


@check("p4-s3a-m1")
def fairness(study):
    on, off = both(study, "silent", lambda view: view.fairness())
    return Finding({"CC on": on, "CC off": off}, note=f"on: {on.spread()}; off: {off.spread()}")
