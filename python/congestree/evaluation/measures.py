"""Measures as pure functions of arrays: no run, no table, no state.

Everything takes plain sequences or NumPy arrays, so that a claim can say
exactly what it computes. Times are in seconds, rates in the unit given.
"""

import itertools
import math

import numpy as np

from ..runs import arguments

# Two-sided 95 % quantiles of Student's t for 1..30 degrees of freedom.
_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def jain_index(shares):
    """Jain's fairness index (Jain, Chiu, Hawe 1984): 1 if all shares are equal, 1/n if one takes all.

    >>> jain_index([1.0, 1.0, 1.0, 1.0])
    1.0
    >>> jain_index([1.0, 0.0, 0.0, 0.0])
    0.25
    """
    shares = np.asarray(shares, dtype=float)
    squares = shares.size * np.square(shares).sum()
    return float(shares.sum() ** 2 / squares) if squares > 0 else math.nan


def sliding_rate(amounts, bin_length, window, last=None):
    """Rate over the last `window` seconds, at the end of every bin: (sum of amounts in the window) / window.

    `amounts` are the amounts carried in each bin of `bin_length` seconds, along the first axis; the window is rounded
    to whole bins. Before a full window has passed, the rate is taken over the time elapsed so far. `last` is the
    length of the last bin if the run ended within it; the window that ends with it then starts within a bin.
    """
    amounts = np.asarray(amounts, dtype=float)
    if amounts.shape[0] == 0:
        return amounts.copy()
    bins = max(1, round(window / bin_length))
    total = np.cumsum(amounts, axis=0)
    before = np.zeros_like(total)
    before[bins:] = total[:-bins]
    spans = np.minimum(np.arange(1, amounts.shape[0] + 1), bins) * bin_length
    rates = (total - before) / spans.reshape((-1,) + (1,) * (amounts.ndim - 1))
    if last is not None and 0 < last < bin_length:
        missing = 1 - last / bin_length
        if amounts.shape[0] > bins:
            rates[-1] += missing * amounts[-1 - bins] / spans[-1]
        else:
            rates[-1] *= spans[-1] / (spans[-1] - missing * bin_length)
    return rates


def mean_over(times, values, start, end):
    """Mean of the values whose time (from `times`, s) lies in [start, end) (s); nan if there are none."""
    times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    inside = (times >= start) & (times < end)
    return float(values[inside].mean()) if inside.any() else math.nan


def percentile(values, share):
    """The value that `share` per cent of the values do not exceed (linear between neighbours)."""
    values = np.asarray(values, dtype=float)
    return float(np.percentile(values, share)) if values.size else math.nan


def t95(freedom):
    """Two-sided 95 % quantile of Student's t distribution with `freedom` degrees of freedom."""
    if freedom < 1:
        return math.nan
    if freedom <= len(_T95):
        return _T95[int(freedom) - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def mean_and_interval(values):
    """Mean of independent values and the half width of its 95 % confidence interval.

    >>> mean_and_interval([1.0, 2.0, 3.0])[0]
    2.0
    """
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if values.size == 0:
        return math.nan, math.nan
    if values.size == 1:
        return float(values[0]), math.nan
    spread = float(values.std(ddof=1)) / math.sqrt(values.size)
    return float(values.mean()), t95(values.size - 1) * spread


def time_to_reach(times, values, level, after=0.0):
    """The first of `times` (s) from `after` (s) on at which one of `values` is at least `level`; nan if never."""
    times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    reached = np.flatnonzero((times >= after) & (values >= level))
    return float(times[reached[0]]) if reached.size else math.nan


# Flows below this are mice, those above the other are elephants; between them are the middle ones.
MOUSE, ELEPHANT = 1e6, 10e6
EDGES = (0.0, MOUSE, ELEPHANT, math.inf)
# The percentiles that are reported of values: name and share (%).
SHARES = {"p50": 50, "p95": 95, "p99": 99, "p999": 99.9}


def by_size_class(sizes, values, edges=EDGES):
    """Statistics of flow values (slowdowns, completion times) by size: a dict for each class, including empty ones.

    A class contains the sizes from one of `edges` (B), or texts such as "1 kB", up to, but not including, the next.
    Keys: `from` and `to` (B), `flows`, and the statistics `mean`, `p50`, `p95`, `p99`, `p999` of the values. Raises
    CongestreeError if the edges do not rise.

    >>> [row["flows"] for row in by_size_class([100, 200, 5e6], [1.0, 3.0, 2.0])]
    [2, 1, 0]
    """
    sizes, values = np.asarray(sizes, dtype=float), np.asarray(values, dtype=float)
    rows = []
    for low, high in itertools.pairwise(arguments.rising(edges)):
        inside = (sizes >= low) & (sizes < high)
        rows.append({"from": low, "to": high, **_spread(values[inside])})
    return rows


def by_size_share(sizes, values, bins=20):
    """Statistics of values in size classes of about equally many flows, `bins` at most, smallest sizes first.

    Flows of one size are all in one class, however many they are; there are then fewer classes. Keys are as for
    `by_size_class`; `from` and `to` are sizes that occur. Raises CongestreeError if `bins` is below 1.

    >>> [row["mean"] for row in by_size_share([1, 2, 3, 4], [1.0, 2.0, 3.0, 5.0], bins=2)]
    [1.5, 4.0]
    >>> [(row["flows"], row["mean"]) for row in by_size_share([1, 2, 2, 2], [1.0, 2.0, 3.0, 4.0], bins=2)]
    [(4, 2.5)]
    """
    sizes, values = np.asarray(sizes, dtype=float), np.asarray(values, dtype=float)
    ordered = np.sort(sizes)
    lasts = np.unique(ordered[_last_ranks(sizes.size, arguments.count("bins", bins))])
    kinds = np.searchsorted(lasts, sizes)
    rows = []
    for kind, last in enumerate(lasts):
        inside = kinds == kind
        rows.append({"from": sizes[inside].min(), "to": last, **_spread(values[inside])})
    return rows


def _last_ranks(count, bins):
    """The rank, from 0, of the last of each of `bins` classes of equally many; of fewer classes if `count` is less.

    >>> _last_ranks(10, 3)
    [3, 6, 9]
    """
    bins = min(bins, count)
    # The first classes have one more if the flows cannot be divided evenly, as `numpy.array_split` does it.
    return [-1 + (number + 1) * (count // bins) + min(number + 1, count % bins) for number in range(bins)]


def _spread(values):
    """How many, their mean and their percentiles."""
    row = {"flows": int(values.size), "mean": float(values.mean()) if values.size else math.nan}
    return row | {name: percentile(values, share) for name, share in SHARES.items()}
