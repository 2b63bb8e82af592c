"""The results, row by row of the key, and the sentences: ``claims(results)``."""

from pathlib import Path

from ..common.judge import Claims, Finding
from .key import name, rows
from .scenario import SCHEMES
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check


def web(scheme, load):
    """The key of a run."""
    return "web", scheme, load


def register(row):
    """The check of one row."""

    @check(name(row))
    def slowdown(study):
        value = study.sample(web(row["scheme"], row["load"]), lambda view: view.slowdown(row["most"]))
        return Finding(value, f"{float(value) / row['value'] - 1:+.0%}" if row["value"] else "")


for _row in rows():
    register(_row)


def by_scheme(study, load, measure):
    """A measure of every scheme."""
    return {scheme: study.sample(web(scheme, load), measure) for scheme in SCHEMES}


@check("hpcc2019-order-50-6.7kb")
def order_of_small(study):
    """Slowdowns of the smallest flows."""
    return Finding(by_scheme(study, 50, lambda view: view.slowdown(6_700)))


@check("hpcc2019-order-50-30mb")
def order_of_large(study):
    """Slowdowns of the largest."""
    return Finding(by_scheme(study, 50, lambda view: view.slowdown(30_000_000)))


@check("hpcc2019-no-pauses")
def pauses(study):
    """Time that ports are paused."""
    return Finding(shares := by_scheme(study, 50, lambda view: view.paused()), paused_with(shares))


def paused_with(shares):
    """What the shares of all schemes say of HPCC."""
    with_pauses = [scheme for scheme, share in shares.items() if float(share)]
    if with_pauses:
        return f"Ports are paused with {', '.join(with_pauses)}"
    return "Nothing is paused with any of the five schemes, so this is no evidence for HPCC over the others"


@check("hpcc2019-queues")
def queues(study):
    """What waits at outputs."""
    return Finding(by_scheme(study, 50, lambda view: view.queue(0.99)))


@check("hpcc2019-two-flows-eta")
def settle(study):
    """What two flows have of one link."""
    return Finding(study.sample(("pair",), lambda view: view.settled()))


@check("hpcc2019-two-flows-queue")
def empty(study):
    """The queue of that link, without the packets of the newcomer's first round trips."""
    return Finding(study.sample(("pair",), lambda view: view.queue(0.9)))


@check("hpcc2019-newcomer")
def newcomer(study):
    """How soon the old flow makes room."""
    return Finding(study.sample(("pair",), lambda view: view.halved()))


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
