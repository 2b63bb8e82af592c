"""Transports on links that lose packets: transfer times, and plots of transfers, senders and queues at outputs.

    transports.by_class(run)                        # transfer times by class of traffic
    transports.plot_transfers(run).savefig("transfers.png")
    transports.plot_senders(run, queue="A->B").savefig("senders.png")

A transfer is a message that has arrived completely (probe `transfers`); its time is the time from its first bit sent
to its last byte received. The probe `transport` records the state of senders ACK by ACK, the probe `output-queues` the
queues in which packets are dropped.

run: a `Run`.
classes: names of traffic classes, by default all.
after: transfers that start before this time (s), or a text such as "1 ms", are left out.
ax: axes of matplotlib to draw into, by default those of a new figure.

All functions raise CongestreeError if the run lacks the probe, or has no such class or link.
"""

from dataclasses import dataclass

import numpy as np

from .. import document
from ..columns import by_flow, numbers
from ..evaluation.active import warm_up
from ..evaluation.chosen import chosen, chosen_ports, used_by_switches
from ..evaluation.links import told_apart
from ..evaluation.transfers import by_class, queueing_delay, transfer_times
from ..quantities import in_words, scale_for
from ..runs import arguments
from .style import (
    alone,
    axes,
    colour,
    draws_run,
    few_numbers,
    from_zero,
    in_bytes,
    legend,
    line,
    logarithmic,
    out_of,
    short,
    titled,
)

__all__ = [
    "by_class",
    "plot_output_queues",
    "plot_senders",
    "plot_transfers",
    "plots_of",
    "queueing_delay",
    "transfer_times",
]

PHASES = {
    "idle": "#ededed",
    "bandwidth-probing": "#D55E00",
    "delay-probing": "#E69F00",
    "slow-start": "#56B4E9",
    "congestion-avoidance": "#009E73",
    "recovery": "#CC79A7",
}
"""The phases of a sender, and their colours."""
MOST_SENDERS = 6
"""This many senders are drawn if none are chosen."""


@draws_run
def plot_transfers(run, classes=None, after=0.0):
    """Transfer time against size, and the distribution of transfer times; a colour for each class of traffic."""
    after = arguments.span("after", after)
    found = transfer_times(run, classes, after)
    since = f" from {in_words(after, 's')} on" if after > 0 else ""
    longest = max((times.max(initial=0.0) for _, times in found.values()), default=0.0)
    factor, unit = scale_for("s", longest)
    figure, left, right = _side_by_side()
    for number, (name, (size, times)) in enumerate(found.items()):
        left.scatter(size, times * factor, s=3, alpha=0.5, linewidths=0, rasterized=True, color=colour(number))
        share = np.arange(1, len(times) + 1) / max(1, len(times))
        right.plot(np.sort(times) * factor, share, **line(number), label=f"{name} ({len(times):,})", **alone(share))
    plain = "{:g}".format
    for axis, values, word in ((left.xaxis, 0, in_bytes), (left.yaxis, 1, plain), (right.xaxis, 1, plain)):
        every = [float(value) for one in found.values() for value in one[values]]
        if every and 0 < 10 * min(every) <= max(every):
            logarithmic(axis, word)
        elif word is in_bytes:
            few_numbers(axis, word)
    left.set(xlabel="size", ylabel=f"transfer time ({unit})", title=titled(run, f"transfer times{since}"))
    right.set(xlabel=f"transfer time ({unit})", ylabel="share of transfers", ylim=(0, 1))
    legend(right)
    return figure


