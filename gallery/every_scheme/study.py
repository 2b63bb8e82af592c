"""One run read for the table: who got what of the links, how long short messages took, marks and pauses."""

from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common
from .scenario import RATE, VICTIM_SHARE


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    def rates(self, *classes):
        """Rates of the flows of some classes, as shares of a link."""
        flows = self.run.flows
        return np.array([r for c, r in zip(flows["class"], flows["rate"], strict=True) if c in classes]) / RATE

    @cached_property
    def incast(self):
        """Rates of the eight senders to the hot host, far ones first."""
        return np.concatenate([self.rates("far"), self.rates("near")])

    def victim(self):
        """Rate of the victim over its max-min share."""
        return float(self.rates("victim").sum()) / VICTIM_SHARE

    def hot(self):
        """Use of the link to the hot host."""
        return float(self.incast.sum())

    def fairness(self):
        """Jain's index among the senders to the hot host."""
        return float(self.incast.sum() ** 2 / (len(self.incast) * (self.incast**2).sum()))

    def far(self):
        """Part of the hot link that the senders behind the shared link have; one half is fair."""
        return float(self.rates("far").sum() / self.incast.sum())

    def slowdown(self, share):
        """Completion time over that on the idle fabric, of short messages that began after the warm-up."""
        table = self.run.completions
        warm = seconds(self.run.scenario["measure"]["warm_up"])
        return float(np.quantile(table.filter(table["start"] >= warm)["slowdown"].to_numpy(), share))

    def marked(self):
        """Share of the delivered packets that were marked."""
        return self.run.value("marked") / self.run.value("delivered")

    def paused(self):
        """Share of the time that the way from left to right is paused; 0 where nothing pauses."""
        if "pause_counters" not in self.run.tables:
            return 0.0
        table = self.run.pause_counters
        shared = table.filter(table["name"] == "left->right")
        return float(shared["rx_pause_duration"].sum()) / self.run.duration


class Study(common.Study):
    """All runs."""

    view = View
