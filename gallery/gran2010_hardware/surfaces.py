"""Figures over Marking_Rate and CCTI_Timer: a heat map next to the surface itself."""

import numpy as np
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.patches import Rectangle

from congestree.plots.figure import Figure
from congestree.plots.style import matplotlib_settings

from ..common.plots import VERMILION, entitle
from ..gran_common.study import Study
from .measures import Surface, contributor, sweet, var, victim

TABLE_1 = (1, 150)
"""Marking_Rate and CCTI_Timer of Table I."""
FLOOR = 1e-4
"""Smaller values are drawn as this on a logarithmic scale."""


def ticks(values):
    """Texts for the steps of an axis; steps are drawn equally wide."""
    return [f"{value:g}" for value in values]


def surface(results, measure, title, label, *, logarithmic=False):
    """A measure as a heat map and in three dimensions; axes by steps of the grid."""
    grid = Surface(Study(results))
    values = grid.matrix(measure)
    if logarithmic:
        values = np.maximum(values, FLOOR)
    with matplotlib_settings():
        figure = Figure(figsize=(11.4, 4.6), layout="constrained")
        flat = figure.add_subplot(1, 2, 1)
        solid = figure.add_subplot(1, 2, 2, projection="3d")
    norm = LogNorm() if logarithmic else None
    mesh = flat.pcolormesh(values, cmap="viridis", norm=norm, edgecolors="white", lw=0.4)
    flat.grid(False)
    middle = np.sqrt(values.min() * values.max()) if logarithmic else (values.min() + values.max()) / 2
    for (row, column), value in np.ndenumerate(values):
        ink = "white" if value < middle else "black"
        word = f"< {FLOOR:g}" if logarithmic and value <= FLOOR else f"{value:.3g}"
        flat.text(column + 0.5, row + 0.5, word, ha="center", va="center", fontsize=7.5, color=ink)
    if TABLE_1[0] in grid.rates and TABLE_1[1] in grid.timers:
        at = grid.rates.index(TABLE_1[0]), grid.timers.index(TABLE_1[1])
        flat.add_patch(Rectangle(at, 1, 1, fill=False, ec=VERMILION, lw=2))
    flat.set_xticks(np.arange(len(grid.rates)) + 0.5, ticks(grid.rates))
    flat.set_yticks(np.arange(len(grid.timers)) + 0.5, ticks(grid.timers))
    flat.set(xlabel="Marking_Rate", ylabel="CCTI_Timer (1.024 us)")
    entitle(flat, title)
    figure.colorbar(mesh, ax=flat, label=label, shrink=0.9)
    x, y = np.meshgrid(np.arange(len(grid.rates)), np.arange(len(grid.timers)))
    height = np.log10(values) if logarithmic else values
    solid.plot_surface(x, y, height, cmap="viridis", edgecolor="white", lw=0.4, antialiased=True)
    solid.set_xticks(range(len(grid.rates)), ticks(grid.rates), fontsize=8)
    solid.set_yticks(range(0, len(grid.timers), 2), ticks(grid.timers[::2]), fontsize=8)
    solid.tick_params(axis="z", labelsize=8)
    if logarithmic:
        solid.zaxis.set_major_formatter(lambda power, _: f"{10**power:.2g}")
    solid.set_xlabel("Marking_Rate", fontsize=9)
    solid.set_ylabel("CCTI_Timer", fontsize=9)
    solid.view_init(elev=26, azim=-128)
    return figure


def figure11(results):
    """The victim."""
    title = "Fig. 11  F1, all five flows; framed: Table I"
    return surface(results, victim, title, "payload of F1 (Gbit/s)")


def figure12(results):
    """The contributors."""
    return surface(results, contributor, "Fig. 12  Mean of F2 to F5; framed: Table I", "payload (Gbit/s)")


def figure14(results):
    """How much the gap between the fastest and the slowest contributor varies."""
    title = "Fig. 14  Var of (max - min) of F2 to F5; framed: Table I"
    return surface(results, var, title, r"Var ((Gbit/s)$^2$)", logarithmic=True)


def sweet_spot(results):
    """Where the victim is free, the contributors are fair and their link is used, for each Threshold."""
    points = sweet(Study(results))
    weights, rates, timers = (sorted({point[axis] for point in points}) for axis in range(3))
    with matplotlib_settings():
        figure = Figure(figsize=(2.5 * max(2, len(weights)) + 0.8, 3.6), layout="constrained")
        panels = figure.subplots(1, len(weights), squeeze=False, sharey=True)[0]
    for axes, weight in zip(panels, weights, strict=True):
        inside = np.array([[points[weight, rate, timer] for rate in rates] for timer in timers])
        axes.pcolormesh(inside, cmap=ListedColormap(["#eeeeee", "#0f8a5f"]), vmin=0, vmax=1, edgecolors="white", lw=1)
        axes.grid(False)
        axes.set_xticks(np.arange(len(rates)) + 0.5, ticks(rates))
        axes.set_yticks(np.arange(len(timers)) + 0.5, ticks(timers))
        axes.set_xlabel("Marking_Rate")
        if weight == 15 and TABLE_1[0] in rates:
            at = rates.index(TABLE_1[0]), timers.index(TABLE_1[1])
            axes.add_patch(Rectangle(at, 1, 1, fill=False, ec=VERMILION, lw=2))
        entitle(axes, f"Threshold {weight}")
    panels[0].set_ylabel("CCTI_Timer (1.024 us)")
    words = (
        "Section VIII  Green: F1 over 95 %, fastest contributor within",
        "1.2 of the slowest, their link over 90 %; framed: Table I",
    )
    figure.suptitle((" " if len(weights) > 3 else "\n").join(words), fontsize=10)
    return figure
