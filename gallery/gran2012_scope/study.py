"""One run of the fat tree, read in the words of the paper: payload rates that hosts receive, and blocked links.

Rates are Gbit/s of payload over the whole run, from an empty network on (OQ-I22, OQ-I25). They are computed from the
links into hosts, which carry full data packets and notification packets only: the number of each follows from bytes and
packets.
"""

from functools import cached_property

import numpy as np

from congestree.evaluation.measures import mean_and_interval
from congestree.quantities import seconds

from ..common import study as common
from .scenario import CNP, MTU, WIRE


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def end(self):
        """End of the run, s."""
        return seconds(self.run.scenario["measure"]["duration"])

    @cached_property
    def hot(self):
        """Names of the hosts to which some class sends everything."""
        return {entry["to"] for entry in self.run.scenario["traffic"] if entry.get("to")}

    @cached_property
    def received(self):
        """Payload rate that each host receives, Gbit/s: {host: rate}."""
        rates = {}
        ports = self.run.ports
        for to, origin, packets, size in zip(*(ports[c] for c in ("to", "from", "packets", "bytes")), strict=True):
            if not is_switch(to) and is_switch(origin):
                data = (size - CNP * packets) / (WIRE - CNP)
                rates[to] = data * MTU * 8e-9 / self.end
        return rates

    total = property(lambda self: sum(self.received.values()))
    """What all hosts receive together, Gbit/s."""
    mean = property(lambda self: self.total / len(self.received))
    """The mean receive rate of a host, Gbit/s."""

    @property
    def hotspots(self):
        """The mean receive rate of a hot host, Gbit/s; not a number if no host is hot all the time."""
        rates = [rate for host, rate in self.received.items() if host in self.hot]
        return float(np.mean(rates)) if rates else float("nan")

    @property
    def others(self):
        """What any other host receives on average, Gbit/s."""
        return float(np.mean([rate for host, rate in self.received.items() if host not in self.hot]))

    def fairness(self):
        """Jain's index over the contributors of a hot host, averaged over the hot hosts."""
        flows = self.run.flows
        classes = np.array([str(label) for label in flows["class"]])
        packets = flows["packets"].to_numpy().astype(float)
        subsets = [packets[classes == label] for label in np.unique(classes) if label[0] == "C"]
        return float(np.mean([rates.sum() ** 2 / (len(rates) * (rates**2).sum()) for rates in subsets]))

    def cumulative(self, label):
        """Payload rate of a class from the start to the end of every bin, less one message, Gbit/s."""
        flows, series = self.run.flows, self.run.flow_series
        ours = [flow for flow, name in zip(flows["flow"], flows["class"], strict=True) if name == label]
        width = seconds(self.run.scenario["measure"]["bin"])
        chosen = np.isin(series["flow"].to_numpy(), ours)
        bins = np.rint(series["time"].to_numpy()[chosen] / width).astype(int)
        packets = np.bincount(bins, series["packets"].to_numpy()[chosen], round(self.end / width))
        ends = width * np.arange(1, len(packets) + 1)
        return (np.cumsum(packets) - 2) * MTU * 8e-9 / ends

    def blocked_links(self):
        """Links out of switches that flow control held for more than half of a bin: one set of ports a bin."""
        ports = self.run.ports
        ours = {port for port, origin in zip(ports["port"], ports["from"], strict=True) if is_switch(origin)}
        width = seconds(self.run.scenario["measure"]["bin"])
        sets = [set() for _ in range(round(self.end / width))]
        series = self.run.port_series
        for time, port, blocked in zip(*(series[c] for c in ("time", "port", "blocked")), strict=True):
            at = round(time / width)
            if blocked > width / 2 and at < len(sets) and port in ours:
                sets[at].add(port)
        return sets

    def similarity(self, apart_ms=5):
        """Jaccard similarity of the blocked links of two instants so far apart, averaged over the second half."""
        sets = self.blocked_links()
        apart = round(apart_ms * 1e-3 / seconds(self.run.scenario["measure"]["bin"]))
        pairs = list(zip(sets[len(sets) // 2 :], sets[len(sets) // 2 - apart :], strict=False))
        return float(np.mean([len(a & b) / len(a | b) for a, b in pairs if a | b]))


def is_switch(node):
    """Hosts are h0, h1, ... (H1, H2, ... on the single switch)."""
    return not node[1:].isdigit()


class Sample(common.Sample):
    """One number from every seed."""

    @property
    def interval(self):
        """Half width of the 95 % confidence interval of the mean (Student's); 0 for a single seed."""
        return float(mean_and_interval(self.values)[1]) if len(self.values) > 1 else 0.0

    def spread(self):
        """Mean, confidence interval and extremes in words."""
        if len(self.values) == 1:
            return f"{self.mean:.4g}"
        return f"{self.mean:.4g} ± {self.interval:.2g} ({self.low:.4g} to {self.high:.4g})"


def str_last(pair):
    """Numbers before texts, each in their order."""
    return [(isinstance(value, str), value) for value in pair]


class Study(common.Study):
    """All results, as views."""

    view = View
    sample_of = Sample

    def __init__(self, results):
        super().__init__(results)
        self.used = set()

    def views(self, *key):
        views = super().views(*key)
        self.used.add(key)
        return views

    def grid(self, family, measure, only=None):
        """Samples with and without congestion control by the first and the last parameter: {(a, b): (on, off)}.

        only: the requested value of the first parameter; None: all. The last seeds are left out if they have only one
        of the two runs.
        """
        keys = sorted({(key[1], key[3]) for key in self.table if key[0] == family}, key=str_last)
        found = {}
        for a, b in keys:
            both = [(family, a, cc, b) for cc in ("on", "off")]
            common_seeds = set.intersection(*(set(self.table.get(key, ())) for key in both))
            if only in (None, a) and common_seeds:
                self.used.update(both)
                pair = ({rep: self.table[key][rep] for rep in common_seeds} for key in both)
                found[a, b] = tuple(Sample(map(measure, common.in_order(views, (a, b)))) for views in pair)
        if not found:
            raise common.Missing((family, only))
        return found

    def mixes(self):
        """Mixes of roles of the moving forests that were run with and without congestion control."""
        return sorted({mix for mix, _ in self.grid("moving", lambda view: 0.0)})

    def level(self):
        """The level at which the runs used since the last call were made, in words; nothing if there were none."""
        keys, self.used = [key for key in self.used if key[0] != "budget"], set()
        if not keys:
            return ""
        views = [view for key in keys for view in self.table[key].values()]
        seeds = {len(self.table[key]) for key in keys}
        hosts, length = len(views[0].received), 1e3 * views[0].end
        few, many = min(seeds), max(seeds)
        word = "small" if hosts < 648 else "full" if few >= 3 else "quick"
        count = f"{few} seed{'s' * (few > 1)}" if few == many else f"{few} to {many} seeds"
        return f"{word} level: {hosts} hosts, {length:g} ms, {count}"
