"""Plots of a study: a value over two axes of a grid, or along one."""

import numpy as np

from ..errors import CongestreeError
from ..quantities import BASE_UNITS, RATES, SIZES, SPANS, scale_for
from ..runs import arguments
from ..studies.points import ends, in_order
from ..studies.study import a_study
from .style import MOST_TICKS, axes, colour, in_lines, last, legend, line, marker, name_ticks, styled, tick

NUMBERS_ACROSS = 60
"""Digits in small print that have room side by side in a heat map of our size."""


@styled
def plot_heat(study, x, y, value, ax=None, unit=None):
    """A heat map of a study: the mean of `value` at each point (x, y), over its runs, which the title describes.

    `x`, `y` and `value` are columns of `study.runs`, or named as in `study.column`. The axis has the unit that reads
    best; `unit` is the base unit of the value ("s", "bit/s", "B"), needed only for columns of which `study.unit` knows
    none. Raises CongestreeError for other units than that of the column, and if no run has the value.
    """
    a_study("plot_heat", study)
    unit = _unit(study, value, unit)
    table = study.mean(value, by=[y, x])
    x, y = study.column(x, by=True), study.column(y, by=True)
    across, down = (in_order(table[column].to_list(), study.axes.get(column, [])) for column in (x, y))
    grid = np.full((len(down), len(across)), np.nan)
    for row in table.iter_rows(named=True):
        grid[down.index(row[y]), across.index(row[x])] = row["mean"]
    factor, name = _scale(table, value, unit)
    figure, ax = axes(ax)
    picture = ax.imshow(grid * factor, origin="lower", aspect="auto", cmap="viridis")
    ax.grid(False)
    name_ticks(ax, [_said(study, x, v) for v in across])
    step = -(-len(down) // MOST_TICKS)
    ax.set_yticks(range(0, len(down), step), [_said(study, y, v) for v in down[::step]])
    longest = max(len(f"{number * factor:.3g}") for number in grid.flat)
    if longest * len(across) <= NUMBERS_ACROSS and len(down) <= MOST_TICKS:
        middle = (np.nanmax(grid) + np.nanmin(grid)) / 2
        for (i, j), number in np.ndenumerate(grid):
            if not np.isnan(number):
                shade = "black" if number > middle else "white"
                ax.text(j, i, f"{number * factor:.3g}", ha="center", va="center", color=shade, fontsize=8)
    ax.set(xlabel=_name(study, x), ylabel=_name(study, y), title=f"{value} ({name})" if name else value)
    over = study.averaged([x, y])
    differing = f", mean over runs that differ in {_names(study, over)}, too" if over else ""
    if told := differing + _without(table):
        ax.set_title(in_lines(f"{ax.get_title(loc='left')}{told}"))
    figure.colorbar(picture, ax=ax)
    return figure


@styled
def plot_lines(study, x, value, by=None, ax=None, unit=None):
    """A line plot of a study: mean of `value` against `x` with its 95 % interval over seeds.

    If the values of `x` are names, not numbers, points with error bars are drawn. No interval is drawn where a point
    is one run, or if the mean is also over further settings; the title says so, and how many runs lack the value.

    `x`, `value` and `by` are columns of `study.runs`, or named as in `study.column`. With `by`, there is a line for
    each of its values, or for each combination of values if it is a list of columns. `unit` and errors: as for
    `plot_heat`.
    """
    a_study("plot_lines", study)
    unit = _unit(study, value, unit)
    by_names = [study.column(name, by=True) for name in (arguments.listed(by) if by is not None else [])]
    x_name = study.column(x, by=True)
    groups = [*by_names, x_name]
    table = study.mean(value, by=groups)
    kinds = table.select(by_names).rows() if by_names else [()]
    for at, column in reversed(list(enumerate(by_names))):
        order = in_order(table[column].to_list(), study.axes.get(column, []))
        kinds = sorted(dict.fromkeys(kinds), key=lambda kind, at=at, order=order: order.index(kind[at]))
    ticks = in_order(table[x_name].to_list(), study.axes.get(x_name, []))
    numeric = all(isinstance(t, (int, float)) and not isinstance(t, bool) for t in ticks)
    factor, name = _scale(table, value, unit)
    figure, ax = axes(ax)
    for number, kind in enumerate(kinds):
        rows = [r for r in table.iter_rows(named=True) if tuple(r[name] for name in by_names) == kind]
        at = np.array([r[x_name] if numeric else ticks.index(r[x_name]) for r in rows], dtype=float)
        mean = np.array([r["mean"] for r in rows]) * factor
        half = np.array([r["interval"] for r in rows], dtype=float) * factor
        order = np.argsort(at)
        at, mean, half = at[order], mean[order], half[order]
        told = (f"{_name(study, one)} {_said(study, one, v)}" for one, v in zip(by_names, kind, strict=True))
        label = ", ".join(told) or None
        if not numeric:  # names have nothing between them
            step = min(0.08, 0.7 / len(kinds))  # so that all points of a name are nearer to it than to the next
            beside = step * (number - (len(kinds) - 1) / 2)
            ax.errorbar(at + beside, mean, half, fmt=marker(number), ms=5, capsize=3, color=colour(number), label=label)
            continue
        ax.plot(at, mean, **line(number), marker="o", ms=3.5, label=label)
        _band(ax, at, mean, half, colour(number))
    if all(isinstance(t, int) for t in ticks):
        ax.xaxis.get_major_locator().set_params(integer=True)
    if not numeric:
        name_ticks(ax, [_said(study, x_name, t) for t in ticks])
        ax.set_xlim(-0.5, len(ticks) - 0.5)
    ax.set(xlabel=_name(study, x_name), ylabel=f"{value} ({name})" if name else value)
    ax.set_title(_mean_of(study, table, groups))
    legend(ax)
    return figure


def _band(ax, at, mean, half, shade):
    """The intervals of points along a line: a band, a bar beside points without one, and at those nothing."""
    there = ~np.isnan(half)
    alone = there & ~np.r_[False, there[:-1]] & ~np.r_[there[1:], False]
    ax.fill_between(at, mean - half, mean + half, where=there & ~alone, color=shade, alpha=0.18, lw=0)
    if alone.any():
        ax.errorbar(at[alone], mean[alone], half[alone], fmt="none", ecolor=shade, capsize=3)


def _unit(study, value, unit):
    """The base unit of a column: values of another unit than the axis says would be wrong by powers of ten."""
    known = study.unit(value)
    if unit is None or unit == known:
        return known
    if known and unit:
        raise CongestreeError(
            f"{value} is in {known}, not in {unit}: leave the unit out, and the axis has the one that reads best."
        )
    if unit in {**SPANS, **SIZES, **RATES} and unit not in BASE_UNITS:
        raise CongestreeError(
            f"{unit} is no base unit: write one of {', '.join(BASE_UNITS)}, in which {value} then is."
        )
    return unit


def _scale(table, value, unit):
    """The factor and the name of the unit in which means read best; raises CongestreeError if there are none."""
    means = np.abs(table["mean"].to_numpy())
    if np.isnan(means).all():
        raise CongestreeError(f"No run of this study has {value}, so there is nothing to draw.")
    return scale_for(unit, np.nanmax(means)) if unit else (1.0, "")


def _name(study, column):
    """What an axis or a legend calls a column: the end of its path that no other path of the sweep has."""
    known = dict(zip(study.axes, ends(list(study.axes)), strict=True))
    return known[column].replace("_", " ") if column in known else last(column)


def _names(study, columns):
    return ", ".join(_name(study, column) for column in columns)


def _said(study, path, value):
    """A value of a column on an axis or in a legend; a long one is shown as its number in the sweep."""
    return tick(study.short(path, value) if path in study.axes else value)


def _mean_of(study, table, groups):
    """What points of lines are: means over seeds, with their interval or without, or over further settings."""
    if over := study.averaged(groups):
        said = f"mean over runs that differ in {_names(study, over)}, too"
    elif not table["interval"].is_not_nan().any():
        said = "one run at each point, which has no interval"
    else:
        said = "mean and 95 % interval over seeds"
        points = table.filter(table["mean"].is_not_nan())
        if alone := points["interval"].is_nan().sum():
            said += f" ({alone:,} of {len(points):,} points: one run, no interval)"
    return in_lines(said + _without(table))


def _without(table):
    """How many runs means say nothing of, as an application in them had not finished or nothing was measured."""
    missing, there = table["missing"].sum(), table["runs"].sum()
    return f", without {missing:,} of {missing + there:,} runs that lack the value" if missing else ""