@draws_run
def plot_senders(run, flows=None, queue=None):
    """Sending rate, round-trip time and phase of senders over time, from the probe `transport`.

    If no sender has a rate of its own, windows are drawn instead, if there are any.

    flows: ids of flows, by default the first few of all classes in turn.
    queue: an output such as "A->B". The actual round-trip time is then drawn too: the shortest one that any sender
    measured, plus the queueing delay at this output.
    """
    seen = _states(run)
    names, kinds = by_flow(run, "name"), by_flow(run, "class")
    shown = _senders(seen.flow, kinds) if flows is None else chosen("sender with the id", seen.flow.tolist(), flows)
    several = len(np.unique(seen.flow))
    told = f": {len(shown)} of {several:,}" if flows is None and len(shown) < several else ""
    figure, (rates, delays, strips) = _stacked((3, 3, 0.6 + 0.25 * len(shown)))
    in_time, time_unit = scale_for("s", run.duration)
    in_rate, rate_unit = (1.0, "packets") if seen.in_windows else scale_for("bit/s", seen.rate.max(initial=0.0))
    in_delay, delay_unit = scale_for("s", np.nanmax([seen.measured, seen.predicted], initial=0.0))
    for number, one in enumerate(shown):
        mine = seen.flow == one
        at, shade = seen.time[mine] * in_time, colour(number)
        # A line ends where a sender has nothing to send, and another begins with its next group.
        ends = np.flatnonzero(seen.phase[mine] == "idle") + 1
        between = np.insert(at, ends, at[ends - 1])
        rate, measured, predicted = (
            np.insert(values[mine], ends, np.nan) for values in (seen.rate, seen.measured, seen.predicted)
        )
        look = {**line(number), "lw": 1, "drawstyle": "steps-post", **alone(rate)}
        rates.plot(between, rate * in_rate, **look, label=names[one])
        delays.plot(between, measured * in_delay, color=shade, lw=1, **alone(measured))
        if not np.array_equal(measured, predicted, equal_nan=True):
            delays.plot(between, predicted * in_delay, color=shade, lw=0.7, ls=":", **alone(predicted))
        for name, begin, end in _stretches(at, seen.phase[mine], run.duration * in_time):
            strips.broken_barh([(begin, end - begin)], (number - 0.4, 0.8), color=PHASES[name])
    if queue is not None:
        shortest = seen.measured[seen.measured > 0].min(initial=np.inf)
        at, mean = queueing_delay(run, queue)
        look = {"color": "black", "lw": 1, **alone(mean)}
        delays.plot(at * in_time, (mean + shortest) * in_delay, **look, label=f"actual ({queue})")
        legend(delays)
    if not seen.rate.any():
        rates.text(0.5, 0.5, "no rate and no window of their own", transform=rates.transAxes, ha="center")
    rates.set(ylabel=f"{_what_is_sent(run, seen)} ({rate_unit})", title=titled(run, f"senders{told}"), ylim=(0, None))
    delays.set(ylabel=f"round-trip time ({delay_unit})\nmeasured, dotted: predicted")
    strips.set(xlabel=f"time ({time_unit})", xlim=(0, run.duration * in_time))
    _label_phases(strips, [names[one] for one in shown], set(seen.phase))
    legend(rates)
    return figure


@dataclass(frozen=True)
class _States:
    """Columns of the probe `transport`, a row for each state of a sender."""

    flow: np.ndarray
    time: np.ndarray
    phase: np.ndarray
    rate: np.ndarray
    """Windows in packets, if `in_windows`."""
    measured: np.ndarray
    """Round-trip times; known only from ACKs."""
    predicted: np.ndarray
    in_windows: bool


def _states(run):
    table = run.arrow("transport")
    flow, time, rate, window = (numbers(table[name]) for name in ("flow", "time", "rate", "window"))
    phase, event = (np.array(table[name].to_pylist(), dtype=object) for name in ("phase", "event"))
    measured, predicted = (
        np.where(event == "ack", numbers(table[name]), np.nan) for name in ("round_trip", "predicted_round_trip")
    )
    in_windows = bool(not rate.any() and window.any())
    return _States(flow, time, phase, window if in_windows else rate, measured, predicted, in_windows)


def _what_is_sent(run, seen):
    """What the rates of senders are."""
    of_windows = document.chosen(run._scenario["scheme"]["transport"])[0] == "new-reno"
    return "window" if seen.in_windows else "window over round trip" if of_windows else "sending rate"


