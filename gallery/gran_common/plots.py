"""Rates of flows over time, as the figures of the papers show them. A flow has the same colour everywhere."""

from ..common.plots import BLUE, GREEN, ORANGE, PURPLE, VERMILION, entitle, panels

FLOW_COLOURS = {"F1": GREEN, "F2": BLUE, "F3": VERMILION, "F4": ORANGE, "F5": PURPLE}


def rates_over_time(axes, view, title, labels=None, group=1, colours=FLOW_COLOURS):
    """Payload rates of every flow of a run, `group` bins averaged to a point; plateaus are shaded."""
    labels = labels or {}
    scale, unit = (1, "s") if view.end >= 1 else (1e3, "ms")
    for phase in range(len(view.phases)):
        axes.axvspan(*(scale * t for t in view.plateau(phase)), color="#f4f1e8", zorder=0, lw=0)
    for flow in view.names:
        series = view.series(flow)
        count = len(series) // group
        rate = series[: count * group].reshape(count, group).mean(axis=1)
        time = view.times()[: count * group].reshape(count, group).mean(axis=1)
        on = time >= view.starts[flow]
        axes.plot(scale * time[on], rate[on], color=colours.get(flow), lw=1.1, label=labels.get(flow, flow))
    axes.set(xlim=(0, scale * view.end), ylim=(0, 15), xlabel=f"time ({unit})", ylabel="payload (Gbit/s)")
    entitle(axes, title)


def side_by_side(drawings, height=3.9):
    """Several runs side by side: [(view, title), ...], one legend."""
    figure, axes = panels(len(drawings), height=height, sharey=True)
    for panel, (view, title, *more) in zip(axes, drawings, strict=True):
        rates_over_time(panel, view, title, **(more[0] if more else {}))
    for panel in axes[1:]:
        panel.set_ylabel("")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=7, fontsize=9, frameon=False)
    return figure
