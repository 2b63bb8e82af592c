"""One run of a network with congestion trees: bytes delivered in each bin, as shares of what links carry.

Normalised throughput is what all nodes receive in a bin over what their links could carry.
"""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds


class View:
    """One run."""

    link = None
    """Capacity of a host's link, bytes/s."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def bin(self):
        """Width of a bin, s."""
        return seconds(self.run.scenario["measure"]["bin"])

    @cached_property
    def count(self):
        """Bins of the run."""
        return round(seconds(self.run.scenario["measure"]["duration"]) / self.bin)

    @cached_property
    def nodes(self):
        """Nodes of a k-ary n-tree."""
        tree = self.run.scenario["topology"]["k-ary-n-tree"]
        return tree["k"] ** tree["n"]

    @cached_property
    def _bytes(self):
        """Bytes delivered: {class: array over bins}. Series of flows are long: only the sums of each piece are kept."""
        if "class_series" in self.run.tables:
            series = self.run.class_series
            names, rows = np.unique(series["class"].cast(str).to_numpy(), return_inverse=True)
            parts = [(rows, series["time"].to_numpy(), series["bytes"].to_numpy())]
        else:
            flows = self.run.flows
            names, rows = np.unique(flows["class"].cast(str).to_numpy(), return_inverse=True)
            codes = np.zeros(flows["flow"].max() + 1, dtype=int)
            codes[flows["flow"].to_numpy()] = rows
            parts = ((codes[flow], *rest) for flow, *rest in self._pieces("flow_series", ["flow", "time", "bytes"]))
        sums = np.zeros(len(names) * self.count)
        for rows, time, sent in parts:
            bins = np.rint(time / self.bin).astype(int)
            inside = bins < self.count
            sums += np.bincount(rows[inside] * self.count + bins[inside], sent[inside], minlength=len(sums))
        return dict(zip(names.tolist(), sums.reshape(len(names), self.count), strict=True))

    def _pieces(self, name, columns):
        """Columns of a table as arrays, piece by piece; none is kept in memory."""
        for piece in self.run.pieces(name, columns):
            yield [piece[column].to_numpy(zero_copy_only=False) for column in columns]

    def times(self):
        """Middles of the bins, ms."""
        return (np.arange(self.count) + 0.5) * 1e3 * self.bin

    def series(self, beginning=""):
        """Normalised throughput of the classes whose names begin so, bin by bin."""
        found = [array for label, array in self._bytes.items() if label.startswith(beginning)]
        return sum(found) / (self.nodes * self.link * self.bin)

    def rates(self, flow):
        """Rate of one flow, bin by bin, GB/s."""
        return self._bytes[flow] / self.bin / 1e9

    def _bins(self, span):
        return slice(*(round(edge * 1e-3 / self.bin) for edge in span))

    def mean(self, span, beginning=""):
        """Mean normalised throughput in [start, end) ms."""
        return float(self.series(beginning)[self._bins(span)].mean())

    def rate(self, flow, span):
        """Mean rate of a flow in [start, end) ms, GB/s."""
        return float(self.rates(flow)[self._bins(span)].mean())

    def spread(self, flows, span):
        """The highest rate of some flows over the lowest."""
        rates = [self.rate(flow, span) for flow in flows]
        return max(rates) / max(min(rates), 1e-9)

    def reaches(self, level, start, end, window=4):
        """ms from `start` until the throughput over `window` bins has reached a level; to `end` if it never does."""
        first, last = self._bins((start, end)).start, self._bins((start, end)).stop
        series = self.series()
        for stop in range(first + window, last + 1):
            if series[stop - window : stop].mean() >= level:
                return (stop - window - first) * 1e3 * self.bin
        return end - start

    def isolation(self, column, place="switches"):
        """A column of the series of isolation, bin by bin; zeros where nothing is isolated."""
        table = self.run.isolation_series if hasattr(self.run, "isolation_series") else None
        if table is None:
            return np.zeros(self.count)
        return table.filter(table["place"] == place)[column].to_numpy()[: self.count].astype(float)

    def lifetime(self):
        """Mean time that a set-aside queue of a switch is in use, us; how many were taken into use."""
        taken = float(self.isolation("allocated").sum())
        return float(self.isolation("queues").sum()) * self.bin * 1e6 / max(taken, 1.0), int(taken)

    def number(self, name):
        """A number of the summary."""
        summary = self.run.summary
        return float(dict(zip(summary["name"], summary["value"], strict=True))[name])

    def entries(self):
        """How often each output entered the congestion state: {output: times}."""
        table = self.run.congestion
        counts = {}
        for output, entered in zip(table["output"], table["entered"], strict=True):
            counts[str(output)] = counts.get(str(output), 0) + bool(entered)
        return counts
