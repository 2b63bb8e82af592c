"""The figures of the paper: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs.

A point is the mean over seeds; its bar is the 95 % confidence interval of the mean where there are several.
"""

import numpy as np

from congestree.gallery.published import At
from congestree.gallery.shipped import texts_of

from ..common.plots import BLACK, BLUE, GREEN, GREY, PURPLE, VERMILION, entitle, panels
from ..common.study import Missing
from .paper import hotspots, mean, others, tmax, total
from .study import Study

PAPER = {
    "hot hosts": ("p4-table2-hot-off-hot", "p4-table2-hot-on-hot"),
    "all others": ("p4-table2-hot-off-nonhot", "p4-table2-hot-on-nonhot"),
}
"""Claims with the rows of Table II, C nodes active: (CC off, CC on)."""
MIX_COLOURS = {"B30": BLUE, "B60": GREEN, "B90": VERMILION}


def line(axes, samples, scale=1.0, **style):
    """Means with their confidence intervals: {x: Sample}."""
    x = list(samples)
    y = scale * np.array([samples[at].mean for at in x])
    half = scale * np.array([samples[at].interval for at in x])
    axes.errorbar(x, y, half if half.any() else None, ms=4, lw=1.3, capsize=2, **style)


def on_and_off(axes, pairs, scale=1.0, colour=None, label=""):
    """Both lines of {x: (on, off)}."""
    before = f"{label}, " if label else ""
    line(axes, {x: on for x, (on, _) in pairs.items()}, scale, color=colour or BLUE, marker="o", label=before + "CC on")
    line(
        axes,
        {x: off for x, (_, off) in pairs.items()},
        scale,
        color=colour or VERMILION,
        marker="s",
        ls="--",
        label=before + "CC off",
    )


def ratio(axes, pairs, **style):
    """On over off."""
    axes.plot(list(pairs), [on.mean / off.mean for on, off in pairs.values()], ms=4, lw=1.3, **style)


def table2(results):
    """Silent forest: the mean receive rate of hosts, the paper's numbers next to ours."""
    study = Study(results)
    figure, both = panels(2, height=3.6)
    texts = texts_of("gran2012-scope")
    for axes, (who, claims), measure in zip(both, PAPER.items(), (hotspots, others), strict=True):
        for k, cc in enumerate(("off", "on")):
            sample = study.sample(("silent", cc), measure)
            axes.bar(k - 0.18, texts[claims[k]]["target"], 0.34, color="#c9c9c9", label="paper" if k == 0 else None)
            half = sample.interval or None
            axes.bar(k + 0.18, sample.mean, 0.34, yerr=half, capsize=3, color=BLUE, label="here" if k == 0 else None)
            axes.plot(
                [k + 0.18] * len(sample.values),
                sample.values,
                ".",
                color=BLACK,
                ms=4,
                label="seeds" if k == 0 else None,
            )
        axes.set(xticks=[0, 1], xticklabels=["CC off", "CC on"], ylabel="payload received per host (Gbit/s)")
        entitle(axes, f"Table II  Silent forest: {who}")
    quiet = study.sample(("quiet", "off"), mean)
    both[1].axhline(quiet.mean, color=GREY, lw=0.9, ls=":")
    both[1].text(-0.38, quiet.mean, "C nodes silent", va="bottom", fontsize=8.5, color="#777777")
    both[1].set_ylim(0, 3.1)
    both[0].legend(frameon=False, fontsize=8.5, loc="lower center")
    return figure


def pick(study, x, measure):
    """{p: (on, off)}."""
    return {p: pair for (_, p), pair in study.grid("windy", measure, x).items()}


def windy(number, x):
    """Others, hot hosts and improvement against p, for one share of B nodes."""

    def draw(results):
        study = Study(results)
        figure, (left, middle, right) = panels(3, height=3.7)
        on_and_off(left, pick(study, x, others))
        p = np.linspace(0, 100, 51)
        left.plot(p, [tmax(x, at) for at in p], color=GREY, lw=1, ls=":", label="$t_{max}$")
        left.set(ylabel="payload received per host (Gbit/s)", ylim=(0, None))
        entitle(left, f"Fig. {number}(a)  x = {x} %: hosts that are not hot")
        on_and_off(middle, {at: pair for at, pair in pick(study, x, hotspots).items() if x < 100 or at > 0})
        middle.set(ylim=(0, 14.5))
        entitle(middle, "(b)  Hot hosts")
        ratio(right, pick(study, x, total), color=PURPLE, marker="o", label="total")
        seen = {at: pair for at, pair in pick(study, x, others).items() if tmax(x, at) > 0}
        ratio(right, seen, color=GREEN, marker="^", label="hosts that are not hot")
        right.axhline(1, color=GREY, lw=0.8)
        right.set(ylabel="CC on / CC off", ylim=(0, None))
        entitle(right, "(c)  Improvement")
        for axes in (left, middle, right):
            axes.set(xlabel="p (%)", xlim=(-3, 103))
            axes.legend(frameon=False, fontsize=8.5)
        return figure

    return draw


