"""One run, read for the tables: the shares of the links, the latency of messages, and the cost."""

from functools import cached_property

import numpy as np

from ..common import study as common
from .scenario import PACKET, RATE, TENANT_LOAD

CONTROL = "notices_"
"""Beginning of the counts of notices about isolation in the summary."""
BY_FLOW = ("flow_stops", "flow_gos")
"""The counts of BFC's notices."""


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def measured(self):
        """Length of the measured interval, s."""
        return self.run.value("measured")

    def goodput(self, beginning):
        """Payload of the flows of some classes, as shares of a link. All packets but the last of a message are full."""
        flows = self.run.flows
        header = self.header
        wire = [
            (found, payload - count * header)
            for found, payload, count in zip(flows["class"], flows["bytes"], flows["packets"], strict=True)
        ]
        return np.array([bytes_ for found, bytes_ in wire if found.startswith(beginning)]) * 8 / self.measured / RATE

    @cached_property
    def header(self):
        """Bytes of every packet that are no payload."""
        return int(self.run.scenario["adapters"]["header"].split()[0])

    def victim(self):
        """Mean goodput of the victims, of a link."""
        return float(self.goodput("victim").mean())

    def wanted(self):
        """The share that the victims of the exchange got of the bytes on the wire that they offered."""
        return self.victim() / (TENANT_LOAD * PACKET / (PACKET + self.header))

    @cached_property
    def contenders(self):
        """Goodput of the eight senders to the hot host."""
        return np.concatenate([self.goodput("far"), self.goodput("near")])

    def hot(self):
        """Use of the link to the hot host."""
        return float(self.contenders.sum())

    def fairness(self):
        """Jain's index among the eight."""
        return float(self.contenders.sum() ** 2 / (len(self.contenders) * (self.contenders**2).sum()))

    def far(self):
        """Part of the hot link that the six far senders have; three quarters are fair."""
        return float(self.goodput("far").sum() / self.contenders.sum())

    def latency(self, beginning):
        """Latency from making a message of some classes until a packet of it has arrived: 99th percentile, mean of the
        classes, us.

        A class of which nothing arrived during the measurement counts with its length.
        """
        table = self.run.latency
        rows = zip(table["class"], table["kind"], table["p99"], strict=True)
        found = {name: p99 for name, kind, p99 in rows if kind == "total" and name.startswith(beginning)}
        names = {flow for flow in self.run.flows["class"] if flow.startswith(beginning)}
        return float(np.mean([found.get(name, self.measured) for name in names])) * 1e6

    def messages(self):
        """Time of the messages of the exchange that 99 % do not exceed, us."""
        table = self.run.messages
        return float(np.quantile((table["delivered"] - table["sent"]).to_numpy(), 0.99)) * 1e6

    def job(self):
        """Time of the exchange, ms; the length of the run if it did not end."""
        return float(self.run.jobs["completion"].fill_nan(self.run.duration)[0]) * 1e3

    def pauses(self):
        """Pause frames in a millisecond, on all links."""
        if "pause_counters" not in self.run.tables:
            return 0.0
        return float(self.run.pause_counters["tx_pause"].sum()) / self.measured / 1e3

    def held(self):
        """Links that flow control holds while a packet waits, on the mean."""
        return self.run.value("blocked") / self.run.duration

    def counted(self, name):
        """A count of the summary, 0 where it has none."""
        table = self.run.summary
        return float(sum(value for found, value in zip(table["name"], table["value"], strict=True) if found == name))

    def dropped(self):
        """Packets that outputs dropped or trimmed, of those that were sent."""
        if "output_queue_series" not in self.run.tables:
            return 0.0
        return float(self.warm(self.run.output_queue_series)["dropped"].sum()) / self.counted("sent")

    def resent(self):
        """Packets that were sent again, of those that were sent."""
        return self.counted("resent") / self.counted("sent")

    def notices(self):
        """Marks and notices of switches, for each packet that was delivered."""
        table = self.run.summary
        isolation = sum(
            value
            for name, value in zip(table["name"], table["value"], strict=True)
            if (name.startswith(CONTROL) and name != "notices_heard") or name in BY_FLOW
        )
        regions = float(self.run.ports["notices"].sum()) if "notices" in self.run.ports.columns else 0.0
        # Marks count after the warm-up, notices in the whole run.
        share = self.measured / self.run.duration
        return (self.counted("marked") + (isolation + regions) * share) / self.counted("delivered")

    def warm(self, table):
        """The rows of a series after the warm-up."""
        return table.filter(table["time"] >= self.run.duration - self.measured - 1e-9)

    def queued(self):
        """What switches hold, mean over time, in full packets."""
        if "queues" in self.run.tables:
            table = self.run.queues
            return float((table["held"] * table["time"]).sum()) / self.measured
        table = self.warm(self.run.output_queue_series)
        return float(table["mean"].sum()) / np.ceil(self.measured / 1e-4) / (PACKET + self.header)


class Study(common.Study):
    """All runs."""

    view = View

    def cases(self, kind, measure):
        """A measure of every case, means over seeds: {case: sample}."""
        found = {key[1]: self.sample(key, measure) for key in self.table if key[0] == kind}
        if not found:
            raise common.Missing(kind)
        return found
