"""The figures of the paper: FIGURES[number](results) draws one, NEEDS[number] names the runs it needs."""

import numpy as np

from congestree.gallery.published import At
from congestree.gallery.shipped import texts_of

from ..common.plots import BLACK, GREY, SKY, VERMILION, entitle, panels, percent
from ..gran_common.plots import FLOW_COLOURS, rates_over_time, side_by_side
from ..gran_common.study import Study
from . import hpcc, surfaces
from .claims_over_time import message_rate
from .hpcc import Table3, by_state, over_pairs
from .measures import CONTRIBUTORS, CROWD, sample_s, samples
from .runs import DRAIN, INJECT

GROUP = 2
"""Bins averaged to a point of a curve: a fiftieth of a phase."""
STATE_COLOURS = {"alone": BLACK, "off": VERMILION, "on": SKY}
STATE_WORDS = {"alone": "F1 alone", "off": "no congestion control", "on": "congestion control"}


def figure7a(results):
    """Scenario 1 without congestion control."""
    view = Study(results).views("off")[0]
    figure = side_by_side([(view, "Fig. 7(a)  Scenario 1, no congestion control")])
    for line, width in zip(figure.axes[0].lines, (7.5, 5.4, 3.4, 4, 1.4), strict=True):
        line.set_linewidth(width)  # flows that go equally fast lie on one another
    return figure


def figure7b(results):
    """Scenario 1 with congestion control."""
    view = Study(results).views("on")[0]
    return side_by_side([(view, "Fig. 7(b)  Scenario 1, congestion control, Table I", {"group": GROUP})])


def figure8(results):
    """How the contributors share the link of H5, as stacked areas."""
    study = Study(results)
    figure, both = panels(2, sharey=True)
    for axes, (family, title) in zip(
        both,
        (("off", "Fig. 8  Shares of the link of H5, no congestion control"), ("on", "Congestion control")),
        strict=True,
    ):
        view = study.views(family)[0]
        rates = np.array([samples(view, flow, (view.starts["F2"], view.end)) for flow in CONTRIBUTORS])
        time = np.linspace(view.starts["F2"], view.end, rates.shape[1] + 1)
        parts = np.repeat(rates / rates.sum(axis=0), 2, axis=1)
        edges = np.repeat(time, 2)[1:-1]
        axes.stackplot(edges, parts, colors=[FLOW_COLOURS[f] for f in CONTRIBUTORS], labels=CONTRIBUTORS, alpha=0.85)
        for line in (1 / 6, 1 / 3, 2 / 3) if family == "off" else (0.25, 0.5, 0.75):
            axes.axhline(line, color="white", lw=0.9, ls=":")
        axes.set(xlim=(view.starts["F2"], view.end), ylim=(0, 1), xlabel="time (s)")
        percent(axes.yaxis)
        entitle(axes, title)
    both[0].set_ylabel("share")
    figure.legend(*both[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


def figure9(results):
    """F1 by size of the messages, all five flows active."""
    study = Study(results)
    figure, both = panels(2, sharey=True)
    for axes, (of, title) in zip(
        both, (("F1", "Fig. 9  F1 beside F2 to F5: messages of F1"), ("all", "messages of all flows")), strict=True
    ):
        for state, colour in STATE_COLOURS.items():
            sizes = study.axis("message", 2)
            rates = [message_rate(study.views("message", of, state, size)[0], "F1", size) for size in sizes]
            style = {"lw": 4, "alpha": 0.3} if state == "alone" else {"lw": 1.4, "marker": "o", "ms": 4}
            axes.plot(sizes, rates, color=colour, label=STATE_WORDS[state], **style)
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**p for p in range(9, 21, 2)], ["512 B", "2 K", "8 K", "32 K", "128 K", "512 K"])
        axes.set(ylim=(0, 15), xlabel="message")
        entitle(axes, title)
    both[0].set_ylabel("payload of F1 (Gbit/s)")
    both[0].legend(frameon=False, fontsize=9, loc="center right")
    return figure


