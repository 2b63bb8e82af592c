"""When the pipeline's stages end their sums of gradients, and what an iteration is made of."""

import numpy as np

from ..common.plots import BLUE, GREY, VERMILION, entitle, panels
from .claims import Study
from .scenario import DATA


def iteration(results):
    """Left: each rank's time that it computes and that it does not. Right: steps in time, by operation."""
    run = Study(results).views("iteration", "static")[0].run
    figure, axes = panels(2)
    ranks = np.arange(len(run.ranks))
    computing = run.ranks["computing"].to_numpy() * 1e3
    whole = float(run.jobs["completion"][0]) * 1e3
    axes[0].bar(ranks, computing, 1.0, color=BLUE, label="computing")
    axes[0].bar(ranks, whole - computing, 1.0, bottom=computing, color=GREY, label="not computing")
    axes[0].set(xlabel="rank", ylabel="time (ms)", ylim=(0, 1.2 * whole))
    axes[0].legend(frameon=False, ncols=2, loc="upper left")
    entitle(axes[0], "one iteration")
    for colour, label, few in ((GREY, "tensor neighbours", False), (VERMILION, "data neighbours", True)):
        steps = run.steps.filter((run.steps["operation"] == "all-reduce") & ((run.steps["ranks"] == DATA) == few))
        times = (steps["finished"] - steps["joined"]).to_numpy() * 1e3
        axes[1].plot(steps["joined"].to_numpy() * 1e3, times, ".", ms=3, color=colour, label=label)
    axes[1].set(xlabel="when the last rank came (ms)", ylabel="time from then on (ms)")
    axes[1].legend(frameon=False)
    entitle(axes[1], "all-reduces")
    return figure


FIGURES = {"iteration": iteration}
NEEDS = {"iteration": ["iteration_case-static"]}
