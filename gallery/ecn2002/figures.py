"""The figures of the paper: FIGURES[number](results) draws one, NEEDS[number] names the runs it needs."""

from congestree.gallery.published import At

from ..hp_common import plots
from ..hp_common.study import Study
from ..hp_common.sweeps import Sweep

RATES_OVER_TIME = {
    "fig2": ("fig2", "Fig. 2  A window of one packet alone: the victim gets a twenty-fifth of the link"),
    "fig3a": ("fig3a", "Fig. 3(a)  Naive marking: no spreading, remote flows starve"),
    "fig3b": ("fig3b", "Fig. 3(b)  Input-triggered marking"),
    "fig3c": ("fig3c", "Fig. 3(c)  Input-output-triggered marking, threshold 4"),
    "fig3d": ("fig3d", "Fig. 3(d)  Input-output-triggered marking, threshold 8"),
}


def figure_over_time(number):
    """The function that draws one of the figures of rates over time."""
    family, title = RATES_OVER_TIME[number]
    return lambda results: plots.rates_over_time(results, family, title)


def figure4a(results):
    """Root utilisation against buffer size and output threshold."""
    return plots.root_by_buffer(Sweep(Study(results), "fig4"), "Fig. 4(a)  Use of the root link")


def figure4b(results):
    """Shares against buffer size and output threshold."""
    return plots.ratio_by_buffer(Sweep(Study(results), "fig4"), "Fig. 4(b)  How remote and local flows share the root")


FIGURES = {number: figure_over_time(number) for number in RATES_OVER_TIME} | {"fig4a": figure4a, "fig4b": figure4b}
NEEDS = {number: (f"{family}_",) for number, (family, _) in RATES_OVER_TIME.items()} | {
    "fig2": ("fig2_", "paced_", "pacedall_"),
    "fig4a": ("fig4_", "fig4events_"),
    "fig4b": ("fig4_", "fig4events_"),
}
"""Beginnings of the names of the runs that a figure, or a claim about it, is made from."""
PLACES = {
    "fig2": [
        At("ecn2002-fig2-victim", x=(42, 58), line="victim"),
        At("ecn2002-fig2-interswitch", x=(42, 58), line="inter-switch"),
    ],
    "fig4a": [At("ecn2002-fig4a-thr6", x=(6, 20), line="output threshold 6")],
}
"""Where published numbers are drawn in the axes."""
