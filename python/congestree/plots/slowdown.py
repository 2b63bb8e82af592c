"""Slowdowns of flows by their size: the percentiles of a run, or one percentile of several schemes in comparison."""

import itertools

import numpy as np

from ..errors import CongestreeError
from ..evaluation import measures, quantiles
from ..evaluation.chosen import chosen
from ..quantities import in_words
from ..runs import arguments
from ..runs.results import a_run
from ..studies.study import Study
from .style import axes, in_bytes, in_lines, legend, line, logarithmic, marker, numbers, styled, titled

TOLD = {"p50": "median", "p95": "95 %", "p99": "99 %", "p999": "99.9 %"}
"""What the percentiles are called in legends and titles."""
USUAL = ("p50", "p95", "p99")
"""Percentiles that are drawn of a single run."""
COMPARED = "p99"
"""The percentile that is drawn of several runs."""


@styled
def plot_slowdown(run, classes=None, bins=20, after=0.0, ax=None, percentile=None):
    """Slowdown of flows (completion time divided by that on the idle fabric) by size, from the table `completions`.

    Shows the median, the 95th and the 99th percentile in groups of about equally many flows, `bins` at most; flows of
    one size are in one group, and each group stands at its median size. Of a smaller group (less than half as many
    flows) that has too few flows for a percentile, less than 20 for 95 % and 100 for 99 %, that point is left out, and
    the title says so. `classes` are traffic classes, by default all of them together; flows that start before `after`
    (s), or a text such as "1 ms", are left out. The title says how many flows of these classes had not finished, in the
    whole run: it is not recorded when those started.

    `run` may also be a `Study`, with a line for each of its settings, runs that differ in their seed together, or a
    dict {label: a run, or a list of runs that are taken together}. Then one `percentile` is drawn, "p50", "p95", "p99"
    (default) or "p999"; of a single run it is one, or a list, too. Raises CongestreeError for other percentiles.
    """
    after, compared = arguments.span("after", after), _compared(run)
    several = compared is not None
    compared = compared if several else {"": [a_run("plot_slowdown", run)]}
    wanted = chosen("percentile", TOLD, percentile or (COMPARED if several else USUAL))
    figure, ax = axes(ax)
    number, left = 0, set()
    for label, runs in compared.items():
        rows = _groups(runs, bins, classes, after)
        for name in wanted:
            kept = [row for row in rows if not _too_few(row, rows, name)]
            left |= {TOLD[name]} if len(kept) < len(rows) else set()
            told = ", ".join(filter(None, [label, TOLD[name] if len(wanted) > 1 or not several else ""]))
            points = [row["middle"] for row in kept], [row[name] for row in kept]
            ax.plot(*points, **line(number), marker=marker(number), ms=3, label=told)
            number += 1
    every = [run for runs in compared.values() for run in runs]
    what = f"{TOLD[wanted[0]]} of the slowdown" if several and len(wanted) == 1 else "slowdown"
    what += f" by size{_those(classes, after)}{_without(left)}{_unfinished(every, classes, after)}"
    ax.set(xlabel="flow size", ylabel="slowdown", title=_titled(every, what))
    if any(len(drawn.get_xdata()) for drawn in ax.lines):
        ax.set_ylim(bottom=1.0)
        legend(ax)
        logarithmic(ax.xaxis, in_bytes)
        logarithmic(ax.yaxis)
    return figure


def _compared(given):
    """Runs that are drawn together, {label: runs}; None if it is a single run that was given."""
    if isinstance(given, Study):
        groups = {}
        for point, run in zip(given.points, given, strict=True):
            if run is not None:
                values = {path: value for path, value in point["values"].items() if path in given.settings}
                groups.setdefault(given.label(values), {})[point["hash"]] = run  # points with one scenario are one run
        found = {label: list(runs.values()) for label, runs in groups.items()}
    elif isinstance(given, dict):
        listed = {label: runs if isinstance(runs, list | tuple) else [runs] for label, runs in given.items()}
        found = {str(label): [a_run("plot_slowdown", run) for run in runs] for label, runs in listed.items()}
    else:
        return None
    if not found or not all(found.values()):
        raise CongestreeError(
            "plot_slowdown has no run to draw for some label: give at least one finished run of each."
        )
    return found


def _groups(runs, bins, classes, after):
    """Statistics of groups of flows of some runs together, as `Run.by_size_share` has them of one, and in `middle` the
    median size of each."""
    found = [quantiles.of_flows(run, "slowdown", classes, after) for run in runs]

    def pieces():
        return itertools.chain.from_iterable(one() for one in found)

    rows = quantiles.by_size_share(pieces, bins)
    middles = quantiles.middle_sizes(pieces, [row["to"] for row in rows])
    return [{**row, "middle": max(1.0, middle)} for row, middle in zip(rows, middles, strict=True)]


def _too_few(row, rows, name):
    """Whether a group is what the others left over, and too small for this percentile to be another than its last."""
    usual = np.median([row["flows"] for row in rows])  # one size that many flows have does not make others small
    return row["flows"] < usual / 2 and row["flows"] * (100 - measures.SHARES[name]) < 100 - 1e-9


def _without(left):
    """That points are missing, of these percentiles."""
    return f", without {' and '.join(sorted(left))} of groups of too few flows" if left else ""


def _titled(runs, what):
    """A title with the name of the scenario, if all have the same."""
    names = {run._scenario.get("name") for run in runs}
    return titled(runs[0], what) if len(names) == 1 else in_lines(what)


def _those(classes, after):
    """Which flows are shown, if not all: those of some classes, those that start after an instant."""
    names = arguments.listed(classes) if classes is not None else []
    of = f" of {' and '.join(names)}" if names else ""
    since = f" that start after {in_words(after, 's')}" if after > 0 else ""
    return f" of flows{of}{since}" if of or since else ""


def _unfinished(runs, classes, after):
    """How many flows of some classes slowdowns say nothing of, as they had not finished."""
    began = left = 0
    for run in runs:
        flows = run.arrow("flows", ["class", "flows_started", "flows_finished"])
        kinds, started, ended = (numbers(flows[name]) for name in flows.column_names)
        mine = np.isin(kinds, arguments.listed(classes)) if classes is not None else np.ones(len(kinds), dtype=bool)
        began, left = began + int(started[mine].sum()), left + int((started[mine] - ended[mine]).sum())
    whole = f" of the whole run{'s' * (len(runs) > 1)}" if after > 0 else ""
    return f", without {left:,} of {began:,} flows{whole} that had not finished" if left > 0 else ""
