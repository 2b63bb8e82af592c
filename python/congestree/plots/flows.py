"""Plots of what a run measured on flows, links and buffers."""

from collections import Counter

import numpy as np

from ..errors import CongestreeError
from ..evaluation import measures
from ..evaluation.chosen import chosen, chosen_ports, used_by_switches
from ..evaluation.goals import latency
from ..evaluation.links import told_apart
from ..quantities import in_words, scale_for
from ..runs import arguments
from .style import (
    COLOURS,
    MANY,
    axes,
    colour,
    draws_run,
    from_zero,
    legend,
    line,
    logarithmic,
    numbers,
    out_of,
    series,
    short,
    span,
    titled,
)  # fmt: skip


@draws_run
def plot_rates(run, window=None, classes=None, by="flow", relative_to=None, ax=None):
    """Rates over time in a sliding window, from flow_series: a line per flow (or `by="class"`: their mean).

    For classes with more than eight flows it shows the median, a band from the 10th to the 90th percentile, and the
    slowest flow, dashed and named. The colour tells the class; `classes` are names of classes, by default all.
    `window` is the length of the window, a text or s, by default a twentieth of the run; `relative_to` is a rate such
    as "1 GB/s", of which the axis then shows shares. Needs the probe `flows`; with the probe `classes` alone there is
    one line for each class: their mean with `by="class"`, otherwise what all of them carry together, and it says so.
    """
    if by not in ("flow", "class"):
        raise CongestreeError(f'There are no lines by "{by}"; write by="flow" or by="class".')
    kinds, flows, bins = _carried(run)
    names = chosen("class of traffic", kinds, classes)
    at, rates, shown = _in_window(run, bins, window)
    drawn = {}
    for name in names:
        members = [i for i, kind in enumerate(kinds) if kind == name]
        lines = rates[:, members]
        drawn[name] = members, lines.sum(axis=1, keepdims=True) / flows[name] if by == "class" else lines
    factor, unit = scale_for("bit/s", max((lines.max(initial=0.0) for _, lines in drawn.values()), default=0.0))
    if relative_to is not None:
        factor, unit = 1 / arguments.rate("relative_to", relative_to), f"share of {relative_to}"
    figure, ax = axes(ax)
    in_time, time_unit = scale_for("s", at[-1])
    for number, (name, (members, lines)) in enumerate(drawn.items()):
        if lines.shape[1] > MANY:
            _band(ax, at * in_time, lines * factor, number, name, _least(run, members, lines))
            continue
        thin = max(0.5, 1.6 / len(lines[0]) ** 0.4)
        together = by == "flow" and len(members) < flows[name]
        label = f"{name} (all {flows[name]} together)" if together else f"{name} ({flows[name]})"
        for k in range(lines.shape[1]):
            look = {**line(number), "lw": thin, "label": None if k else label if flows[name] > 1 else name}
            ax.plot(at * in_time, lines[:, k] * factor, **look)
    ax.set(xlabel=f"time ({time_unit})", ylabel=f"rate ({unit})", title=titled(run, f"rates over {span(shown)}"))
    ax.set_xlim(0, run.duration * in_time)
    from_zero(ax.yaxis)
    legend(ax)
    return figure


def _window(run, window, width):
    """A window that the user gave, in s; one longer than the run is as long as it and one more bin (`width`)."""
    return min(arguments.span("window", window), run.duration + width)


def _in_window(run, bins, window):
    """As `_over_time`, with the window that the user gave or a twentieth of the run, and the window itself (s)."""
    width = bins[1]
    window = run.duration / 20 if window is None else _window(run, window, width)
    shown = min(max(1, round(window / width)) * width, run.duration)  # whole bins, at most all of them
    return *_over_time(bins, window), shown


def _over_time(bins, window):
    """The ends of bins (see `series`), and the rates in the window (s) before each: a row for each end.

    Of a run that ended within its first bin there are two: the rate in this bin, at its beginning and its end.
    """
    times, width, last, carried = bins
    ends, rates = np.append(times[1:], times[-1] + last), measures.sliding_rate(8 * carried, width, window, last)
    return (ends, rates) if len(ends) > 1 else (np.array([0.0, *ends]), np.repeat(rates, 2, axis=0))


def _carried(run):
    """What flows, or else classes, carried over time: the class of each column, {class: its flows}, and the series."""
    kinds = run.arrow("flows", ["class"])["class"].to_pylist()
    flows = Counter(kinds)
    if "flow_series" in run.tables or "class_series" not in run.tables:
        ids = numbers(run.arrow("flows", ["flow"])["flow"]).astype(int)
        *bins, carried = series(run, "flow_series", "flow", "bytes", ids.max(initial=-1) + 1)
        return kinds, flows, (*bins, carried[:, ids])
    there = sorted(set(run.arrow("class_series", ["class"])["class"].to_pylist()))
    *bins, found = series(run, "class_series", "class", "bytes", len(there))
    names = list(flows)  # in the order of the traffic, as the colours are; also those that carried nothing
    carried = np.zeros((len(found), len(names)))
    carried[:, [names.index(name) for name in there]] = found
    return names, flows, (*bins, carried)


