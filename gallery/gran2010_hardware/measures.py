"""What this paper measures beyond rates of plateaus: samples, shares, the surfaces over Marking_Rate and CCTI_Timer."""

import numpy as np

from ..common.study import Missing
from .runs import DRAIN, INJECT

CONTRIBUTORS = ("F2", "F3", "F4", "F5")
CROWD = ("F1", "F2", "F3")
"""The three flows of scenario 2."""


def sample_s(view):
    """Sampling interval, s: a tenth of a phase, which is 0.1 s where phases last a second."""
    start, end = view.phases[0]
    return (end - start) / 10


def samples(view, flow, span):
    """Payload rate of a flow in each sampling interval of [start, end) s, Gbit/s."""
    width = round(sample_s(view) / view.bin)
    first, last = round(span[0] / view.bin), round(span[1] / view.bin)
    count = (last - first) // width
    return view.series(flow)[last - count * width : last].reshape(count, width).mean(axis=1)


def sampled(view, flow, phase):
    """Payload rate of a flow in each sampling interval of a plateau, Gbit/s."""
    return samples(view, flow, view.plateau(phase))


def shares(view, phase=-1):
    """What each contributor has of what all have, on a plateau."""
    rates = view.rates(CONTRIBUTORS, phase)
    return rates / rates.sum()


def var(view):
    """Variance over time of the difference between the fastest and the slowest contributor while all four send.

    (Gbit/s)^2; from the start of the last one, so that the transient counts (section VII.B, OQ-I30).
    """
    rates = np.array([samples(view, flow, view.phases[-1]) for flow in CONTRIBUTORS])
    return float((rates.max(axis=0) - rates.min(axis=0)).var())


def victim(view):
    """Rate of F1 with all five flows, Gbit/s."""
    return view.rate("F1", -1)


def contributor(view):
    """Mean rate of the four contributors with all five flows, Gbit/s."""
    return float(view.rates(CONTRIBUTORS, -1).mean())


def unfairness(view):
    """The fastest contributor over the slowest, with all five flows."""
    return view.ratio(CONTRIBUTORS, -1)


def good(view):
    """The sweet spot: a free victim, fair contributors, a used link."""
    return (
        victim(view) >= 0.95 * INJECT and unfairness(view) <= 1.2 and view.rates(CONTRIBUTORS, -1).sum() >= 0.9 * DRAIN
    )


class Surface:
    """The runs over Marking_Rate and CCTI_Timer for one threshold."""

    def __init__(self, study, weight=15):
        self.study, self.weight = study, weight
        points = [key[2:] for key in study.table if key[0] == "grid" and key[1] == weight]
        if not points:
            raise Missing(("grid", weight))
        self.rates = sorted({rate for rate, _ in points})
        self.timers = sorted({timer for _, timer in points})

    def at(self, rate, timer, measure):
        """Mean over seeds of a measure at one point."""
        return self.study.sample(("grid", self.weight, rate, timer), measure).mean

    def matrix(self, measure):
        """A measure at all points: [timer, rate]."""
        return np.array([[self.at(rate, timer, measure) for rate in self.rates] for timer in self.timers])

    def best(self, measure):
        """(Marking_Rate, CCTI_Timer) of all points where a measure is within a hundredth of its highest value."""
        values = self.matrix(measure)
        rows, columns = np.nonzero(values >= 0.99 * values.max())
        return [(self.rates[column], self.timers[row]) for row, column in zip(rows, columns, strict=True)]


def sweet(study):
    """Where the sweet spot is: {(weight, rate, timer): whether}, on the points that all thresholds share."""
    weights = study.axis("grid", 0)
    surfaces = {weight: Surface(study, weight) for weight in weights}
    rates = [r for r in surfaces[15].rates if all(r in s.rates for s in surfaces.values())]
    timers = [t for t in surfaces[15].timers if all(t in s.timers for s in surfaces.values())]
    return {
        (weight, rate, timer): all(good(view) for view in study.views("grid", weight, rate, timer))
        for weight in weights
        for rate in rates
        for timer in timers
    }
