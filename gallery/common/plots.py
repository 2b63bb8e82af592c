"""The style of plots: panels, titles, axes in per cent."""

from matplotlib.ticker import FuncFormatter

from congestree.plots import COLOURS
from congestree.plots.figure import Figure
from congestree.plots.style import matplotlib_settings

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, GREY, BLACK = COLOURS


def panels(count=1, height=3.9, width=7.2, **options):
    """A figure in our style with panels side by side."""
    with matplotlib_settings():
        figure = Figure(figsize=(width * (1 if count == 1 else 1.45), height), layout="constrained")
        return figure, figure.subplots(1, count, squeeze=False, **options)[0]


def entitle(axes, title):
    """A title over the left end of a panel."""
    axes.set_title(title, loc="left", fontsize=10.5)


def legend_below(figure, axes):
    """One legend for all panels, below them: the lines of one."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
    return figure


def percent(axis):
    """Fractions of a link in per cent."""
    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.4g}%"))


def doublings(axis):
    """An axis in powers of two whose numbers are read off: 2, 4, 8."""
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log", base=2)
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
