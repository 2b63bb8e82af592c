"""Sections I and V: the bandwidth-delay product, both scenarios over time, messages of all sizes, Table II."""

import numpy as np

from ..common.judge import Finding
from ..common.study import Sample
from ..gran_common.scenario import MTU, WIRE
from .measures import CONTRIBUTORS, CROWD, sample_s, sampled, samples, shares
from .paper import check
from .runs import DRAIN

ALONE, TWO, THREE, FOUR, FIVE = range(5)
"""Phases of scenario 1, by how many flows send."""
TRUNK_GBIT = 32


@check("p3-s1-bdp")
def bandwidth_delay(_study):
    product = 1e9 * 64e-9 * 32
    return Finding(product)


def without(study):
    return study.views("off")[0]


@check("p3-fig7a-f1-alone")
def first(study):
    return Finding(without(study).rate("F1", ALONE))


@check("p3-fig7a-f2-added")
def second(study):
    return Finding(without(study).rates(("F1", "F2"), TWO))


@check("p3-fig7a-f3-added")
def third(study):
    return Finding(without(study).rates(("F1", "F2", "F3"), THREE))


def split(study, phase, near):
    """Rates of F1 to F3 and of the flows next to H5."""
    view = without(study)
    return Finding({"F1 to F3": view.rates(("F1", "F2", "F3"), phase), " and ".join(near): view.rates(near, phase)})


@check("p3-fig7a-f4-added")
def fourth(study):
    return split(study, FOUR, ("F4",))


@check("p3-fig7a-f5-added")
def fifth(study):
    return split(study, FIVE, ("F4", "F5"))


@check("p3-s5a-link-underused")
def trunk(study):
    used = without(study).rates(("F1", "F2", "F3"), FIVE).sum() * WIRE / MTU / TRUNK_GBIT
    return Finding(used)


@check("p3-fig7b-victim")
def victim(study):
    views = study.views("on")
    plateaus = [study.sample("on", lambda view, phase=phase: view.rate("F1", phase)) for phase in range(5)]
    dips = [f"{np.mean([view.settling_rate('F1', phase) for view in views]):.4g}" for phase in range(5)]
    bus = study.views("bus")[0]
    other = ", ".join(f"{bus.rate('F1', phase):.4g}" for phase in range(5))
    return Finding(
        plateaus,
        note=f"by phase; before the plateaus {', '.join(dips)}; with the shared bed's host bus {other}",
    )


@check("p3-fig7b-two-flow-penalty")
def penalty_of_two(study):
    return Finding(study.sample("on", lambda view: view.rates(("F2", "F3"), THREE).sum() / DRAIN))


@check("p3-fig7b-no-penalty-four")
def penalty_of_four(study):
    used = study.sample("on", lambda view: view.rates(CONTRIBUTORS, FIVE).sum() / DRAIN)
    return Finding(used)


def one_packet(view):
    """The effect of one packet more or less in a sampling interval on a rate, Gbit/s."""
    return MTU * 8e-9 / sample_s(view)


@check("p3-fig7b-oscillation")
def oscillation(study):
    plain = without(study)
    ratios, here = {}, {}
    for flow in CONTRIBUTORS:
        still = max(sampled(plain, flow, FIVE).std(), one_packet(plain))
        moving = study.sample("on", lambda view, flow=flow: sampled(view, flow, FIVE).std())
        ratios[flow], here[flow] = moving / still, f"{flow} {1e3 * moving.mean:.3g}"
    return Finding(
        ratios,
        note=f"all five active; with congestion control {', '.join(here.values())} Mbit/s; without less than a packet "
        "a sample, which is taken instead",
    )


@check("p3-fig8-nocc-skew")
def skew(study):
    found = shares(without(study))
    return Finding(found)


@check("p3-fig8-cc-equal")
def equal(study):
    found = list(map(Sample, np.transpose([shares(view) for view in study.views("on")])))
    worst = max(np.abs(shares(view) - 0.25).max() for view in study.views("on"))
    return Finding(found, note=f"largest distance of a seed {worst:.3f}")


def message_rate(view, flow, size):
    """Payload rate with all flows; of packets shorter than full, payload is a smaller part."""
    payload = min(size, MTU)
    return view.rate(flow, -1) / view.payload * payload / (payload + WIRE - MTU)


