"""The list of claims that the check modules fill, and what several of them need."""

from functools import wraps
from pathlib import Path

from ..common.judge import Claims
from .scenario import INJECT
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)


def check(*ids):
    """Registers the function that computes the finding of these claims; its note names the level of the runs."""

    def register(function):
        @wraps(function)
        def judged(study):
            study.used = set()
            finding = function(study)
            finding.note = "; ".join(filter(None, (finding.note, study.level())))
            return finding

        return CLAIMS.check(*ids)(judged)

    return register


def tmax(x, p):
    """The most that hosts other than the hot ones could receive on average, Gbit/s: x and p in per cent.

    B nodes send 1 - p of their time elsewhere, and of the nodes that are not B a fifth are V nodes.
    """
    return INJECT * (x / 100 * (1 - p / 100) + 0.2 * (1 - x / 100))


def hotspots(view):
    return view.hotspots


def others(view):
    return view.others


def total(view):
    return view.total


def mean(view):
    return view.mean
