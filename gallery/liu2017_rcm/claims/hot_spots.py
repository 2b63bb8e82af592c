"""Hot spots on the whole tree (Fig. 8)."""

from ...common.judge import Finding
from ...common.study import Sample
from ..fabric import LOADS
from ..paper import check

RCM = ("sar", "dcqcn")
"""RCM with its second stage, over DCQCN, and that alone."""


def by_load(study, measure, of=lambda rcm, dcqcn: rcm / dcqcn - 1, scheme="sar"):
    """A comparison of RCM with DCQCN at every load that was run."""
    loads = [load for load in LOADS if ("hot", scheme, load) in study.table] or LOADS

    def compare(*pair):
        return of(*map(measure, pair))

    return {
        f"load {load}": study.sampled(compare, *(("hot", one, load) for one in (scheme, "dcqcn"))) for load in loads
    }


@check("rcm-fig8-m1")
def background(study):
    return Finding(by_load(study, lambda view: view.offered("background")), note="RCM over DCQCN, by offered load")


@check("rcm-fig8-m2")
def hot(study):
    rates = by_load(study, lambda view: view.offered("hot"), lambda rcm, dcqcn: [rcm, dcqcn])
    return Finding(rates, note="RCM, DCQCN; shares of all links, by offered load")


@check("rcm-fig8-m3", "rcm-s5-m1")
def total(study):
    return Finding(by_load(study, lambda view: view.offered()), note="relative gain of RCM, by offered load")


def latency(study, load, one=None, schemes=RCM):
    """Mean completion times, us, of the messages of a class, or of all, that have finished under all schemes."""
    pairs = study.paired(*(("hot", scheme, load) for scheme in schemes))
    found = [1e6 * times[[one in (None, name) for name, _ in what]].mean(axis=0) for what, times in pairs]
    return [Sample(column) for column in zip(*found, strict=True)]


@check("rcm-fig8-m4")
def latencies(study):
    loads = [load for load in LOADS if ("hot", "sar", load) in study.table] or LOADS
    values = {
        word: {f"load {load}": latency(study, load, one) for load in loads}
        for word, one in (("background", "background"), ("all", None))
    }
    note = "mean completion time of 64-kB messages that have finished under both, us: RCM, DCQCN; by offered load"
    return Finding(values, note=note)


@check("rcm-s3.4-sar-not-harmful")
def harmless(study):
    loads = [load for load in LOADS if ("hot", "sar", load) in study.table]
    tables = [view.run.region_flows for load in loads or LOADS for view in study.views("hot", "sar", load)]
    moved, wrong = (sum(int(table[what].sum()) for table in tables) for what in ("rerouted", "rerouted_harmful"))
    return Finding({"harmful packets moved": wrong, "packets that took another way": moved})
