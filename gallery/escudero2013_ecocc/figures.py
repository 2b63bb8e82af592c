"""Figures of the paper: FIGURES[name](results) draws one, NEEDS[name] says from which runs.

Letters are those of the paper: a, b, c network #1 with patterns #1 to #3, d, e, f network #2, g, h, i network #3.
"""

from ..common.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, entitle, panels, percent
from .claims_queues import ISOLATING, ports
from .runs import PORT
from .scenario import READINGS, TECHNIQUES, nodes
from .study import Study

LOOK = {
    "1vl": (GREY, "1VL"),
    "ib-ith": (ORANGE, "IB-ITh"),
    "hfdi": (BLUE, "HFDI"),
    "ecocc": (VERMILION, "EcoCC"),
    "ccfit": (PURPLE, "CCFIT"),
    "voqnet": (GREEN, "VOQnet"),
}
WORDS = {"a": "set A: 15 % marked", "c": "set C: 85 % marked"}
PLOTS = {letter: (1 + at // 3, 1 + at % 3) for at, letter in enumerate("abcdefghi")}
"""Letter -> network, pattern."""


def mean(views, series):
    """Mean over seeds."""
    return sum(series(view) for view in views) / len(views)


def legend(figure, axes):
    """One legend for all panels."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
    return figure


def frame(title, readings, label):
    """A panel for each reading."""
    figure, axes = panels(len(readings), sharey=True)
    for panel, reading in zip(axes, readings, strict=True):
        entitle(panel, WORDS[reading])
        panel.set_xlabel("time, ms")
        percent(panel.yaxis)
    axes[0].set_ylabel(label)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure, axes


def throughput(results, letter):
    """Normalised throughput of every technique over time."""
    network, pattern = PLOTS[letter]
    study = Study(results)
    readings = READINGS if network < 3 else ("a",)
    title = f"Fig. 7{letter}  Network #{network} ({nodes(network)} nodes), pattern #{pattern}"
    figure, axes = frame(title, readings, "normalised throughput")
    for reading, panel in zip(readings, axes, strict=True):
        for technique in TECHNIQUES:
            colour, label = LOOK[technique]
            views = study.runs(network, pattern, technique, reading)
            panel.plot(views[0].times(), mean(views, lambda view: view.series()), color=colour, lw=1.2, label=label)
    axes[0].set_ylim(0, None)
    return legend(figure, axes[0])


def without(results, letter):
    """Share of ports without a free queue, over time."""
    network, pattern = PLOTS[letter]
    study = Study(results)
    readings = READINGS if network < 3 else ("a",)
    title = f"Fig. 10{letter}  Network #{network} ({nodes(network)} nodes), pattern #{pattern}"
    figure, axes = frame(title, readings, "ports without a free HPQ")
    for reading, panel in zip(readings, axes, strict=True):
        for technique in ISOLATING:
            colour, label = LOOK[technique]
            views = study.runs(network, pattern, technique, reading)
            share = mean(views, lambda view: view.isolation("full")) / ports(network)
            panel.plot(views[0].times(), share, color=colour, lw=1.2, label=label)
    axes[0].set_ylim(0, None)
    return legend(figure, axes[0])


def one_port(results, network):
    """Throughput where inputs are read one packet at a time."""
    study = Study(results)
    figure, axes = frame(f"Fig. 11  Network #{network}, pattern #2, one read port", ("a",), "normalised throughput")
    for technique in PORT:
        colour, label = LOOK[technique]
        views = study.views("port", network, technique)
        axes[0].plot(views[0].times(), mean(views, lambda view: view.series()), color=colour, lw=1.2, label=label)
    axes[0].set_ylim(0, None)
    return legend(figure, axes[0])


def _needs(letter, techniques):
    network, pattern = PLOTS[letter]
    return [f"net_n-{network}_pattern-{pattern}_by-{technique}_" for technique in techniques]


FIGURES = {f"fig7{letter}": lambda results, letter=letter: throughput(results, letter) for letter in PLOTS}
FIGURES |= {f"fig10{letter}": lambda results, letter=letter: without(results, letter) for letter in PLOTS}
FIGURES |= {f"fig11{'ab'[n - 1]}": lambda results, n=n: one_port(results, n) for n in (1, 2)}
NEEDS = {f"fig7{letter}": _needs(letter, TECHNIQUES) for letter in PLOTS}
NEEDS |= {f"fig10{letter}": _needs(letter, ISOLATING) for letter in PLOTS}
NEEDS |= {f"fig11{'ab'[n - 1]}": [f"port_n-{n}_"] for n in (1, 2)}
