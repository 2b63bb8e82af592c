"""Section IV.2: two flows that join two others (Fig. 6), and how the round-trip times follow."""

import numpy as np

from ..common.judge import Finding
from .paper import drawn

RISE = 3e-6
"""A round-trip time has risen when it is longer by this than it was at any time of the millisecond before, and stays so
until its peak: the prediction oscillates by more than this even if no flow joins."""


def curves(study, name="fig6_proposed"):
    """Actual, measured and predicted round-trip times of the two flows that are there already, by name: (t, RTT)."""
    view = study.view(name)
    found = {"actual": view.actual}
    for kind in ("measured", "predicted"):
        states = [view.states(flow) for flow in (0, 1)]
        time = np.concatenate([one["time"] for one in states])
        order = np.argsort(time, kind="stable")
        found[kind] = time[order], np.concatenate([one[kind] for one in states])[order]
    return found


def rise(curve, join):
    """When a curve has left its value before the join."""
    time, value = curve
    before = value[(time > join - 0.001) & (time < join)].max()
    on_the_way = (time >= join) & (time <= peak(curve, join))
    time, value = time[on_the_way], value[on_the_way]
    low = np.flatnonzero(value <= before + RISE)
    return float(time[low[-1] + 1 if len(low) else 0])


def peak(curve, join):
    """When a curve is highest in the two milliseconds after the join."""
    time, value = curve
    chosen = (time >= join) & (time < join + 0.002)
    return float(time[chosen][np.argmax(value[chosen])])


def half_rise(curve, join):
    """When a curve first is half-way from its value before the join to its peak."""
    time, value = curve
    before = np.median(value[(time > join - 0.001) & (time < join)])
    chosen = (time >= join) & (time < join + 0.002)
    time, value = time[chosen], value[chosen]
    return float(time[value >= (before + value.max()) / 2][0])


def behind(study, event):
    """How much later than on the actual curve an event (`rise`, `peak`) is on the other two, us."""
    at = {kind: event(curve, study.join) * 1e6 for kind, curve in curves(study).items()}
    return Finding({kind: at[kind] - at["actual"] for kind in ("measured", "predicted")})


@drawn("efl-fig6-lag-one-rtt")
def lag(study):
    return behind(study, rise)


@drawn("efl-fig6-predicted-peak")
def predicted_peak(study):
    found = curves(study)
    late = (peak(found["predicted"], study.join) - peak(found["actual"], study.join)) * 1e6
    return Finding(late)


@drawn("efl-fig6-measured-peak")
def measured_peak(study):
    return behind(study, peak)


@drawn("efl-fig6-catch-up")
def catch_up(study):
    def errors(name):
        found = curves(study, name)
        result = {}
        for kind in ("measured", "predicted"):
            time, value = found[kind]
            chosen = (time >= study.join) & (time < study.join + 0.001)
            actual = np.interp(time[chosen], *found["actual"])
            result[kind] = float(np.sqrt(np.mean((value[chosen] - actual) ** 2))) * 1e6
        return result

    here, literal = errors("fig6_proposed"), errors("fig6_literal")
    value = here | {f"{kind}, eq. (4) read literally": error for kind, error in literal.items()}
    return Finding(value, note="RMS error, us")


@drawn("efl-s5-prediction-earlier")
def earlier(study):
    found = curves(study)
    rtt = 100e-6
    value = {
        "at half rise": (half_rise(found["measured"], study.join) - half_rise(found["predicted"], study.join)) / rtt,
        "at the peak": (peak(found["measured"], study.join) - peak(found["predicted"], study.join)) / rtt,
    }
    return Finding(value, note="Fig. 6 scenario")
