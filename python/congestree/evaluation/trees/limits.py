"""What part of its full rate a rate limit left each flow, from `flow_series`, which may be longer than the memory.

The limit at the end of a bin counts until the next record of the flow, and that of the last one until the run ends.
Records of a flow are in the order of time.
"""

import numpy as np

from ...columns import numbers
from ..quantiles import column


def shares(run):
    """Flows with a limit, in the order of their first records, and the part of its full rate that it left each: two
    arrays. It is the mean over time from the first record on. The table is read piece by piece."""
    count = int(numbers(run.arrow("flows", ["flow"])["flow"]).max(initial=0)) + 1
    began, latest = np.full(count, np.nan), np.zeros(count)  # times of the first and the latest record of each flow
    share, left = np.ones(count), np.zeros(count)  # what the latest leaves; its sum over the time before it
    order = []
    for rows, flows, times, leaves in _records(run):
        firsts = np.flatnonzero(np.diff(flows, prepend=-1))
        heads = flows[firsts]
        new = np.isnan(began[heads])
        began[heads[new]] = latest[heads[new]] = times[firsts[new]]
        before, held = np.roll(times, 1), np.roll(leaves, 1)
        before[firsts], held[firsts] = latest[heads], share[heads]
        left[heads] += np.add.reduceat((times - before) * held, firsts)
        ends = np.append(firsts[1:], len(flows)) - 1
        latest[heads], share[heads] = times[ends], leaves[ends]
        order.append(heads[new][np.argsort(rows[firsts[new]])])
    known = np.concatenate([np.zeros(0, dtype=int), *order])
    left += (run.duration - latest) * share
    return known, left[known] / (run.duration - began[known])


def _records(run):
    """Pieces of the records with a limit, those of a flow together: rows, flows, times, and what the limit leaves."""
    for piece in run.pieces("flow_series", ["time", "flow", "limit"]):
        times, flows, limits = (column(piece, name) for name in ("time", "flow", "limit"))
        there = np.flatnonzero(limits > 0)  # runs of before 0.1.0 that ended early have bins behind their end without
        if len(there):
            there = there[np.argsort(flows[there], kind="stable")]
            yield there, flows[there].astype(int), times[there], 1 / limits[there]
