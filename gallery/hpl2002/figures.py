"""The figures of the paper: FIGURES[number](results) draws one, NEEDS[number] names the runs it needs."""

import numpy as np

from congestree.gallery.published import At

from ..hp_common import plots, reaction
from ..hp_common.study import Study
from ..hp_common.sweeps import Sweep

FUNCTION_NAMES = {"lipd": "LIPD", "fimd": "FIMD", "aimd": "AIMD"}
RATES_OVER_TIME = {
    "fig2a": ("fig2a", "Fig. 2(a)  No congestion control: the victim gets a sixth of a link that is two thirds idle"),
    "fig2b": ("fig2b", "Fig. 2(b)  A window of one packet, one remote flow: the link is full"),
    "fig3a": ("fig3a", "Fig. 3(a)  A window of one packet, five remote flows, four slots: spreading is back"),
    "fig3b": ("fig3b", "Fig. 3(b)  Ideal rates set by hand"),
    "fig4a": ("fig4a", "Fig. 4(a)  LIPD, naive marking: no spreading, remote flows starve"),
    "fig4b": ("fig4b", "Fig. 4(b)  LIPD, input-triggered marking"),
    "fig4c": ("fig4c", "Fig. 4(c)  LIPD, input-output-triggered marking, threshold 4"),
    "fig4d": ("fig4d", "Fig. 4(d)  LIPD, input-output-triggered marking, threshold 8"),
}


def figure_over_time(number):
    """The function that draws one of the figures of rates over time."""
    family, title = RATES_OVER_TIME[number]
    return lambda results: plots.rates_over_time(results, family, title)


def figure5a(results):
    """Root utilisation against buffer size and output threshold."""
    return plots.root_by_buffer(Sweep(Study(results)), "Fig. 5(a)  LIPD, L = R = 10: use of the root link")


def figure5b(results):
    """Shares against buffer size and output threshold."""
    return plots.ratio_by_buffer(
        Sweep(Study(results)), "Fig. 5(b)  LIPD, L = R = 10: how remote and local flows share the root"
    )


def figure6(_results):
    """From R_min to R_max with unmarked ACKs only: the engine's recursion and the closed forms."""
    figure, (linear, zoom) = plots.panels(2, height=3.7)
    for axes, end in ((linear, 140), (zoom, 5)):
        for function, name in FUNCTION_NAMES.items():
            colour = plots.FUNCTION_COLOURS[function]
            times, x = reaction.recovery(function)
            axes.step(
                times * 1e-3,
                1 / x,
                where="post",
                color=colour,
                label=f"{name}: {times[-1] * 1e-3:.1f} ms, {len(x) - 1} ACKs",
            )
            grid = np.linspace(0, end, 600)
            axes.plot(grid, reaction.closed_form(function, grid * 1e3), color=colour, lw=3.5, alpha=0.2)
        axes.set(xlim=(0, end), xlabel=r"time since $R_\min$ (ms)", ylabel=r"rate limit / $R_\max$")
    zoom.set(yscale="log")
    plots.entitle(zoom, "the first 5 ms, logarithmic")
    linear.set(ylim=(0, 1.03))
    plots.entitle(linear, "Fig. 6  Recovery without marks; wide bands: closed forms")
    linear.legend(frameon=False, fontsize=8.5, loc=(0.1, 0.72))
    return figure


def both_links(title):
    """A panel for the root link and one for the link between the switches, each with its measure."""
    figure, both = plots.panels(2, sharey=True)
    for axes, heading in zip(both, (title, "Inter-switch link"), strict=True):
        plots.entitle(axes, heading)
        plots.percent(axes.yaxis)
    both[0].set_ylabel("utilisation")
    return figure, ((both[0], lambda view: view.root), (both[1], lambda view: view.inter))


def figure7(results):
    """Root and inter-switch utilisation of the three functions, continuous and with 256 inter-packet delays."""
    study = Study(results)
    figure, links = both_links("Fig. 7  Root link, input-triggered marking")
    for axes, measure in links:
        for function, name in FUNCTION_NAMES.items():
            for rates, style, marker in (("continuous", "-", "o"), ("discrete", "--", "x")):
                curve = study.curve("fig7", (function, rates), study.axis("fig7", 2), measure)
                colour = plots.FUNCTION_COLOURS[function]
                plots.spread(axes, curve, color=colour, ls=style, marker=marker, label=f"{name}, {rates}")
        axes.set(xlabel="buffer of an input port (packets)", xticks=range(2, 11, 2))
    axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    return figure


