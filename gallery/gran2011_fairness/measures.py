"""What the claims of this paper are computed from: settling times, shares of trees."""

import numpy as np

WINDOW = 0.05
"""Rates are averaged over this share of a phase to see when they have settled: 50 ms of 1 s."""


def active(view, phase):
    """The contributors that are on in a phase, in the order of their starts."""
    on = [flow for flow, start in sorted(view.starts.items(), key=lambda item: item[1]) if flow not in ("H1", "F1")]
    return on[:phase]


def averages(view, flows, phase):
    """Rates of flows in the windows of a phase: [window, flow], Gbit/s; and the length of a window, s."""
    start, end = view.phases[phase]
    width = WINDOW * (end - start)
    spans = [(start + k * width, start + (k + 1) * width) for k in range(round(1 / WINDOW))]
    return np.array([[view.rate_in(flow, span) for flow in flows] for span in spans]), width


def settled_after(view, phase, tolerance=0.15):
    """Time after which every contributor stays within a tolerance of the fair share, s; nan if it never does."""
    rates, width = averages(view, active(view, phase), phase)
    fair = rates[-len(rates) // 2 :].sum(axis=1).mean() / rates.shape[1]
    off = np.flatnonzero(np.any(np.abs(rates / fair - 1) > tolerance, axis=1))
    if not len(off):
        return 0.0
    return float("nan") if off[-1] == len(rates) - 1 else float((off[-1] + 1) * width)


def equal_after(view, phase, ratio=1.2):
    """Time until the end of the first window in which the fastest has at most `ratio` times the slowest, s."""
    rates, width = averages(view, active(view, phase), phase)
    hit = np.flatnonzero(rates.max(axis=1) <= ratio * np.maximum(rates.min(axis=1), 1e-9))
    return float((hit[0] + 1) * width) if len(hit) else float("nan")


def ratio_in_windows(view, phase):
    """Highest over lowest rate of the contributors within a window, mean over those of the last half of a phase."""
    rates, _ = averages(view, active(view, phase), phase)
    late = rates[len(rates) // 2 :]
    return float((late.max(axis=1) / np.maximum(late.min(axis=1), 1e-9)).mean())


def last_half(view, phase):
    """Highest over lowest mean rate of the contributors in the last half of a phase."""
    start, end = view.phases[phase]
    rates = [view.rate_in(flow, ((start + end) / 2, end)) for flow in active(view, phase)]
    return max(rates) / min(rates)


def marks_ratio(view, phase):
    """Most over fewest notifications of the contributors on a plateau."""
    marks = [view.marks(flow, phase) for flow in active(view, phase)]
    return max(marks) / max(min(marks), 1e-9)


def shares(view):
    """Share of what reaches the one destination, by source."""
    table = view.run.flows
    total = table["bytes"].sum()
    return {source: size / total for source, size in zip(table["source"], table["bytes"], strict=True)}


def by_level(view, k, n):
    """Mean share of the sources of each level of a k-ary n-tree, nearest first, and the packets of the poorest source.

    A source is of level l if it joins the path to host 0 at a switch l links above the hosts.
    """
    share = shares(view)
    levels = {}
    for source, part in share.items():
        number = int(source[1:])
        levels.setdefault(next(level for level in range(1, n + 1) if number < k**level), []).append(part)
    return [float(np.mean(levels[level])) for level in sorted(levels)], int(view.run.flows["packets"].min())


def tree_shares(k, n):
    """Shares by level in the fluid limit: every switch on the path divides its output equally among its inputs.

    A leaf switch has k - 1 other hosts and one link from above; a switch above it k - 1 leaf switches that are not on
    the path, and one link from above; a root switch k - 1 others.
    """
    found, above = [], 1.0
    for level in range(1, n + 1):
        inputs = k if level < n else k - 1
        found.append(above / inputs / k ** (level - 1))
        above /= inputs
    return found


def chain_shares(ports, switches):
    """Share of a source at each switch of a chain in the fluid limit, nearest to the sink first."""
    return [(ports - 1.0) ** -depth for depth in range(1, switches + 1)]
