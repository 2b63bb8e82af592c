"""The values read from runs. Times are in seconds, rates in bit/s."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars

from ..common.study import Missing, in_order
from .runs import drawn_name, starts
from .scenario import DOUBLING, FLOOR_US, RATE

TRUNK = "A->B"


class Study:
    """All results, as views by name."""

    def __init__(self, results):
        self.views = {name: View(run) for name, run in results.items()}

    def view(self, name):
        """One run."""
        if name not in self.views:
            raise Missing(name)
        return self.views[name]

    def seeds(self, name):
        """The repetitions of a run, by seed."""
        before = f"{name}_s"
        found = {
            int(label.removeprefix(before)): view for label, view in self.views.items() if label.startswith(before)
        }
        return in_order(found, name, first=1)

    def variations(self, beginning):
        """{value: view} of the runs whose names begin so, in the order in which they were made."""
        return {label[len(beginning) :]: view for label, view in self.views.items() if label.startswith(beginning)}


class View:
    """One run.

    Values computed from a table are kept, the table is not: the tables of all seeds together are larger than memory.
    """

    def __init__(self, run):
        self.run = run

    def _read(self, name, *columns):
        """Columns of a table as a polars frame."""
        return polars.from_arrow(self.run.arrow(name, list(columns)))

    @cached_property
    def transfers(self):
        """Columns of the table of transfers, with ``time`` from first bit sent to last byte received."""
        names = ("flow", "bytes", "started", "finished", "timeouts")
        table = self._read("transfers", *names, "class")
        columns = {name: table[name].to_numpy() for name in names}
        columns["short"] = (table["class"] == "short").to_numpy()
        columns["time"] = columns["finished"] - columns["started"]
        return columns

    @cached_property
    def trunk(self):
        """The queue in front of the trunk: start of the bin, mean and most bytes."""
        table = self._read("output_queue_series", "name", "time", "mean", "most").filter(polars.col("name") == TRUNK)
        return tuple(table[name].to_numpy() for name in ("time", "mean", "most"))

    @cached_property
    def transport(self):
        """Columns of the states of transports after ACKs and timeouts."""
        table = self.run.transport
        table = table.filter(table["event"].is_in(["ack", "timer"]))
        columns = {name: table[name].to_numpy() for name in ("time", "flow", "rate")}
        columns |= {"measured": table["round_trip"].to_numpy(), "predicted": table["predicted_round_trip"].to_numpy()}
        columns["phase"] = np.array(table["phase"].to_list())
        return columns

    def states(self, flow):
        """States of the transport of one flow after ACKs and timeouts (flows count from 0 here)."""
        mine = self.transport["flow"] == flow
        return {name: values[mine] for name, values in self.transport.items()}

    @cached_property
    def delivered(self):
        """Start of the bins, and bits per second delivered: [bin, flow]."""
        table = self.run.flow_series
        time, flow, size = (table[name].to_numpy() for name in ("time", "flow", "bytes"))
        flows = int(flow.max()) + 1
        starts = time[::flows]
        return starts, size.reshape(-1, flows) * 8 / (starts[1] - starts[0])

    def delay(self, begin, end):
        """Queueing delay at the trunk: start of the bins, mean and most in each."""
        time, mean, most = self.trunk
        chosen = (time >= begin - 1e-9) & (time < end - 1e-9)
        return time[chosen], mean[chosen] * 8 / RATE, most[chosen] * 8 / RATE

    def peak_delay(self, begin, end):
        """The longest queueing delay of an interval."""
        return float(self.delay(begin, end)[2].max(initial=0.0))

    @cached_property
    def actual(self):
        """The round-trip time of a packet that joins the queue in the middle of a bin: time and seconds."""
        time, mean, _ = self.trunk
        return time + (time[1] - time[0]) / 2, FLOOR_US * 1e-6 + mean * 8 / RATE

    def shares(self, flows, begin, end):
        """Delivered rates of some flows over an interval."""
        time, rates = self.delivered
        chosen = (time >= begin - 1e-9) & (time < end - 1e-9)
        return rates[chosen][:, flows].mean(axis=0)

    def wobble(self, flows, begin, end):
        """Standard deviation of the sending rates of some flows over their means, averaged over the flows."""
        found = []
        for flow in flows:
            states = self.states(flow)
            rates = states["rate"][(states["time"] >= begin) & (states["time"] < end)]
            if len(rates) > 1:
                found.append(rates.std() / rates.mean())
        return float(np.mean(found))


@dataclass(frozen=True)
class Draw:
    """The runs of one draw of starts."""

    study: Any
    number: int

    def view(self, name):
        """A run by the name that it has in the first draw."""
        return self.study.view(drawn_name(name, self.number))

    @property
    def start(self):
        """When flow 1 (and 2, in Fig. 6) starts, s."""
        return starts(self.number)[0] * 1e-3

    @property
    def join(self):
        """When flows 3 and 4 (Fig. 6) and flows 2 and 3 (Fig. 7 to 9) join, s."""
        return next(iter(self.steps))

    @property
    def steps(self):
        """Flows that are there from each step on: {s: range}."""
        groups = list(zip(DOUBLING, starts(self.number), strict=True))[1:]
        return {(at + late) * 1e-3: range(last) for (_, last, at, _), late in groups}


def jain(rates):
    """Jain's fairness index."""
    return float(rates.sum() ** 2 / (len(rates) * (rates**2).sum()))
