"""Samples one by one: how many trees each of them saw, and how many links these held."""

import numpy as np

from ...columns import numbers
from .facts import SAME, sample_times


def by_sample(run):
    """Two arrays over the samples of `run`: the number of trees, and of the links (in a lane) that they hold.

    A link that is held because of several roots is in several trees, and counts once.
    """
    times, rows = np.array(sample_times(run)), run.arrow("trees")
    sample = np.searchsorted(times * SAME, numbers(rows["time"]))
    trees, memberships = np.zeros(len(times), dtype=int), np.zeros(len(times), dtype=int)
    np.add.at(trees, sample, 1)
    np.add.at(memberships, sample, (numbers(rows["branches"]) + numbers(rows["held_links"])).astype(int))
    last = numbers(rows["tree"])[sample == len(times) - 1]
    # Spans do not tell whether a sample at the very end of the run still saw a link; the counts of its trees do.
    return trees, np.minimum(_links(run, times, last), memberships)


def _links(run, times, last):
    """How many links the spans of `tree_links` have in each sample; last: the trees of the last one."""
    spans = run.arrow("tree_links", ["tree", "port", "lane", "from", "to"])
    tree, port, lane, since, until = (numbers(spans[name]) for name in spans.column_names)
    begin, end = (np.searchsorted(times * SAME, instants) for instants in (since, until))
    end[np.isclose(until, run.duration, rtol=SAME - 1, atol=0) & np.isin(tree, last)] = len(times)
    # All spans on one axis, link after link: where those of a link overlap, each begins at the end of those before.
    wide = len(times) + 1
    link = (port.astype(int) * (int(lane.max(initial=0)) + 1) + lane) * wide
    order = np.lexsort((begin, link))
    begin, end = (link + begin)[order], np.maximum.accumulate((link + end)[order])
    begin[1:] = np.maximum(begin[1:], end[:-1])
    change = np.zeros(wide, dtype=int)
    np.add.at(change, begin % wide, 1)
    np.subtract.at(change, end % wide, 1)
    return np.cumsum(change)[:-1]
