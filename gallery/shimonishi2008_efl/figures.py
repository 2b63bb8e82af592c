"""The figures of the paper, 6 to 12, and how the main results depend on the parameters that it leaves open."""

import numpy as np

from congestree.gallery.published import At
from congestree.quantities import seconds

from ..common.plots import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, entitle, panels
from ..common.study import Missing
from .claims_on_off import Pool, p95, within_1ms
from .runs import VARIED
from .scenario import ALGORITHMS, COMMON, RATE
from .study import Draw, Study

NAMES = {
    "proposed": "Proposed",
    "bwprobe": "BW probe",
    "plain": "Plain",
    "tcp": "TCP, no slow start",
    "tcpslow": "TCP",
}
COLOURS = {"proposed": VERMILION, "bwprobe": BLUE, "plain": GREEN, "tcp": BLACK, "tcpslow": PURPLE}
GROUPS = {"1": (0, 0), "2-3": (1, 2), "4-7": (3, 6), "8-15": (7, 14), "16-31": (15, 30)}

FIRST = Draw(None, 0)
"""When flows start in the runs that are drawn."""


def figure6(results):
    """Round-trip times: actual, measured, predicted."""
    study = Study(results)
    figure, both = panels(2, sharey=True)
    for axes, name, title in (
        (both[0], "fig6_proposed", "Fig. 6  Two more flows join at 10 ms"),
        (both[1], "fig6_literal", "Eq. (4) with the rate of now"),
    ):
        view = study.view(name)
        time, value = view.actual
        axes.plot((time - FIRST.join) * 1e3, value * 1e6, color=BLACK, lw=2, label="actual")
        states = view.states(0)
        for kind, colour in (("measured", BLUE), ("predicted", VERMILION)):
            axes.plot(
                (states["time"] - FIRST.join) * 1e3, states[kind] * 1e6, color=colour, lw=1, label=f"{kind} (flow 1)"
            )
        axes.set(xlim=(-0.2, 2), xlabel="time since the join (ms)")
        entitle(axes, title)
    both[0].set_ylabel("round-trip time (us)")
    both[0].legend(frameon=False, fontsize=8.5)
    return figure


def draw_rates(axes, view, title):
    """Delivered rates of the flows, in half milliseconds, by group."""
    time, rates = view.delivered
    per = round(0.5e-3 / (time[1] - time[0]))
    bins = len(time) // per
    coarse = rates[: bins * per].reshape(bins, per, -1).mean(axis=1) / 1e9
    middles = (np.arange(bins) + 0.5) * 0.5
    for (label, (first, last)), colour in zip(GROUPS.items(), (BLACK, VERMILION, GREEN, BLUE, ORANGE), strict=True):
        for flow in range(first, last + 1):
            axes.plot(middles, coarse[:, flow], color=colour, lw=0.7 if last > first else 1.4)
        axes.plot([], [], color=colour, label=f"flow {label}" if last == first else f"flows {label}")
    axes.set(xlim=(0, 60), ylim=(0, 10.5), xlabel="time (ms)")
    entitle(axes, title)


def figure7(results):
    """Plain: delivered rates of 31 flows that join in steps."""
    figure, (axes,) = panels()
    draw_rates(axes, Study(results).view("steps_plain"), "Fig. 7  Plain")
    axes.set_ylabel("delivered (Gbit/s), 0.5 ms")
    axes.legend(frameon=False, fontsize=8.5)
    return figure


def figure8(results):
    """BW probe and Proposed: delivered rates of 31 flows that join in steps."""
    study = Study(results)
    figure, both = panels(2, sharey=True)
    draw_rates(both[0], study.view("steps_bwprobe"), "Fig. 8  BW probe")
    draw_rates(both[1], study.view("steps_proposed"), "Proposed")
    both[0].set_ylabel("delivered (Gbit/s), 0.5 ms")
    both[1].legend(frameon=False, fontsize=8.5)
    return figure