def table2(results):
    """Scenario 2 over time, without and with congestion control, and the spread of its samples."""
    study = Study(results)
    off, on = study.views("crowd-off")[0], study.views("crowd-on")[0]
    figure, (left, middle, right) = panels(3, sharey=True)
    rates_over_time(left, off, "Table II  Scenario 2, no congestion control")
    rates_over_time(middle, on, "congestion control", group=10)
    entitle(right, f"samples of {1e3 * sample_s(on):g} ms, all three active")
    for at, flow in enumerate(CROWD):
        for view, shift, colour in ((off, -0.15, VERMILION), (on, 0.15, SKY)):
            values = samples(view, flow, view.plateau(2))
            right.plot(np.full(len(values), at + shift), values, "o", ms=3, color=colour, alpha=0.5)
            right.plot(at + shift, values.mean(), "_", ms=16, mew=2, color=colour)
    right.set_xticks(range(3), CROWD)
    right.set_xlim(-0.6, 2.6)
    for axes in (middle, right):
        axes.set_ylabel("")
    right.plot([], [], "o", color=VERMILION, label="no congestion control")
    right.plot([], [], "o", color=SKY, label="congestion control")
    right.legend(frameon=False, fontsize=8.5, loc="lower left")
    left.legend(frameon=False, fontsize=8.5, loc="lower right", ncols=3)
    return figure


TABLE_3 = {
    "ping-pong latency": "p3-table3-avg-ping-pong-lat",
    "natural ring latency": "p3-table3-nat-ring-lat",
    "ping-pong bandwidth": "p3-table3-avg-ping-pong-bw",
    "natural ring bandwidth": "p3-table3-nat-ring-bw",
    "PTRANS": "p3-table3-ptrans",
}
"""Rows of Table III, and the claims that have their published values in (a), (b), (c)."""


def table3(results):
    """Rows of Table III relative to (a): ours and the paper's."""
    study = Study(results)
    here = {
        "ping-pong latency": [over_pairs(hpcc.INSIDE_US, us) for us in by_state(study, Table3.ping_pong_us)],
        "natural ring latency": by_state(study, lambda table: table.exchange_us(hpcc.NATURAL, "small")),
        "ping-pong bandwidth": [over_pairs(hpcc.INSIDE_MB_S, r) for r in by_state(study, Table3.ping_pong_mb_s)],
        "natural ring bandwidth": by_state(study, lambda table: table.ring_mb_s(hpcc.NATURAL)),
        "PTRANS": by_state(study, Table3.ptrans_gb_s),
    }
    figure, (axes,) = panels(height=4.2, width=8.6)
    texts = texts_of("gran2010-hardware")
    for position, (row, claim) in enumerate(TABLE_3.items()):
        published = texts[claim]["target"]
        for shift, values, filled in ((-0.2, here[row], True), (0.2, published, False)):
            for offset, index, colour in ((-0.09, 1, VERMILION), (0.09, 2, SKY)):
                axes.bar(
                    position + shift + offset,
                    values[index] / values[0] - 1,
                    0.16,
                    bottom=1,
                    color=colour if filled else "white",
                    edgecolor=colour,
                    hatch=None if filled else "////",
                )
                ratio = values[index] / values[0]
                axes.annotate(
                    f"{ratio:.2g}",
                    (position + shift + offset, ratio),
                    (0, 3 if ratio >= 1 else -3),
                    textcoords="offset points",
                    ha="center",
                    va="bottom" if ratio >= 1 else "top",
                    fontsize=7.5,
                )
    axes.axhline(1, color=GREY, lw=0.8)
    axes.set_yscale("log", base=2)
    axes.set_ylim(0.125, 10)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xticks(range(len(TABLE_3)), [row.replace(" ", "\n", 1) for row in TABLE_3])
    axes.set_ylabel("relative to no congestion")
    entitle(axes, "Table III  Filled: replayed messages; hatched: the paper's hardware and programs")
    for colour, label in ((VERMILION, "(b) congested"), (SKY, "(c) congestion control")):
        axes.bar([0], [0], bottom=1, color=colour, label=label)
    axes.legend(frameon=False, fontsize=9)
    return figure


