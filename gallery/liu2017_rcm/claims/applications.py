"""Applications on the whole tree (Fig. 9)."""

import math

import numpy as np

from ...common.judge import Finding
from ...common.study import Sample
from ..fabric import BESIDE, GROUP, LOAD, LONG, MOMENTS
from ..paper import check
from ..runs import SIZES
from ..scenario import LINK
from ..tables import MOST
from .hot_spots import RCM, by_load

MICE, ELEPHANTS = 1e6, 10e6
"""Bytes."""


def chosen(study, sizes, pick=lambda size: True, schemes=RCM, family="app"):
    """Completion times, us, of the flows that have finished in all schemes: a table a seed, a column a scheme."""
    pairs = study.paired(*((family, scheme, sizes.replace("-", "")) for scheme in schemes))
    return [1e6 * times[[pick(size) for _, size in what]] for what, times in pairs]


def means(study, sizes, pick=lambda size: True, schemes=RCM, family="app"):
    """Means of the values by seed, a sample for each scheme, and the number of flows in all seeds."""
    tables = chosen(study, sizes, pick, schemes, family)
    found = [t.mean(axis=0) if len(t) else np.full(len(schemes), np.nan) for t in tables]
    return [Sample(column) for column in zip(*found, strict=True)], sum(map(len, tables))


def realised(study, family="app"):
    """The load that hosts receive after the warm-up and the declared load, in words."""
    of = {"capped": f", sizes cut at {MOST / 1e6:.0f} MB", "long": f", in {LONG}"}.get(family, "")
    keys = {sizes: (family, "dcqcn", sizes.replace("-", "")) for sizes in SIZES}
    found = {
        sizes: study.sampled(lambda view: view.offered(), key) for sizes, key in keys.items() if key in study.table
    }
    said = ", ".join(f"{sizes} {load.mean:.0%}" for sizes, load in found.items())
    return f"load declared {LOAD:.0%}, delivered with DCQCN{of}: {said}"


def said_counts(counts):
    """The number of flows of all seeds, by their sizes, in words."""
    return ", ".join(f"{count} {sizes} flows" for sizes, count in counts.items())


def beside_applications():
    """Further values for figure 9: words, schemes and family; never judged."""
    found = [(said, (scheme, "dcqcn"), "app") for scheme, said in BESIDE.items()]
    return [*found, (f"cut at {MOST / 1e6:.0f} MB", RCM, "capped")]


def made(study, schemes, family):
    """The sizes with which these were run."""
    return [s for s in SIZES if all((family, scheme, s.replace("-", "")) in study.table for scheme in schemes)]


@check("rcm-fig9-avg-fct")
def average(study):
    found = {sizes: means(study, sizes) for sizes in SIZES}
    values = {sizes: times for sizes, (times, _) in found.items()}
    for said, schemes, family in beside_applications():
        for sizes in made(study, schemes, family):
            values[f"{said}, {sizes}"] = means(study, sizes, schemes=schemes, family=family)[0]
    errors = []
    for sizes in SIZES:
        pairs = -np.diff(np.concatenate(chosen(study, sizes)), axis=1)
        errors.append(f"{sizes} {pairs.mean():+.3g} +- {pairs.std() / np.sqrt(len(pairs)):.2g}")
    counts = said_counts({sizes: count for sizes, (_, count) in found.items()})
    note = f"us: RCM, DCQCN; {counts}; mean difference of a flow with its standard error: {', '.join(errors)}"
    return Finding(values, note=f"{note}; {realised(study)}; {realised(study, 'capped')}")


@check("rcm-fig9-m1")
def mice(study):
    values, counts = {}, {}
    for said, schemes, family in [("", RCM, "app"), *beside_applications()]:
        for sizes in made(study, schemes, family):
            (rcm, dcqcn), count = means(study, sizes, lambda size: size < MICE, schemes, family)
            values[f"{said}, {sizes}" if said else sizes] = 1 - rcm / dcqcn
            if not said:
                counts[sizes] = count
    return Finding(values, note=said_counts(counts))


@check("rcm-fig9-elephants")
def elephants(study):
    def large(sizes, family="app"):
        times, count = means(study, sizes, lambda size: size > ELEPHANTS, family=family)
        return times[0] / times[1], count

    long = {"enterprise": "long"} if made(study, RCM, "long") else {}
    found = {sizes: large(sizes, long.get(sizes, "app")) for sizes in SIZES}
    values = {sizes: ratio for sizes, (ratio, _) in found.items()}
    flows = said_counts({sizes: count for sizes, (_, count) in found.items()})
    cut = {sizes: large(sizes, "capped") for sizes in made(study, RCM, "capped")}
    said = ", ".join(f"{sizes} {of_flows(ratio, count)}" for sizes, (ratio, count) in cut.items())
    told = [f"RCM / DCQCN, finished in both ({flows})", realised(study)]
    if cut:
        told += [f"sizes cut at {MOST / 1e6:.0f} MB: {said}", realised(study, "capped")]
    if long:
        told.append(realised(study, "long"))
    return Finding(values, note="; ".join(told))


def of_flows(ratio, count):
    """A ratio by seed, and of how many flows it is; a seed without any has none."""
    if math.isnan(ratio.mean):
        return f"not in every seed ({count} flows)"
    return f"{ratio:.3g} ({ratio.spread()}; {count} flows)"


@check("rcm-fig9-m2")
def gains(study):
    times = {sizes: means(study, sizes)[0] for sizes in SIZES}
    return Finding({sizes: 1 - rcm / dcqcn for sizes, (rcm, dcqcn) in times.items()})


@check("rcm-s3.4-m1")
def second_stage(study):
    def own(scheme):
        return by_load(study, lambda view: view.offered("background"), lambda own, dcqcn: own, scheme)

    values = {f"background, {name}": own(scheme) for scheme, name in (("rcm", "RCC"), ("sar", "RCC and SAR"))}
    counts = {}
    for sizes in SIZES:
        values[f"{sizes}, mean of flows, us"], counts[sizes] = means(study, sizes, schemes=("rcm", "sar"))
    return Finding(values, note=f"RCC alone, RCC and SAR; {said_counts(counts)}")


@check("rcm-s4.3-mining-more-elephants")
def mining(_study):
    """Flows under way by Little's law, as if each had the link for itself; two of them collide or do not."""
    values = {}
    for sizes in SIZES:
        mean, above, bytes_above = MOMENTS[sizes]
        begun = LOAD * LINK / 8 / mean * above * GROUP
        at_once = LOAD * bytes_above * GROUP
        values[sizes] = {
            "share of flows": above,
            "share of bytes": bytes_above,
            "pairs at once in a pod": at_once**2 / 2,
            "new pairs in a pod, 1/s": begun * at_once,
        }
    return Finding(values, note="above 10 MB, at 60 % load")
