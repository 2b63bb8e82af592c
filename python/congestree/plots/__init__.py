"""Plots of runs and studies; every function returns a matplotlib Figure and changes nothing else.

    fig = congestree.plots.plot_rates(run, window="1 ms")
    fig.savefig("rates.png")

A notebook shows a Figure that a cell ends in. Times, rates and sizes get the unit in which they read best. Arguments of
the same name mean the same everywhere:

run: a `Run`.
study: a `Study`.
ax: axes of matplotlib to draw into, by default those of a new figure.

A table that the run has not recorded raises CongestreeError, which names the probe that records it. An unknown name
(of a class, a link, an application, a column of a study) raises CongestreeError, which lists the known ones. So does
what is no run, no study, no time or no number where one is needed.
"""

from pathlib import Path

import numpy as np

from ..evaluation.active import warm_up
from ..evaluation.goals.latency import rows as latencies
from ..evaluation.pauses import most_paused
from ..runs import arguments
from ..runs.results import a_run
from .flows import plot_classes, plot_latency, plot_queues, plot_rates, plot_utilisation
from .pauses import plot_pauses
from .programs import plot_messages, plot_ranks
from .slowdown import plot_slowdown
from .studies import plot_heat, plot_lines
from .style import COLOURS, STYLE, axes, numbers, styled

__all__ = [
    "COLOURS",
    "STYLE",
    "axes",
    "draw_all",
    "numbers",
    "plot_classes",
    "plot_heat",
    "plot_latency",
    "plot_lines",
    "plot_messages",
    "plot_pauses",
    "plot_queues",
    "plot_ranks",
    "plot_rates",
    "plot_slowdown",
    "plot_utilisation",
    "styled",
]


def draw_all(run, folder):
    """Draw all plots for which the run has recorded data into a folder, as PNG files; returns their paths.

    Slowdowns and transfers are those of flows and messages that start after the warm-up, as rates are.
    Raises CongestreeError if the folder cannot be written.
    """
    return draw(run, wanted_of(a_run("draw_all", run)), arguments.path("folder", folder))


def wanted_of(run):
    """Plots of what a run has recorded: functions of it, by name."""
    wanted = {"utilisation": plot_utilisation}
    if "flow_series" in run.tables or "class_series" in run.tables:
        wanted = {"rates": plot_rates, **wanted}
    if "queues" in run.tables:
        wanted["queues"] = plot_queues
    if "ranks" in run.tables and not np.isnan(numbers(run.arrow("ranks")["completion"])).all():
        wanted["ranks"] = plot_ranks
    if "messages" in run.tables and run.arrow("messages").num_rows:
        wanted["messages"] = plot_messages
    if "latency" in run.tables and latencies(run):
        wanted["latency"] = plot_latency
    if "pause_counters" in run.tables and most_paused(run):
        wanted["pauses"] = plot_pauses
    if "completions" in run.tables:
        wanted["slowdown"] = lambda r: plot_slowdown(r, after=warm_up(r))
    if not set(run.tables).isdisjoint(("output_queue_series", "transfers", "transport")):
        from .transports import plots_of

        wanted |= plots_of(run)
    if "trees" in run.tables:
        from .drawing import plot_trees

        wanted["trees"] = plot_trees
    return wanted


def draw(run, wanted, folder):
    """Draw some plots of a run into a folder; returns the paths."""
    from ..runs.store import prepare
    from ..runs.writing import write_file

    folder = Path(arguments.path("folder", folder))
    prepare(folder)
    paths = []
    for name, plot in wanted.items():
        path = folder / f"{name}.png"
        figure = plot(run)
        if engine := figure.get_layout_engine():  # once, and not by drawing everything twice
            engine.execute(figure)
            figure.set_layout_engine(None)
        write_file(path, lambda temporary, figure=figure: figure.savefig(temporary, format="png"))
        paths.append(path)
    return paths
