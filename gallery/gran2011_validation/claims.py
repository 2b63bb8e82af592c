"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted. Phases count from 0: in phase p the first p + 1 flows send.
"""

import numpy as np

from ..common.judge import Finding
from ..common.study import Missing, Sample
from ..gran_common.one_set import under_one_set
from ..gran_common.scenario import MTU, SCENARIO_1, SCENARIO_2, WIRE
from .paper import CLAIMS, check
from .runs import FILLS

CONTRIBUTORS = [flow for flow in SCENARIO_1 if flow != "F1"]
ALL = 4
"""The phase of scenario 1 in which all five flows are on."""
TRUNK = "S1->S2"
LINK = 16e9
"""Data rate of a host's link, bit/s."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)


def alone(view):
    """Rate of F1 while no other flow is on, Gbit/s."""
    return view.rate("F1", 0)


def by_flow(study, family, flows, measure):
    """A measure of every flow, mean over seeds: {flow: number}."""
    return {flow: study.sample(family, lambda view, flow=flow: measure(view, flow)) for flow in flows}


@check("p1-fig7a-third-flow-halves")
def third_flow_halves(study):
    view = study.views("s1off")[0]
    before = {"F1": view.rate("F1", 1), "F2": view.rate("F2", 1), "F3": alone(view)}
    value = {flow: view.rate(flow, 2) / rate for flow, rate in before.items()}
    note = "F3, which starts then, against the rate of a flow alone"
    return Finding(value, note=note)


@check("p1-fig7a-hol")
def blocked(study):
    view = study.views("s1off")[0]
    value = [view.rate("F1", phase) / view.rate("F2", phase) for phase in (2, 3, 4)]
    return Finding(value, note="plateaus of three, four and five flows")


@check("p1-fig7a-parking-lot")
def parking_lot(study):
    view = study.views("s1off")[0]
    trunk = view.rate("F2", ALL) + view.rate("F3", ALL)
    value = {flow: view.rate(flow, ALL) / trunk for flow in ("F4", "F5")}
    return Finding(value)


@check("p1-fig7b-hol-gone")
def blocking_gone(study):
    value = {}
    for phase in (1, 2, 3, 4):
        value[f"{phase + 1} flows"] = study.sample("s1on", lambda view, p=phase: view.rate("F1", p) / alone(view))
    return Finding(value, note="every seed is held against the bound")


@check("p1-fig9-fairness")
def fairness(study):
    def shares(view):
        rates = view.rates(CONTRIBUTORS, ALL)
        return rates / rates.sum()

    off = shares(study.views("s1off")[0])
    on = list(map(Sample, np.transpose([shares(view) for view in study.views("s1on")])))
    return Finding({"with": on, "without": off}, note="F2, F3, F4, F5; mean over seeds")


@check("p1-fig7b-two-contributors-hw", "p1-fig7d-m1")
def two_contributors(study):
    total = study.sample("s1on", lambda view: view.rates(["F2", "F3"], 2).sum())
    return Finding(total, note=f"simulated, {total.spread()}")


@check("p1-s6.1-bottleneck-capacity")
def capacity(study):
    return Finding(study.sample("s1off", lambda view: view.rates(CONTRIBUTORS, ALL).sum()))


@check("p1-fig7d-m2")
def victim_oscillation(study):
    value = {
        "SD with 3 flows, Gbit/s": study.sample("s1on", lambda view: view.deviation("F1", 2)),
        "SD with 5 flows, Gbit/s": study.sample("s1on", lambda view: view.deviation("F1", 4)),
        "marks of F1 with 3 flows, 1/s": study.sample("s1on", lambda view: view.marks("F1", 2)),
        "marks at S1->S2 with 5 flows, 1/s": study.sample("s1on", lambda view: trunk_marks(view)),
    }
    return Finding(value, note="over 10 ms samples (a hundredth of a phase); F1 can only be marked at S1->S2")


def trunk_marks(view):
    """Marks per second at the port from S1 to S2, on the last plateau."""
    start, end = view.plateau(-1)
    return view.ports[TRUNK]["marked"] / (end - start)


