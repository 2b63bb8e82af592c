"""The results compared with DeepEP's table, and those of the study."""

from pathlib import Path

from ..common.judge import Claims, Finding
from ..common.study import Missing
from .runs import MUCH
from .scenario import PUBLISHED, RANKS, WAYS
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)


@CLAIMS.check("deepep-fixed")
def _(study):
    return Finding(study.fixed(), "77 us less the network's part of the dispatch of 8 ranks")


def beside(study, operation, ranks):
    """A row of the table: network and fixed cost, divided by the published value."""
    network = study.times(operation)
    if ranks not in network:
        raise Missing(ranks)
    ours = network[ranks] + study.fixed()
    published = PUBLISHED[operation][ranks]
    return Finding(
        ours / published,
        f"{ours:.0f} us here, {published} us published, {network[ranks]:.1f} us in the network; {ours.spread()}",
    )


for _operation in PUBLISHED:
    for _ranks in RANKS:
        if (_operation, _ranks) != ("dispatch", 8):
            CLAIMS.check(f"deepep-{_operation}-{_ranks}")(
                lambda study, operation=_operation, ranks=_ranks: beside(study, operation, ranks)
            )


def over(above, below):
    """By ranks: one column of times over another, draw by draw."""
    return {n: above[n] / below[n] for n in above}


@CLAIMS.check("deepep-control")
def _(study):
    return Finding(
        {
            f"{operation}, {ways}": over(study.times(operation, "on", ways), study.times(operation, "off", ways))
            for operation in PUBLISHED
            for ways in WAYS
        },
        "by ranks",
    )


@CLAIMS.check("deepep-static")
def _(study):
    return Finding({op: over(study.times(op, "off", "static"), study.times(op)) for op in PUBLISHED}, "by ranks")


def slowdowns(study, kind):
    """By control and routes: the exchange over that of the quiet fabric without control, by the disturbance."""
    found = {}
    for control in ("off", "on"):
        for ways in WAYS:
            quiet = study.whole("quiet", "off", ways, 0)
            found[f"{control}, {ways}"] = {
                much: round(study.whole(kind, control, ways, much) / quiet, 4) for much in MUCH[kind]
            }
    return Finding(found)


for _kind in ("skew", "tenant", "storage", "slow"):
    for _id in [id for id in CLAIMS.texts if id.startswith(f"safe-{_kind}")]:
        CLAIMS.check(_id)(lambda study, kind=_kind: slowdowns(study, kind))


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
