"""Plots of both HP reports: rates over time, sweeps with the spread over repetitions, recovery curves.

Colours mean the same everywhere: the class of flows, the link, or the response function.
"""

import numpy as np

from ..common.plots import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, entitle, panels, percent
from .scenario import INTER, ROOT
from .study import Study

FUNCTION_COLOURS = {"lipd": BLUE, "fimd": GREEN, "aimd": VERMILION}
THRESHOLD_COLOURS = {"none": BLACK, 4: VERMILION, 6: ORANGE, 8: GREEN, 16: BLUE}
MARKERS = {"none": "o", 4: "v", 6: "^", 8: "s", 16: "D"}


def rates_over_time(results, family, title, victim=(40, 60)):
    """Sliding 2 ms rates of the deterministic start: both links, both classes, the victim; single flows behind."""
    view = Study(results).views(family)[0]
    figure, (axes,) = panels()
    if victim:
        axes.axvspan(*victim, color="#f4f1e8", zorder=0, lw=0)
        axes.text(sum(victim) / 2, 1.055, "victim sends", ha="center", va="center", fontsize=8.5, color="#7a6f50")
    for flow in np.flatnonzero(view.members("contenders")):
        colour = SKY if view.flows["class"][flow] == "local" else ORANGE
        axes.plot(*view.sliding(view.flow_bytes[:, flow]), color=colour, lw=0.5, alpha=0.55, zorder=1.5)
    lines = (
        ("root link", view.port_bytes[:, view.ports[ROOT]["port"]], BLACK, 1.8, "-"),
        ("inter-switch link", view.port_bytes[:, view.ports[INTER]["port"]], PURPLE, 1.8, "-"),
        ("locals, sum", view.flow_bytes[:, view.members("local")].sum(axis=1), BLUE, 1.3, "-"),
        ("remotes, sum", view.flow_bytes[:, view.members("remote")].sum(axis=1), VERMILION, 1.3, "-"),
        ("victim", view.flow_bytes[:, view.members("victim")].sum(axis=1), GREEN, 2.0, "-"),
    )
    for label, values, colour, width, style in lines:
        time, rate = view.sliding(values)
        if label == "victim" and victim:
            shown = (time >= victim[0] - 2) & (time <= victim[1] + 2)
            time, rate = time[shown], rate[shown]
        axes.plot(time, rate, color=colour, lw=width, ls=style, label=label, zorder=3)
    axes.set(xlim=(0, 100), ylim=(0, 1.1), xlabel="time (ms)", ylabel="rate, sliding 2 ms (share of 1 GB/s)")
    entitle(axes, title)
    percent(axes.yaxis)
    axes.plot([], [], color=GREY, lw=0.6, label="single flows")
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=6,
        fontsize=8.5,
        columnspacing=1.4,
        frameon=False,
    )
    return figure


def spread(axes, curve, **style):
    """A line through means, with a band from the lowest to the highest repetition."""
    x = list(curve)
    axes.plot(x, [curve[at].mean for at in x], ms=4.5, **style)
    low, high = [curve[at].low for at in x], [curve[at].high for at in x]
    axes.fill_between(x, low, high, color=style.get("color"), alpha=0.13, lw=0)


def against_buffer(axes, sweep, measure):
    """One line a threshold."""
    for threshold in sweep.thresholds:
        label = "no output trigger" if threshold == "none" else f"output threshold {threshold}"
        spread(axes, measure(threshold), color=THRESHOLD_COLOURS[threshold], marker=MARKERS[threshold], label=label)
    axes.set_xlabel("buffer of an input port (packets)")
    axes.set_xticks(range(2, 21, 2))
    axes.set_xlim(1.5, 20.5)


def root_by_buffer(sweep, title):
    """Root utilisation against buffer size, one line a threshold."""
    figure, (axes,) = panels()
    against_buffer(axes, sweep, sweep.root)
    axes.axhline(0.9, color=GREY, lw=0.8, ls=":")
    axes.set(ylabel="root utilisation", ylim=(None, 1.01))
    entitle(axes, title)
    percent(axes.yaxis)
    axes.legend(fontsize=8.5, frameon=False)
    return figure


def ratio_by_buffer(sweep, title):
    """Remote over local traffic against buffer size, one line a threshold."""
    figure, (axes,) = panels()
    against_buffer(axes, sweep, sweep.ratio)
    axes.axhline(1.0, color=GREY, lw=0.8, ls=":")
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set(ylabel="remote / local traffic")
    entitle(axes, title)
    axes.text(1.6, 1.0, "equal shares", ha="left", va="bottom", fontsize=8.5, color="#777777")
    axes.legend(fontsize=8.5, frameon=False)
    return figure