@check("p1-s6.1-m1")
def victim_unmarked(study):
    value = {
        "F1, Gbit/s": study.sample("s1on", lambda view: view.rate("F1", ALL)),
        "F1 alone, Gbit/s": study.sample("s1on", alone),
        "marks at S1->S2, 1/s": study.sample("s1on", trunk_marks),
        "marks at S2->H5, 1/s": study.sample("s1on", lambda view: sum(view.marks(f, ALL) for f in CONTRIBUTORS)),
    }
    return Finding(value, note="plateau with five flows")


@check("p1-fig7-oscillation-cost")
def oscillation_cost(study):
    off = by_flow(study, "s1off", CONTRIBUTORS, lambda view, flow: view.deviation(flow, ALL))
    on = by_flow(study, "s1on", CONTRIBUTORS, lambda view, flow: view.deviation(flow, ALL))
    ratio = {flow: on[flow] / off[flow] for flow in CONTRIBUTORS}
    return Finding(ratio, note="SD with over SD without, plateau with five flows")


@check("p1-fig8a-three-equal")
def three_equal(study):
    rates = study.views("s2off")[0].rates(SCENARIO_2, 2)
    return Finding(rates, note="a third of 32 Gbit/s, in payload")


@check("p1-fig8b-m1")
def three_throttled(study):
    value = by_flow(study, "s2on", SCENARIO_2, lambda view, flow: view.rate(flow, 2))
    total = study.sample("s2on", lambda view: view.rates(SCENARIO_2, 2).sum())
    return Finding(value | {"sum": total}, note=f"sum: {total.spread()}")


@check("p1-fig8d-oscillation")
def trunk_oscillation(study):
    before = by_flow(study, "s2on", ["F1", "F2"], lambda view, flow: view.deviation(flow, 1))
    before["F3"] = max(before.values())
    after = by_flow(study, "s2on", SCENARIO_2, lambda view, flow: view.deviation(flow, 2))
    ratio = {flow: after[flow] / before[flow] for flow in SCENARIO_2}
    return Finding(ratio, note="F3, which starts then, against the larger of the others before")


@check("p1-s3.2.1-m1")
def threshold_evaluation(study):
    value = {}
    for fill in FILLS:
        family = "s1on" if fill == "voq" else fill
        rates = study.sample(family, lambda view: view.rate("F1", ALL))
        shares = np.mean(
            [view.rates(CONTRIBUTORS, ALL) / view.rates(CONTRIBUTORS, ALL).sum() for view in study.views(family)],
            axis=0,
        )
        ratio = study.sample(family, lambda view: view.ratio(CONTRIBUTORS, ALL))
        value[fill] = {"F1, Gbit/s": rates, "shares of F2 to F5": shares, "largest over smallest": ratio}
    return Finding(value, note="plateau with five flows, mean over seeds")


def notification_waits(view):
    """How long each notification of H5 waited at its host, in times of a full data packet on the host link.

    From the delivery of a marked packet to the arrival of its notification; the time of the path without waiting is
    the shortest of each flow. Marked packets of a flow are delivered in the order in which they were marked.
    """
    marks, deliveries = view.run.marks, view.run.deliveries
    if not len(marks):
        raise Missing("marks")
    waits = []
    for flow in np.unique(marks["flow"].to_numpy()):
        echoed = np.sort(marks["echoed"].to_numpy()[marks["flow"].to_numpy() == flow])
        chosen = (deliveries["flow"].to_numpy() == flow) & deliveries["marked"].to_numpy()
        delivered = deliveries["time_ps"].to_numpy()[chosen] * 1e-12
        echoed = echoed[np.isfinite(echoed)]
        transit = echoed - delivered[: len(echoed)]
        waits.append(transit - transit.min())
    return np.concatenate(waits) / (8 * WIRE / LINK)


@check("p1-s3.2.2-cnp-first")
def notifications_first(study):
    view = study.views("busy")[0]
    waits = notification_waits(view)
    share = view.rate_whole("back") * WIRE / MTU / 13.5
    note = f"{len(waits)} notifications; the flow that H5 sends meanwhile uses {share:.0%} of what its bus allows"
    return Finding(float(waits.max()), note=note)


@check("p1-one-set")
def one_set(study):
    return under_one_set(study, CLAIMS)
