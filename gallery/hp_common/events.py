"""What congestion events marked: the tables events, marks, fulls and buffered of one run.

An event is one trigger at one output; a buffer that fills triggers every output that a packet in it waits for.
"""

import numpy as np

from .scenario import BIN_MS, INTER, ROOT


class Events:
    """The events of one run at one output (None: at all) whose trigger was "input" or "output" (or either)."""

    def __init__(self, view, trigger=None, output=ROOT):
        self.view = view
        events = view.run.events
        chosen = np.ones(len(events), dtype=bool)
        if output is not None:
            chosen &= events["output"].to_numpy() == output
        if trigger is not None:
            chosen &= events["trigger"].to_numpy() == trigger
        self.table = {column: events[column].to_numpy()[chosen] for column in events.columns}
        self.ids, first = np.unique(self.table["event"], return_index=True)
        self.time_ms = self.table["time"][first] * 1e3

    def __len__(self):
        return len(self.ids)

    def _of(self, table):
        """Rows of another table that belong to these events, as arrays, with the position of their event."""
        columns = {column: table[column].to_numpy() for column in table.columns}
        chosen = np.isin(columns["event"], self.ids)
        columns = {column: values[chosen] for column, values in columns.items()}
        columns["at"] = np.searchsorted(self.ids, columns["event"])
        return columns

    def marked(self, kind):
        """Packets of a class among the departures that each event requests to be marked.

        An event at an output loads its counter with the packets then in the switch for it, and that many departures
        are marked, whether or not another event reloads the counter in the meantime; a packet that two events request
        counts for both.
        """
        marks = self.view.run.marks
        known = self.view.run.events["event"].to_numpy()[self.view.run.events["output"].to_numpy() == ROOT]
        here = np.isin(marks["event"].to_numpy(), known)
        time = marks["time"].to_numpy()[here]
        counted = np.concatenate([[0], np.cumsum(self.view.members(kind)[marks["flow"].to_numpy()[here]])])
        first = np.searchsorted(time, self.table["time"], side="left")
        last = np.minimum(first + self.table["loaded"], len(time))
        return counted[last] - counted[first]

    def newly_marked(self, kind):
        """Packets of a class marked after each event and before the next."""
        marks = self._of(self.view.run.marks)
        member = self.view.members(kind)[marks["flow"]]
        return np.bincount(marks["at"][member], minlength=len(self))

    def feedback_us(self):
        """From each event to the arrival of each ACK that carries one of its marks, us."""
        marks = self._of(self.view.run.marks)
        delay = marks["echoed"] * 1e6 - self.time_ms[marks["at"]] * 1e3
        return delay[np.isfinite(delay)]

    def chance_by_limit(self, edges):
        """Share of (event, contender) pairs that were marked, by the contender's R_max/r at the event.

        The limit is the one at the end of the bin before the event.
        """
        contenders = np.flatnonzero(self.view.members("contenders"))
        bins = np.floor(self.time_ms / BIN_MS).astype(int) - 1
        known = (bins >= 0) & (bins < len(self.view.flow_limit))
        limits = self.view.flow_limit[np.clip(bins, 0, len(self.view.flow_limit) - 1)][:, contenders]
        hit = np.zeros((len(self), len(self.view.flows["bytes"])), dtype=bool)
        marks = self._of(self.view.run.marks)
        hit[marks["at"], marks["flow"]] = True
        limits, hit = limits[known].ravel(), hit[:, contenders][known].ravel()
        where = np.digitize(limits, edges) - 1
        pairs = np.bincount(where.clip(0, len(edges) - 2), minlength=len(edges) - 1)
        marked = np.bincount(where.clip(0, len(edges) - 2)[hit], minlength=len(edges) - 1)
        return np.where(pairs > 0, marked / np.maximum(pairs, 1), np.nan), pairs


def full_with(view, kind, start_ms=0.0, end_ms=np.inf, link=INTER):
    """Whether the buffer behind a link held a packet of a class, each time that it became full."""
    fulls, buffered = view.run.fulls, view.run.buffered
    time = fulls["time"].to_numpy() * 1e3
    here = (fulls["input"].to_numpy() == link) & (time >= start_ms) & (time < end_ms)
    holding = np.zeros(len(fulls), dtype=bool)
    holding[buffered["full"].to_numpy()[view.members(kind)[buffered["flow"].to_numpy()]]] = True
    return holding[here]
