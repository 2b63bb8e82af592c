"""Figures of matplotlib as pictures in a page, and the choice of those that matter."""

import base64
import io

import numpy as np

from ..columns import numbers
from ..evaluation.active import warm_up
from ..evaluation.goals import latency
from .page import Picture

MOST = 5
DRAWN = 400
"""Nodes up to which the fabric itself is drawn."""


def picture(figure, caption, words=None):
    """A figure as SVG inside the page; one with very many lines as PNG, which is then smaller."""
    from ..plots.style import matplotlib_settings

    buffer = io.BytesIO()
    with matplotlib_settings({"svg.fonttype": "path", "svg.hashsalt": "congestree"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    kind, data = "svg+xml", buffer.getvalue()
    if len(data) > 600_000:
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=150)
        kind, data = "png", buffer.getvalue()
    return Picture(f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}", caption, words or caption)


def window(run):
    """Seconds over which rates are taken: ten packets of a flow in the middle, a fortieth to an eighth of the run."""
    delivered = np.sort(numbers(run.arrow("flows", ["packets"])["packets"]))
    middle = delivered[len(delivered) // 2] if len(delivered) else 0
    return max(run.duration, 1e-12) * min(max(10 / max(middle, 1), 1 / 40), 1 / 8)


def of_run(run, facts):
    """The plots that matter for what a run has recorded, most informative first: at most five.

    facts: of `trees.summary`, or None if the run has no samples.
    """
    from .. import plots
    from ..plots import drawing

    found = []
    if {"flow_series", "class_series"} & set(run.tables):
        found.append((lambda: plots.plot_rates(run, window=window(run)), "Rates of the classes of traffic over time."))
    if facts and facts["trees"]:
        if len(set(run.arrow("ports", ["from"])["from"].to_pylist())) <= DRAWN:
            when = drawing.moment(run)
            found.append((lambda: drawing.draw_trees(run, when), "Congestion trees when they held most links."))
        found.append((lambda: drawing.plot_trees(run), "How many congestion trees there were, and links held by them."))
    begin = warm_up(run)
    if "completions" in run.tables and (numbers(run.arrow("completions", ["created"])["created"]) >= begin).any():
        caption = f"Slowdown of flows by their size{', of those that start after the warm-up' if begin > 0 else ''}."
        found.append((lambda: plots.plot_slowdown(run, after=begin), caption))
    if "ranks" in run.tables and any(c == c for c in run.arrow("ranks")["completion"].to_pylist()):
        found.append((lambda: plots.plot_ranks(run), "When the ranks of applications had finished."))
    if "latency" in run.tables and latency.rows(run):
        caption = "Latency of packets in the network, and in total with the wait at the source."
        found.append((lambda: plots.plot_latency(run), caption))
    found.append((lambda: plots.plot_classes(run), "Rates of flows after the warm-up: median, band, and the extremes."))
    found.append((lambda: plots.plot_utilisation(run), "Use of the busiest links that leave a switch."))
    if "queues" in run.tables:
        found.append((lambda: plots.plot_queues(run), "How full the fullest input buffers were."))
    return [picture(draw(), caption) for draw, caption in found[:MOST]]
