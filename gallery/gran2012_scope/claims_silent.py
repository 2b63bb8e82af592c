"""Silent forests: Table II and section V.A."""

from ..common.judge import Finding
from .paper import check, hotspots, mean, others, total


def both(study, family, measure):
    """A measure with and without congestion control."""
    return study.sample((family, "on"), measure), study.sample((family, "off"), measure)


@check("p4-table2-nohot-off")
def quiet_off(study):
    return Finding(study.sample(("quiet", "off"), mean))


@check("p4-table2-nohot-on")
def quiet_on(study):
    on, off = both(study, "quiet", mean)
    change = on / off - 1
    return Finding({"rate": on, "change": change}, note=on.spread())


@check("p4-table2-hot-off-hot")
def hot_off(study):
    return Finding(study.sample(("silent", "off"), hotspots))


@check("p4-table2-hot-off-nonhot")
def others_off(study):
    return Finding(study.sample(("silent", "off"), others))


@check("p4-table2-hot-on-hot")
def hot_on(study):
    return Finding(study.sample(("silent", "on"), hotspots))


@check("p4-table2-hot-on-nonhot")
def others_on(study):
    return Finding(study.sample(("silent", "on"), others))


@check("p4-table2-total-off")
def total_off(study):
    return Finding(study.sample(("silent", "off"), total))


@check("p4-table2-total-on")
def total_on(study):
    return Finding(study.sample(("silent", "on"), total))


def by_seed(study, measure):
    """On over off, seed by seed."""
    on, off = both(study, "silent", measure)
    return on / off


@check("p4-sA-nonhot-gain")
def others_gain(study):
    return Finding(by_seed(study, others) - 1)


@check("p4-sA-17-below")
def below_quiet(study):
    share = 1 - study.sample(("silent", "on"), others) / study.sample(("quiet", "on"), mean)
    return Finding(share)


@check("p4-sA-hot-drop")
def hot_drop(study):
    return Finding(1 - by_seed(study, hotspots))


@check("p4-sA-total-gain")
def total_gain(study):
    return Finding(by_seed(study, total))


@check("p4-s3a-m1")
def fairness(study):
    on, off = both(study, "silent", lambda view: view.fairness())
    return Finding({"CC on": on, "CC off": off}, note=f"on: {on.spread()}; off: {off.spread()}")
