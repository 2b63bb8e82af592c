"""Section IV.3: 31 flows that join in steps (Fig. 7 to 9)."""

import numpy as np

from ..common.judge import Finding
from ..common.study import Missing
from .paper import check, drawn
from .scenario import RATE
from .study import jain


@drawn("efl-fig7-plain-13ms")
def plain_ramp(study):
    view = study.view("steps_plain")
    states = view.states(0)
    sending = states["time"][states["rate"] >= 0.95 * RATE]
    value = {
        "sends at 95 % of the link": float(sending[0] - study.start) * 1e3 if len(sending) else None,
        "share at 10 ms": float(np.interp(study.join, states["time"], states["rate"])) / RATE,
    }
    return Finding(value, note="flows 2 and 3 join at 10 ms")


@drawn("efl-fig8-proposed-fast")
def fast(study):
    value = {}
    for algorithm in ("proposed", "bwprobe"):
        states = study.view(f"steps_{algorithm}").states(0)
        value[algorithm] = float(states["time"][states["rate"] >= 0.95 * RATE][0] - study.start) * 1e3
    return Finding(value, note="sending rate")


def first_rates(view, flows):
    """The rates with which flows enter congestion avoidance, and when."""
    found = []
    for flow in flows:
        states = view.states(flow)
        at = np.flatnonzero(states["phase"] == "congestion-avoidance")[0]
        found.append((states["time"][at], states["rate"][at]))
    return found


@drawn("efl-fig8-initial-4g")
def initial(study):
    rates = [rate / 1e9 for _, rate in first_rates(study.view("steps_proposed"), (1, 2))]
    return Finding(rates)


@drawn("efl-fig8-sum-18")
def overshoot(study):
    view = study.view("steps_bwprobe")
    last = max(time for time, _ in first_rates(view, (1, 2)))
    total = sum(np.interp(last, view.states(flow)["time"], view.states(flow)["rate"]) for flow in range(3)) / 1e9
    return Finding(total, note="when both new flows have their first rate")


@drawn("efl-s3-overestimate")
def overestimate(study):
    value = {}
    for algorithm in ("bwprobe", "proposed"):
        ratios = []
        before = 1
        for flows in study.steps.values():
            new = range(before, len(flows))
            before = len(flows)
            fair = RATE / len(flows)
            ratios += [rate / fair for _, rate in first_rates(study.view(f"steps_{algorithm}"), new)]
        value[algorithm] = float(np.mean(ratios))
    return Finding(value, note="all flows that join")


@drawn("efl-fig8-converge")
def converge(study):
    value = {}
    for algorithm in ("proposed", "bwprobe", "plain"):
        view = study.view(f"steps_{algorithm}")
        steps = [jain(view.shares(list(flows), at + 0.008, at + 0.010)) for at, flows in study.steps.items()]
        value[algorithm] = steps
    return Finding(value, note="after 3, 7, 15 and 31 flows")


@drawn("efl-fig7-oscillation")
def oscillation(study):
    value = {}
    for algorithm in ("plain", "bwprobe", "proposed"):
        view = study.view(f"steps_{algorithm}")
        value[algorithm] = np.mean([view.wobble(flows, at + 0.007, at + 0.010) for at, flows in study.steps.items()])
    return Finding(value, note="standard deviation over mean of sending rates, last 3 ms of each step")


def reaction(view, join, share=0.98):
    """From the join until flow 1 sends at less than `share` of the least rate of half a millisecond before, us."""
    states = view.states(0)
    time, rate = states["time"], states["rate"]
    before = rate[(time > join - 0.0005) & (time < join)].min()
    return float(time[(time >= join) & (rate < share * before)][0] - join) * 1e6


@drawn("efl-fig9-reaction-100")
def reaction_proposed(study):
    late = reaction(study.view("steps_proposed"), study.join)
    return Finding(late)


