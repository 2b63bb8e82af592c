"""The table: a row for each scheme, in the form in which other pages judge claims."""

from pathlib import Path

from ..common.judge import Claims, Finding
from .scenario import SCHEMES
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)
MEASURES = {
    "victim": lambda view: view.victim(),
    "hot link": lambda view: view.hot(),
    "far part": lambda view: view.far(),
    "Jain": lambda view: view.fairness(),
    "median slowdown": lambda view: view.slowdown(0.5),
    "99 % slowdown": lambda view: view.slowdown(0.99),
    "marked": lambda view: view.marked(),
    "paused": lambda view: view.paused(),
}
"""Columns of the table: see the README."""


def row(study, scheme):
    """All measures of one scheme, means over seeds."""
    samples = {name: study.sample(("incast", scheme), measure) for name, measure in MEASURES.items()}
    values = {name: round(float(sample), 4) for name, sample in samples.items()}
    return Finding(values, note=f"victim: {samples['victim'].spread()}")


for _scheme in SCHEMES:
    CLAIMS.check(f"every-{_scheme}")(lambda study, scheme=_scheme: row(study, scheme))


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
