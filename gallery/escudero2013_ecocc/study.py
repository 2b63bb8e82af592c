"""The runs of the paper in its words: throughput, average gains, ports without free queues.

An average gain is the mean, over the bins of the millisecond in which the hot nodes send, of one throughput over the
other, less one (OQ-E13).
"""

from functools import cached_property

import numpy as np

from ..common import study as common
from ..escudero_common.view import View as Trees
from .scenario import HOT_MS, JUDGED, LINK, READINGS, TECHNIQUES, nodes, stand_in


class View(Trees):
    """One run."""

    link = LINK

    @cached_property
    def nodes(self):
        """Nodes of the network."""
        single = self.run.scenario["topology"].get("single-switch")
        graph = self.run.scenario["topology"].get("graph")
        return single["hosts"] if single else len(graph["hosts"]) if graph else super().nodes

    def completion(self, job):
        """Time that a program took, ms; infinity if it did not end."""
        found = self.run.jobs.filter(self.run.jobs["job"] == job)["completion"][0]
        return np.inf if np.isnan(found) else 1e3 * found

    def inside(self, span):
        """Which bins lie in a span, ms."""
        return (self.times() > span[0]) & (self.times() < span[1])


class Study(common.Study):
    """All results, as views; a run serves all readings that are the same for its technique."""

    view = View

    def runs(self, network, pattern, technique, reading):
        """The seeds of a pattern on a network with a technique, in a reading."""
        return self.views("net", network, pattern, technique, stand_in(technique, reading))

    def port(self, network, technique, reading):
        """The seeds of pattern #2 on a network where inputs have one read port."""
        run = stand_in(technique, reading)
        key = ("port", network, technique) if run in ("a", "any") else ("ports", network, technique, run)
        return self.views(*key)

    def mean(self, network, pattern, technique, reading, span=HOT_MS):
        """Mean normalised throughput in a span, of every seed."""
        return self.sample_of([view.mean(span) for view in self.runs(network, pattern, technique, reading)])

    def ratio(self, network, pattern, above, below, reading, span=HOT_MS):
        """Of the throughputs of two techniques, seed by seed."""
        pair = [self.mean(network, pattern, technique, reading, span).values for technique in (above, below)]
        return self.sample_of(pair[0] / pair[1])

    def gain(self, network, pattern, above, below, reading, span=HOT_MS):
        """Average gain of a technique over another, seed by seed."""
        pairs = zip(*(self.runs(network, pattern, t, reading) for t in (above, below)), strict=True)
        return self.sample_of([gain(a, b, span) for a, b in pairs])

    def causes(self, changed, other, compare, span=HOT_MS):
        """``compare(one, other, span)`` of a changed technique and an unchanged one, by network."""
        return {
            f"{nodes(n)} nodes, {changed}, [{span[0]}, {span[1]}] ms": compare(
                self.views("cause", n, changed)[0], self.runs(n, 2, other, JUDGED)[0], span
            )
            for n in self.axis("cause", 0)
        }

    def networks(self, reading=JUDGED, patterns=(1, 2, 3)):
        """Networks of which every run of a reading is there, one at least."""
        found = [n for n in (1, 2, 3) if all(self._whole(n, pattern, reading) for pattern in patterns)]
        if not found and reading == JUDGED:
            raise common.Missing("net")
        return found

    def readings(self, runs, techniques=TECHNIQUES):
        """Readings of which all these runs are there, ``runs(technique, reading)``; one at least."""
        found = [reading for reading in READINGS if all(_there(runs, t, reading) for t in techniques)]
        if not found:
            for technique in techniques:
                runs(technique, JUDGED)  # raises Missing, with the name of the run
        return found

    def _whole(self, network, pattern, reading):
        keys = [("net", network, pattern, t, stand_in(t, reading)) for t in TECHNIQUES]
        return all(key in self.table for key in keys)


def _there(runs, technique, reading):
    """Whether these runs were made."""
    try:
        return bool(runs(technique, reading))
    except common.Missing:
        return False


def gain(above, below, span):
    """Average gain of one run over another."""
    inside = above.inside(span)
    return float(np.mean(above.series()[inside] / below.series()[inside]) - 1)
