"""What the claims about the thesis are computed from."""

import numpy as np

from ..gran_common.scenario import WIRE
from .scenario import PACKET_S

FORWARDING_S = 100e-9


def picoseconds(column):
    """A column of seconds as whole picoseconds, the engine's unit."""
    return np.rint(column.to_numpy() * 1e12).astype(np.int64)


def link_shares(view, link=16e9):
    """Rate of each class per rate of a host's link, after the warm-up."""
    found = {}
    for label, rate in zip(view.run.flows["class"], view.run.flows["rate"], strict=True):
        found[str(label)] = found.get(str(label), 0.0) + rate / link
    return found


def hot_share(view):
    """What reaches H5 per rate of its link."""
    return sum(share for label, share in link_shares(view).items() if label != "cold")


def buffer_levels(view, link):
    """Share of the time with each number of packets in the buffer of a link: {packets: share}; and back-pressure."""
    port = view.ports[link]["port"]
    table = view.run.queues.filter(view.run.queues["port"] == port)
    total = table["time"].sum()
    levels = dict(zip(table["held"].to_list(), (table["time"] / total).to_list(), strict=True))
    return levels, view.ports[link]["blocked"] / total


def departures(view):
    """When each delivered packet started on the last link, ps; whether it was marked; in order of start."""
    table = view.run.deliveries
    start = table["time_ps"].to_numpy().astype(np.int64) - round(PACKET_S * 1e12)
    order = np.argsort(start, kind="stable")
    return start[order], table["marked"].to_numpy()[order]


def marked_by_state(view):
    """Shares of packets marked that started while their output was congested, and while it was not.

    A packet that starts at the very instant of a change is left out: the table does not show which came first.
    """
    turns = picoseconds(view.run.congestion["time"])
    entered = view.run.congestion["entered"].to_numpy()
    start, marked = departures(view)
    place = np.searchsorted(turns, start, side="right") - 1
    clear = ~np.isin(start, turns)
    inside = clear & (place >= 0) & entered[np.maximum(place, 0)]
    outside = clear & ~inside
    return {
        "in the state": float(marked[inside].mean()),
        "packets in it": int(inside.sum()),
        "outside": float(marked[outside].mean()),
        "packets outside": int(outside.sum()),
    }


def fill_at_entry(view):
    """Bytes in the longest queue of the output when it first entered the congestion state, counted from deliveries.

    A packet waits from when its head has been routed until it starts on the last link. The one whose arrival is the
    entry counts.
    """
    entry = picoseconds(view.run.congestion["time"])[0]
    table = view.run.deliveries
    fills = []
    for flow in np.unique(table["flow"].to_numpy()):
        chosen = table.filter(table["flow"] == flow)
        routable = chosen["injected_ps"].to_numpy().astype(np.int64) + round(FORWARDING_S * 1e12)
        started = chosen["time_ps"].to_numpy().astype(np.int64) - round(PACKET_S * 1e12)
        fills.append(int(((routable <= entry) & (started >= entry)).sum()) * WIRE)
    return max(fills)


def index_steps(view, timer_s, increase):
    """Every index that was seen, and whether it rose and fell between samples as the rule prescribes.

    The limit of a flow is one packet time plus as many as its index (runs.INDEX). Between two samples it rises by at
    most `increase` for each notification and falls by at most one for each period of the timer that ends.
    """
    series, marks = view.run.flow_series, view.run.marks
    seen, faults = set(), 0
    for flow in view.run.flows["flow"]:
        chosen = series.filter(series["flow"] == flow)
        time = chosen["time"].to_numpy() + view.bin
        index = np.rint(chosen["limit"].to_numpy() - 1).astype(int)
        heard = np.sort(marks["echoed"].to_numpy()[marks["flow"].to_numpy() == flow])
        heard = np.diff(np.searchsorted(heard, time - 1e-13))  # a bin has its start, not its end
        step = np.diff(index)
        falls = np.floor(np.diff(time) / timer_s + 1e-9) + 1
        faults += int(((step > increase * heard) | (step < -falls)).sum())
        seen |= set(index.tolist())
    return sorted(seen), faults


def hypercube(dimensions):
    """Links of a hypercube: pairs of nodes that differ in one bit."""
    nodes = range(2**dimensions)
    return [(a, a ^ 1 << bit) for a in nodes for bit in range(dimensions) if a < a ^ 1 << bit]


def mesh(width, height):
    """Links of a two-dimensional mesh."""
    across = [(x + y * width, x + 1 + y * width) for y in range(height) for x in range(width - 1)]
    return across + [(x + y * width, x + (y + 1) * width) for y in range(height - 1) for x in range(width)]


def diameter(links):
    """Links on the longest of the shortest paths."""
    beside = {}
    for a, b in links:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    longest = 0
    for start in beside:
        reached, edge = {start: 0}, [start]
        while edge:
            edge = [(b, reached[a] + 1) for a in edge for b in beside[a] if b not in reached]
            reached |= dict(edge)
            edge = [node for node, _ in dict(edge).items()]
        longest = max(longest, *reached.values())
    return longest
