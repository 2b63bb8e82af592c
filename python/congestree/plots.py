"""Plots of runs and studies; every function returns a matplotlib Figure and changes nothing else.

    fig = congestree.plots.plot_rates(run, window="10 ms")
    fig.savefig("rates.png")

Times, rates and sizes get the unit in which they read best. Colours are those of Okabe and
Ito, which people with any colour vision tell apart; in order of the traffic classes.
"""

import functools
import math
from pathlib import Path

import numpy as np

from . import measures
from .columns import numbers
from .errors import CongestreeError
from .quantities import scale_for, seconds

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#000000")
MANY = 8
"""Flows of a class up to which each has a line of its own."""
STYLE = {
    "figure.figsize": (7.0, 3.8),
    "figure.dpi": 120,
    "savefig.dpi": 160,
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "lines.linewidth": 1.4,
}


def styled(plot):
    """A plotting function in the style of all our plots."""

    @functools.wraps(plot)
    def in_style(*arguments, **options):
        from matplotlib import rc_context

        with rc_context(STYLE):
            return plot(*arguments, **options)

    return in_style


def axes(ax=None, **options):
    """A figure and its axes; no window is opened and no global state of matplotlib is touched."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if ax is not None:
        return ax.figure, ax
    figure = Figure(layout="constrained", **options)
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def series(run, table, key, value, count):
    """A long table (time, `key`, `value`) as (bin starts, bin length, matrix bins x count); gaps are zero.

    Keys are numbers, or names in alphabetical order.
    """
    frame = run.arrow(table)
    width = seconds(run.scenario["measure"]["bin"])
    bins = max(1, round(run.duration / width + 0.4999))
    at = np.minimum(np.rint(numbers(frame["time"]) / width).astype(int), bins - 1)
    keys = numbers(frame[key])
    columns = keys if keys.dtype.kind in "iu" else np.unique(keys, return_inverse=True)[1]
    matrix = np.zeros((bins, count))
    np.add.at(matrix, (at, columns), numbers(frame[value]))
    return np.arange(bins) * width, width, matrix


@styled
def plot_rates(run, window="10 ms", classes=None, by="flow", relative_to=None, ax=None):
    """Rates over time in a sliding window, from flow_series: a line for each flow (or `by="class"`: their mean).

    Of classes with more than eight flows there are the median, a band from the 10th to the 90th percentile, and, dashed
    and named, the flow with the least. The colour says the class; `classes` are the names of some, by default all.
    `relative_to` is a rate such as "1 GB/s": the axis is then a share of it. Needs the probe `flows`; with the probe
    `classes` alone there is a line for all flows of a class together.
    """
    from .quantities import bits_per_second

    source, key, kinds = "flow_series", "flow", run.arrow("flows")["class"].to_pylist()
    if source not in run.tables and "class_series" in run.tables:
        source, key = "class_series", "class"
        kinds = sorted(set(run.arrow(source)[key].to_pylist()))
    names = _chosen("class of traffic", kinds, classes)
    times, width, carried = series(run, source, key, "bytes", len(kinds))
    rates = measures.sliding_rate(8 * carried, width, seconds(window))
    factor, unit = scale_for("bit/s", rates.max(initial=0.0))
    if relative_to is not None:
        factor, unit = 1 / bits_per_second(relative_to), f"share of {relative_to}"
    figure, ax = axes(ax)
    in_time, time_unit = scale_for("s", times[-1] + width)
    for number, name in enumerate(names):
        members = [i for i, kind in enumerate(kinds) if kind == name]
        lines = rates[:, members].mean(axis=1, keepdims=True) if by == "class" else rates[:, members]
        if lines.shape[1] > MANY:
            _band(ax, (times + width) * in_time, lines * factor, number, name, _least(run, members, lines))
            continue
        thin = max(0.5, 1.6 / len(lines[0]) ** 0.4)
        for k in range(lines.shape[1]):
            label = (f"{name} ({len(members)})" if len(members) > 1 else name) if k == 0 else None
            ax.plot((times + width) * in_time, lines[:, k] * factor, color=_colour(number), lw=thin, label=label)
    ax.set(xlabel=f"time ({time_unit})", ylabel=f"rate ({unit})", title=_title(run, f"rates over {_span(window)}"))
    ax.set_xlim(0, run.duration * in_time)
    ax.set_ylim(bottom=0)
    _legend(ax)
    return figure


def _band(ax, at, lines, number, name, least):
    """A class of many flows: median, band, and the worst of them with its name."""
    worst, label = least
    low, middle, high = np.percentile(lines, [10, 50, 90], axis=1)
    ax.fill_between(at, low, high, color=_colour(number), alpha=0.22, lw=0, label=f"{name}: 10 to 90 %")
    ax.plot(at, middle, color=_colour(number), lw=1.6, label=f"{name}: median of {lines.shape[1]}")
    ax.plot(at, lines[:, worst], color=_colour(number), lw=0.9, ls=(0, (3, 1.5)), label=f"least: {label}")


def _least(run, members, lines):
    """Which of some flows carried least over all, and its name."""
    worst = int(np.argmin(lines.sum(axis=0)))
    name = run.arrow("flows", ["name"])["name"][members[worst]].as_py()
    return worst, name if len(name) <= 32 else f"{name[:31]}…"


@styled
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
        ax.plot([mine.min(), mine.max()], [row, row], color=_colour(row), lw=1)
        ax.plot([low, high], [row, row], color=_colour(row), lw=8, alpha=0.4, solid_capstyle="butt")
        ax.plot(middle, row, "o", ms=6, color=_colour(row))
        if len(members) > 1 and mine.max() > mine.min():
            for at, side in ((int(mine.argmin()), "left"), (int(mine.argmax()), "right")):
                word = names[members[at]]
                word = word if len(word) <= 24 else f"{word[:23]}…"
                ax.annotate(word, (mine[at], row), xytext=(0, 8), textcoords="offset points", ha=side, fontsize=7.5)
    ax.set_yticks(range(len(groups)), [f"{kind} ({len(members)})" for kind, members in groups.items()])
    ax.set(xlabel=f"rate of a flow ({unit})", title=_title(run, "rates by class: median, 10 to 90 %, extremes"))
    ax.set_xlim(left=0)
    ax.set_ylim(len(groups) - 0.5, -0.6)
    return figure


@styled
def plot_utilisation(run, ports=None, window=None, ax=None):
    """Utilisation of links: over time in a sliding window if there is a port_series, else as bars.

    `ports` are names such as "A->B"; by default the eight busiest links that leave a switch.
    """
    table = run.arrow("ports")
    names, busy = table["name"].to_pylist(), numbers(table["utilisation"])
    chosen = _chosen_ports(run, names, busy, ports)
    figure, ax = axes(ax)
    if "port_series" not in run.tables:
        ax.barh([names[i] for i in chosen][::-1], [100 * busy[i] for i in chosen][::-1], color=COLOURS[0])
        ax.set(xlabel="utilisation (%)", xlim=(0, 100), title=_title(run, "utilisation of links"))
        return figure
    times, width, carried = series(run, "port_series", "port", "bytes", len(names))
    window = 10 * width if window is None else seconds(window)
    rates = measures.sliding_rate(8 * carried, width, window)
    in_time, time_unit = scale_for("s", times[-1] + width)
    factor, unit = scale_for("bit/s", rates[:, chosen].max(initial=0.0))
    for number, i in enumerate(chosen):
        ax.plot((times + width) * in_time, rates[:, i] * factor, color=_colour(number), label=names[i])
    ax.set(xlabel=f"time ({time_unit})", ylabel=f"carried ({unit})", title=_title(run, "use of links"))
    ax.set_xlim(0, run.duration * in_time)
    ax.set_ylim(bottom=0)
    _legend(ax)
    return figure


@styled
def plot_queues(run, ports=None, ax=None):
    """How full the input buffers at the far end of links are: the share of time at each number of packets.

    From the table `queues`; `ports` are names such as "A->B", by default the eight fullest.
    """
    table = run.arrow("queues")
    names = run.arrow("ports")["name"].to_pylist()
    port, held, time = (numbers(table[c]) for c in ("port", "held", "time"))
    total, filled = np.zeros(len(names)), np.zeros(len(names))
    np.add.at(total, port, time)
    np.add.at(filled, port, time * held)
    mean = np.divide(filled, total, out=np.zeros_like(filled), where=total > 0)
    chosen = [names.index(p) for p in ports] if ports else [int(i) for i in np.argsort(-mean)[:8] if total[i] > 0]
    figure, ax = axes(ax)
    for number, i in enumerate(chosen):
        mine = port == i
        order = np.argsort(held[mine])
        share = 100 * time[mine][order] / total[i] if total[i] else time[mine][order]
        ax.plot(held[mine][order], share, "o-", ms=3, color=_colour(number), label=f"{names[i]} (mean {mean[i]:.2g})")
    ax.set(xlabel="data packets held in the buffer", ylabel="share of time (%)", title=_title(run, "input buffers"))
    ax.set_ylim(bottom=0)
    ax.xaxis.get_major_locator().set_params(integer=True)
    _legend(ax)
    return figure


@styled
def plot_ranks(run, jobs=None, ax=None):
    """When each rank of each application had finished, from the start of its job; dotted: what it computed.

    `jobs` are names of applications, by default all.
    """
    table = run.arrow("ranks")
    owners, ranks = table["job"].to_pylist(), numbers(table["rank"])
    took, computing = numbers(table["completion"]), numbers(table["computing"])
    names = _chosen("application", owners, jobs)
    factor, unit = scale_for("s", np.nanmax(took, initial=0.0))
    figure, ax = axes(ax)
    for number, name in enumerate(names):
        mine = np.array([owner == name for owner in owners])
        ax.plot(ranks[mine], took[mine] * factor, "o-", ms=3, color=_colour(number), label=name)
        if computing[mine].any():
            ax.plot(ranks[mine], computing[mine] * factor, ":", color=_colour(number))
    ax.set(xlabel="rank", ylabel=f"finished after ({unit})", title=_title(run, "when ranks finished"))
    ax.set_ylim(bottom=0)
    ax.xaxis.get_major_locator().set_params(integer=True)
    _legend(ax)
    return figure


@styled
def plot_messages(run, job=None, most=20_000, ax=None):
    """Messages of an application as lines from (time sent, sender) to (time delivered, receiver); the probe `messages`.

    `job` is the name of an application, by default the first. Flat lines are slow messages. Of more than `most`
    messages every so-many-th is drawn.
    """
    from matplotlib.collections import LineCollection

    table = run.arrow("messages")
    owners = table["job"].to_pylist()
    job = next(iter(_chosen("application", owners, None if job is None else [job])), None)
    mine = np.flatnonzero(np.array(owners, dtype=object) == job)
    mine = mine[:: max(1, -(-len(mine) // most))]
    sent, delivered, origin, target = (numbers(table[c])[mine] for c in ("sent", "delivered", "from", "to"))
    factor, unit = scale_for("s", delivered.max(initial=0.0))
    ends = [np.stack([time * factor, rank], axis=1) for time, rank in ((sent, origin), (delivered, target))]
    lines = np.stack(ends, axis=1)
    took = delivered - sent
    figure, ax = axes(ax)
    drawn = LineCollection(lines, array=took * scale_for("s", took.max(initial=0.0))[0], cmap="viridis", lw=0.8)
    ax.add_collection(drawn)
    ax.autoscale()
    ax.set(xlabel=f"time ({unit})", ylabel="rank", title=_title(run, f"messages of {job}"))
    ax.yaxis.get_major_locator().set_params(integer=True)
    figure.colorbar(drawn, ax=ax, label=f"on the way ({scale_for('s', took.max(initial=0.0))[1]})")
    return figure


@styled
def plot_heat(study, x, y, value, ax=None, unit=""):
    """A heat map of a study: the mean of `value` over all runs at each point (x, y).

    `x`, `y` and `value` are columns of `study.runs`, or the ends of their names; `unit` is that of the value ("s",
    "bit/s", "B"), which is then shown in the unit that reads best.
    """
    table = study.mean(value, by=[y, x])
    x, y = study.column(x), study.column(y)
    across, down = (list(dict.fromkeys(table[c].to_list())) for c in (x, y))
    grid = np.full((len(down), len(across)), np.nan)
    for row in table.iter_rows(named=True):
        grid[down.index(row[y]), across.index(row[x])] = row["mean"]
    factor, name = scale_for(unit, np.nanmax(np.abs(grid))) if unit else (1.0, "")
    figure, ax = axes(ax)
    picture = ax.imshow(grid * factor, origin="lower", aspect="auto", cmap="viridis")
    ax.grid(False)
    ax.set_xticks(range(len(across)), [_tick(v) for v in across])
    ax.set_yticks(range(len(down)), [_tick(v) for v in down])
    if grid.size <= 150:
        middle = (np.nanmax(grid) + np.nanmin(grid)) / 2
        for (i, j), number in np.ndenumerate(grid):
            if not np.isnan(number):
                shade = "black" if number > middle else "white"
                ax.text(j, i, f"{number * factor:.3g}", ha="center", va="center", color=shade, fontsize=8)
    ax.set(xlabel=_last(x), ylabel=_last(y), title=f"{value} ({name})" if name else value)
    figure.colorbar(picture, ax=ax)
    return figure


@styled
def plot_lines(study, x, value, by=None, ax=None, unit=""):
    """A line plot of a study: mean of `value` against `x` with its 95 % interval over the other runs (seeds).

    `x`, `value` and `by` are columns of `study.runs`, or the ends of their names. With `by`, one line for each of its
    values. `unit` is that of the value ("s", "bit/s", "B"), which is then shown in the unit that reads best.
    """
    groups = [x] if by is None else [by, x]
    table = study.mean(value, by=groups)
    x_name = study.column(x)
    by_name = None if by is None else study.column(by)
    kinds = [None] if by is None else list(dict.fromkeys(table[by_name].to_list()))
    ticks = list(dict.fromkeys(table[x_name].to_list()))
    numeric = all(isinstance(t, (int, float)) and not isinstance(t, bool) for t in ticks)
    factor, name = scale_for(unit, np.nanmax(np.abs(table["mean"].to_numpy()))) if unit else (1.0, "")
    figure, ax = axes(ax)
    for number, kind in enumerate(kinds):
        rows = [r for r in table.iter_rows(named=True) if by is None or r[by_name] == kind]
        at = np.array([r[x_name] if numeric else ticks.index(r[x_name]) for r in rows], dtype=float)
        mean = np.array([r["mean"] for r in rows]) * factor
        half = np.nan_to_num(np.array([r["interval"] for r in rows], dtype=float)) * factor
        order = np.argsort(at)
        at, mean, half = at[order], mean[order], half[order]
        label = None if kind is None else f"{_last(by_name)} {_tick(kind)}"
        ax.plot(at, mean, "o-", ms=3.5, color=_colour(number), label=label)
        ax.fill_between(at, mean - half, mean + half, color=_colour(number), alpha=0.18, lw=0)
    if not numeric:
        ax.set_xticks(range(len(ticks)), [_tick(t) for t in ticks])
    ax.set(xlabel=_last(x_name), ylabel=f"{value} ({name})" if name else value, title="mean and 95 % interval")
    if by is not None:
        _legend(ax)
    return figure


@styled
def plot_slowdown(run, classes=None, bins=20, after=0.0, ax=None):
    """Slowdown of flows (completion time over that on the idle fabric) by size, from completions.

    In each of `bins` groups of equally many flows: median, 95th and 99th percentile. `classes` are traffic classes, by
    default all together; flows that start before `after` (s) are left out.
    """
    rows = run.by_size_share("slowdown", bins, classes, after)
    figure, ax = axes(ax)
    at = [max(1.0, math.sqrt(row["from"] * row["to"])) for row in rows]
    for number, (name, label) in enumerate((("p50", "median"), ("p95", "95 %"), ("p99", "99 %"))):
        ax.plot(at, [row[name] for row in rows], "o-", ms=3, color=_colour(number), label=label)
    ax.set(xscale="log", yscale="log", xlabel="flow size (B)", ylabel="slowdown", title=_title(run, "slowdown by size"))
    if rows:
        ax.set_ylim(bottom=1.0)
        _legend(ax)
    return figure


def draw_all(run, folder):
    """Draw whatever the run has recorded into a folder; returns the paths."""
    from .store import prepare, write_file

    wanted = {"utilisation": plot_utilisation}
    if "flow_series" in run.tables or "class_series" in run.tables:
        wanted = {"rates": lambda r: plot_rates(r, window=r.duration / 20), **wanted}
    if "queues" in run.tables:
        wanted["queues"] = plot_queues
    if "ranks" in run.tables and not np.isnan(numbers(run.arrow("ranks")["completion"])).all():
        wanted["ranks"] = plot_ranks
    if "messages" in run.tables and run.arrow("messages").num_rows:
        wanted["messages"] = plot_messages
    if "completions" in run.tables:
        wanted["slowdown"] = plot_slowdown
    if not set(run.tables).isdisjoint(("output_queue_series", "transfers", "transport")):
        from .transports import plots_of

        wanted |= plots_of(run)
    if "trees" in run.tables:
        from .drawing import plot_trees

        wanted["trees"] = plot_trees
    folder = Path(folder)
    prepare(folder)
    paths = []
    for name, plot in wanted.items():
        path = folder / f"{name}.png"
        figure = plot(run)
        write_file(path, lambda temporary, figure=figure: figure.savefig(temporary, format="png"))
        paths.append(path)
    return paths


def _chosen(what, there, wanted):
    """Which of the names there are meant: all if none is said, and none that is not there."""
    names = list(dict.fromkeys(there))
    if wanted is None:
        return names
    if unknown := [str(name) for name in wanted if name not in names]:
        raise CongestreeError(
            f"There is no {what} {', '.join(unknown)} here; there are: {', '.join(map(str, names)) or 'none'}."
        )
    return [name for name in names if name in wanted]


def _chosen_ports(run, names, busy, ports):
    if ports:
        unknown = [p for p in ports if p not in names]
        if unknown:
            raise CongestreeError(f"There is no link {', '.join(unknown)}; links are named like {names[0]}.")
        return [names.index(p) for p in ports]
    hosts = set(run.arrow("flows")["source"].to_pylist())
    origins = run.arrow("ports")["from"].to_pylist()
    inner = [int(i) for i in np.argsort(-busy, kind="stable") if origins[i] not in hosts and busy[i] > 0]
    return inner[:8]


def _colour(number):
    return COLOURS[number % len(COLOURS)]


def _title(run, what):
    name = run.scenario.get("name") or ""
    return f"{name}: {what}" if name else what


def _last(path):
    return path.rsplit(".", 1)[-1].replace("_", " ")


def _tick(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def _legend(ax):
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _span(window):
    from .quantities import in_words

    return window if isinstance(window, str) else in_words(window, "s")