def on_axis(axes):
    """Mean ON times, logarithmic."""
    axes.set_xscale("log")
    axes.set_xticks([0.01, 0.05, 0.2, 1, 5, 20, 100], ["0.01", "0.05", "0.2", "1", "5", "20", "100"])
    axes.minorticks_off()
    axes.set_xlabel("mean ON time = mean OFF time (ms)")


def figure8a(results):
    """Static and dynamic contenders with fresh and with persistent rate limits."""
    study = Study(results)
    figure, both = plots.panels(2, sharey=True)
    for axes, state, title in (
        (both[0], "fresh", "Fig. 8(a)  A new flow starts at $R_\\max$"),
        (both[1], "kept", "The rate limit is kept while OFF"),
    ):
        for function, name in FUNCTION_NAMES.items():
            for kind, style, marker in (("static", "-", "o"), ("dynamic", "--", "x")):
                curve = study.curve(
                    "fig8a", (function, state), study.axis("fig8a", 2), lambda view, kind=kind: view.mean_rate(kind)
                )
                colour, width = plots.FUNCTION_COLOURS[function], 1.8 if function == "lipd" else 0.9
                plots.spread(axes, curve, color=colour, ls=style, marker=marker, lw=width, label=f"{name}, {kind}")
        axes.set(ylim=(0, 1))
        plots.entitle(axes, title)
        on_axis(axes)
        plots.percent(axes.yaxis)
    both[0].set_ylabel("sum of the ten flows (share of the root link)")
    both[1].legend(frameon=False, fontsize=8.5, ncols=3, loc="upper center")
    return figure


def figure8b(results):
    """All contenders ON-OFF: utilisation of both links."""
    study = Study(results)
    figure, links = both_links("Fig. 8(b)  Root link, all contenders ON-OFF, limits kept")
    for axes, measure in links:
        for function, name in FUNCTION_NAMES.items():
            curve = study.curve("fig8b", (function,), study.axis("fig8b", 1), measure)
            plots.spread(axes, curve, color=plots.FUNCTION_COLOURS[function], marker="o", label=name)
        on_axis(axes)
    axes.set(ylim=(None, 1.01))
    axes.legend(frameon=False, fontsize=8.5)
    return figure


FIGURES = {number: figure_over_time(number) for number in RATES_OVER_TIME} | {
    "fig5a": figure5a,
    "fig5b": figure5b,
    "fig6": figure6,
    "fig7": figure7,
    "fig8a": figure8a,
    "fig8b": figure8b,
}
NEEDS = {number: (f"{family}_",) for number, (family, _) in RATES_OVER_TIME.items()} | {
    "fig2a": ("fig2a_", "paced_", "pacedall_"),
    "fig2b": ("fig2b_", "fig2bfree_", "alone_"),
    "fig3a": ("fig3a_", "window_"),
    "fig3b": ("fig3b_", "fig3bw2_"),
    "fig5a": ("fig5_", "fig5events_"),
    "fig5b": ("fig5_", "fig5events_"),
    "fig6": ("short_",),
    "fig7": ("fig7_",),
    "fig8a": ("fig8a_",),
    "fig8b": ("fig8b_",),
}
"""Beginnings of the names of the runs that a figure, or a claim about it, is made from."""
PLACES = {
    "fig2a": [
        At("hpl2002-fig2a-victim", x=(42, 58), line="victim"),
        At("hpl2002-fig2a-interswitch", x=(42, 58), line="inter-switch"),
        At("hpl2002-fig2a-sixth-share", x=(62, 98), line="single flows"),
    ],
    "fig2b": [At("hpl2002-fig2b-spreading-gone", x=(42, 58), line="inter-switch")],
    "fig5a": [At("hpl2002-fig5a-thr6-90", x=(6, 20), line="output threshold 6")],
    "fig6": [
        At("hpl2002-fig6-lipd-recovery", y=1.0, line="LIPD"),
        At("hpl2002-fig6-aimd-recovery", y=1.0, line="AIMD"),
        At("hpl2002-fig6-fimd-recovery", y=1.0, line="FIMD", panel=1),
    ],
    "fig7": [At("hpl2002-fig7-lipd-root", x=(6, 10), line="LIPD, continuous")],
}
"""Where published numbers are drawn in the axes."""
