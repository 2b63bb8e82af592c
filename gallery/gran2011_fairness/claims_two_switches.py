"""Section V: the parking lot of two switches, its trees and formulas, and what congestion control makes of it."""

from ..common.judge import Finding
from ..gran_common.one_set import under_one_set
from .measures import active, by_level, chain_shares, equal_after, shares, tree_shares
from .paper import CLAIMS, check
from .runs import CHAINS, RATES, TREES

LAST = 4
CONTRIBUTORS = ("F2", "F3", "F4", "F5")


@check("p2-fig9-parking-3to4")
def lot_of_four(study):
    view = study.views("lot")[0]
    value = view.rate("F4", 3) / view.rates(["F2", "F3"], 3).sum()
    return Finding(value)


@check("p2-fig9-parking-4to5")
def lot_of_five(study):
    view = study.views("lot")[0]
    value = {flow: view.rate(flow, LAST) / view.rate("F2", LAST) for flow in ("F4", "F5")}
    rates = view.rates(CONTRIBUTORS, LAST)
    note = "shares of F2 to F5 " + ", ".join(f"{share:.4f}" for share in rates / rates.sum())
    return Finding(value, note=note)


@check("p2-fig9-hol")
def lot_victim(study):
    view = study.views("lot")[0]
    value = [view.rate("F1", phase) / view.rate("F2", phase) for phase in (2, 3, 4)]
    return Finding(value)


@check("p2-s5-rr-worst-case")
def worst_case(study):
    value = {}
    for ports, hops in CHAINS:
        fluid = chain_shares(ports, hops - 1)
        formula = (ports - 1) ** (hops - 2)
        found = shares(study.views("chain", ports, hops)[0])
        simulated = max(found.values()) / min(found.values())
        value[f"N = {ports}, D = {hops}"] = {"formula": formula, "fluid": fluid[0] / fluid[-1], "simulated": simulated}
    return Finding(value, note="a chain of D - 1 switches with N ports, all used; D links on the longest way")


def level(study, number):
    """The mean share of a level of the 4-ary 3-tree, its range, and its value in the fluid limit."""
    view = study.views("tree", 4, 3)[0]
    means, poorest = by_level(view, 4, 3)
    return means[number], tree_shares(4, 3)[number], poorest


@check("p2-fig10-tree-1-4")
def nearest(study):
    share, fluid, _ = level(study, 0)
    return Finding(share, note=f"fluid limit 1/{1 / fluid:.0f}; three sources")


@check("p2-fig10-m1")
def second(study):
    share, fluid, _ = level(study, 1)
    return Finding(share, note=f"1/{1 / share:.1f}; fluid limit 1/{1 / fluid:.0f}; twelve sources")


@check("p2-fig10-m2")
def third(study):
    share, fluid, poorest = level(study, 2)
    return Finding(
        share, note=f"1/{1 / share:.1f}; fluid limit 1/{1 / fluid:.0f}; 48 sources, the poorest sent {poorest} packets"
    )


@check("p2-s5-m1")
def other_trees(study):
    value = {}
    for k, n in TREES:
        means, _ = by_level(study.views("tree", k, n)[0], k, n)
        fluid = tree_shares(k, n)
        value[f"{k}-ary {n}-tree"] = {
            "nearest": means[0],
            "farthest": means[-1],
            "1/k": 1 / k,
            "1/(k^(2n-1) - k^(2n-2))": fluid[-1],
        }
    return Finding(value, note="the fluid limit of the model is the paper's formula for every tree")


@check("p2-fig11-equalised")
def equalised(study):
    ratio = study.sample("fair", lambda view: view.ratio(CONTRIBUTORS, LAST))
    victim = study.sample("fair", lambda view: view.rate("F1", LAST) / view.rate("F1", 0))
    value = {"largest over smallest": ratio, "F1 / alone": victim}
    return Finding(value, note=f"ratio: {ratio.spread()}; F1: {victim.spread()}")


@check("p2-s5-close-neighbours-punished")
def punished(study):
    def marks(flow):
        def measure(view):
            start, end = view.phases[3]
            return view.marks_in(flow, (start, start + 0.1 * (end - start)))

        return study.sample("fair", measure)

    value = {flow: marks(flow) for flow in ("F2", "F3", "F4")}
    note = (
        f"notifications per second in the first tenth of a phase; F4 {value['F4'].spread()}, F2 {value['F2'].spread()}"
    )
    return Finding(value, note=note)


@check("p2-fig12-m1")
def slower_marking(study):
    value = {}
    for word, key in (("Marking_Rate 1, timer 150", ("fair",)), ("Marking_Rate 10, timer 1500", ("rate", 10))):
        value[word] = study.sample(key, lambda view: equal_after(view, LAST))
    return Finding(value, note="s after the start of F5, in windows of a twentieth of a phase; mean over seeds")


@check("p2-s5-m2")
def matched(study):
    value = {}
    for rate, timer in RATES.items():
        if rate not in study.axis("rate", 0):
            continue
        total = study.sample(("rate", rate), lambda view: view.rates(active(view, LAST), LAST).sum() / 13.3)
        ratio = study.sample(("rate", rate), lambda view: view.ratio(CONTRIBUTORS, LAST))
        value[f"{rate}, timer {timer}"] = {"use": total, "largest over smallest": ratio}
    return Finding(value, note="use of what H5 can take, 13.3 Gbit/s of payload")


@check("p2-one-set")
def one_set(study):
    return under_one_set(study, CLAIMS)
