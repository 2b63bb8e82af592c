"""The burst and the victim of the small experiments (Fig. 6 and 7), and the size of the tree."""

from congestree.runs.running import check as resolve

from ...common.judge import Finding
from ..paper import check
from ..scenario import INCAST, LINK

CHANGED = ("noroot", "tenth", "window", "always", "prompt", "chance", "entries", "first", "both")
REGIONAL = ("rcm", "alone", "rcmvendor", *CHANGED)
JUST_AFTER, LATE, AFTER = (152, 156), (162, 170), (185, 190)
"""us: the burst has come, 10 us later, and from 15 to 20 us after its end."""


def beside(study, family, measure, schemes=REGIONAL):
    """A measure under several schemes."""
    return {scheme: study.sampled(measure, (family, scheme)) for scheme in schemes}


@check("rcm-fig6-burst-first-50")
def first(study):
    values = beside(study, "burst", lambda view: view.mean(JUST_AFTER, "burst"))
    return Finding(values, note="mean over [152, 156] us")


@check("rcm-fig6-incast-12.5")
def incast(study):
    values = beside(study, "burst", lambda view: [view.mean((152, 160), flow) for flow in INCAST])
    return Finding(values, note="means over [152, 160] us")


@check("rcm-fig6-burst-cut-25")
def cut(study):
    values = beside(study, "burst", lambda view: view.mean(LATE, "burst"))
    return Finding(values, note="mean over [162, 170] us")


@check("rcm-fig6-incast-recover")
def recover(study):
    values = {}
    for scheme in REGIONAL:
        for word, span in (("during", LATE), ("after", AFTER)):
            values[f"{scheme}, {word}"] = study.sampled(
                lambda view: [view.mean(span, flow) for flow in INCAST],  # noqa: B023 (called at once)
                ("burst", scheme),
            )
    return Finding(values, note="means over [162, 170] us and [185, 190] us")


def half(view):
    """Share of the 3-us means of the burst that lie in 45 ... 55 Gbit/s."""
    rates = view.rates("burst")[152:170].reshape(-1, 3).mean(axis=1)
    return float(((rates >= 45) & (rates <= 55)).mean())


@check("rcm-fig6-dcqcn-50")
def dcqcn_burst(study):
    values = beside(study, "burst", half, ("dcqcn", "vendor", "promptdcqcn"))
    return Finding(values, note="share of the 3-us means in [152, 170] us that lie in 45-55 Gbit/s")


def slowed(view):
    """us of [180, 280] us in which the four have less than 90 Gbit/s, by 5 us."""
    return 5 * sum(view.mean((start, start + 5), *INCAST) < 90 for start in range(180, 280, 5))


@check("rcm-fig6-dcqcn-incast-throttled")
def dcqcn_throttled(study):
    values = beside(study, "burst", slowed, ("dcqcn", "vendor", "promptdcqcn", "pfc"))
    return Finding(values, note="us of [180, 280] us in which the four have less than 90 Gbit/s")


@check("rcm-fig6-rcm-absorbs")
def absorbs(study):
    def lost(view):
        return (100 - view.mean((150, 300), *INCAST)) * 150 / 8

    schemes = ("rcm", "dcqcn", "alone", "pfc", "rcmvendor", "vendor", *CHANGED, "promptdcqcn")
    values = beside(study, "burst", lost, schemes)
    return Finding(values)


def max_min(flows, capacity):
    """Max-min fair rates of flows: {flow: links}, found by raising all rates equally until a link is full."""
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
def ideal(_study):
    ways = {"s1": "agg0", "s2": "agg0", "s3": "agg1", "s4": "agg1"}
    flows = {flow: (f"edge0-{way}", f"{way}-edge1", "d0") for flow, way in ways.items()}
    flows["sv"] = ("edge0-agg1", "agg1-edge1", "dv")
    rates = max_min(flows, LINK / 1e9)
    return Finding(rates)


SECOND = (1000, 2000)
"""us over which the victim is measured in the short runs."""


def last_third(view, *flows):
    """A rate when hosts have settled."""
    end = 1e6 * view.bin * view.count
    return view.mean((2 * end / 3, end), *flows)


@check("rcm-fig7-pfc-victim-25")
def blocked(study):
    value = study.sampled(lambda view: view.mean(SECOND, "sv"), ("victim", "pfc"))
    later = study.sampled(lambda view: last_third(view, "sv"), ("lasting", "pfc"))
    return Finding(value, note=f"mean over the second millisecond; {later:.4g} in the last third of the long run")


@check("rcm-fig7-rcm-victim-50")
def freed(study):
    def rates(family, scheme, rate):
        return study.sampled(lambda view: [rate(view, flow) for flow in ("sv", *view.senders)], (family, scheme))

    values = {}
    for scheme in ("rcm", "alone", "rcmvendor", "noroot", "entries", "first", "dcqcn", "vendor"):
        values[scheme] = rates("lasting", scheme, last_third)
    for scheme in (*REGIONAL, "aloneentries", "alonefirst", "dcqcn", "vendor", "promptdcqcn"):
        values[f"{scheme}, second ms"] = rates("victim", scheme, lambda view, flow: view.mean(SECOND, flow))
    end = 1e3 * study.views("lasting", "rcm")[0].bin * study.views("lasting", "rcm")[0].count
    note = f"sv, then the two that go alone, then the two that go with it, in the last third of {end:.0f} ms"
    return Finding(values, note=f"{note}; beside it the second millisecond")


@check("rcm-fig7-pause-each-50")
def upstream(study):
    def ports(view):
        return [view.mean(SECOND, *view.senders[:2]), view.mean(SECOND, *view.senders[2:])]

    return Finding(
        study.sampled(ports, ("victim", "pfc")), note="what comes to d0 through each port; the victim's way last"
    )


@check("rcm-s4.1-hosts")
def hosts(_study):
    tree = {"topology": {"fat-tree": {"radix": 12, "layers": 3}}, "links": {"rate": "100 Gbit/s"}}
    rest = {"traffic": [{"from": "h0", "to": "h1"}], "measure": {"duration": "1 us"}}
    facts = resolve(tree | rest)["facts"]
    found = [facts["hosts"], facts["switches"]]
    return Finding(found)
