"""Figures of the page: theory as a line, results as points."""

import numpy as np

from ..common.plots import BLUE, GREEN, GREY, ORANGE, VERMILION, doublings, entitle, panels, percent
from ..uec_htsim.claims import View as Peer
from ..uec_htsim.key import cases
from . import formulas
from .claims import at_saturation
from .scenario import FAIR, LEAF, LOADS, PEER, ROUNDS, SENDERS, UNIFORM
from .study import Study


def waits(results):
    """Mean wait of M/D/1 over the load."""
    study = Study(results)
    figure, (axes,) = panels(1)
    r = np.linspace(0.05, 0.93, 200)
    axes.plot(r, formulas.wait(r), color=GREY, label="M/D/1: r / (2 (1 - r))")
    found = [study.sample(("queue", load), lambda view: view.wait()) for load in LOADS]
    axes.plot(LOADS, [float(each) for each in found], "o", color=BLUE, label="16 hosts into one output")
    axes.set(xlabel="load of the output", ylabel="mean wait, times of a packet", ylim=(0, None))
    entitle(axes, "Poisson packets for one output")
    axes.legend(frameon=False)
    return figure


def saturation(results):
    """Throughput at saturation over the ports."""
    study = Study(results)
    figure, (axes,) = panels(1)
    looks = {"single": ("one FIFO queue", VERMILION), "voq": ("VOQ, all read at once", GREEN)}
    looks |= {
        f"islip{n}": (f"VOQ, iSLIP, {n} round{'s' * (n > 1)}", c) for n, c in zip(ROUNDS, (ORANGE, BLUE), strict=True)
    }
    for kind, (label, colour) in looks.items():
        found = at_saturation(study, kind)
        axes.plot(list(found), [float(share) for share in found.values()], "o-", color=colour, lw=1, label=label)
    axes.plot(list(formulas.KAROL), list(formulas.KAROL.values()), "x", color=GREY, label="Karol 1987, Table I")
    axes.axhline(formulas.LIMIT, color=GREY, lw=0.8, ls=":", label="2 - √2")
    doublings(axes.xaxis)
    axes.set(xlabel="ports", ylabel="busy slots of an output", ylim=(0.5, 1.02))
    percent(axes.yaxis)
    entitle(axes, "Inputs that never rest, uniform destinations")
    axes.legend(frameon=False)
    return figure


def shares(results):
    """Max-min shares, links that ECMP uses, incast and uniform traffic."""
    study = Study(results)
    figure, axes = panels(3)
    rates = study.views("fair")[0].rates
    ideal = formulas.max_min({flow: (f"{a} up", f"{b} down") for flow, (a, b) in FAIR.items()})
    axes[0].bar(range(len(FAIR)), [rates[flow] for flow in FAIR], color=BLUE, label="here")
    axes[0].plot(range(len(FAIR)), [ideal[flow] for flow in FAIR], "_", color=VERMILION, ms=14, mew=2, label="max-min")
    axes[0].set_xticks(range(len(FAIR)), [f"{a}→{b}" for a, b in FAIR.values()], rotation=60)
    axes[0].set(ylabel="share of a link", ylim=(0, 1))
    entitle(axes[0], "Max-min fairness")
    axes[0].legend(frameon=False)
    drawn = [used for view in study.views("ecmp") for used in view.in_use()]
    chances = formulas.occupied(LEAF, LEAF)
    axes[1].bar(list(chances), [drawn.count(used) / len(drawn) for used in chances], color=BLUE, label="here")
    axes[1].plot(list(chances), list(chances.values()), "_", color=VERMILION, ms=24, mew=2, label="balls into bins")
    axes[1].set(xlabel="links up with a flow, of 4", ylabel="share of leaves")
    entitle(axes[1], "ECMP, four flows a leaf")
    axes[1].legend(frameon=False)
    times = [study.views("incast", n)[0].ends() * 1e6 for n in SENDERS]
    axes[2].plot(SENDERS, times, "o-", color=BLUE)
    axes[2].set(xlabel="senders", ylabel="time of the last message (µs)", ylim=(0, None))
    entitle(axes[2], "Incast")
    return figure


def uniform(results):
    """Accepted over offered load on the 4-ary 3-tree."""
    study = Study(results)
    figure, (axes,) = panels(1)
    found = [float(study.sample(("uniform", load), lambda view: view.carried(64))) for load in UNIFORM]
    axes.plot([0, 1], [0, 1], color=GREY, lw=0.8, ls=":", label="accepted = offered")
    axes.plot(UNIFORM, found, "o", color=BLUE, label="4-ary 3-tree, VOQ")
    axes.set(xlabel="offered load", ylabel="delivered", xlim=(0, 1), ylim=(0, 1))
    entitle(axes, "Uniform traffic below saturation")
    axes.legend(frameon=False)
    return figure


def peers(results):
    """Times of the last flow over those of the peer."""
    study = Study(results)
    figure, axes = panels(2, sharey=True)
    for panel, traffic in zip(axes, PEER, strict=True):
        names, low, high, mean = [], [], [], []
        for size, keys in PEER[traffic].items():
            for control, run in keys.items():
                if ("peer", run) in study.table:
                    tail = study.sample(("peer", run), lambda view: Peer(view.run).measure("tail_fct"))
                    ratio = tail * (1 / cases()[run][1]["tail_fct"])
                    names.append(f"{size}, {control}")
                    mean.append(ratio.mean)
                    low.append(ratio.mean - ratio.low)
                    high.append(ratio.high - ratio.mean)
        panel.axhspan(0.95, 1.05, color=GREY, alpha=0.15, lw=0)
        panel.errorbar(range(len(names)), mean, [low, high], fmt="o", color=BLUE, capsize=3)
        panel.axhline(1, color=GREY, lw=0.8, ls=":")
        panel.set_xticks(range(len(names)), names, rotation=60, ha="right", fontsize=8)
        entitle(panel, f"{traffic.capitalize()}: nine seeds")
    axes[0].set(ylabel="time of the last flow, here over there")
    return figure


FIGURES = {"waits": waits, "saturation": saturation, "shares": shares, "uniform": uniform, "peers": peers}
NEEDS = {
    "waits": ["queue_"],
    "saturation": ["switch_"],
    "shares": ["fair_", "ecmp_", "incast_"],
    "uniform": ["uniform_", "shift_"],
    "peers": ["peer_"],
}
PLACES = {
    "waits": ["theory-md1-wait"],
    "saturation": ["theory-karol-table", "theory-karol-limit"],
    "shares": ["theory-ecmp-links"],
    "uniform": ["theory-uniform-accepted"],
    "peers": ["theory-peer-incast", "theory-peer-permutation"],
}
"""Claims whose theory is drawn in the axes."""
