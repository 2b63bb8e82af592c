"""One run of the paper, read in its words: bytes delivered in each bin, as shares of what links carry.

Normalised throughput is what all nodes receive in a bin over what their links could carry (OQ-C15).
"""

from functools import cached_property

from ..common import study as common
from ..escudero_common.view import View as Trees
from .scenario import JUDGED, LINK, READINGS, THROTTLES


class View(Trees):
    """One run of any configuration."""

    link = LINK

    @cached_property
    def nodes(self):
        """Nodes of the network."""
        return super().nodes if "k-ary-n-tree" in self.run.scenario["topology"] else 7


class Study(common.Study):
    """All results, as views; techniques that do not throttle have one reading, which is used for all."""

    view = View

    def case(self, family, technique, reading, *before):
        """The runs of a case with a technique, in a reading."""
        return self.views(family, *before, technique, reading if technique in THROTTLES else "any")

    def readings(self, family, *before):
        """The reading that judges, and the others that were run: the quick version has one of them."""
        return [r for r in READINGS if r == JUDGED or (family, *before, "ccfit", r) in self.table]

    def mean(self, case, technique, reading, span, beginning=""):
        """Mean normalised throughput in [start, end) ms, of every seed."""
        family, *before = case if isinstance(case, tuple) else (case,)
        views = self.case(family, technique, reading, *before)
        return self.sample_of([view.mean(span, beginning) for view in views])
