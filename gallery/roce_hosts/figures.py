"""Rates of DCQCN over time, and bandwidth over the size of messages."""

import numpy as np

from congestree.gallery.published import At

from ..common.plots import BLUE, GREEN, GREY, ORANGE, VERMILION, doublings, entitle, panels
from .scenario import JOIN_MS, KIB, LINE, PUBLISHED, WAYS, fitted, law
from .study import Study


def rates(results):
    """Left: four senders to one port. Right: a second flow joins."""
    study = Study(results)
    figure, axes = panels(2)
    for axis, family, title in zip(axes, ("four", "joins"), ("four senders", "a second joins"), strict=True):
        found = study.views(family, "step")[0].rates()
        for number, (each, colour) in enumerate(zip(found, (BLUE, ORANGE, VERMILION, GREEN), strict=False)):
            axis.plot(np.arange(len(each)) + 0.5, each, color=colour, lw=1, label=f"sender {number + 1}")
        axis.set(xlabel="time (ms)", ylabel="payload received (Gbit/s)", ylim=(0, 40))
        axis.legend(frameon=False, loc="upper right")
        entitle(axis, title)
    axes[1].axvline(JOIN_MS, color=GREY, lw=0.8, ls=":")
    return figure


def messages(results):
    """Results by size, the law of each path, and the published values."""
    study = Study(results)
    figure, (axes,) = panels(1)
    sizes = np.geomspace(8, 512, 100)
    looks = {"one": ("one queue pair of depth 16", BLUE), "step": ("16 queue pairs in step", ORANGE)}
    for way in WAYS:
        label, colour = looks[way]
        axes.plot(sizes, [law(way, size * KIB, fitted(way)) / 1e9 for size in sizes], color=colour, lw=1, label=label)
        axes.plot(list(PUBLISHED), [study.bandwidth(way, kib) for kib in PUBLISHED], "o", color=colour)
    axes.plot(list(PUBLISHED), list(PUBLISHED.values()), "x", color=GREY, label="UCCL, Fig. 14")
    axes.axhline(LINE / 1e9, color=GREY, lw=0.8, ls=":")
    doublings(axes.xaxis)
    axes.set(xlabel="size of a message (KiB)", ylabel="bandwidth (GB/s)", ylim=(0, 55))
    entitle(axes, "400 Gbit/s, 16 messages in flight")
    axes.legend(frameon=False)
    return figure


FIGURES = {"rates": rates, "messages": messages}
NEEDS = {
    "rates": ["four_marks-step_r0", "joins_marks-step_r0"],
    "messages": [f"published_way-{way}_kib-{kib}_r0" for way in WAYS for kib in PUBLISHED],
}
PLACES = {"rates": [At("dcqcn-four", x=(50, 100), panel=0)]}
"""Published, in the axes: the messages' values are crosses of the figure itself."""