@drawn("efl-fig9-reaction-200")
def reaction_probe(study):
    probe, proposed = study.view("steps_bwprobe"), study.view("steps_proposed")
    late = reaction(probe, study.join)
    more = (reaction(view, study.join, share) for view in (probe, proposed) for share in (0.95, 0.9))
    note = "By 5 % slower after {:.0f} us, by 10 % after {:.0f}; Proposed after {:.0f} and {:.0f}"
    return Finding({"bwprobe": late, "proposed": reaction(proposed, study.join)}, note=note.format(*more))


@drawn("efl-fig9-m1")
def peak_proposed(study):
    return Finding(study.view("steps_proposed").peak_delay(study.join, study.join + 0.002) * 1e6)


@drawn("efl-fig9-m2")
def peak_probe(study):
    return Finding(study.view("steps_bwprobe").peak_delay(study.join, study.join + 0.002) * 1e6)


@drawn("efl-fig9-half")
def half(study):
    peaks = {
        algorithm: np.array([study.view(f"steps_{algorithm}").peak_delay(at, at + 0.002) for at in study.steps])
        for algorithm in ("proposed", "bwprobe")
    }
    ratios = peaks["proposed"] / peaks["bwprobe"]
    return Finding(ratios.mean(), note="by step: " + ", ".join(f"{r:.2f}" for r in ratios))


def steady(view, steps):
    """The longest queueing delay of the last 3 ms of each step, us."""
    return [view.peak_delay(at + 0.007, at + 0.010) * 1e6 for at in steps]


@drawn("efl-fig9-m3")
def steady_others(study):
    return Finding({name: steady(study.view(f"steps_{name}"), study.steps) for name in ("plain", "bwprobe")})


@drawn("efl-fig9-m4")
def steady_proposed(study):
    return Finding(steady(study.view("steps_proposed"), study.steps))


@drawn("efl-s5-two-stage")
def two_stage(study):
    peaks = {}
    for word, name in (("single-stage", "steps_bwprobe"), ("two-stage", "steps_nprobe")):
        peaks[word] = np.array([study.view(name).peak_delay(at, at + 0.002) * 1e6 for at in study.steps])
    note = "without prediction; us at 10, 20, 30 and 40 ms. Four flows join three at moments from 18 to 22 ms: "
    return Finding(peaks, note=note + ", ".join(moments(study.study, word) for word in ("single", "two")))


def moments(study, word):
    """The peak delay when four flows join three, over all moments at which they do, in words."""
    views = study.variations(f"moment_{word}_")
    peaks = [view.peak_delay(float(at) / 1e3, float(at) / 1e3 + 0.002) * 1e6 for at, view in views.items()]
    if not peaks:
        raise Missing(f"moment_{word}")
    return f"{word}-stage {np.mean(peaks):.0f} us on average ({min(peaks):.0f} to {max(peaks):.0f})"


@drawn("efl-s4-ramp-plain-vs-probe")
def ramp(study):
    value = {}
    for algorithm in ("bwprobe", "plain"):
        view = study.view(f"steps_{algorithm}")
        times, before = [], 1
        for at, flows in study.steps.items():
            new = range(before, len(flows))
            before = len(flows)
            for flow in new:
                states = view.states(flow)
                fair = np.flatnonzero(states["rate"] >= 0.9 * RATE / len(flows))
                times.append(float(states["time"][fair[0]] - at) * 1e3 if len(fair) else 10.0)
        value[algorithm] = np.mean(times)
    return Finding(value, note="ms, mean over all flows that join; at most 10 ms counted")


@check("efl-s4-m1")
def larger_alpha(study):
    value = {}
    for algorithm in ("plain", "bwprobe"):
        for factor, view in study.variations(f"alpha_{algorithm}_").items():
            delays = view.delay(0.047, 0.050)[1]
            value[f"{algorithm}, alpha x{factor}"] = {
                "mean delay, us": delays.mean() * 1e6,
                "deviation, us": delays.std() * 1e6,
                "peak, us": view.peak_delay(0.040, 0.050) * 1e6,
                "lost packets": int(view.run.flows["dropped"].sum()),
            }
    return Finding(value, note="last 3 ms with 31 flows; means of 0.1 ms")
