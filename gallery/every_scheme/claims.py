"""The tables, a row for each case, and the expectations about them."""

from pathlib import Path

from ..common.judge import Claims, Finding
from .schemes import CASES
from .study import Study, View

CLAIMS = Claims(Path(__file__).parent, Study)
BOTH = {
    "pauses": View.pauses,
    "held": View.held,
    "dropped": View.dropped,
    "resent": View.resent,
    "queued": View.queued,
    "notices": View.notices,
}
MEASURES = {
    "incast": {
        "victim": View.victim,
        "tail": lambda view: view.latency("short"),
        "hot link": View.hot,
        "far part": View.far,
        "Jain": View.fairness,
        **BOTH,
    },
    "exchange": {
        "victim": View.wanted,
        "tail": View.messages,
        "job": View.job,
        "victim's tail": lambda view: view.latency("victim"),
        **BOTH,
    },
}
"""Columns of the two tables; the units are in `View`."""


def row(study, case):
    """All measures of one case, on both kinds of traffic."""
    values = {
        kind: {name: study.sample((kind, case), measure) for name, measure in measures.items()}
        for kind, measures in MEASURES.items()
    }
    return Finding(values, note="victim of the incast: " + values["incast"]["victim"].spread())


for _case in CASES:
    CLAIMS.check(f"every-{_case}")(lambda study, case=_case: row(study, case))


def expectation(id, kind, measure):
    """The expectation about one column of a table, all cases."""
    CLAIMS.check(id)(lambda study: Finding(study.cases(kind, MEASURES[kind][measure])))


for _id, _text in CLAIMS.texts.items():
    if "column" in _text:
        expectation(_id, *_text["column"])


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
