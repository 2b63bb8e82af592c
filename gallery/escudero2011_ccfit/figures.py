"""Figures of the paper: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs.

A panel for each reading; techniques that do not throttle are the same in all.
"""

from ..common.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, entitle, legend_below, panels, percent
from .runs import SHARES, TREES
from .scenario import JUDGED, NAMED, THROTTLES
from .study import Study

LOOK = {
    "1q": (GREY, "1Q"),
    "voqsw": (PURPLE, "VOQsw"),
    "ith": (ORANGE, "ITh"),
    "fbicm": (BLUE, "FBICM"),
    "ccfit": (VERMILION, "CCFIT"),
    "voqnet": (GREEN, "VOQnet"),
}
WORDS = {"b": "set B: half marked", "a": "set A: 15 % marked", "c": "set C: 85 % marked, by host"}
WORDS |= {"d": "set D: 85 % marked", "iii": "Paper III: 150 µs, half marked"}


def readings(title, names):
    """Panels with the titles of the readings."""
    figure, axes = panels(len(names), width=9, sharey=True)
    for panel, reading in zip(axes, names, strict=True):
        entitle(panel, WORDS[reading])
        panel.set_xlabel("time, ms")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure, dict(zip(names, axes, strict=True))


def throughput(results, title, case, *before):
    """Normalised throughput of every technique over time, mean over seeds."""
    study = Study(results)
    figure, axes = readings(title, study.readings(case, *before))
    for reading, panel in axes.items():
        for technique, (colour, label) in LOOK.items():
            views = study.case(case, technique, reading, *before)
            mean = sum(view.series() for view in views) / len(views)
            panel.plot(views[0].times(), mean, color=colour, lw=1.2, label=label)
        percent(panel.yaxis)
    first = axes[JUDGED]
    first.set_ylim(0, None)
    first.set_ylabel("normalised throughput")
    return legend_below(figure, first)


def shares(results, title, case, flows):
    """Rates of flows over time: one row of panels a technique."""
    study = Study(results)
    techniques = ("1q", "fbicm", "ith", "ccfit")
    figure, axes = panels(len(techniques), sharey=True)
    colours = (GREEN, BLUE, VERMILION, ORANGE, PURPLE)
    for panel, technique in zip(axes, techniques, strict=True):
        reading = JUDGED if technique in THROTTLES else "any"
        view = study.case(case, technique, reading)[0]
        for flow, colour in zip(flows, colours, strict=True):
            panel.plot(view.times(), view.rates(flow), color=colour, lw=1.0, label=flow)
        entitle(panel, LOOK[technique][1] + (f", set {JUDGED.upper()}" if technique in THROTTLES else ""))
        panel.set_xlabel("time, ms")
    axes[0].set_ylim(0, None)
    axes[0].set_ylabel("GB/s")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def in_use(results):
    """CFQs in use in all switches, by trees."""
    study = Study(results)
    figure, axes = panels(len(TREES), sharey=True)
    lines = [
        ("fbicm", "any", BLUE, "FBICM"),
        ("ccfit", JUDGED, VERMILION, f"CCFIT, set {JUDGED.upper()}"),
        ("ccfit", NAMED, ORANGE, f"CCFIT, set {NAMED.upper()}"),
    ]
    for panel, trees in zip(axes, TREES, strict=True):
        for technique, reading, colour, label in lines:
            views = study.case("case4", technique, reading, trees)
            mean = sum(view.isolation("queues") for view in views) / len(views)
            full = sum(view.isolation("exhausted") for view in views) / len(views)
            panel.plot(views[0].times(), mean, color=colour, lw=1.2, label=label)
            panel.plot(views[0].times(), full, color=colour, lw=1.0, ls=":")
        entitle(panel, f"{trees} tree{'s' * (trees > 1)}")
        panel.set_xlabel("time, ms")
    axes[0].set_ylim(0, None)
    axes[0].set_ylabel("CFQs in use; dotted: inputs without a free one")
    return legend_below(figure, axes[0])


def sensitivity(results):
    """Throughput in [1, 2] ms by the parameters of throttling."""
    study = Study(results)
    timers = study.axis("sense", 1)
    figure, (axes,) = panels(1)
    for technique in THROTTLES:
        colour, label = LOOK[technique]
        for share, style in zip(SHARES, (":", "--", "-"), strict=True):
            levels = [
                float(study.sample(("sense", technique, t, share), lambda view: view.mean((1, 2)))) for t in timers
            ]
            axes.plot(timers, levels, color=colour, ls=style, marker="o", ms=3, label=f"{label}, {share} % marked")
    axes.set(xlabel="CCTI_Timer, µs", xticks=timers, ylim=(0, None), ylabel="normalised throughput in [1, 2] ms")
    percent(axes.yaxis)
    entitle(axes, "Sensitivity to the parameters of throttling, one tree")
    axes.legend(frameon=False, fontsize=8)
    return figure


FIGURES = {
    "fig7a": lambda results: throughput(results, "Fig. 7a  Configuration #1, Case #1", "case1"),
    "fig7a-late": lambda results: throughput(results, "Fig. 7a with F6 from 8 ms", "late"),
    "fig7b": lambda results: throughput(results, "Fig. 7b  Configuration #2, Case #2", "case2"),
    "fig7c": lambda results: throughput(results, "Fig. 7c  Configuration #2, Case #3", "case3"),
    "fig8a": lambda results: throughput(results, "Fig. 8a  Configuration #3, one tree", "case4", 1),
    "fig8b": lambda results: throughput(results, "Fig. 8b  Configuration #3, four trees", "case4", 4),
    "fig8c": lambda results: throughput(results, "Fig. 8c  Configuration #3, six trees", "case4", 6),
    "s4c-1": lambda results: shares(
        results, "Section IV.C  Rates of flows, Configuration #1, Case #1", "case1", ("F0", "F1", "F2", "F5", "F6")
    ),
    "s4c-2": lambda results: shares(
        results, "Section IV.C  Rates of flows, Configuration #2, Case #2", "case2", ("F1", "F0", "F4", "F2", "F3")
    ),
    "queues": in_use,
    "sensitivity": sensitivity,
}
NEEDS = {
    "fig7a": ["case1_", "roots1_"],
    "fig7a-late": ["late_"],
    "fig7b": ["case2_"],
    "fig7c": ["case3_"],
    "fig8a": ["case4_trees-1_", "rules_"],
    "fig8b": ["case4_trees-4_"],
    "fig8c": ["case4_trees-6_"],
    "s4c-1": ["case1_"],
    "s4c-2": ["case2_"],
    "queues": ["case4_"],
    "sensitivity": ["sense_"],
}
