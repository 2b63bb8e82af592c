"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

Verdicts are those of RCM over DCQCN; values of RCM by itself and of DCQCN with the timers of adapters stand beside.
"""

import math
from pathlib import Path

import numpy as np

from congestree.runs.running import check as resolve

from ..common.judge import Claims, Finding
from ..common.study import Sample
from .fabric import BESIDE, GROUP, LOAD, LOADS, LONG, MOMENTS
from .runs import SIZES
from .scenario import BURST_US, INCAST, LINK
from .study import Study
from .tables import MOST

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check
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
def hosts(study):
    tree = {"topology": {"fat-tree": {"radix": 12, "layers": 3}}, "links": {"rate": "100 Gbit/s"}}
    rest = {"traffic": [{"from": "h0", "to": "h1"}], "measure": {"duration": "1 us"}}
    facts = resolve(tree | rest)["facts"]
    found = [facts["hosts"], facts["switches"]]
    return Finding(found)


# ---- the mechanism, seen in the small experiments ------------------------------------------------------------------


@check("rcm-s3.3-cfr-samples")
def samples(study):
    drawn = study.sampled(looks, ("burst", "chance"))["burst"]
    note = (
        "RCM alone, output to d0: share of the looks, share of the packets; over DCQCN with looks by chance, the burst "
    )
    return Finding(study.sampled(looks, ("burst", "alone")), note=note + f"{drawn[0]:.3g}, {drawn[1]:.3g}")


def looks(view):
    """Share of the looks and of the packets that each flow has at the output to d0."""
    looked = view.counts("sampled", port="last->d0")
    flows = view.run.flows
    sent = {name: count for name, count in zip(flows["class"], flows["packets"], strict=True) if name in looked}
    return {name: [looked[name] / sum(looked.values()), sent[name] / sum(sent.values())] for name in looked}


@check("rcm-s3.4-max-half")
def half_at_most(study):
    steps = []
    for family in ("burst", "victim"):
        for scheme in REGIONAL:
            for view in study.views(family, scheme):
                windows = view.run.region_windows
                steps += [h / b for h, b in zip(windows["harmful"], windows["previous"], strict=True) if b > 0]
    return Finding(min(steps), note=f"least of {len(steps)} steps in the small experiments")


@check("rcm-s3.1-region")
def region(study):
    views = study.views("victim", "alone")
    values = {"labels as defined": all(as_defined(view.parts()) for view in views)}
    for words, scheme in (
        ("victim's packets held as harmful", "alone"),
        ("the same, no control at roots", "alonenoroot"),
        ("the same, each look by chance written", "aloneentries"),
    ):
        values[words] = study.sampled(held, ("victim", scheme))
    return Finding(values | {"parts": views[0].parts()}, note="RCM alone; parts of the first seed")


def as_defined(parts):
    """Whether outputs play the parts that the paper gives them."""
    return (
        parts.get("edge1->d0") == ["root"]
        and all("inside" in parts.get(f"{agg}->edge1", ()) for agg in ("agg0", "agg1"))
        and any("edge" in found for found in parts.values())
    )


def held(view):
    """Share of the victim's packets that are held as harmful, of those that pass an output whose flows are paced."""
    paced, harmful = view.counts("paced"), view.counts("harmful")
    return harmful.get("sv", 0) / max(1, paced.get("sv", 0))


@check("rcm-s2-e2e-loop-slow")
def loops(study):
    start = BURST_US[0]
    regional = beside(study, "burst", lambda view: view.first_cut(start))
    ends = ("dcqcn", "vendor", "promptdcqcn")
    hosts = beside(study, "burst", lambda view: view.first_limit(start, "burst"), ends)
    return Finding(regional | hosts, note="us from the start of the burst: first smaller window, first smaller rate")


@check("rcm-s3.2-both-queues")
def earlier(study):
    ports = ["agg0->edge1", "agg1->edge1"]
    both, outputs = (
        study.sampled(lambda view: view.first_found(ports), (family, "rcm")) for family in ("victim", "outputs")
    )
    values = {"both queues": both, "output queues": outputs}
    return Finding(values, note="us until an upstream switch finds congestion")


# ---- hot spots on the whole tree (Fig. 8) --------------------------------------------------------------------------


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


# ---- applications on the whole tree (Fig. 9) -----------------------------------------------------------------------

MICE, ELEPHANTS = 1e6, 10e6
"""Bytes."""


def chosen(study, sizes, pick=lambda size: True, schemes=RCM, family="app"):
    """Completion times, us, of the flows that have finished in all schemes: a table a seed, a column a scheme."""
    pairs = study.paired(*((family, scheme, sizes.replace("-", "")) for scheme in schemes))
    return [1e6 * times[[pick(size) for _, size in what]] for what, times in pairs]


def means(study, sizes, pick=lambda size: True, schemes=RCM, family="app"):
    """Means of those by seed, a sample a scheme, and how many flows there are in all seeds."""
    tables = chosen(study, sizes, pick, schemes, family)
    found = [t.mean(axis=0) if len(t) else np.full(len(schemes), np.nan) for t in tables]
    return [Sample(column) for column in zip(*found, strict=True)], sum(map(len, tables))


def realised(study, family="app"):
    """The load that hosts receive after the warm-up beside the one that is declared, in words."""
    of = {"capped": f", sizes cut at {MOST / 1e6:.0f} MB", "long": f", in {LONG}"}.get(family, "")
    keys = {sizes: (family, "dcqcn", sizes.replace("-", "")) for sizes in SIZES}
    found = {
        sizes: study.sampled(lambda view: view.offered(), key) for sizes, key in keys.items() if key in study.table
    }
    said = ", ".join(f"{sizes} {load.mean:.0%}" for sizes, load in found.items())
    return f"load declared {LOAD:.0%}, delivered with DCQCN{of}: {said}"


def said_counts(counts):
    """How many flows of all seeds there are, by their sizes, in words."""
    return ", ".join(f"{count} {sizes} flows" for sizes, count in counts.items())


def beside_applications(study):
    """What stands beside figure 9: words, schemes and family; never judged."""
    found = [(said, (scheme, "dcqcn"), "app") for scheme, said in BESIDE.items()]
    return [*found, (f"cut at {MOST / 1e6:.0f} MB", RCM, "capped")]


def made(study, schemes, family):
    """The sizes with which these were run."""
    return [s for s in SIZES if all((family, scheme, s.replace("-", "")) in study.table for scheme in schemes)]


@check("rcm-fig9-avg-fct")
def average(study):
    found = {sizes: means(study, sizes) for sizes in SIZES}
    values = {sizes: times for sizes, (times, _) in found.items()}
    for said, schemes, family in beside_applications(study):
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
    for said, schemes, family in [("", RCM, "app"), *beside_applications(study)]:
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
def mining(study):
    """Flows under way by Little's law, were each to have the link for itself; a pair of them collides or does not."""
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


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
