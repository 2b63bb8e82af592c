"""Figures of matplotlib as pictures in a page, and the choice of those that matter."""

import base64
import io

import numpy as np

from ..columns import numbers
from ..evaluation.active import warm_up
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
    return [picture(draw(run), caption) for draw, caption in _wanted(run, facts)[:MOST]]


def _wanted(run, facts):
    """Functions that draw a run, and captions: of what `congestree plot` draws, and of flows and trees beside it."""
    from .. import plots

    begin, there = warm_up(run), plots.wanted_of(run)
    those = ", of those that start after the warm-up" if begin > 0 else ""
    found = []

    def add(name, caption):
        if name in there:
            found.append((there[name], caption))

    if "rates" in there:
        found.append(
            (lambda run: plots.plot_rates(run, window=window(run)), "Rates of the classes of traffic over time.")
        )
    if facts and facts["trees"]:
        found.extend(_trees(run))
    if "slowdown" in there and (numbers(run.arrow("completions", ["created"])["created"]) >= begin).any():
        add("slowdown", f"Slowdown of flows by their size{those}.")
    add("ranks", "When the ranks of applications had finished.")
    add("latency", "Latency of packets in the network, and in total with the wait at the source.")
    if "transfers" in there and (numbers(run.arrow("transfers", ["started"])["started"]) >= begin).any():
        add("transfers", f"Times of transfers by their size, and how they are distributed{those}.")
    add("pauses", "How much of the time the links that were paused longest were, and how many pauses came.")
    add("output-queues", "The longest queues at outputs of switches, with crosses where packets were dropped.")
    found.append((plots.plot_classes, "Rates of flows after the warm-up: median, band, and the extremes."))
    add("utilisation", "Use of the busiest links that leave a switch.")
    add("queues", "How full the fullest input buffers were.")
    add("senders", "Rates or windows of senders, their round-trip times and phases.")
    add("messages", "Messages of an application, from sender to receiver.")
    return found


def _trees(run):
    """The fabric with its congestion trees, if it is small enough, and how many there were."""
    from ..plots import drawing

    if len(set(run.arrow("ports", ["from"])["from"].to_pylist())) <= DRAWN:
        yield lambda run: drawing.draw_trees(run, drawing.moment(run)), "Congestion trees when they held most links."
    yield drawing.plot_trees, "How many congestion trees there were, and links held by them."
