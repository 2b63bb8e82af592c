"""Figures of the paper: FIGURES[name](results) draws one, NEEDS[name] names the runs it needs.

Letters are those of the paper: a, b, c network #1 with patterns #1 to #3, d, e, f network #2, g, h, i network #3.
"""

from functools import partial

from congestree.gallery.published import At

from ..common.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, entitle, legend_below, panels, percent
from .claims.closer import SETTLED_MS, over_voqnet
from .claims.gains import single
from .claims.queues import ISOLATING, ports
from .claims.traces import ended, present, ratio
from .closer import FLOWS, LIVES_MS
from .runs import PORT
from .scenario import JUDGED, TECHNIQUES, nodes
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
WORDS = {"a": "set A: 15 % marked", "c": "set C: 85 % marked", "iii": "set III: 50 % marked, 150 µs"}
VARIANTS = {
    "digits": "ways by digits",
    "drawn": "ways drawn at random",
    "set a": "ways by digits, set A",
    "set c": "ways by digits, set C",
}
"""How programs were run."""
PLOTS = {letter: (1 + at // 3, 1 + at % 3) for at, letter in enumerate("abcdefghi")}
"""Letter -> network, pattern."""


def over_time(title, label, readings, techniques, views, series):
    """A panel for each reading: a series of every technique over time, mean over the seeds.

    ``views(technique, reading)`` are the runs, ``series(view)`` is the series of one.
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
    """A plot of a network with a pattern, in every reading that was run."""
    network, pattern = PLOTS[letter]
    title = f"Fig. {number}{letter}  Network #{network} ({nodes(network)} nodes), pattern #{pattern}"
    study = Study(results)
    runs = partial(study.runs, network, pattern)
    return over_time(title, label, study.readings(runs, techniques), techniques, runs, partial(series, network))


def throughput(results, letter):
    """Normalised throughput of every technique over time."""
    return plot(results, 7, letter, "normalised throughput", TECHNIQUES, lambda network, view: view.series())


def without(results, letter):
    """Share of ports without a free queue, over time."""
    label = "ports without a free HPQ"
    return plot(
        results, 10, letter, label, ISOLATING, lambda network, view: view.isolation("exhausted") / ports(network)
    )


def one_port(results, network):
    """Throughput where inputs are read one packet at a time."""
    study = Study(results)
    return over_time(
        f"Fig. 11  Network #{network}, pattern #2, one read port",
        "normalised throughput",
        study.readings(partial(study.port, network), PORT),
        PORT,
        partial(study.port, network),
        lambda view: view.series(),
    )


def programs(results, case):
    """Program times over those with 1VL, a panel for each routing; hatched: not finished, the bar is a bound."""
    study = Study(results)
    ways = present(study)
    figure, axes = panels(len(ways), sharey=True)
    for panel, way in zip(axes, ways, strict=True):
        entitle(panel, VARIANTS[way])
        for place, technique in enumerate(TECHNIQUES):
            colour, label = LOOK[technique]
            heights = [level(study, case, program, technique, way) for program in PROGRAMS]
            places = [number + 0.16 * (place - 2) for number in range(len(PROGRAMS))]
            bars = panel.bar(places, heights, 0.15, color=colour, label=label)
            for bar, program in zip(bars, PROGRAMS, strict=True):
                if not ended(study, case, program, technique, way):
                    bar.set(hatch="///", edgecolor="white")
        panel.set_xticks(range(len(PROGRAMS)), ["mpifft", "ring", "ptrans"])
    axes[0].set_ylabel("time over that of 1VL")
    crowd = {1: "nothing else", 2: "32 nodes to one", 3: "64 nodes to four"}[case]
    title = f"Fig. 8{'abc'[case - 1]}  SC{case}: programs on 256 nodes, {crowd}; hatched: not ended in {LIMIT_MS} ms"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def level(study, case, program, technique, way):
    """Time over that of 1VL, or its bound."""
    found = ratio(study, case, program, technique, "1vl", way)
    return float(found) if not isinstance(found, str) else 1.0 if found == "neither ended" else float(found.split()[1])


def table3(results):
    """Average gains of both hybrids in [1, 2] ms, each in its own kind of switch; dots: the paper's."""
    study = Study(results)
    figure, axes = panels(2, sharey=True)
    for panel, network in zip(axes, (1, 2), strict=True):
        paper = [gains[network - 1] for gains in GAINS.values()]
        panel.plot(range(len(GAINS)), paper, "o", color=BLUE, label="paper", zorder=5)
        panel.set_xticks(range(len(GAINS)), [f"over {LOOK[over][1]}" for over in GAINS])
        panel.set_yscale("symlog", linthresh=1)
        run = network in study.networks(patterns=(2,))
        entitle(panel, f"network #{network} ({nodes(network)} nodes){'' if run else ': not run here'}")
        if not run:
            continue
        for place, reading in enumerate(study.readings(partial(study.runs, network, 2))):
            gains = [float(study.gain(network, 2, "ecocc", over, reading)) for over in GAINS]
            places = [number + 0.26 * (place - 1) for number in range(len(GAINS))]
            panel.bar(
                places, gains, 0.24, color=(VERMILION, ORANGE, GREY)[place], label=f"EcoCC, set {reading.upper()}"
            )
        gains = [float(single(study, over, network)) for over in GAINS]
        panel.plot(range(len(GAINS)), gains, "x", color=PURPLE, label=f"CCFIT, set {JUDGED.upper()}")
    axes[0].set_ylabel("average gain")
    figure.suptitle("Table 3  Average gains in pattern #2", x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def dynamics(results):
    """Throughput over that of VOQnet, by how long hot nodes are hot."""
    figure, axes = panels(1)
    for label, ratios in over_voqnet(Study(results)).items():
        colour, name = LOOK[label.split(",")[0]]
        axes[0].plot(LIVES_MS, ratios, "o-", color=colour, label=name)
    axes[0].set_xscale("log")
    axes[0].invert_xaxis()
    axes[0].set_xticks(LIVES_MS, [str(life) for life in LIVES_MS])
    axes[0].minorticks_off()
    axes[0].set_xlabel("hot nodes are hot for, ms")
    axes[0].set_ylabel("throughput over that of VOQnet")
    axes[0].set_ylim(0, None)
    figure.suptitle(f"Fig. 2  Hot nodes that change, network #1, set {JUDGED.upper()}", x=0.01, ha="left", fontsize=11)
    return legend_below(figure, axes[0])


def thirds(results):
    """Shares of a link of the hot and the cold flows."""
    view = Study(results).views("sharing")[0]
    figure, axes = panels(1)
    for place, (a, b) in enumerate(FLOWS.items()):
        share = view.mean(SETTLED_MS, f"{a}{b}") * view.nodes
        axes[0].bar(place, share, 0.6, color=VERMILION if b == "X" else BLUE)
    axes[0].axhline(1 / 3, color=GREY, lw=0.8)
    axes[0].set_xticks(range(len(FLOWS)), [f"{a} to {b}" for a, b in FLOWS.items()])
    axes[0].set_ylabel("share of a link")
    percent(axes[0].yaxis)
    figure.suptitle("Fig. 1  Cold flows fall to the rate of hot ones", x=0.01, ha="left", fontsize=11)
    return figure


def _needs(letter, techniques):
    network, pattern = PLOTS[letter]
    return [f"net_n-{network}_pattern-{pattern}_by-{technique}_" for technique in techniques]


TRIED = [f"trace_case-1_program-mpifft_by-{TECHNIQUES[0]}_", "program_"]
"""Runs that show which variants were run."""
GAINS = {"1vl": (0.58, 0.83), "ib-ith": (0.55, 0.75), "hfdi": (0.29, 0.43), "voqnet": (0, 0)}
"""Technique -> gain of EcoCC over it in the paper, networks #1 and #2."""
FIGURES = {"fig1": thirds, "fig2": dynamics}
FIGURES |= {f"fig7{letter}": lambda results, letter=letter: throughput(results, letter) for letter in PLOTS}
FIGURES |= {f"fig10{letter}": lambda results, letter=letter: without(results, letter) for letter in PLOTS}
FIGURES |= {f"fig8{'abc'[case - 1]}": lambda results, case=case: programs(results, case) for case in CROWDS}
FIGURES |= {f"fig11{'ab'[n - 1]}": lambda results, n=n: one_port(results, n) for n in (1, 2)}
FIGURES |= {"table3": table3}
NEEDS = {"fig1": ["sharing_"], "fig2": ["moving_"]}
NEEDS |= {f"fig7{letter}": _needs(letter, TECHNIQUES) for letter in PLOTS}
NEEDS |= {f"fig10{letter}": _needs(letter, ISOLATING) for letter in PLOTS}
NEEDS |= {f"fig11{'ab'[n - 1]}": [f"port_n-{n}_", f"ports_n-{n}_"] for n in (1, 2)}
NEEDS |= {f"fig8{'abc'[case - 1]}": [f"trace_case-{case}_", *TRIED] for case in CROWDS}
NEEDS |= {"table3": [f"net_n-{n}_pattern-2_" for n in (1, 2)] + ["port_", "ports_", "cause_"]}


def over_1vl(claim, program, technique):
    """The gain of a program over 1VL, at its bar of figure 8a."""
    x = PROGRAMS.index(program) + 0.16 * (TECHNIQUES.index(technique) - 2)
    return At(claim, x=x, offset=1.0, scale=-1.0, line=LOOK[technique][1])


PLACES = {
    "fig1": [At("p6-fig1-third", x=(-0.4, len(FLOWS) - 0.6))],
    "fig8a": [
        At("p6-fig8-mpifft-flat", x=(-0.4, 0.4)),
        over_1vl("p6-fig8a-beff-voqnet", "ring", "voqnet"),
        over_1vl("p6-fig8a-ptrans-voqnet", "ptrans", "voqnet"),
        over_1vl("p6-fig8a-beff-ecocc", "ring", "ecocc"),
        over_1vl("p6-fig8a-ptrans-ecocc", "ptrans", "ecocc"),
    ],
    "table3": [f"p6-table3-ecocc-{over.replace('-', '')}-net{n}" for over in list(GAINS)[:3] for n in (1, 2)],
}
"""Where published numbers are drawn in the axes; those of Table 3 are dots."""
