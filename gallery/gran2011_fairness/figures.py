"""The figures of the paper: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs."""

from congestree.gallery.published import At

from ..common.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, entitle, panels
from ..gran_common.one_set import with_one_set
from ..gran_common.plots import rates_over_time, side_by_side
from ..gran_common.study import Study
from .measures import shares, tree_shares
from .runs import ENTERS

HOST_COLOURS = {"H1": GREEN, "H2": BLUE, "H3": VERMILION, "H6": ORANGE, "H7": PURPLE}
WAYS = {"H1": "H1 to H4", "H2": "H2 to H5", "H3": "H3 to H5", "H6": "H6 to H5", "H7": "H7 to H5"}


def one(family, title, switch=True):
    """A figure of rates over time: the first repetition of a run."""

    def draw(results):
        figure, (axes,) = panels(1)
        options = {"labels": WAYS, "colours": HOST_COLOURS} if switch else {}
        rates_over_time(axes, Study(results).views(*family)[0], title, **options)
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=9, frameon=False)
        return figure

    return draw


def equalised(results):
    """Figures 11 and 12: the parking lot with congestion control, marks often and seldom."""
    study = Study(results)
    return side_by_side(
        [
            (study.views("fair")[0], "Fig. 11  Marking_Rate 1, CCTI_Timer 150"),
            (study.views("rate", 10)[0], "Fig. 12  Marking_Rate 10, CCTI_Timer 1500"),
        ]
    )


def one_set(results):
    """Figures 7 and 11 as the one set for Papers I to III has them."""
    study, _ = with_one_set(Study(results))
    options = {"labels": WAYS, "colours": HOST_COLOURS}
    figure, (one_switch, two) = panels(2, sharey=True)
    rates_over_time(one_switch, study.views("double")[0], "One switch, the set of Paper III", **options)
    rates_over_time(two, study.views("fair")[0], "Two switches, the set of Paper III")
    for axes in (one_switch, two):
        axes.legend(fontsize=8, frameon=False, loc="lower left", ncols=2)
    return figure


def thresholds(results):
    """Figure 4 with every packet marked, by the threshold."""
    study = Study(results)
    figure, axes = panels(len(ENTERS), sharey=True)
    for panel, kib in zip(axes, ENTERS, strict=True):
        view, title = study.views("all", kib)[0], f"threshold {kib} KiB"
        rates_over_time(panel, view, title, labels=WAYS, colours=HOST_COLOURS)
    return figure


def tree(results):
    """Figure 10: the shares of all sources in a 4-ary 3-tree where all send to one host."""
    found = shares(Study(results).views("tree", 4, 3)[0])
    figure, (axes,) = panels(1)
    numbers = [int(source[1:]) for source in found]
    axes.bar(numbers, list(found.values()), color=BLUE, width=0.8, zorder=3)
    for level, share in enumerate(tree_shares(4, 3)):
        axes.axhline(share, color=GREY, lw=0.8, ls=":")
        axes.text(63.5, share * 1.08, f"1/{1 / share:.0f}", ha="right", fontsize=8.5, color=GREY)
        axes.axvline(4 ** (level + 1) - 0.5, color=GREY, lw=0.6)
    axes.set(yscale="log", xlabel="source (host 0 receives)", ylabel="share of the last link", xlim=(0, 64))
    entitle(axes, "Fig. 10  4-ary 3-tree, 63 hosts send to one; dotted: fluid limit")
    return figure


FIGURES = {
    "fig3": one(("off",), "Fig. 3  One switch, no congestion control"),
    "fig4": one(("single",), "Fig. 4  One threshold"),
    "fig4-every": thresholds,
    "fig7": one(("double",), "Fig. 7  Two thresholds"),
    "fig9": one(("lot",), "Fig. 9  Two switches, no congestion control", switch=False),
    "fig10": tree,
    "fig11": equalised,
    "one-set": one_set,
}
NEEDS = {
    "fig3": ["off"],
    "fig4": ["single", "every"],
    "fig4-every": ["all_"],
    "fig7": ["double", "single"],
    "fig9": ["lot"],
    "fig10": ["tree"],
    "fig11": ["fair", "rate"],
    "one-set": ["one-", "single_"],
}
PLACES = {
    "fig3": [At("p2-fig3-reference", share=(0.02, 0.98), line="H1 to H4")],
    "fig10": [At("p2-fig10-tree-1-4", x=(0.5, 3.5))],
}
"""Where published numbers are drawn in the axes."""