def _label_phases(ax, senders, phases):
    """A line for each sender, and a legend of the phases that there were."""
    from matplotlib.patches import Patch

    ax.set_yticks(range(len(senders)), [short(name) for name in senders])
    ax.set_ylabel("phase")
    ax.invert_yaxis()
    ax.grid(False)
    patches = [Patch(color=shade, label=name) for name, shade in PHASES.items() if name in phases]
    ax.legend(handles=patches, loc="center left", bbox_to_anchor=(1.0, 0.5))


@draws_run
def plot_output_queues(run, ports=None, ax=None):
    """Queueing delay at outputs over time (means of bins), with crosses where packets were dropped.

    `ports` are names such as "A->B", by default the eight longest queues of switches.
    """
    table = run.arrow("output_queue_series")
    names = run.arrow("ports")["name"].to_pylist()
    port, dropped = numbers(table["port"]), numbers(table["dropped"])
    waited = np.zeros(len(names))
    np.add.at(waited, port, numbers(table["mean"]))
    chosen = chosen_ports(run, names, waited, ports)
    told = "" if ports is not None else out_of(len(chosen), len(used_by_switches(run, waited)), "longest")
    names = told_apart(names)
    lines = {i: queueing_delay(run, names[i]) for i in chosen}
    figure, ax = axes(ax)
    in_time, time_unit = scale_for("s", run.duration)
    factor, unit = scale_for("s", max((delay.max(initial=0.0) for _, delay in lines.values()), default=0.0))
    for number, (i, (at, delay)) in enumerate(zip(chosen, lines.values(), strict=True)):
        ax.plot(at * in_time, delay * factor, **line(number), lw=1, label=names[i], **alone(delay))
        lost = dropped[port == i] > 0
        ax.plot(at[lost] * in_time, delay[lost] * factor, "x", ms=4, color=colour(number))
    if any((dropped[port == i] > 0).any() for i in chosen):
        ax.plot([], [], "x", ms=4, color="black", label="packets dropped")
    # What waits before a link that is held takes longer than its rate says.
    held = run._scenario["links"]["flow_control"] != "none"
    label = "time to send what waits,\nif nothing holds the link" if held else "queueing delay"
    ax.set(xlabel=f"time ({time_unit})", ylabel=f"{label} ({unit})", title=titled(run, f"queues at outputs{told}"))
    ax.set_xlim(0, run.duration * in_time)
    from_zero(ax.yaxis)
    legend(ax)
    return figure


def plots_of(run):
    """The plots of this module for which the run has recorded data: {name: plot}."""
    wanted = {}
    if "output_queue_series" in run.tables:
        wanted["output-queues"] = plot_output_queues
    if "transfers" in run.tables and run.arrow("transfers", ["flow"]).num_rows:
        wanted["transfers"] = lambda r: plot_transfers(r, after=warm_up(r))
    if "transport" in run.tables and run.arrow("transport").num_rows:
        common = "dumbbell" in run._scenario["topology"] and "output_queue_series" in run.tables
        wanted["senders"] = lambda r: plot_senders(r, queue="A->B" if common else None)
    return wanted


def _senders(flow, kinds):
    """The first few senders, one of each class in turn."""
    present = [int(one) for one in np.unique(flow)]
    groups = {}
    for one in present:
        groups.setdefault(kinds[one], []).append(one)
    ranked = sorted(present, key=lambda one: (groups[kinds[one]].index(one), one))
    return sorted(ranked[:MOST_SENDERS])


def _stretches(at, phases, end):
    """(phase, begin, end) of stretches of the same phase."""
    starts = np.flatnonzero(np.concatenate([[True], phases[1:] != phases[:-1]]))
    ends = np.append(at[starts[1:]], end)
    return [(phases[k], at[k], stop) for k, stop in zip(starts, ends, strict=True)]


def _side_by_side():
    figure, left = axes(figsize=(9.0, 3.8))
    left.remove()
    left, right = figure.subplots(1, 2)
    return figure, left, right


def _stacked(heights):
    figure, first = axes(figsize=(7.5, 1.0 + 0.85 * sum(heights)))
    first.remove()
    return figure, figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
