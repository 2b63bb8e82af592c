"""One run read for the claims: shares of links, waits, links in use."""

from functools import cached_property

from ..common import study as common
from .scenario import FORWARDING, LEAF, LEAVES, LINK, SLOT


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def rates(self):
        """Rates of flows by the name of their traffic, as shares of a link."""
        flows = self.run.flows
        return dict(zip(flows["class"], flows["rate"].to_numpy() / LINK, strict=True))

    def carried(self, ports):
        """Mean rate delivered to each of this many ports, as a share of a link."""
        return float(self.each().sum()) / ports

    def each(self):
        """Rates of all flows, as shares of a link."""
        return self.run.flows["rate"].to_numpy() / LINK

    def wait(self):
        """Mean queueing delay of a packet through one switch that stores and forwards, in times of a packet."""
        table = self.run.latency
        mean = dict(zip(table["kind"], table["mean"], strict=True))["total"]
        return (mean - FORWARDING - 2 * SLOT) / SLOT

    def in_use(self):
        """Links up of every leaf that carry something: a number a leaf."""
        ports = self.run.ports
        packets = dict(zip(ports["name"], ports["packets"], strict=True))
        return [sum(packets[f"leaf{leaf}->spine{up}"] > 0 for up in range(LEAF)) for leaf in range(LEAVES)]

    def ends(self):
        """When the last packet was delivered, s."""
        return float(self.run.deliveries["time_ps"].max()) * 1e-12

    def blocked(self):
        """Times that an output had a packet and no room for it."""
        return int(self.run.ports["blocked"].sum())


class Study(common.Study):
    """All runs."""

    view = View
