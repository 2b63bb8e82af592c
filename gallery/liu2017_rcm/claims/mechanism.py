"""The mechanism, seen in the small experiments."""

from ...common.judge import Finding
from ..paper import check
from ..scenario import BURST_US
from .small import REGIONAL, beside


@check("rcm-s3.3-cfr-samples")
def samples(study):
    drawn = study.sampled(looks, ("burst", "chance"))["burst"]
    note = (
        "RCM alone, output to d0: share of the looks, share of the packets; over DCQCN with looks by chance, the burst "
    )
    return Finding(study.sampled(looks, ("burst", "alone")), note=note + f"{drawn[0]:.3g}, {drawn[1]:.3g}")


def looks(view):
    """Share of the samples and of the packets that each flow has at the output to d0."""
    looked = view.counts("sampled", output="last->d0")
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
