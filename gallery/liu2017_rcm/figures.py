"""Figures: the burst into the incast (Fig. 6) and the victim beside it (Fig. 7b); hot spots (Fig. 8) and
completion times of applications (Fig. 9) on the whole tree."""

import numpy as np

from congestree.gallery.published import At

from ..common.plots import BLUE, GREEN, GREY, ORANGE, VERMILION, entitle, panels, percent
from .claims.hot_spots import latency
from .runs import COMPARED, SIZES
from .scenario import INCAST, SENDERS
from .study import Study

TITLES = {"pfc": "PFC", "dcqcn": "DCQCN", "rcm": "RCM over DCQCN", "alone": "RCM alone"}


def draw(results, family, lines, smooth, unit="µs"):
    """A panel a scheme; `lines`: (flows, label, colour); `smooth`: bins of a mean; `unit` of time: µs or ms."""
    study = Study(results)
    figure, axes = panels(len(TITLES), sharey=True)
    for panel, (scheme, title) in zip(axes, TITLES.items(), strict=True):
        view = study.views(family, scheme)[0]
        for flows, label, colour in lines:
            rates = view.rates(*flows).reshape(-1, smooth).mean(axis=1)
            times = view.times().reshape(-1, smooth).mean(axis=1) / {"µs": 1, "ms": 1000}[unit]
            panel.plot(times, rates, color=colour, lw=1.2, label=label)
        panel.axhline(50, color=GREY, lw=0.6, ls=":")
        entitle(panel, title)
        panel.set_xlabel(f"time, {unit}")
    axes[0].set(ylim=(0, None), ylabel="Gbit/s")
    axes[0].legend(frameon=False, fontsize=8)
    return figure


LOOKS = {"dcqcn": ("DCQCN", BLUE), "rcm": ("RCM over DCQCN, no SAR", ORANGE), "sar": ("RCM over DCQCN", VERMILION)}
CLASSES = ((0, 1e6, "below 1 MB"), (1e6, 10e6, "1 to 10 MB"), (10e6, np.inf, "above 10 MB"), (0, np.inf, "all"))


def hot_spots(results):
    """Delivered throughput and latency of messages, of background and hot traffic, over the offered load."""
    study = Study(results)
    loads = study_loads(study)
    figure, axes = panels(4, width=8.4)
    for panel, one in zip(axes[:2], ("background", "hot"), strict=True):
        entitle(panel, f"{one}, delivered")
        percent(panel.yaxis)
        for scheme, (label, colour) in LOOKS.items():
            rates = [study.sample(("hot", scheme, load), lambda view: view.offered(one)).mean for load in loads]  # noqa: B023
            panel.plot(loads, rates, "o-", color=colour, lw=1.2, label=label)
    for panel, one in zip(axes[2:], ("background", "hot"), strict=True):
        entitle(panel, f"{one}, time of a message, µs")
        times = np.array([[each.mean for each in latency(study, load, one, COMPARED)] for load in loads])
        for place, scheme in enumerate(COMPARED):
            panel.plot(loads, times[:, place], "o-", color=LOOKS[scheme][1], lw=1.2)
    for panel in axes:
        panel.set_xlabel("offered load")
        panel.set_ylim(0, None)
    axes[0].legend(frameon=False, fontsize=8)
    return figure


def study_loads(study):
    """Loads at which everything was run."""
    return sorted({key[2] for key in study.table if key[0] == "hot"})


def applications(results):
    """Mean completion time by size over that under DCQCN, of flows that have finished under every scheme."""
    study = Study(results)
    figure, axes = panels(len(SIZES), sharey=True)
    for panel, sizes in zip(axes, SIZES, strict=True):
        entitle(panel, sizes)
        pairs = study.paired(*(("app", scheme, sizes.replace("-", "")) for scheme in COMPARED))
        size = np.array([size for what, _ in pairs for _, size in what])
        times = np.concatenate([times for _, times in pairs])
        for place, (low, high, _) in enumerate(CLASSES):
            chosen = times[(size >= low) & (size < high)]
            for number, scheme in enumerate(COMPARED):
                if len(chosen):
                    ratio = chosen[:, number].mean() / chosen[:, 0].mean()
                    label, colour = LOOKS[scheme]
                    panel.bar(place + 0.27 * (number - 1), ratio, 0.25, color=colour, label=None if place else label)
        panel.axhline(1, color=GREY, lw=0.8, ls=":")
        panel.set_xticks(range(len(CLASSES)), [name for *_, name in CLASSES])
    axes[0].set(ylabel="mean completion time / DCQCN", ylim=(0, 1.3))
    axes[0].legend(frameon=False, fontsize=8, loc="upper left")
    return figure


BURST = ((INCAST, "incast, sum", BLUE), (("burst",), "burst", VERMILION))
VICTIM = ((("sv",), "victim", GREEN), (SENDERS, "incast, sum", BLUE))
FIGURES = {
    "fig6": lambda results: draw(results, "burst", BURST, 4),
    "fig7b": lambda results: draw(results, "lasting", VICTIM, 2, "ms"),
    "fig8": hot_spots,
    "fig9": applications,
}
NEEDS = {
    "fig6": ["burst_"],
    "fig7b": ["victim_", "lasting_", "outputs_"],
    "fig8": ["hot_"],
    "fig9": ["app_", "capped_", "long_"],
}
PLACES = {
    "fig6": [
        At("rcm-fig6-dcqcn-50", x=(150, 170), panel=1, line="burst"),
        At("rcm-fig6-burst-first-50", x=(150, 154), panel=2, line="burst"),
        At("rcm-fig6-burst-cut-25", x=(162, 170), panel=2, line="burst"),
        At("rcm-fig6-incast-12.5", x=(150, 154), panel=2, scale=len(INCAST), line="incast"),
        At("rcm-fig6-incast-recover", x=(190, 200), panel=2, scale=len(INCAST), line="incast"),
    ],
    "fig7b": [
        At("rcm-fig7-pfc-victim-25", share=(0.1, 0.95), panel=0, line="victim"),
        At("rcm-fig7-rcm-victim-50", share=(0.67, 1), panel=2, line="victim"),
    ],
    "fig9": [At("rcm-fig9-elephants", x=2 + 0.27, panel=panel, line=LOOKS["sar"][0]) for panel in range(len(SIZES))],
}
"""Where published numbers are drawn in the axes; of the incast the sum of its flows."""
