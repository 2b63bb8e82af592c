"""One comparison of numbers, and the combined result of several: they hold, fail, or are undecided.

A comparison is judged on the interval of the difference that is compared; it holds if the whole interval is on the
right side, fails if all of it is on the other side, and is undecided otherwise. Of no number (nan) nothing is known:
neither a comparison with it holds nor its opposite.
"""

import operator
from dataclasses import dataclass

import numpy as np

from congestree.evaluation.measures import mean_and_interval

from .parts import Unjudgeable, leaves, paired, pairs

RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True)
class Comparison:
    """One comparison of a formula."""

    what: str
    value: float
    half: float
    """Half of the interval that decides: of the value, or of the difference; 0 without repetitions."""
    relation: str
    bound: float
    holds: bool | None
    margin: float
    """Distance to the bound, relative to the larger of both; negative on the wrong side; -inf if nothing is known."""
    gap: float | None = None
    """The mean of value - bound, by repetition, where the bound has repetitions, too."""

    @property
    def unknown(self):
        """Whether a number is missing, so that neither this holds nor its opposite."""
        return self.holds is None and self.margin == -np.inf

    def __str__(self):
        interval = f" ± {self.half:.2g}" if self.half else ""
        what = f" ({self.what})" if self.what else ""
        if self.gap is None or not self.half:
            return f"{self.value:.4g}{interval} {self.relation} {self.bound:.4g}{what}"
        bound = f"- {self.bound:.4g}" if self.bound >= 0 else f"+ {-self.bound:.4g}"
        return f"{self.value:.4g} {bound} = {self.gap:.4g}{interval} {self.relation} 0{what}"


@dataclass(frozen=True)
class Judgement:
    """True, False, or None for undecided; and the comparison that decides."""

    holds: bool | None
    decides: Comparison | None

    @property
    def unknown(self):
        """Whether a missing number leaves it open; more seeds would not decide it."""
        return self.holds is None and self.decides is not None and self.decides.unknown

    @staticmethod
    def all(parts):
        """All must hold; one that fails decides, then one that is undecided, then the closest."""
        return Judgement._worst(parts, (False, None, True))

    @staticmethod
    def any(parts):
        """One must hold."""
        return Judgement._worst(parts, (True, None, False), most=True)

    @staticmethod
    def _worst(parts, order, most=False):
        parts = list(parts)
        if not parts:
            raise Unjudgeable("nothing to compare")
        for state in order:
            found = [part for part in parts if part.holds is state]
            if found:
                choose = max if most else min
                return choose(found, key=lambda part: part.decides.margin if part.decides else 0)
        raise AssertionError(order)


def interval(values):
    """Mean, and half of Student's interval of 95 per cent."""
    values = np.atleast_1d(np.asarray(values, dtype=float))
    mean = float(values.mean())
    if len(values) < 2 or not np.ptp(values):
        return mean, 0.0
    return mean, mean_and_interval(values)[1] if np.isfinite(values).all() else np.nan


def comparisons(left, right, sign, what):
    """A judgement for every pair of numbers."""
    found = []
    for name, pair in pairs(left, right).items():
        a, b = paired(*pair)
        found.append(compare(a, b, sign, ", ".join(filter(None, (what.strip("'\"") if what != "x" else "", name)))))
    return found


def compare(a, b, sign, what):
    """One comparison; equality is required of every seed, an order of the interval of the difference."""
    holds = RELATIONS[sign]
    with np.errstate(invalid="ignore"):
        gap, half = interval(a - b)
        (value, spread), (bound, moves) = interval(a), interval(b)
        distance = abs(gap) / max(abs(value), abs(bound), 1e-12) if np.isfinite(gap) else 1.0
    if np.isnan(gap) or np.isnan(half):
        return Judgement(None, Comparison(what, value, 0.0, sign, bound, None, -np.inf))
    sure = [bool(holds(edge, 0)) for edge in (gap - half, gap + half)]
    verdict = bool(np.all(holds(a, b))) if sign == "==" else sure[0] if sure[0] == sure[1] else None
    margin = -distance if verdict is False else distance
    apart = bool(moves) and sign != "=="
    shown = half if apart else spread
    return Judgement(
        verdict, Comparison(what, value, shown, sign, bound, verdict, float(margin), gap if apart else None)
    )


def truth(value, what):
    """Yes or no as a judgement: every one must be yes."""
    return Judgement.all(
        compare(seeds, np.array(1.0), "==", ", ".join(filter(None, (what, name))))
        for name, seeds in leaves(value).items()
    )
