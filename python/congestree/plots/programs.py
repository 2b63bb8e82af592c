"""Plots of applications: when ranks finished, and their messages."""

import numpy as np

from ..evaluation.chosen import chosen
from ..quantities import scale_for
from ..runs import arguments
from .style import alone, axes, colour, draws_run, from_zero, legend, line, numbers, titled


@draws_run
def plot_ranks(run, jobs=None, ax=None):
    """When each rank of each application finished, since the start of its job; dotted: its computing time.

    `jobs` are names of applications, by default all.
    """
    table = run.arrow("ranks")
    owners, ranks = table["job"].to_pylist(), numbers(table["rank"])
    took, computing = numbers(table["completion"]), numbers(table["computing"])
    names = chosen("application", owners, jobs)
    factor, unit = scale_for("s", np.nanmax(took, initial=0.0))
    figure, ax = axes(ax)
    for number, name in enumerate(names):
        mine = np.array([owner == name for owner in owners])
        unfinished = int(np.isnan(took[mine]).sum())
        label = f"{name} ({unfinished} of {mine.sum()} ranks had not finished)" if unfinished else name
        ax.plot(ranks[mine], took[mine] * factor, **line(number), marker="o", ms=3, label=label)
        if computing[mine].any():
            ax.plot(ranks[mine], computing[mine] * factor, ":", color=colour(number), **alone(computing[mine]))
    if computing[np.isin(owners, names)].any():
        ax.plot([], [], ":", color="black", label="time computing")
    ax.set(xlabel="rank", ylabel=f"finished after ({unit})", title=titled(run, "when ranks finished"))
    from_zero(ax.yaxis)
    ax.xaxis.get_major_locator().set_params(integer=True)
    legend(ax)
    return figure


@draws_run
def plot_messages(run, job=None, most=20_000, ax=None):
    """Messages of an application as lines from (time sent, sender) to (time delivered, receiver).

    `job` is the name of an application, by default the first. Flat lines are slow messages. If there are more than
    `most` messages, only every n-th is drawn, and the title says so. Needs the probe `messages`.
    """
    from matplotlib.collections import LineCollection

    most = arguments.count("messages (most)", most)
    table = run.arrow("messages")
    owners = table["job"].to_pylist()
    job = next(iter(chosen("application", owners, None if job is None else [job])), None)
    mine = np.flatnonzero(np.array(owners, dtype=object) == job)
    step = max(1, -(-len(mine) // most))
    told = f": one in {step:,} of {len(mine):,}" if step > 1 else ""
    mine = mine[::step]
    sent, delivered, origin, target = (numbers(table[c])[mine] for c in ("sent", "delivered", "from", "to"))
    factor, unit = scale_for("s", delivered.max(initial=0.0))
    ends = [np.stack([time * factor, rank], axis=1) for time, rank in ((sent, origin), (delivered, target))]
    lines = np.stack(ends, axis=1)
    took = delivered - sent
    figure, ax = axes(ax)
    drawn = LineCollection(lines, array=took * scale_for("s", took.max(initial=0.0))[0], cmap="viridis", lw=0.8)
    ax.add_collection(drawn)
    ax.autoscale()
    ax.set(xlabel=f"time ({unit})", ylabel="rank", title=titled(run, f"messages of {job}{told}"))
    ax.yaxis.get_major_locator().set_params(integer=True)
    figure.colorbar(drawn, ax=ax, label=f"on the way ({scale_for('s', took.max(initial=0.0))[1]})")
    return figure
