"""One run read: slowdowns by size as HPCC's scripts have them, pauses, queues, and the rates of two flows."""

import re
from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common
from .scenario import HEADER, HOSTS, LINE, PAIR_US, PAYLOAD, PODS, RACKS

DELAY = 1e-6
PAIR_BIN = 2e-6
SKIPPED = 0.25
"""Part of the time in which flows begin that is not counted: the fabric fills."""
BIN = 0.05
"""Share of the flows that a point of the figures represents."""


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def flows(self):
        """Sizes (B) and slowdowns of the flows that began in time, by size."""
        table = self.run.completions
        begun = seconds(self.run.scenario["traffic"][0]["stop"])
        table = table.filter(table["created"] >= SKIPPED * begun)
        size = table["size"].to_numpy()
        ends = [host_number(table[end].to_list()) for end in ("source", "destination")]
        links = ways(*ends)
        basic = size + HEADER * np.ceil(size / PAYLOAD)
        # The path there and back, with a packet's payload once on each link; then all bytes at the rate of the host.
        alone = trip(links, PAYLOAD) + basic * 8 / LINE
        told = table["acknowledged"].to_numpy() - table["created"].to_numpy()
        order = np.argsort(size, kind="stable")
        return size[order], (told / alone)[order]

    def slowdown(self, most, share=0.99):
        """The quantile of the flows up to `most` bytes: of the 5 % of all flows below it, or of all that are smaller if
        it is the first point."""
        sizes, slowdowns = self.flows
        end = np.searchsorted(sizes, most, side="right")
        begin = 0 if most < FIRST else max(0, end - round(BIN * len(sizes)))
        return float(np.quantile(slowdowns[begin:end], share))

    def paused(self):
        """Share of the time that the average port is paused."""
        table = self.run.pause_counters
        return float(table["rx_pause_duration"].sum()) / (self.run.duration * len(table))

    def queue(self, share):
        """The quantile over ports and bins of what waits at outputs at most, in bytes."""
        table = self.run.output_queue_series
        return float(np.quantile(table["most"].to_numpy(), share))

    def rates(self, name):
        """Times (s) and rates (bit/s) of a flow over time."""
        series = self.run.flow_series
        flows = self.run.flows
        flow = flows.filter(flows["class"] == name)["flow"][0]
        rows = series.filter(series["flow"] == flow)
        return rows["time"].to_numpy(), rows["bytes"].to_numpy() * 8 / PAIR_BIN

    def settled(self):
        """What both flows have of their link in the last quarter of the run."""
        return sum(rates[-len(rates) // 4 :].mean() for _, rates in map(self.rates, ("old", "new"))) / LINE

    def halved(self):
        """Round trips from when the newcomer begins until the old flow has less than 60 % of the link."""
        times, rates = self.rates("old")
        begin = PAIR_US / 2 * 1e-6
        late = times[(times >= begin) & (rates < 0.6 * LINE)]
        return float((late[0] - begin) / trip(2, PAYLOAD)) if len(late) else float("inf")


FIRST = 10_000
"""The first point of the figures is below."""


def host_number(names):
    """The numbers in names such as h17."""
    return np.array([int(re.sub(r"\D", "", name)) for name in names])


def ways(a, b):
    """Links between hosts: 2 in a rack, 4 in a pod, 6 otherwise."""
    rack, pod = a // HOSTS == b // HOSTS, a // (HOSTS * RACKS // PODS) == b // (HOSTS * RACKS // PODS)
    return np.where(rack, 2, np.where(pod, 4, 6))


def transmission(links, size):
    """Time of a packet on all links of a path: two of them are those of hosts, the others four times as fast."""
    return 2 * size * 8 / LINE + (links - 2) * size * 8 / (4 * LINE)


def trip(links, size):
    """Round-trip time as HPCC's simulator works it out."""
    return 2 * links * DELAY + transmission(links, size)


class Study(common.Study):
    """All runs."""

    view = View