@check("p3-fig9-m1")
def message_sizes(study):
    value = {}
    for of, words in (("F1", "messages of F1"), ("all", "messages of all flows")):
        for size in study.axis("message", 2):
            alone, off, on = (
                message_rate(study.views("message", of, state, size)[0], "F1", size) for state in ("alone", "off", "on")
            )
            value[f"{words}, {size} B"] = [on / off, on / alone]
    return Finding(value, note="on / off, on / alone")


def crowd(study, state, measure):
    """A measure of each of the three flows of scenario 2 while all are active, in Mbit/s: [seed][flow]."""
    return 1e3 * np.array([[measure(view, flow) for flow in CROWD] for view in study.views(f"crowd-{state}")])


def mean_rate(view, flow):
    return view.rate(flow, 2)


def spread(view, flow):
    return sampled(view, flow, 2).std()


@check("p3-table2-off-mean")
def off_mean(study):
    rates = crowd(study, "off", mean_rate)[0]
    return Finding(rates.mean(), note=f"by flow {text(rates)}")


@check("p3-table2-off-sd")
def off_spread(study):
    relative = crowd(study, "off", spread)[0] / crowd(study, "off", mean_rate)[0]
    value = crowd(study, "off", spread)[0].mean()
    return Finding(value, note=f"relative {relative.max():.2g}; nothing in the model is random here")


@check("p3-table2-m1")
def on_mean(study):
    rates = crowd(study, "on", mean_rate)
    return Finding(rates.mean(), note=f"by flow {text(rates.mean(axis=0))}; by seed {text(rates.mean(axis=1))}")


@check("p3-table2-penalty")
def penalty(study):
    lost = 1 - Sample(crowd(study, "on", mean_rate).mean(axis=1)) / crowd(study, "off", mean_rate).mean()
    return Finding(lost)


@check("p3-table2-m2")
def on_spread(study):
    found = crowd(study, "on", spread)
    short = crowd(study, "on", lambda view, flow: view.deviation(flow, 2))
    total = crowd(study, "sum", spread)
    return Finding(
        found.mean(),
        note=f"by flow {text(found.mean(axis=0))}; in intervals of a tenth {text(short.mean(axis=0))}; where the "
        f"sum of an output's queues is held against six packets {text(total.mean(axis=0))}",
    )


@check("p3-table2-m3")
def on_range(study):
    low = crowd(study, "on", lambda view, flow: sampled(view, flow, 2).min())
    high = crowd(study, "on", lambda view, flow: sampled(view, flow, 2).max())
    mean = crowd(study, "sum", mean_rate).mean()
    low_sum = crowd(study, "sum", lambda view, flow: sampled(view, flow, 2).min())
    high_sum = crowd(study, "sum", lambda view, flow: sampled(view, flow, 2).max())
    return Finding(
        [low.min(), high.max()],
        note=f"over all flows and seeds; by the sum of an output's queues {text([low_sum.min(), high_sum.max()])}, "
        f"mean {mean:.5g}",
    )


@check("p3-s5b-fair")
def fair(study):
    ratio = study.sample("crowd-on", lambda view: view.ratio(CROWD, 2))
    return Finding(ratio)


@check("p3-s5b-root-moved")
def root(study):
    marks = {}
    for view in study.views("crowd-on"):
        for name, row in view.ports.items():
            if row["marked"]:
                marks[name] = marks.get(name, 0) + row["marked"]
    return Finding(marks, note="marked packets by the link that they left on, all seeds")


def text(values):
    """Numbers in a sentence."""
    return ", ".join(f"{value:.5g}" for value in values)


def second_after(view, phase):
    """Rates of the contributors that send, in the whole phase after a flow was added."""
    active = [flow for flow in CONTRIBUTORS if view.starts[flow] <= view.phases[phase][0]]
    return np.array([samples(view, flow, view.phases[phase]).mean() for flow in active])


@check("p3-fig13-m1")
def slow_timer(study):
    value = {}
    for family, words in (("slow", "CCTI_Timer 2000"), ("on", "CCTI_Timer 150")):
        ratios = []
        for phase in (THREE, FOUR, FIVE):
            rates = [second_after(view, phase) for view in study.views(family)]
            ratios.append(np.mean([r.max() / r.min() for r in rates]))
        value[words] = ratios
    return Finding(value, note="after F3, F4, F5; mean over seeds")
