"""One run read for the claims: payload by flow, over time, and by how much it agrees with a law."""

import numpy as np

from ..common import study as common
from .scenario import HEADER, JOIN_MS, LINE, MTU


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    def rates(self):
        """Bytes on the wire in every bin, flow by flow, as Gbit/s of payload: an array of flows and bins (of 1 ms)."""
        series, flows = self.run.flow_series, self.run.flows.height
        bins = int(series["time"].max() / 1e-3 + 0.5) + 1
        found = np.zeros((flows, bins))
        place = (series["time"].to_numpy() / 1e-3 + 0.5).astype(int)
        np.add.at(found, (series["flow"].to_numpy(), place), series["bytes"].to_numpy())
        return found * 8e-6 * MTU / (MTU + HEADER)

    def settled(self):
        """Each flow's rate in the second half of the run, Gbit/s of payload."""
        rates = self.rates()
        return rates[:, rates.shape[1] // 2 :].mean(axis=1)

    def converged(self):
        """From when a flow has joined until the lesser of two rates, over 5 ms, is at least 0.8 of the other, in ms."""
        rates = self.rates()[:, JOIN_MS:]
        means = np.array([np.convolve(each, np.ones(5) / 5, "valid") for each in rates])
        fair = means.min(axis=0) >= 0.8 * means.max(axis=0)
        return float(np.argmax(fair) + 5) if fair.any() else float("inf")

    def apart(self):
        """The lesser of two rates over the other, in the last quarter of the run."""
        rates = self.rates()
        means = rates[:, -rates.shape[1] // 4 :].mean(axis=1)
        return float(means.min() / means.max())

    def carried(self):
        """Payload delivered, B/s."""
        return float(self.run.flows["rate"].sum()) / 8


class Study(common.Study):
    view = View

    def bandwidth(self, way, kib, family="published", *depth):
        """Payload of messages of this many KiB, GB/s."""
        return float(self.sample((family, way, *depth, kib), lambda view: view.carried())) / 1e9


GBPS = LINE / 1e9
