"""Results by name, and the values read from one run.

Rates are wire bytes over time, as fractions of the link (1 GB/s). Times are in milliseconds.
"""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common
from .scenario import BIN_MS, INTER, LINK, ROOT


class Sample(common.Sample):
    """One number from every repetition of a run; the first has the deterministic start."""

    def spread(self):
        """The repetitions in words."""
        if len(self.values) == 1:
            return "one run"
        random = self.values[1:]
        between = f"starts {random.min():.4g} to {random.max():.4g}" if len(random) > 1 else f"start {random[0]:.4g}"
        return f"deterministic start {self.values[0]:.4g}, random {between}"


class View:
    """One run, read in the words of the papers."""

    def __init__(self, run):
        self.run = run

    # Whole measured interval (after the warm-up).

    @cached_property
    def flows(self):
        """The table of flows as arrays."""
        return {column: self.run.flows[column].to_numpy() for column in self.run.flows.columns}

    @cached_property
    def ports(self):
        """The table of ports by name."""
        return {row["name"]: row for row in self.run.ports.iter_rows(named=True)}

    @cached_property
    def warm_up_ms(self):
        """The time that whole-run measures leave out at the start, ms."""
        return 1e3 * seconds(self.run.scenario["measure"]["warm_up"])

    @cached_property
    def span_s(self):
        """Length of the measured interval, s."""
        return self.run.duration - self.warm_up_ms * 1e-3

    def members(self, kind):
        """Which flows belong to a class: "local" has local and local-dynamic, "dynamic" has both dynamic ones."""
        classes = np.array([str(label) for label in self.flows["class"]])
        if kind == "contenders":
            return classes != "victim"
        if kind == "static":
            return (classes == "local") | (classes == "remote")
        return np.array([kind in label.split("-") for label in classes])

    def mean_rate(self, kind):
        """Delivered bytes of a class per link capacity, whole interval."""
        return float(self.flows["bytes"][self.members(kind)].sum() / (LINK * self.span_s))

    def utilisation(self, link):
        """Bytes sent on a link per its capacity, whole interval."""
        return self.ports[link]["bytes"] / (LINK * self.span_s)

    root = property(lambda self: self.utilisation(ROOT))
    inter = property(lambda self: self.utilisation(INTER))
    ratio = property(lambda self: self.mean_rate("remote") / self.mean_rate("local"))
    blocked_share = property(lambda self: self.ports[INTER]["blocked"] / self.span_s)

    def marked_share(self, kind):
        """Marked packets per packet of a class."""
        chosen = self.members(kind)
        return float(self.flows["marked"][chosen].sum() / max(1, self.flows["packets"][chosen].sum()))

    # Intervals, from the series.

    @cached_property
    def flow_bytes(self):
        """Bytes delivered: [bin, flow]."""
        return self._matrix(self.run.flow_series, "flow", "bytes", len(self.flows["bytes"]))

    @cached_property
    def flow_limit(self):
        """R_max/r at the end of a bin: [bin, flow]."""
        return self._matrix(self.run.flow_series, "flow", "limit", len(self.flows["bytes"]))

    @cached_property
    def port_bytes(self):
        """Bytes sent: [bin, port]."""
        return self._matrix(self.run.port_series, "port", "bytes", len(self.ports))

    @cached_property
    def port_blocked(self):
        """Blocked time, s: [bin, port]."""
        return self._matrix(self.run.port_series, "port", "blocked", len(self.ports))

    @cached_property
    def port_held(self):
        """Mean packets in the buffer at the far end: [bin, port]."""
        return self._matrix(self.run.port_series, "port", "held", len(self.ports))

    @staticmethod
    def _matrix(table, key, column, width):
        bins = np.rint(table["time"].to_numpy() * 1e3 / BIN_MS).astype(int)
        matrix = np.zeros((bins.max() + 1, width))
        matrix[bins, table[key].to_numpy()] = table[column].to_numpy()
        return matrix

    @staticmethod
    def _bins(start, end):
        return slice(round(start / BIN_MS), round(end / BIN_MS))

    def limits(self, kind, at_ms):
        """R_max/r of every flow of a class at a time."""
        return self.flow_limit[round(at_ms / BIN_MS) - 1, self.members(kind)]

    def limit_spread(self):
        """Standard deviation over time of a contender's rate limit over its mean, averaged over contenders."""
        rates = 1 / self.flow_limit[round(self.warm_up_ms / BIN_MS) :][:, self.members("contenders")]
        return float((rates.std(axis=0) / rates.mean(axis=0)).mean())

    def rates(self, kind, start, end):
        """Rate of every flow of a class in [start, end) ms."""
        chosen = self.flow_bytes[self._bins(start, end)][:, self.members(kind)]
        return chosen.sum(axis=0) / (LINK * (end - start) * 1e-3)

    def rate(self, kind, start, end):
        """Aggregate rate of a class in [start, end) ms."""
        return float(self.rates(kind, start, end).sum())

    def use(self, link, start, end):
        """Utilisation of a link in [start, end) ms."""
        sent = self.port_bytes[self._bins(start, end), self.ports[link]["port"]].sum()
        return float(sent / (LINK * (end - start) * 1e-3))

    def blocked(self, start, end, link=INTER):
        """Share of [start, end) ms in which a link had a packet to send but no credit."""
        held_up = self.port_blocked[self._bins(start, end), self.ports[link]["port"]].sum()
        return float(held_up / ((end - start) * 1e-3))

    def held(self, start, end, link=INTER):
        """Mean packets in the buffer at the far end of a link in [start, end) ms."""
        return float(self.port_held[self._bins(start, end), self.ports[link]["port"]].mean())

    def local_share(self, start, end):
        """Local part of the traffic that reached B_C in [start, end) ms."""
        local, remote = self.rate("local", start, end), self.rate("remote", start, end)
        return local / (local + remote)

    def remote_per_local(self, start, end):
        """Aggregate remote rate over aggregate local rate in [start, end) ms."""
        return self.rate("remote", start, end) / self.rate("local", start, end)

    def levels(self, link=INTER):
        """How long the buffer at the far end of a link held each number of packets: {packets: s}."""
        table = self.run.queues
        chosen = table["port"].to_numpy() == self.ports[link]["port"]
        return dict(
            zip(table["held"].to_numpy()[chosen].tolist(), table["time"].to_numpy()[chosen].tolist(), strict=True)
        )

    def sliding(self, values, width_ms=2.0):
        """Centred sliding sums over bins, as rates per link capacity; returns (ms, fractions)."""
        width = round(width_ms / BIN_MS)
        sums = np.convolve(values, np.ones(width), "valid")
        middle = (np.arange(len(sums)) + width / 2) * BIN_MS
        return middle, sums / (LINK * width_ms * 1e-3)


class Study(common.Study):
    """All results of a paper, as views."""

    view = View
    sample_of = Sample
