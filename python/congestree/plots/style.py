"""What all our plots share: colours, style, figures without windows, and columns as arrays.

Colours are those of Okabe and Ito, which can be distinguished with any colour vision; in order of the traffic classes.
"""

import contextlib
import functools
import math
import re
import textwrap
import threading

import numpy as np

from ..columns import numbers
from ..errors import AskedError, visible
from ..quantities import in_words, seconds
from ..runs.results import a_run

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#000000")
LINES = ("-", (0, (6, 1.5)), ":", "-.")
MARKERS = ("o", "s", "D", "^")
"""Styles of lines and shapes of points, each for as many as there are colours."""
MANY = 8
"""Flows of a class up to which each has a line of its own."""
STYLE = {
    "figure.figsize": (7.0, 3.8),
    "figure.dpi": 120,
    "savefig.dpi": 160,
    "font.size": 9.5,
    "text.usetex": False,  # names are not TeX: many have an underscore
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


@contextlib.contextmanager
def matplotlib_settings(values=STYLE):
    """Settings of matplotlib within a context, for one thread at a time: they are those of the process, and of two
    contexts side by side one would restore what it found of the other.
    """
    from matplotlib import rc_context

    with _ALONE, rc_context(values):
        yield


_ALONE = threading.RLock()  # a plot may draw another


def styled(plot):
    """Apply the common style of our plots to the plotting function `plot` (a decorator)."""

    @functools.wraps(plot)
    def in_style(*arguments, **options):
        with matplotlib_settings():
            drawn = plot(*arguments, **options)
            if hasattr(drawn, "findobj"):
                take_literally(drawn)
            return drawn

    return in_style


def draws_run(plot):
    """As `styled`, for a plot whose first argument is a `run`: anything else is refused."""

    @functools.wraps(plot)
    def checked(run, *arguments, **options):
        return plot(a_run(plot.__name__, run), *arguments, **options)

    return styled(checked)


def take_literally(drawn):
    """Show all texts of a figure, or of other artists, as they are: names with dollars are not mathematics, and none
    turns the direction of what follows it. Of names at ticks, which axes write anew, their authors see to the latter.
    """
    from matplotlib.text import Text

    for text in drawn.findobj(Text):
        said = text.get_text()
        if "$" in said:
            text.set_parse_math(False)
        if (seen := "\n".join(map(visible, said.split("\n")))) != said:
            text.set_text(seen)


def axes(ax=None, **options):
    """A figure and its axes; opens no window and touches no global state of matplotlib.

    ax: existing axes to use.
    options: options of a new figure, such as `figsize` (inches).
    """
    if ax is not None:
        from matplotlib.axes import Axes

        if not isinstance(ax, Axes):
            raise AskedError(f"ax is {ax!r:.40}, and no axes of matplotlib: give some, or leave it out.")
        return ax.figure, ax
    from .figure import Figure

    figure = Figure(layout="constrained", **options)
    return figure, figure.add_subplot()


def series(run, table, key, value, count):
    """A long table (time, `key`, `value`) as (bin starts, bin length, length of the last bin, matrix bins x count).

    Keys are numbers, or names in alphabetical order. Gaps are zero. The last bin ends with the run.
    """
    frame = run.arrow(table)
    width = seconds(run._scenario["measure"]["bin"])
    bins = max(1, round(run.duration / width + 0.4999))
    at = np.minimum(np.rint(numbers(frame["time"]) / width).astype(int), bins - 1)
    keys = numbers(frame[key])
    columns = keys if keys.dtype.kind in "iu" else np.unique(keys, return_inverse=True)[1]
    matrix = np.zeros((bins, count))
    np.add.at(matrix, (at, columns), numbers(frame[value]))
    starts = np.arange(bins) * width
    return starts, width, min(run.duration - starts[-1], width), matrix


def logarithmic(axis, word="{:g}".format):
    """A logarithmic axis with readable numbers: 1, 2, 5, 10 or 1, 3, 10, no powers; over many decades only the
    decades.

    axis: `ax.xaxis` or `ax.yaxis`. word: the label of a value.
    """
    from matplotlib.ticker import AutoLocator, FuncFormatter, LogLocator, NullFormatter

    getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
    low, high = sorted(axis.get_view_interval())
    span = high / low
    beside = 40 if axis.axis_name == "x" else 300  # along x there is less space for labels
    steps = (1, 2, 5) if span < beside else (1, 3) if span < 300 else (1,)
    axis.set_major_locator(AutoLocator() if span < 8 else LogLocator(subs=steps))
    axis.set_major_formatter(FuncFormatter(lambda value, _: word(value)))
    axis.set_minor_formatter(NullFormatter())


def few_numbers(axis, word):
    """An axis with equal steps and room for five numbers, as these have a unit. axis, word: as for `logarithmic`."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: word(value)))


def from_zero(axis):
    """An axis that begins at zero and ends a little above the data, however little they vary.

    axis: `ax.xaxis` or `ax.yaxis`.
    """
    most = getattr(axis.axes.dataLim, f"{axis.axis_name}1")
    getattr(axis.axes, f"set_{axis.axis_name}lim")(0, 1.05 * most if 0 < most < math.inf else None)


def in_bytes(value):
    """A number of bytes at an axis in powers of ten: 100 B, 20 kB, 1 MB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= 0.9999 * unit:
            return f"{value / unit:g} {name}"
    return f"{value:g} B"


def colour(number):
    return COLOURS[number % len(COLOURS)]


def line(number):
    """Colour and style of a line: more lines than colours differ in their style."""
    return {"color": colour(number), "ls": LINES[number // len(COLOURS) % len(LINES)]}


def alone(values):
    """Markers for the values of a line that it does not show, as nothing stands beside them: options of `plot`.

    values: NaN where the line has a gap.
    """
    there = np.pad(~np.isnan(np.asarray(values, dtype=float)), 1)
    found = np.flatnonzero(there[1:-1] & ~there[:-2] & ~there[2:])
    return {"marker": ".", "markevery": found.tolist()} if len(found) else {}


SMALL = 7.0
"""The size of letters in a legend of many lines."""
SPACING = 1.5
"""From one line of a legend to the next, in sizes of its letters."""
MOST_TICKS = 20
"""Names along an axis of our size that have room beside each other, those along x aslant."""
LONG = 72
"""Letters of a title that have room above axes of our size."""


WIDE = 48
"""Letters of a name beside axes of our size that leave these about half of the width."""
ROOM = 66
"""Letters that have room side by side beneath axes of our size."""


def marker(number):
    """The shape of a point, which differs from others of its colour."""
    return MARKERS[number // len(COLOURS) % len(MARKERS)]


def titled(run, what):
    """A title with the name of the scenario; in lines, if it is long."""
    name = run._scenario.get("name") or ""
    said = f"{name}: {what}" if name else what
    return in_lines(said) or said


def out_of(shown, there, which):
    """What a title adds if some are drawn of those that are there: ": the 8 busiest of 48"."""
    return f": the {shown} {which} of {there:,}" if shown < there else ""


def in_lines(text):
    """A title in lines that have room, if it is long."""
    return "\n".join(textwrap.wrap(text, LONG))


def short(name):
    """A name beside axes, without its middle if it would leave them no room: names often differ at their end."""
    name = visible(name)
    return name if len(name) <= WIDE else f"{name[: WIDE // 2 - 1]}…{name[-WIDE // 2 :]}"


def last(path):
    return path.rsplit(".", 1)[-1].replace("_", " ")


def tick(value):
    return f"{value:g}" if isinstance(value, float) else visible(value)


def name_ticks(ax, names):
    """Names at 0, 1, 2 and so on along x: in lines where they would meet, aslant where a word is too long for that, and
    of very many only every n-th.
    """
    step = -(-len(names) // MOST_TICKS)
    names = [visible(name) for name in names[::step]]
    room = max(1, ROOM // max(1, len(names)))
    lines = ["\n".join(textwrap.wrap(name, room, break_long_words=False, break_on_hyphens=False)) for name in names]
    aslant = any(len(word) > room for name in names for word in name.split())
    ax.set_xticks(range(0, step * len(names), step), names if aslant else lines)
    if aslant:
        ax.tick_params(axis="x", rotation=30)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")


def legend(ax):
    """A legend beside the axes, if anything in them has a name: in small print, and of the first, where many have."""
    from matplotlib.lines import Line2D

    for artist in (*ax.lines, *ax.patches, *ax.collections):
        label = str(artist.get_label())
        if label.startswith("_") and not re.fullmatch(r"_child\d+|_nolegend_|", label):
            artist.set_label(f" {label}")  # matplotlib leaves out names that begin with an underscore
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    # A legend that is higher than the axes would take their place: the layout makes them lower, or is not possible.
    room = 72 * ax.get_window_extent().height / ax.figure.dpi / SPACING
    size = STYLE["font.size"] if len(handles) * STYLE["font.size"] <= room else SMALL
    fit = max(2, int(room / size))
    if len(handles) > fit:
        more = len(handles) - (fit - 1)
        handles = [*handles[: fit - 1], Line2D([], [], ls="none")]
        labels = [*labels[: fit - 1], f"and {more:,} more"]
    ax.legend(handles, [short(label) for label in labels], loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=size)


def span(window):

    return window if isinstance(window, str) else in_words(window, "s")