def _band(ax, at, lines, number, name, least):
    """A class of many flows: median, band, and the worst of them with its name."""
    worst, label = least
    low, middle, high = np.percentile(lines, [10, 50, 90], axis=1)
    ax.fill_between(at, low, high, color=colour(number), alpha=0.22, lw=0, label=f"{name}: 10 to 90 %")
    ax.plot(at, middle, **line(number), lw=1.6, label=f"{name}: median of {lines.shape[1]}")
    ax.plot(at, lines[:, worst], color=colour(number), lw=0.9, ls=(0, (3, 1.5)), label=f"least: {label}")


def _least(run, members, lines):
    """Which of some flows carried least over all, and its name."""
    worst = int(np.argmin(lines.sum(axis=0)))
    name = run.arrow("flows", ["name"])["name"][members[worst]].as_py()
    return worst, name if len(name) <= 32 else f"{name[:31]}…"


@draws_run
def plot_classes(run, ax=None):
    """Rates of flows after the warm-up, by class: median, bar from the 10th to the 90th percentile, extremes named."""
    flows = run.arrow("flows", ["class", "rate", "name"])
    kinds, rates, names = (flows[c].to_pylist() for c in ("class", "rate", "name"))
    groups = {kind: [i for i, k in enumerate(kinds) if k == kind] for kind in dict.fromkeys(kinds)}
    factor, unit = scale_for("bit/s", max(rates, default=0.0))
    figure, ax = axes(ax, figsize=(7.0, 1.2 + 0.62 * len(groups)))
    for row, (_, members) in enumerate(groups.items()):
        mine = np.array([rates[i] for i in members]) * factor
        low, middle, high = np.percentile(mine, [10, 50, 90])
        ax.plot([mine.min(), mine.max()], [row, row], color=colour(row), lw=1)
        ax.plot([low, high], [row, row], color=colour(row), lw=8, alpha=0.4, solid_capstyle="butt")
        ax.plot(middle, row, "o", ms=6, color=colour(row))
        if len(members) > 1 and mine.max() > mine.min():
            _name_extremes(ax, row, mine, [names[i] for i in members], max(rates) * factor)
    ax.set_yticks(range(len(groups)), [short(f"{kind} ({len(members)})") for kind, members in groups.items()])
    ax.set(xlabel=f"rate of a flow ({unit})", title=titled(run, "rates by class: median, 10 to 90 %, extremes"))
    from_zero(ax.xaxis)
    ax.set_ylim(len(groups) - 0.4, -0.6)
    return figure


def _name_extremes(ax, row, rates, names, most):
    """Names of the slowest and the fastest flow of a class: above it, or above and below where both have no room.

    most: the highest rate of all classes.
    """
    close = rates.max() - rates.min() < 0.4 * most
    for at, side, up in ((int(rates.argmin()), "left", True), (int(rates.argmax()), "right", not close)):
        word = names[at] if len(names[at]) <= 24 else f"{names[at][:23]}…"
        if close:
            side = "left" if rates[at] < 0.5 * most else "right"
        look = {"xytext": (0, 8), "va": "bottom"} if up else {"xytext": (0, -7), "va": "top"}
        ax.annotate(word, (rates[at], row), textcoords="offset points", ha=side, fontsize=7.5, **look)


@draws_run
def plot_latency(run, ax=None):
    """Latency of packets by class and kind: median, bar to the 99th percentile, line to the longest, cross at the mean.

    From the table `latency`. Both kinds are shown: in the network from the first bit sent, in total from when the
    message was made.
    """
    rows = latency.rows(run)
    classes = list(dict.fromkeys(row["class"] for row in rows))
    figure, ax = axes(ax, figsize=(7.0, 1.2 + 0.42 * max(1, len(rows))))
    for at, row in enumerate(rows):
        look = {"color": colour(classes.index(row["class"]))}
        ax.plot([row["p50"], row["max"]], [at, at], lw=1, **look)
        ax.plot([row["p50"], row["p99"]], [at, at], lw=8, alpha=0.4, solid_capstyle="butt", **look)
        ax.plot(row["p50"], at, "o", ms=6, **look)
        ax.plot(row["mean"], at, "x", ms=6, **look)
    ax.set_yticks(range(len(rows)), [short(f"{row['class']}, {row['kind']}") for row in rows])
    word, unit = _word_for([row[name] for row in rows for name in ("p50", "mean", "p99", "max")])
    ax.set(xlabel=f"latency of a packet{unit}", title=titled(run, "latency: median, mean (x), to 99 %, longest"))
    if rows:
        logarithmic(ax.xaxis, word)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    return figure


