"""Slowdowns by size, ours and those of the key."""

import numpy as np

from congestree.plots.style import logarithmic

from ..common.plots import COLOURS, entitle, legend_below, panels
from .key import rows
from .scenario import SCHEMES
from .study import View

SIZES = (6_700, 20_000, 30_000, 50_000, 73_000, 200_000, 1_000_000, 2_000_000, 5_000_000, 30_000_000)
"""Tenths of the flows are smaller, by the table of sizes."""


def slowdowns(results):
    """The 99th percentile at 50 %; crosses: read off the published figure."""
    figure, axes = panels(1)
    places = np.arange(len(SIZES))
    for colour, scheme in zip(COLOURS, SCHEMES, strict=False):
        view = View(results[f"web_scheme-{scheme}_load-50_r0"])
        axes[0].plot(places, [view.slowdown(most) for most in SIZES], "o-", ms=3, color=colour, label=scheme)
        known = [row for row in rows() if (row["scheme"], row["load"]) == (scheme, 50)]
        axes[0].plot([SIZES.index(row["most"]) for row in known], [row["value"] for row in known], "x", color=colour)
    axes[0].set_xticks(places, [f"{most / 1000:g} kB" if most < 1e6 else f"{most / 1e6:g} MB" for most in SIZES])
    axes[0].set(xlabel="size", ylabel="slowdown, 99 %")
    logarithmic(axes[0].yaxis)
    entitle(axes[0], "WebSearch at 50 % on 320 hosts; crosses: published")
    return legend_below(figure, axes[0])


FIGURES = {"slowdowns": slowdowns}
NEEDS = {"slowdowns": ["web_"]}
