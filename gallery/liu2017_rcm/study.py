"""One run of the page: rates of flows, bin by bin, Gbit/s on the wire."""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common


class View:
    """One run."""

    def __init__(self, run):
        self.run = run
        self.bin = seconds(run.scenario["measure"]["bin"])
        self.count = round(seconds(run.scenario["measure"]["duration"]) / self.bin)

    @cached_property
    def _rates(self):
        flows, series = self.run.flows, self.run.flow_series
        found = {}
        for number, label in zip(flows["flow"], flows["class"], strict=True):
            rows = series.filter(series["flow"] == number)
            bins = np.rint(rows["time"].to_numpy() / self.bin).astype(int)
            array = np.zeros(self.count)
            inside = bins < self.count
            np.add.at(array, bins[inside], rows["bytes"].to_numpy()[inside])
            found[label] = array * 8 / self.bin / 1e9
        return found

    def times(self):
        """Middles of the bins, us."""
        return (np.arange(self.count) + 0.5) * 1e6 * self.bin

    def rates(self, *flows):
        """Sum of the rates of some flows."""
        return sum(self._rates[flow] for flow in flows)

    def mean(self, span, *flows):
        """Mean of that in [start, end) us."""
        first, last = (round(edge * 1e-6 / self.bin) for edge in span)
        return float(self.rates(*flows)[first:last].mean())

    def notices(self):
        """Notices that each output has heard."""
        ports = self.run.ports
        if "notices" not in ports.columns:
            return {}
        return {name: int(n) for name, n in zip(ports["name"], ports["notices"], strict=True) if n}


class Study(common.Study):
    """All runs."""

    view = View
