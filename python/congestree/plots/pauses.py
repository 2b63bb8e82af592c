"""Plots of what pauses cost."""

from ..evaluation import pauses
from .style import COLOURS, axes, draws_run, from_zero, out_of, short, titled


@draws_run
def plot_pauses(run, ax=None):
    """The share of the measured time in which lanes of links were paused: bars of the ten that were paused longest.

    From the table `pause_counters`; beside the bars stands how many pauses each received. Needs the probe `pauses`.
    """
    found = pauses.most_paused(run)
    rows, measured = found[: pauses.MOST][::-1], run.value("measured") or 1.0
    figure, ax = axes(ax, figsize=(7.0, 1.4 + 0.3 * max(1, len(rows))))
    ax.barh(range(len(rows)), [100 * row["paused"] / measured for row in rows], color=COLOURS[0])
    for at, row in enumerate(rows):
        ax.annotate(
            f"{row['pauses']:,}", (100 * row["paused"] / measured, at), (4, 0), textcoords="offset points", va="center"
        )
    ax.set_yticks(range(len(rows)), [short(row["port"] + pauses.of_lane(row["lane"], run)) for row in rows])
    told = "links" if run._scenario["links"]["lanes"] == 1 else "lanes"
    said = f"pauses of {told}{out_of(len(rows), len(found), 'paused longest')}, and how many came"
    ax.set(xlabel="time paused (%)", title=titled(run, said))
    from_zero(ax.xaxis)
    return figure
