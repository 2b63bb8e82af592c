"""One run of the page: rates of flows, bin by bin, Gbit/s on the wire; regions; completion times on the whole tree."""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common
from .scenario import LINK, SPLITS


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

    @property
    def senders(self):
        """Of figure 7: the two senders that go alone, then the two that go with the victim."""
        return SPLITS[self.run.scenario["seed"]]

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
        """Notices that each output has received."""
        ports = self.run.ports
        if "notices" not in ports.columns:
            return {}
        return {name: int(n) for name, n in zip(ports["name"], ports["notices"], strict=True) if n}

    def first_cut(self, after):
        """us from then on until an output first lowers the window of its harmful flows."""
        table = self.run.region_windows
        lower = table.filter((table["harmful"] < table["previous"]) & (table["time_ps"] >= after * 1e6))
        return float(lower["time_ps"].min()) / 1e6 - after if len(lower) else None

    def first_limit(self, after, *flows):
        """us from then on until a host first lowers its limit for one of the flows, to a bin."""
        names = dict(zip(self.run.flows["class"], self.run.flows["flow"], strict=True))
        series = self.run.flow_series
        for time in sorted(set(series["time"])):
            now = series.filter(series["time"] == time)
            limits = dict(zip(now["flow"], now["limit"], strict=True))
            if time * 1e6 >= after and any(limits.get(names[flow], 1.0) > 1.0 for flow in flows):
                return float(time * 1e6 + 1e6 * self.bin - after)
        return None

    def first_found(self, ports):
        """us until one of the outputs first finds itself congested."""
        table = self.run.regions
        found = table.filter(table["output"].is_in(ports) & (table["local_degree"] > 0))
        return float(found["time_ps"].min()) / 1e6 if len(found) else None

    def parts(self):
        """The parts that each output plays, other than none, by name of the output."""
        table = self.run.regions
        found = {}
        for port, part in zip(table["output"], table["role"], strict=True):
            if part != "none":
                found.setdefault(port, set()).add(part)
        return {port: sorted(parts) for port, parts in sorted(found.items())}

    def counts(self, what, **where):
        """A count of the table of flows in regions by name of the flow, at one output or at all."""
        table = self.run.region_flows
        if "output" in where:
            table = table.filter(table["output"] == where["output"])
        names = dict(zip(self.run.flows["flow"], self.run.flows["class"], strict=True))
        totals = {}
        for flow, count in zip(table["flow"], table[what], strict=True):
            totals[names[flow]] = totals.get(names[flow], 0) + int(count)
        return totals

    def offered(self, *classes):
        """Rates delivered to all hosts, of some classes or all, as a share of all links to hosts."""
        flows = self.run.flows
        rates = [r for c, r in zip(flows["class"], flows["rate"], strict=True) if not classes or c in classes]
        return float(sum(rates)) / LINK / len(set(flows["source"]))

    @cached_property
    def completions(self):
        """Flows that began after the warm-up and have finished, by number: (class, size, completion time in s)."""
        table = self.run.completions
        table = table.filter(table["created"] >= seconds(self.run.scenario["measure"]["warm_up"]))
        rows = zip(table["number"], table["class"], table["size"], table["fct"], strict=True)
        return {number: row for number, *row in rows}


class Study(common.Study):
    """All runs."""

    view = View

    def sampled(self, measure, *keys):
        """The measurement of one repetition of each of these runs: a number, or a list or a table of numbers."""
        return together([measure(*views) for views in zip(*(self.views(*key) for key in keys), strict=False)])

    def paired(self, *keys):
        """Completions of flows that have finished in all of these runs, a repetition after another: (class, size), and
        a column of times a run."""
        found = []
        for views in zip(*(self.views(*key) for key in keys), strict=False):
            runs = [view.completions for view in views]
            both = sorted(set.intersection(*(set(run) for run in runs)))
            what = [runs[0][number][:2] for number in both]
            found.append((what, np.array([[run[number][2] for run in runs] for number in both]).reshape(-1, len(keys))))
        return found


def together(found):
    """Numbers of every repetition as one sample; None where one has none. Lists and tables go part by part."""
    first = found[0]
    if isinstance(first, dict):
        return {name: together([each[name] for each in found]) for name in first}
    if isinstance(first, list):
        return [together(list(parts)) for parts in zip(*found, strict=True)]
    return None if None in found else common.Sample(found)