def lifetimes(study, mix):
    """{lifetime in ms: (on, off)} of the mean receive rate."""
    return {100 / n: pair for (_, n), pair in sorted(study.grid("moving", mean, mix).items())}


def over_lifetime(axes):
    """Lifetimes from long to short."""
    axes.set_xscale("log")
    axes.set_xlim(11, 0.9)
    axes.set_xticks([10, 5, 2, 1], ["10", "5", "2", "1"])
    axes.minorticks_off()
    axes.set_xlabel("lifetime of a hot host (ms)")


def figure9(results):
    """Moving forests of C and V nodes."""
    study = Study(results)
    figure, both = panels(2)
    known = study.mixes()
    for axes, mix, title in zip(
        both, ("V20", "V60"), ("Fig. 9(a)  20 % V, 80 % C", "(b)  60 % V, 40 % C"), strict=True
    ):
        entitle(axes, title if mix in known else f"{title}: not run")
        if mix in known:
            on_and_off(axes, lifetimes(study, mix), 1e3)
            axes.legend(frameon=False, fontsize=8.5)
        over_lifetime(axes)
        axes.set(ylim=(0, None))
    both[0].set_ylabel("payload received per host (Mbit/s)")
    return figure


def figure10(results):
    """Moving forests of B nodes."""
    study = Study(results)
    figure, (left, right) = panels(2)
    if not set(MIX_COLOURS) & set(study.mixes()):
        raise Missing("moving")
    for mix, colour in MIX_COLOURS.items():
        if mix not in study.mixes():
            continue
        pairs = lifetimes(study, mix)
        on_and_off(left, pairs, 1e3, colour, f"p = {mix[1:]}")
        ratio(right, pairs, color=colour, marker="o", label=f"p = {mix[1:]}")
    right.axhline(1, color=GREY, lw=0.8)
    for axes in (left, right):
        over_lifetime(axes)
        axes.set(ylim=(0, None))
        axes.legend(frameon=False, fontsize=8)
    left.set(ylabel="payload received per host (Mbit/s)", ylim=(0, 1.25 * left.get_ylim()[1]))
    left.legend(frameon=False, fontsize=8, ncols=3, loc="upper center")
    right.set_ylabel("CC on / CC off")
    entitle(left, "Fig. 10  All B nodes, hot hosts that move")
    entitle(right, "Improvement")
    return figure


def kinds(results):
    """The number of links out of switches that are blocked over time, and how similar the sets are 5 ms apart."""
    study = Study(results)
    figure, (axes,) = panels()
    for kind, colour in (("silent", BLUE), ("windy", GREEN), ("moving", VERMILION)):
        view = study.views("kinds", kind)[0]
        count = [len(blocked) for blocked in view.blocked_links()]
        width = 1e3 * view.end / len(count)
        label = f"{kind}: {view.similarity():.3f} alike 5 ms later"
        axes.plot(width * (np.arange(len(count)) + 0.5), count, color=colour, lw=1.3, label=label)
    axes.set(xlabel="time (ms)", ylabel="links out of switches, blocked", ylim=(0, None))
    entitle(axes, "Section III  Silent, windy (x = 100, p = 60) and moving (1 ms) trees, CC off")
    axes.legend(frameon=False, fontsize=8.5)
    return figure


FIGURES = {
    "table2": table2,
    "fig5": windy(5, 25),
    "fig6": windy(6, 50),
    "fig7": windy(7, 75),
    "fig8": windy(8, 100),
    "fig9": figure9,
    "fig10": figure10,
    "kinds": kinds,
}
NEEDS = {
    "table2": ("silent_", "quiet_"),
    "fig5": ("windy_x-25_",),
    "fig6": ("windy_x-50_",),
    "fig7": ("windy_x-75_",),
    "fig8": ("windy_x-100_", "perhost_"),
    "fig9": ("moving_mix-V",),
    "fig10": ("moving_mix-B",),
    "kinds": ("kinds_", "budget_"),
}
"""Beginnings of the names of the runs that a figure, or a claim about it, is made from."""
PLACES = {
    "table2": [claim for pair in PAPER.values() for claim in pair],
    "fig5": [
        At("p4-fig5a-p0-on", x=0, line="CC on"),
        At("p4-fig5a-p0-off", x=0, line="CC off"),
        At("p4-tmax-formula", x=0, line="$t_"),
        At("p4-fig5b-hot-flat", share=(0.04, 0.96), part=0, panel=1, line="CC off"),
        At("p4-fig5b-hot-flat", share=(0.04, 0.96), part=1, panel=1, line="CC on"),
        At("p4-fig5a-p0-factor", x=0, panel=2, line="hosts"),
        At("p4-fig5a-peak1530", x=60, panel=2, line="hosts"),
        At("p4-fig5a-factor-range", x=(30, 100), part=0, panel=2, line="hosts"),
    ],
    "fig9": [
        At("p4-fig9a-10ms", x=10, part=0, line="CC on"),
        At("p4-fig9a-10ms", x=10, part=1, line="CC off"),
    ],
}
"""Where published numbers are drawn in the axes; those of Table II are bars."""
