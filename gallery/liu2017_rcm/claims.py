"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

Verdicts are those of RCM over DCQCN; values of RCM by itself and of DCQCN with the timers of adapters stand beside.
"""

from pathlib import Path

import numpy as np

from congestree.running import check as resolve

from ..common.judge import Claims, Finding
from .scenario import INCAST, LINK, SENDERS
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check
REGIONAL = ("rcm", "alone", "rcmvendor")
JUST_AFTER, LATE, AFTER = (152, 156), (162, 170), (185, 190)
"""us: the burst has come, 10 us later, and from 15 to 20 us after its end."""


def beside(study, family, measure, schemes=REGIONAL):
    """A measure under several schemes."""
    return {scheme: measure(study.views(family, scheme)[0]) for scheme in schemes}


@check("rcm-fig6-burst-first-50")
def first(study):
    values = beside(study, "burst", lambda view: view.mean(JUST_AFTER, "burst"))
    return Finding(values, 45 <= values["rcm"] <= 55, "mean over [152, 156] us")


@check("rcm-fig6-incast-12.5")
def incast(study):
    values = beside(study, "burst", lambda view: [view.mean((152, 160), flow) for flow in INCAST])
    return Finding(values, all(11 <= value <= 14 for value in values["rcm"]), "means over [152, 160] us")


@check("rcm-fig6-burst-cut-25")
def cut(study):
    values = beside(study, "burst", lambda view: view.mean(LATE, "burst"))
    return Finding(values, 20 <= values["rcm"] <= 32, "mean over [162, 170] us")


@check("rcm-fig6-incast-recover")
def recover(study):
    values = {}
    for scheme in REGIONAL:
        view = study.views("burst", scheme)[0]
        for word, span in (("during", LATE), ("after", AFTER)):
            values[f"{scheme}, {word}"] = [view.mean(span, flow) for flow in INCAST]
    during = all(abs(value - 18.75) <= 2 for value in values["rcm, during"])
    after = all(abs(value - 25) <= 1.5 for value in values["rcm, after"])
    return Finding(values, during and after, "means over [162, 170] us and [185, 190] us")


def half(view):
    """Share of the 3-us means of the burst that lie in 45 ... 55 Gbit/s."""
    rates = view.rates("burst")[152:170].reshape(-1, 3).mean(axis=1)
    return float(((rates >= 45) & (rates <= 55)).mean())


@check("rcm-fig6-dcqcn-50")
def dcqcn_burst(study):
    values = beside(study, "burst", half, ("dcqcn", "vendor"))
    return Finding(values, values["dcqcn"] >= 0.8, "share of the 3-us means in [152, 170] us that lie in 45-55 Gbit/s")


def slowed(view):
    """us of [180, 280] us in which the four have less than 90 Gbit/s, by 5 us."""
    return 5 * sum(view.mean((start, start + 5), *INCAST) < 90 for start in range(180, 280, 5))


@check("rcm-fig6-dcqcn-incast-throttled")
def dcqcn_throttled(study):
    values = beside(study, "burst", slowed, ("dcqcn", "vendor", "pfc"))
    return Finding(values, values["dcqcn"] >= 20, "us of [180, 280] us in which the four have less than 90 Gbit/s")


@check("rcm-fig6-rcm-absorbs")
def absorbs(study):
    def lost(view):
        return (100 - view.mean((150, 300), *INCAST)) * 150 / 8

    values = beside(study, "burst", lost, ("rcm", "dcqcn", "alone", "pfc", "rcmvendor", "vendor"))
    return Finding(values, values["rcm"] < 0.6 * values["dcqcn"])


def max_min(flows, capacity):
    """Max-min fair rates of flows: {flow: links}, by filling all alike until a link is full."""
    rates, open_ = dict.fromkeys(flows, 0.0), set(flows)
    while open_:
        links = {link: [f for f in open_ if link in flows[f]] for f in open_ for link in flows[f]}
        room = {k: (capacity - sum(rates[f] for f in flows if k in flows[f])) / len(v) for k, v in links.items()}
        least = min(room.values())
        for flow in open_:
            rates[flow] += least
        full = {link for link, left in room.items() if left <= least + 1e-9}
        open_ -= {flow for flow in open_ if full & set(flows[flow])}
    return rates


@check("rcm-fig7-ideal")
def ideal(study):
    ways = {"s1": "agg0", "s2": "agg0", "s3": "agg1", "s4": "agg1"}
    flows = {flow: (f"edge0-{way}", f"{way}-edge1", "d0") for flow, way in ways.items()}
    flows["sv"] = ("edge0-agg1", "agg1-edge1", "dv")
    rates = max_min(flows, LINK / 1e9)
    return Finding(rates, np.allclose(list(rates.values()), [25, 25, 25, 25, 50]))


SETTLED = (1000, 2000)
"""us over which the victim is measured."""


@check("rcm-fig7-pfc-victim-25")
def blocked(study):
    value = study.views("victim", "pfc")[0].mean(SETTLED, "sv")
    return Finding(value, 20 <= value <= 32, "mean over the second millisecond")


@check("rcm-fig7-rcm-victim-50")
def freed(study):
    values = {}
    for scheme in (*REGIONAL, "dcqcn", "vendor"):
        view = study.views("victim", scheme)[0]
        values[scheme] = [view.mean(SETTLED, flow) for flow in ("sv", *SENDERS)]
    queued = study.views("queued", "alone")[0]
    values["alone, queues at outputs"] = [queued.mean(SETTLED, flow) for flow in ("sv", *SENDERS)]
    sv, *incast = values["rcm"]
    return Finding(values, 43 <= sv <= 58 and all(abs(rate - 25) <= 4 for rate in incast), "sv, then s1 to s4")


@check("rcm-fig7-pause-each-50")
def upstream(study):
    view = study.views("victim", "pfc")[0]
    values = [view.mean(SETTLED, "s1", "s2"), view.mean(SETTLED, "s3", "s4")]
    return Finding(values, all(46 <= value <= 54 for value in values), "what comes to d0 through each of the two ports")


@check("rcm-s4.1-hosts")
def hosts(study):
    tree = {"topology": {"fat-tree": {"radix": 12, "layers": 3}}, "links": {"rate": "100 Gbit/s"}}
    rest = {"traffic": [{"from": "h0", "to": "h1"}], "measure": {"duration": "1 us"}}
    facts = resolve(tree | rest)["facts"]
    found = [facts["hosts"], facts["switches"]]
    return Finding(found, found == [432, 180])


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
