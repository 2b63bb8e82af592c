"""The results compared with DCQCN's figures and the fixed-cost law."""

from pathlib import Path

from ..common.judge import Claims, Finding
from ..common.study import Missing
from .runs import COST, DEPTHS, SIZES
from .scenario import KIB, MARKS, PUBLISHED, WAYS, law
from .study import GBPS, Study

CLAIMS = Claims(Path(__file__).parent, Study)


def settled(study, marks):
    """The least and the most that one of four senders has in a run: means by sender would even out over seeds."""
    extremes = {"least": min, "most": max}
    return Finding(
        {word: study.sample(("four", marks), lambda view, of=of: of(view.settled())) for word, of in extremes.items()}
    )


for _id, _marks in (("dcqcn-four", "step"), ("dcqcn-four-ramp", "ramp")):
    CLAIMS.check(_id)(lambda study, marks=_marks: settled(study, marks))
for _id, _marks in (("dcqcn-joins", "step"), ("dcqcn-joins-ramp", "ramp")):
    CLAIMS.check(_id)(lambda study, marks=_marks: Finding(study.sample(("joins", marks), lambda v: v.converged())))


@CLAIMS.check("dcqcn-leaves")
def _(study):
    return Finding({marks: study.sample(("joins", marks), lambda view: view.apart()) for marks in MARKS})


def over_law(study, way):
    """{depth: {KiB: ratio}} of the results divided by the law."""
    found = {}
    for depth in DEPTHS:
        for kib in SIZES:
            try:
                measured = study.bandwidth(way, kib, "law", depth)
            except Missing:
                continue
            ratio = measured * 1e9 / law(way, kib * KIB, COST, depth)
            found.setdefault(str(depth), {})[kib] = round(ratio, 4)
    if not found:
        raise Missing(way)
    return Finding(found)


for _way in WAYS:
    CLAIMS.check(f"fixed-cost-{_way}")(lambda study, way=_way: over_law(study, way))


def beside(study, way, kib):
    """A published point."""
    ours = study.bandwidth(way, kib)
    return Finding(ours / PUBLISHED[kib], f"{ours:.1f} GB/s here, {PUBLISHED[kib]:.0f} published")


@CLAIMS.check("fixed-cost-64")
def _(study):
    return beside(study, "step", 64)


@CLAIMS.check("fixed-cost-64-one")
def _(study):
    return beside(study, "one", 64)


@CLAIMS.check("fixed-cost-line")
def _(study):
    return Finding({way: round(study.bandwidth(way, 256) / GBPS, 4) for way in WAYS})


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
