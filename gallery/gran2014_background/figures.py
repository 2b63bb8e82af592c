"""Figures about the thesis: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs."""

import numpy as np

from congestree.evaluation import trees
from congestree.gallery.published import At

from ..common.plots import BLUE, GREEN, GREY, VERMILION, entitle, panels, percent
from ..gran_common.study import Study
from .measures import fill_at_entry, hot_share, link_shares
from .runs import KINDS, QUEUES, WEIGHED_BUFFER, WEIGHTS

WORDS = {
    "single": "one FIFO\nan input",
    "voq": "a queue\nan output",
    "net": "a queue and credits\na destination",
    "hfdi": "hot flows\nset aside",
}


def tree_and_victim(results):
    """Figure 2.4: the three hot flows and the cold one, by the queues of the switches."""
    study = Study(results)
    figure, (axes,) = panels(1)
    for place, queues in enumerate(QUEUES):
        view = study.views("cold", queues)[0]
        axes.bar(place - 0.2, hot_share(view), width=0.36, color=VERMILION, label="three hot flows, sum", zorder=3)
        axes.bar(place + 0.2, link_shares(view)["cold"], width=0.36, color=GREEN, label="cold flow", zorder=3)
    axes.set(xticks=range(len(QUEUES)), xticklabels=[WORDS[queues] for queues in QUEUES], ylim=(0, 1.1))
    axes.set_ylabel("share of a host's link")
    percent(axes.yaxis)
    entitle(axes, "Fig. 2.4  Congestion holds a cold flow back, and what queues change")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[:2], labels[:2], loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def weights(results):
    """Section 2.3.2: the meaning of a weight of the threshold."""
    study = Study(results)
    figure, (axes,) = panels(1)
    fill = [fill_at_entry(study.views("burst", weight)[0]) / 1024 for weight in WEIGHTS]
    line = [(16 - weight) * WEIGHED_BUFFER / 16 / 1024 for weight in WEIGHTS]
    axes.plot(WEIGHTS, line, color=GREY, lw=1.0, ls="--", label="(16 - weight)/16 of the buffer")
    axes.plot(WEIGHTS, fill, color=BLUE, marker="o", ls="", ms=5, label="longest queue at entry")
    axes.set(xlabel="weight", ylabel="KiB", ylim=(0, None), xticks=WEIGHTS)
    entitle(axes, "Threshold  When the congestion state is entered, buffer of 256 KiB")
    axes.legend(frameon=False, fontsize=9)
    return figure


def forests(results):
    """Section 2.2 and Paper IV, section III: how many trees a forest has over time, and how many links they hold."""
    study = Study(results)
    figure, panel = panels(3, sharey=True)
    for axes, kind in zip(panel, KINDS, strict=True):
        (view,) = study.views("forest", kind)
        facts = trees.summary(view.run)
        times = np.array(trees.sample_times(view.run))
        table = view.run.arrow("trees")
        sample = np.rint(table["time"].to_numpy() / facts["every_s"]).astype(int) - 1
        held = np.bincount(sample, weights=table["branches"].to_numpy(), minlength=len(times))
        number = np.bincount(sample, minlength=len(times))
        axes.plot(1e3 * times, held, color=VERMILION, lw=1.0, label="links held")
        axes.plot(1e3 * times, number, color=BLUE, lw=1.0, label="trees")
        axes.set(xlabel="time (ms)", xlim=(0, 1e3 * times[-1]))
        share, largest = facts["place_presence"], facts["trees"][0]["steadiness"]
        entitle(axes, f"{kind}: roots stay {share:.0%}, branches {largest:.0%}")
    panel[0].set_ylabel("number")
    panel[0].set_ylim(bottom=0)
    figure.legend(*panel[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


FIGURES = {"fig2.4": tree_and_victim, "threshold": weights, "forests": forests}
NEEDS = {"fig2.4": ["cold"], "threshold": ["burst"], "forests": ["forest"]}
PLACES = {"fig2.4": [At("thesis-s2.3.1-voqnet", x=QUEUES.index("net") + 0.2, line="cold")]}
"""Where published numbers are drawn in the axes."""
