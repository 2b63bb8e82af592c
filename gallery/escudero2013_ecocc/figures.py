"""Figures of the paper: FIGURES[name](results) draws one, NEEDS[name] says from which runs.

Letters are those of the paper: a, b, c network #1 with patterns #1 to #3, d, e, f network #2, g, h, i network #3.
"""

from functools import partial

from ..common.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, entitle, legend_below, panels, percent
from .claims_queues import ISOLATING, ports
from .claims_traces import ended, present, ratio
from .runs import PORT
from .scenario import READINGS, TECHNIQUES, nodes
from .study import Study
from .traces import CROWDS, LIMIT_MS, PROGRAMS

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


def over_time(title, label, readings, techniques, views, series):
    """A panel for each reading: a series of every technique over time, mean over the seeds.

    ``views(technique, reading)`` are the runs, ``series(view)`` is what is shown of one.
    """
    figure, axes = panels(len(readings), sharey=True)
    for panel, reading in zip(axes, readings, strict=True):
        for technique in techniques:
            colour, name = LOOK[technique]
            seeds = views(technique, reading)
            mean = sum(series(view) for view in seeds) / len(seeds)
            panel.plot(seeds[0].times(), mean, color=colour, lw=1.2, label=name)
        entitle(panel, WORDS[reading])
        panel.set_xlabel("time, ms")
        percent(panel.yaxis)
    axes[0].set_ylabel(label)
    axes[0].set_ylim(0, None)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def plot(results, number, letter, label, techniques, series):
    """A plot of a network with a pattern; only set A was run on the largest network."""
    network, pattern = PLOTS[letter]
    title = f"Fig. {number}{letter}  Network #{network} ({nodes(network)} nodes), pattern #{pattern}"
    readings = READINGS if network < 3 else ("a",)
    runs = Study(results).runs
    return over_time(title, label, readings, techniques, partial(runs, network, pattern), partial(series, network))


def throughput(results, letter):
    """Normalised throughput of every technique over time."""
    return plot(results, 7, letter, "normalised throughput", TECHNIQUES, lambda network, view: view.series())


def without(results, letter):
    """Share of ports without a free queue, over time."""
    label = "ports without a free HPQ"
    return plot(results, 10, letter, label, ISOLATING, lambda network, view: view.isolation("full") / ports(network))


def one_port(results, network):
    """Throughput where inputs are read one packet at a time."""
    study = Study(results)
    return over_time(
        f"Fig. 11  Network #{network}, pattern #2, one read port",
        "normalised throughput",
        ("a",),
        PORT,
        lambda technique, reading: study.views("port", network, technique),
        lambda view: view.series(),
    )


def programs(results, case):
    """Times of the programs over those with 1VL, a panel for each way; hatched: had not ended, the bar is a bound."""
    study = Study(results)
    ways = present(study)
    figure, axes = panels(len(ways), sharey=True)
    for panel, way in zip(axes, ways, strict=True):
        entitle(panel, {"digits": "ways by digits", "drawn": "ways drawn at random"}[way])
        for place, technique in enumerate(TECHNIQUES):
            colour, label = LOOK[technique]
            heights = [level(study, case, program, technique, way) for program in PROGRAMS]
            places = [number + 0.16 * (place - 2) for number in range(len(PROGRAMS))]
            bars = panel.bar(places, heights, 0.15, color=colour, label=label)
            for bar, program in zip(bars, PROGRAMS, strict=True):
                if not ended(study, case, program, technique, way):
                    bar.set(hatch="///", edgecolor="white")
        panel.set_xticks(range(len(PROGRAMS)), ["mpifft", "b_eff natural ring", "ptrans"])
    axes[0].set_ylabel("time over that of 1VL")
    crowd = {1: "nothing else", 2: "32 nodes to one", 3: "64 nodes to four"}[case]
    title = f"Fig. 8{'abc'[case - 1]}  SC{case}: programs on 256 nodes, {crowd}; hatched: not ended in {LIMIT_MS} ms"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def level(study, case, program, technique, way):
    """Time over that of 1VL, or its bound."""
    found = ratio(study, case, program, technique, "1vl", way)
    return float(found) if not isinstance(found, str) else 1.0 if found == "neither ended" else float(found.split()[1])


def _needs(letter, techniques):
    network, pattern = PLOTS[letter]
    return [f"net_n-{network}_pattern-{pattern}_by-{technique}_" for technique in techniques]


FIGURES = {f"fig7{letter}": lambda results, letter=letter: throughput(results, letter) for letter in PLOTS}
FIGURES |= {f"fig10{letter}": lambda results, letter=letter: without(results, letter) for letter in PLOTS}
FIGURES |= {f"fig8{'abc'[case - 1]}": lambda results, case=case: programs(results, case) for case in CROWDS}
FIGURES |= {f"fig11{'ab'[n - 1]}": lambda results, n=n: one_port(results, n) for n in (1, 2)}
NEEDS = {f"fig7{letter}": _needs(letter, TECHNIQUES) for letter in PLOTS}
NEEDS |= {f"fig10{letter}": _needs(letter, ISOLATING) for letter in PLOTS}
NEEDS |= {f"fig11{'ab'[n - 1]}": [f"port_n-{n}_"] for n in (1, 2)}
NEEDS |= {f"fig8{'abc'[case - 1]}": [f"trace_case-{case}_", "trace_case-1_program-mpifft_by-1vl_"] for case in CROWDS}
