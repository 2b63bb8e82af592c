"""One run of the test bed, read in the words of the papers: payload rates of flows by phase.

A *phase* is the time from the start of one flow to the start of the next; its *plateau* is the phase without its first
30 %, in which rates settle. Flows have the name of their traffic entry: F1, F2, ...
"""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds, size

from ..common import study as common

SETTLING = 0.3
"""Share of a phase that is not part of its plateau."""


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def payload(self):
        """Payload per wire byte of a full packet."""
        adapters = self.run.scenario["adapters"]
        mtu, header = size(adapters["mtu"]), size(adapters["header"])
        return mtu / (mtu + header)

    @cached_property
    def names(self):
        """Flow numbers by name."""
        return {str(label): flow for label, flow in zip(self.run.flows["class"], self.run.flows["flow"], strict=True)}

    @cached_property
    def starts(self):
        """When each flow starts, s."""
        return {entry["name"]: seconds(entry["start"]) for entry in self.run.scenario["traffic"]}

    @cached_property
    def end(self):
        """End of the run, s."""
        return seconds(self.run.scenario["measure"]["duration"])

    @cached_property
    def bin(self):
        """Width of a bin of the series, s."""
        return seconds(self.run.scenario["measure"]["bin"])

    @cached_property
    def phases(self):
        """(start, end) of each phase, s: from one start of a flow to the next."""
        times = sorted(set(self.starts.values()))
        return list(zip(times, [*times[1:], self.end], strict=True))

    def plateau(self, phase):
        """(start, end) of the plateau of a phase, s; phases count from 0, negative ones from the end."""
        start, end = self.phases[phase]
        return start + SETTLING * (end - start), end

    def _series(self, column):
        table = self.run.flow_series
        bins = np.rint(table["time"].to_numpy() / self.bin).astype(int)
        matrix = np.zeros((round(self.end / self.bin), len(self.names)))
        inside = bins < len(matrix)
        matrix[bins[inside], table["flow"].to_numpy()[inside]] = table[column].to_numpy()[inside]
        return matrix

    @cached_property
    def _bytes(self):
        return self._series("bytes")

    @cached_property
    def _marked(self):
        return self._series("marked")

    def _bins(self, span):
        return slice(round(span[0] / self.bin), round(span[1] / self.bin))

    def series(self, flow):
        """Payload rate of a flow in each bin, Gbit/s."""
        return self._bytes[:, self.names[flow]] * self.payload * 8e-9 / self.bin

    def times(self):
        """Middles of the bins, s."""
        return (np.arange(len(self._bytes)) + 0.5) * self.bin

    def rate_in(self, flow, span):
        """Mean payload rate of a flow in [start, end) s, Gbit/s."""
        return float(self.series(flow)[self._bins(span)].mean())

    def rate(self, flow, phase):
        """Mean payload rate of a flow on a plateau, Gbit/s."""
        return self.rate_in(flow, self.plateau(phase))

    def rate_whole(self, flow):
        """Mean payload rate of a flow from the end of the warm-up to the end of the run, Gbit/s."""
        return float(self.run.flows["rate"][self.names[flow]]) * self.payload * 1e-9

    def rates(self, flows, phase):
        """Those of several flows."""
        return np.array([self.rate(flow, phase) for flow in flows])

    def settling_rate(self, flow, phase):
        """Mean payload rate of a flow before a plateau, Gbit/s."""
        return self.rate_in(flow, (self.phases[phase][0], self.plateau(phase)[0]))

    def deviation(self, flow, phase):
        """Standard deviation of a flow's rate over the bins of a plateau, Gbit/s."""
        return float(self.series(flow)[self._bins(self.plateau(phase))].std())

    def ratio(self, flows, phase):
        """The highest rate of some flows over the lowest, on a plateau."""
        rates = self.rates(flows, phase)
        return float(rates.max() / max(rates.min(), 1e-12))

    def marks_in(self, flow, span):
        """Marked packets of a flow per second that arrived in [start, end) s: as many notifications went back."""
        return float(self._marked[self._bins(span), self.names[flow]].sum() / (span[1] - span[0]))

    def marks(self, flow, phase):
        """Marked packets of a flow per second on a plateau."""
        return self.marks_in(flow, self.plateau(phase))

    @cached_property
    def ports(self):
        """The table of ports by name."""
        return {row["name"]: row for row in self.run.ports.iter_rows(named=True)}


class Study(common.Study):
    """All results of a paper, as views."""

    view = View