def figure13(results):
    """Scenario 1 with the slowest timer."""
    study = Study(results)
    return side_by_side(
        [
            (study.views("slow")[0], "Fig. 13  Scenario 1, CCTI_Timer 2000", {"group": GROUP}),
            (study.views("on")[0], "CCTI_Timer 150, for comparison", {"group": GROUP}),
        ]
    )


def thresholds(results):
    """F1 and the contributors by Threshold; both tables of idle times and the longer one."""
    study = Study(results)
    figure, (axes,) = panels()
    weights = study.axis("threshold", 0)
    views = {weight: study.views("threshold", weight) for weight in weights}
    for flow, colour in FLOW_COLOURS.items():
        rates = [np.mean([view.rate(flow, -1) for view in views[weight]]) for weight in weights]
        axes.plot(weights, rates, color=colour, marker="o", ms=4, label=flow)
    total = [np.mean([view.rates(CONTRIBUTORS, -1).sum() for view in views[weight]]) for weight in weights]
    axes.plot(weights, total, color=GREY, marker="s", ms=4, label="F2 to F5")
    for level, colour in ((INJECT, FLOW_COLOURS["F1"]), (DRAIN, GREY)):
        axes.axhline(level, color=colour, lw=0.8, ls=":")
    axes.set(xlabel="Threshold (15: mark early)", ylabel="payload (Gbit/s)", ylim=(0, 15))
    entitle(axes, "Section VII.A  All five flows, Threshold 1 to 15")
    axes.legend(frameon=False, fontsize=9, ncols=2, loc=(0.6, 0.42))
    return figure


FIGURES = {
    "fig7a": figure7a,
    "fig7b": figure7b,
    "fig8": figure8,
    "fig9": figure9,
    "table2": table2,
    "table3": table3,
    "thresholds": thresholds,
    "fig11": surfaces.figure11,
    "fig12": surfaces.figure12,
    "fig13": figure13,
    "fig14": surfaces.figure14,
    "sweetspot": surfaces.sweet_spot,
}

NEEDS = {
    "fig7a": ["off_"],
    "fig7b": ["on_", "bus_"],
    "fig8": ["off_", "on_"],
    "fig9": ["message_"],
    "table2": ["crowd-"],
    "table3": ["hpcc_"],
    "thresholds": ["threshold_"],
    "fig11": ["grid_weight-15_"],
    "fig12": ["grid_weight-15_"],
    "fig13": ["slow_", "on_"],
    "fig14": ["grid_weight-15_"],
    "sweetspot": ["grid_", "on_"],
}


def phase(number, of=5):
    """The plateau after this many flows have joined, as shares of the time axis."""
    return (number + 0.15) / of, (number + 0.9) / of


PLACES = {
    "fig7a": [
        At("p3-fig7a-f1-alone", share=phase(0), line="F1"),
        At("p3-fig7a-f2-added", share=phase(1), line="F2"),
        At("p3-fig7a-f3-added", share=phase(2), line="F3"),
        At("p3-fig7a-f4-added", share=phase(3), line="F3", part=0),
        At("p3-fig7a-f4-added", share=phase(3), line="F4", part=1),
        At("p3-fig7a-f5-added", share=phase(4), line="F3", part=0),
        At("p3-fig7a-f5-added", share=phase(4), line="F5", part=1),
    ],
    "fig7b": [At("p3-fig7b-victim", share=(0.02, 0.98), line="F1")],
    "fig8": [
        *(At("p3-fig8-nocc-skew", share=phase(3, 4), part=tuple(range(n))) for n in (1, 2, 3)),
        *(At("p3-fig8-cc-equal", share=phase(3, 4), panel=1, scale=n) for n in (1, 2, 3)),
    ],
    "table2": [At("p3-table2-off-mean", x=(-0.4, 2.4), panel=2, scale=1e-3, line="no congestion control")],
    "table3": [*TABLE_3.values()],
}
"""Where published numbers are drawn in the axes; stacked shares are sums."""