def figure9(results):
    """Queueing delay in the steps, and at the first of them."""
    study = Study(results)
    figure, both = panels(2)
    for algorithm in ("plain", "bwprobe", "proposed"):
        time, mean, _ = study.view(f"steps_{algorithm}").delay(0, 0.06)
        for axes in both:
            axes.plot(time * 1e3, mean * 1e6, color=COLOURS[algorithm], lw=0.9, label=NAMES[algorithm])
    both[0].set(xlim=(0, 60), xlabel="time (ms)", ylabel="queueing delay (us)")
    both[1].set(xlim=(9.8, 12), xlabel="time (ms)")
    entitle(both[0], "Fig. 9  Queueing delay at the trunk")
    entitle(both[1], "when flows 2 and 3 join")
    both[1].legend(frameon=False, fontsize=8.5)
    return figure


def figure10(results):
    """Transfer time against size."""
    study = Study(results)
    figure, four = panels(4, sharex=True, sharey=True, width=9)
    for axes, algorithm in zip(four, ("plain", "bwprobe", "proposed", "tcp"), strict=True):
        pool = Pool(study, algorithm)
        colour = COLOURS[algorithm]
        axes.scatter(pool.bytes / 1e3, pool.time * 1e3, s=1, color=colour, alpha=0.25, lw=0, rasterized=True)
        size = np.geomspace(1e4, 1e7, 50)
        axes.plot(size / 1e3, (size * 8 / RATE + 50e-6) * 1e3, color=GREY, lw=1, label="alone, at line rate")
        axes.set(xscale="log", yscale="log", xlabel="size (kB)")
        entitle(axes, NAMES[algorithm])
    four[0].set_ylabel("Fig. 10  transfer time (ms)")
    four[0].legend(frameon=False, fontsize=8)
    return figure


def figure11(results):
    """Distribution of transfer times."""
    study = Study(results)
    figure, (axes,) = panels()
    for algorithm in ("proposed", "bwprobe", "plain", "tcp", "tcpslow"):
        for number, times in enumerate(Pool(study, algorithm).by_seed):
            label = NAMES[algorithm] if number == 0 else None
            share = np.arange(1, len(times) + 1) / len(times)
            axes.plot(np.sort(times) * 1e3, share, color=COLOURS[algorithm], lw=0.9, label=label)
    axes.set(xscale="log", xlim=(0.05, 1e3), ylim=(0, 1), xlabel="transfer time (ms)", ylabel="share of transfers")
    axes.axhline(0.95, color=GREY, lw=0.7, ls=":")
    entitle(axes, "Fig. 11  Transfer times, a line a seed")
    axes.legend(frameon=False, fontsize=8.5)
    return figure


def figure12(results):
    """Queueing delay under the on-off load, and the source's estimate of it."""
    study = Study(results)
    figure, both = panels(2)
    for algorithm in ("tcp", "plain", "bwprobe", "proposed"):
        time, mean, _ = study.seeds(f"onoff_{algorithm}")[0].delay(0.02, 0.12)
        both[0].plot(time * 1e3, mean * 1e6, color=COLOURS[algorithm], lw=0.7, label=NAMES[algorithm])
    both[0].set(xlabel="time (ms)", ylabel="queueing delay (us)", yscale="symlog")
    entitle(both[0], "Fig. 12  Queueing delay, 150 on-off flows")
    both[0].legend(frameon=True, framealpha=0.9, edgecolor="none", fontsize=8)
    view = study.view("trace_proposed")
    states = view.transport
    chosen = (states["phase"] == "congestion-avoidance") & (states["time"] > 0.05) & (states["time"] < 0.055)
    for kind, colour in (("predicted", VERMILION), ("measured", SKY)):
        both[1].plot(
            states["time"][chosen] * 1e3,
            states[kind][chosen] * 1e6,
            ".",
            ms=1.5,
            color=colour,
            label=f"{kind}, all flows",
        )
    time, value = view.actual
    near = (time > 0.05) & (time < 0.055)
    both[1].plot(time[near] * 1e3, value[near] * 1e6, color=BLACK, lw=1.2, label="actual")
    both[1].set(xlabel="time (ms)", ylabel="round-trip time (us)")
    entitle(both[1], "Proposed: what sources know")
    both[1].legend(frameon=False, fontsize=8, markerscale=4)
    return figure


