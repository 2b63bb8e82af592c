"""Claims about queues that flows are set aside in: how many ports have none left (figure 10), how long they last."""

from functools import partial

from ...common.judge import Finding
from ..paper import check
from ..scenario import HOT_MS, JUDGED, READINGS, STAGES, nodes
from .fig7 import where

ISOLATING = ("hfdi", "ecocc")


def ports(network):
    """Inputs of switches that are linked: eight a switch, four at the top."""
    stages = STAGES[network]
    return 8 * stages * 4 ** (stages - 1) - 4 * 4 ** (stages - 1)


def full(study, network, pattern, technique, reading):
    """Share of the ports without a free queue, bin by bin of the time in which hot nodes send; mean over seeds."""
    views = study.runs(network, pattern, technique, reading)
    series = sum(view.isolation("exhausted")[view.inside(HOT_MS)] for view in views) / len(views)
    return series / ports(network)


def table(study, patterns, techniques):
    """Mean and highest share of ports without a free queue."""
    values = {}
    for reading in READINGS:
        for network in study.networks(reading):
            for pattern in patterns:
                for technique in techniques:
                    share = full(study, network, pattern, technique, reading)
                    word = f"{nodes(network)} nodes, pattern {pattern}, {technique}, set {reading}"
                    values[word] = [share.mean(), share.max()]
    return values


@check("p6-fig10-p1-equal")
def similar(study):
    """The largest distance of HFDI and EcoCC at any time; judged by set III."""
    values = {}
    for reading in READINGS:
        for network in study.networks(reading):
            pair = [full(study, network, 1, technique, reading) for technique in ISOLATING]
            distance = float(abs(pair[0] - pair[1]).max())
            values[f"{nodes(network)} nodes, set {reading}"] = distance
    return Finding(values, note=f"share of ports; judged by set III; {where(study)}")


@check("p6-fig10-m1")
def four_trees(study):
    return Finding(table(study, (2,), ISOLATING), note="mean and highest share of ports in [1, 2] ms")


@check("p6-fig10-m2")
def run_out(study):
    return Finding(table(study, (2, 3), ("hfdi",)), note="mean and highest share of ports in [1, 2] ms")


@check("p6-supp9-m1")
def lifetimes(study):
    """Queues of pattern #1, of its hot traffic alone, and of uniform traffic alone: us in use, how many."""
    values = {}
    for reading in study.readings(partial(study.runs, 1, 1)):
        values[f"pattern 1, set {reading}"] = list(study.runs(1, 1, "ecocc", reading)[0].lifetime())
    values[f"hot traffic alone, set {JUDGED}"] = list(study.views("alone")[0].lifetime())
    uniform = study.views("uniform", 100, "ecocc")[0]
    values[f"uniform traffic alone at full rate, set {JUDGED}"] = list(uniform.lifetime())
    return Finding(values, note="mean us in use, times taken; EcoCC, switches with 64 nodes")


@check("p6-supp9-one-hpq-per-tree")
def one_queue(study):
    """One tree and nothing else: no port ever holds both of its queues."""
    view = study.views("alone")[0]
    both, taken = int(view.isolation("most_exhausted").max()), view.lifetime()[1]
    values = {"ports with two queues at a time": both, "queues taken": taken}
    return Finding(values, note="hot traffic of pattern 1 alone; a port has two queues")
