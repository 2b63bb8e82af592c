"""Section IV: one switch, where round robin is fair, one threshold makes it unfair and two make it fair again.

Phases count from 0; in phase p the reference flow and p contributors are on.
"""

import numpy as np

from ..common.judge import Finding
from ..common.study import spearman
from .measures import active, last_half, marks_ratio, ratio_in_windows, settled_after
from .paper import check
from .runs import CONTRIBUTORS, ENTERS, GAPS, ORDERS

CROWDED = (2, 3, 4)
"""Phases with more than one contributor."""
LAST = 4


@check("p2-fig3-reference")
def reference(study):
    view = study.views("off")[0]
    rate = np.mean([view.rate("H1", phase) for phase in range(LAST + 1)])
    spread = max(view.deviation("H1", phase) for phase in range(LAST + 1)) / rate
    return Finding({"rate": rate, "largest SD of a plateau": spread}, note="Gbit/s; SD as a share of the rate")


@check("p2-fig3-rr-fair")
def fair_without(study):
    view = study.views("off")[0]
    value = {f"{phase} flows": view.ratio(active(view, phase), phase) for phase in CROWDED}
    return Finding(value, note="largest over smallest")


@check("p2-fig4-h3-over-h2")
def newcomer(study):
    lead = study.sample("single", lambda view: view.rate("H3", 2) - view.rate("H2", 2))
    size = float(np.abs(lead.values).mean())
    every = study.sample("every", lambda view: view.rate("H3", 2) - view.rate("H2", 2))
    low = study.sample("low", lambda view: view.rate("H3", 2) - view.rate("H2", 2))
    note = f"{lead.spread()}; without sign {size:.2f} on the mean; with every packet marked {every.spread()}"
    note += f"; with the threshold at 4 KiB {low.spread()}"
    return Finding(lead, note=note)


@check("p2-fig4-m1")
def third(study):
    value = {
        "H6/H3": study.sample("single", lambda view: view.rate("H6", 3) / view.rate("H3", 3)),
        "H2, Gbit/s": study.sample("single", lambda view: view.rate("H2", 3)),
    }
    return Finding(value, note="; ".join(f"{name} {sample.spread()}" for name, sample in value.items()))


def newest_leads(view):
    """In which crowded phases the flow that came last has most."""
    return [
        max(active(view, phase), key=lambda flow: view.rate(flow, phase)) == active(view, phase)[-1]
        for phase in CROWDED
    ]


@check("p2-fig4-last-largest")
def last_largest(study):
    value = {}
    for word, family in (("Marking_Rate 1", "single"), ("Marking_Rate 0", "every")):
        value[word] = np.mean([newest_leads(view) for view in study.views(family)], axis=0)
    return Finding(value, note="share of seeds in which the newest flow leads, with 2, 3 and 4 contributors")


@check("p2-fig4-unfair-with-h7")
def unfair(study):
    ratio = study.sample("single", lambda view: view.ratio(CONTRIBUTORS, LAST))
    low = study.sample("low", lambda view: view.ratio(CONTRIBUTORS, LAST))
    every = study.sample("every", lambda view: view.ratio(CONTRIBUTORS, LAST))
    windows = study.sample("single", lambda view: ratio_in_windows(view, LAST))
    note = f"{ratio.spread()}; in windows of a twentieth {windows.mean:.3g}; with every packet marked {every.mean:.3g}"
    return Finding(ratio, note=f"{note}; with the threshold at 4 KiB {low.mean:.3g} ({low.spread()})")


@check("p2-fig4-every-packet")
def every_packet(study):
    values = {}
    for kib in ENTERS:
        view = study.views("all", kib)[0]
        values[f"{kib} KiB"] = {
            "H3 less H2, Gbit/s": view.rate("H3", 2) - view.rate("H2", 2),
            "newest leads, of three plateaus": sum(newest_leads(view)),
            "largest over smallest of four": view.ratio(CONTRIBUTORS, LAST),
        }
    return Finding(values, note="one threshold, every packet marked: nothing is random")