def sensitivity(results):
    """Main results with other values of what the paper leaves open, one at a time."""
    study = Study(results)
    figure, four = panels(len(VARIED), sharey=True, width=10)
    for axes, key in zip(four, VARIED, strict=True):
        steps, on_off = study.variations(f"vary_{key}_"), study.variations(f"varyonoff_{key}_")
        values = [setting(view, key) for view in steps.values()]
        if setting_of(COMMON[key]) not in values:
            raise Missing(f"vary_{key}_{COMMON[key]}")
        chosen = values.index(setting_of(COMMON[key]))

        def relative(numbers, chosen=chosen):
            return np.array(numbers) / numbers[chosen]

        peaks = [np.mean([view.peak_delay(at, at + 0.002) for at in FIRST.steps]) for view in steps.values()]
        steady = [
            np.mean([view.delay(at + 0.007, at + 0.01)[1].mean() for at in FIRST.steps]) for view in steps.values()
        ]
        tails = [p95(view.transfers["time"]) for view in on_off.values()]
        soon = [within_1ms(view.transfers["time"]) for view in on_off.values()]
        lines = (
            ("peak delay when flows join", peaks, VERMILION),
            ("mean delay in steady state", steady, BLUE),
            ("95th percentile of transfer times", tails, GREEN),
            ("share of transfers within 1 ms", soon, PURPLE),
        )
        x = np.array(values) / values[chosen]
        for label, numbers, colour in lines:
            axes.plot(x, relative(numbers), marker="o", ms=4, color=colour, label=label)
        axes.set(xscale="log", yscale="log", xlabel=f"{key.replace('_', ' ')} over the chosen one")
        axes.set_xticks(x, [f"{one:.2g}" for one in x])
        axes.minorticks_off()
    four[0].set_ylabel("over that with the chosen values")
    four[0].set_yticks([0.25, 0.5, 1, 2, 4, 8], ["1/4", "1/2", "1", "2", "4", "8"])
    entitle(four[0], "What is left open, one at a time (Proposed)")
    four[-1].legend(frameon=False, fontsize=7.5)
    return figure


def setting(view, key):
    """A parameter of the transport of a run, as a number."""
    return setting_of(view.run.scenario["scheme"]["transport"]["efl"][key])


def setting_of(value):
    """A number, or the number in a quantity with its unit."""
    if not isinstance(value, str):
        return float(value)
    number, unit = value.split()
    factors = {"B": 1, "kB": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9, "kbit/s": 1e3}
    return float(number) * factors[unit] if unit in factors else seconds(value)


FIGURES = {
    "fig6": figure6,
    "fig7": figure7,
    "fig8": figure8,
    "fig9": figure9,
    "fig10": figure10,
    "fig11": figure11,
    "fig12": figure12,
    "sensitivity": sensitivity,
}
NEEDS = {
    "fig6": ("fig6_",),
    "fig7": ("steps_plain",),
    "fig8": ("steps_bwprobe", "steps_proposed"),
    "fig9": ("steps_", "moment_"),
    "fig10": (*(f"onoff_{name}_" for name in (*ALGORITHMS, "tcp")), "short_"),
    "fig11": ("onoff_",),
    "fig12": ("onoff_", "trace_"),
    "sensitivity": ("vary",),
}
"""Beginnings of the names of the runs that a figure, or a claim about it, is made from."""
PLACES = {
    "fig7": [At("efl-fig7-plain-13ms", y=RATE / 1e9, line="flow 1")],
    "fig8": [At("efl-fig8-proposed-fast", y=RATE / 1e9, panel=1, line="flow 1")],
    "fig11": [
        At("efl-fig11-p95-proposed", y=0.95, line="Proposed"),
        At("efl-fig11-p95-tcp", y=0.95, line="TCP, no slow start"),
    ],
}
"""Where published numbers are drawn in the axes: most are times."""