def _word_for(times):
    """What words the ticks of a logarithmic axis of times (s), and what its label adds: the unit of those that lie
    close together, as three digits would not tell their ticks apart; others have a unit at each tick."""
    longest = max(times, default=0.0)
    if longest >= 8 * min(times, default=0.0):
        return lambda value: in_words(value, "s"), ""
    factor, unit = scale_for("s", longest)
    return lambda value: f"{value * factor:.10g}", f" ({unit})"


@draws_run
def plot_utilisation(run, ports=None, window=None, ax=None):
    """Utilisation of links: over time in a sliding window if the run has a port_series, else as bars.

    `ports` are names such as "A->B"; by default the eight busiest links that leave a switch. `window` is a text or s,
    by default a twentieth of the run, as of `plot_rates`; the title says it. Of links that differ in their rates per
    cent of each one's rate are drawn, else what they carry.
    """
    table = run.arrow("ports")
    names, busy = table["name"].to_pylist(), numbers(table["utilisation"])
    chosen = chosen_ports(run, names, busy, ports)
    told = _told_of(run, chosen, busy, ports)
    names = told_apart(names)
    figure, ax = axes(ax)
    if "port_series" not in run.tables:
        ax.barh(range(len(chosen)), [100 * busy[i] for i in chosen][::-1], color=COLOURS[0])
        ax.set_yticks(range(len(chosen)), [short(names[i]) for i in chosen][::-1])
        ax.set(xlabel="utilisation (%)", xlim=(0, 100), title=titled(run, f"utilisation of {told}"))
        return figure
    bins = series(run, "port_series", "port", "bytes", len(names))
    at, rates, shown = _in_window(run, bins, window)
    in_time, time_unit = scale_for("s", at[-1])
    of = numbers(table["rate"])[chosen]
    if len(set(of.tolist())) > 1:
        factors, axis = 100 / of, "carried (% of the rate of the link)"
    else:
        factor, unit = scale_for("bit/s", rates[:, chosen].max(initial=0.0))
        factors, axis = np.full(len(of), factor), f"carried ({unit})"
    for number, (i, factor) in enumerate(zip(chosen, factors, strict=True)):
        ax.plot(at * in_time, rates[:, i] * factor, **line(number), label=names[i])
    title = titled(run, f"use of {told}, over {span(shown)}")
    ax.set(xlabel=f"time ({time_unit})", ylabel=axis, title=title)
    ax.set_xlim(0, run.duration * in_time)
    from_zero(ax.yaxis)
    legend(ax)
    return figure


def _told_of(run, shown, busy, ports):
    """The links that a plot shows: those that were named, or this many of the busiest."""
    told = "" if ports is not None else out_of(len(shown), len(used_by_switches(run, busy)), "busiest")
    return f"links{told} in use" if told else "links"


@draws_run
def plot_queues(run, ports=None, ax=None):
    """Occupancy of the input buffers at the far end of links: the share of time at each number of packets.

    From the table `queues`; `ports` are names such as "A->B", by default the eight fullest.
    """
    table = run.arrow("queues")
    names = run.arrow("ports")["name"].to_pylist()
    port, held, time = (numbers(table[c]) for c in ("port", "held", "time"))
    total, filled = np.zeros(len(names)), np.zeros(len(names))
    np.add.at(total, port, time)
    np.add.at(filled, port, time * held)
    mean = np.divide(filled, total, out=np.zeros_like(filled), where=total > 0)
    fullest = [int(i) for i in np.argsort(-mean)[:8] if total[i] > 0]
    chosen = fullest if ports is None else chosen_ports(run, names, mean, ports)
    told = "" if ports is not None else out_of(len(chosen), np.count_nonzero(total), "fullest")
    names = told_apart(names)
    figure, ax = axes(ax)
    for number, i in enumerate(chosen):
        mine = port == i
        order = np.argsort(held[mine])
        share = 100 * time[mine][order] / total[i] if total[i] else time[mine][order]
        look = {**line(number), "marker": "o", "ms": 3}
        ax.plot(held[mine][order], share, **look, label=f"{names[i]} (mean {mean[i]:.2g})")
    ax.set(
        xlabel="data packets held in the buffer", ylabel="share of time (%)", title=titled(run, f"input buffers{told}")
    )
    from_zero(ax.yaxis)
    ax.xaxis.get_major_locator().set_params(integer=True)
    legend(ax)
    return figure