@check("p2-s4a-no-marking-single")
def no_marks(study):
    total = 0
    for family in ("single", "double", "every"):
        for view in study.views(family):
            calm = (0.0, view.phases[1][1])
            total += sum(view.marks_in(flow, calm) * calm[1] for flow in view.names)
    return Finding(round(total), note="reference flow and one contributor, all seeds, one and two thresholds")


@check("p2-s4a-equal-marks")
def equal_marks(study):
    pairs = []
    for view in study.views("single"):
        pairs += [(view.ratio(active(view, phase), phase), marks_ratio(view, phase)) for phase in CROWDED]
    unequal = [(rates, marks) for rates, marks in pairs if rates > 1.3]
    worst = max((marks for _, marks in unequal), default=float("nan"))
    value = {"rates, largest over smallest": max(rates for rates, _ in pairs), "notifications, the same": worst}
    note = f"{len(unequal)} of {len(pairs)} plateaus have rates that differ by more than 1.3"
    return Finding(value, note=note)


@check("p2-s7-unstable")
def start_order(study):
    ranks = []
    for number in range(len(ORDERS)):
        view = study.views("order", number)[0]
        ranks.append(spearman(range(4), [view.rate(flow, LAST) for flow in active(view, LAST)]))
    return Finding(ranks, note="rank correlation of start and share for each order; from 0.8 on a ranking follows")


@check("p2-fig7-fair")
def fair_again(study):
    value = {f"{phase} flows": study.sample("double", lambda view, p=phase: last_half(view, p)) for phase in CROWDED}
    note = "; ".join(f"{name}: {sample.spread()}" for name, sample in value.items())
    return Finding(value, note=note)


@check("p2-fig7-fast-settle")
def settles(study):
    value = {}
    for phase in CROWDED:
        found = study.sample("double", lambda view, p=phase: settled_after(view, p) / view.phases[0][1])
        value[f"{phase} flows"] = found
    worst = max(sample.high for sample in value.values())
    return Finding(value, note=f"in phases (of 1 s in the full version); the slowest seed {worst:.3g}")


@check("p2-fig7-vs-fig4")
def fairer(study):
    one = study.sample("single", lambda view: view.ratio(CONTRIBUTORS, LAST))
    two = study.sample("double", lambda view: view.ratio(CONTRIBUTORS, LAST))
    note = f"one: {one.spread()}; two: {two.spread()}"
    return Finding({"one threshold": one, "two thresholds": two}, note=note)


@check("p2-s4b-m1")
def gap(study):
    value = {}
    for size in GAPS:
        if size in study.axis("gap", 0):
            value[f"{size} MTU"] = study.sample(("gap", size), lambda view: view.ratio(CONTRIBUTORS, LAST))
    two = {
        size: study.sample(("gap", float(size[:-4])), lambda view: view.ratio(["H2", "H3"], 2)).mean for size in value
    }
    return Finding(
        value, note=f"four contributors, mean over seeds; with two: {', '.join(f'{s} {r:.3g}' for s, r in two.items())}"
    )


@check("p2-s4b-m2")
def common_thresholds(study):
    value = {}
    for word, key in (("per queue", ("gap", 1.25)), ("sum", ("common",))):
        value[word] = {
            "largest over smallest": study.sample(key, lambda view: view.ratio(CONTRIBUTORS, LAST)),
            "total, Gbit/s": study.sample(key, lambda view: view.rates(CONTRIBUTORS, LAST).sum()),
        }
    return Finding(value, note="four contributors")


@check("p2-s4b-m3")
def out_of_reach(study):
    value = {}
    for place in ("below", "above"):
        value[f"threshold {place} what a queue can hold"] = {
            "F1, Gbit/s": study.sample(("queue", place), lambda view: view.rate("F1", 2)),
            "marks, 1/s": study.sample(("queue", place), lambda view: sum(view.marks(f, 2) for f in view.names)),
        }
    note = "F2 and F3 meet at H5 in one queue, of 15 packets at most; thresholds at 8 and at 31 KiB, above 15 packets"
    return Finding(value, note=note)
