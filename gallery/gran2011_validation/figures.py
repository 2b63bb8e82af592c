"""The figures of the paper: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs."""

import numpy as np

from congestree.gallery.published import At

from ..common.plots import entitle, panels, percent
from ..gran_common.one_set import with_one_set
from ..gran_common.plots import FLOW_COLOURS, side_by_side
from ..gran_common.study import Study
from .claims import ALL, CONTRIBUTORS


def scenario_1(results):
    """Figure 7: a victim and four contributors, without and with congestion control."""
    study = Study(results)
    return side_by_side(
        [
            (study.views("s1off")[0], "Fig. 7  Scenario 1, no congestion control"),
            (study.views("s1on")[0], "with congestion control"),
        ]
    )


def scenario_2(results):
    """Figure 8: three flows over the link between the switches."""
    study = Study(results)
    return side_by_side(
        [
            (study.views("s2off")[0], "Fig. 8  Scenario 2, no congestion control"),
            (study.views("s2on")[0], "with congestion control"),
        ]
    )


def shares(results):
    """Figure 9: the shares of the link to H5."""
    study = Study(results)
    figure, both = panels(2, sharey=True)
    for axes, family, title in zip(
        both, ("s1off", "s1on"), ("Fig. 9  Without", "with congestion control"), strict=True
    ):
        view = study.views(family)[0]
        rates = np.array([view.series(flow) for flow in CONTRIBUTORS])
        total = np.maximum(rates.sum(axis=0), 1e-9)
        axes.stackplot(
            view.times() / view.phases[0][1],
            rates / total,
            colors=[FLOW_COLOURS[flow] for flow in CONTRIBUTORS],
            labels=CONTRIBUTORS,
            lw=0,
        )
        for level in (0.25, 0.5, 0.75):
            axes.axhline(level, color="white", lw=0.7, ls=":")
        axes.set(xlim=(1, ALL + 1), ylim=(0, 1), xlabel="time (phases)")
        entitle(axes, title)
    both[0].set_ylabel("share of the traffic to H5")
    percent(both[0].yaxis)
    figure.legend(*both[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def one_set(results):
    """Figures 7 and 8 with congestion control, as the one set for Papers I to III has them."""
    study, _ = with_one_set(Study(results))
    drawings = [(study.views(f"s{n}on")[0], f"Scenario {n}, the set of Paper III") for n in (1, 2)]
    return side_by_side(drawings)


FIGURES = {"fig7": scenario_1, "fig8": scenario_2, "fig9": shares, "one-set": one_set}
NEEDS = {"fig7": ["s1o"], "fig8": ["s2o"], "fig9": ["s1o"], "one-set": ["one-"]}
PLACES = {
    "fig7": [At("p1-fig7b-two-contributors-hw", share=(0.43, 0.58), panel=1, scale=0.5, line="F2")],
    "fig8": [At("p1-fig8a-three-equal", share=(0.70, 0.98), line="F2")],
    "fig9": [
        At("p1-fig9-fairness", x=(ALL + 0.15, ALL + 0.9), panel=1, scale=number)
        for number in range(1, len(CONTRIBUTORS))
    ],
}
"""Where published numbers are drawn in the axes: of two flows each has half of their sum, stacked shares are sums."""
