"""One run: how long an exchange took, operation by operation."""

import math

from congestree.quantities import seconds

from ..common import study as common


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    def took(self, operation):
        """From when the last rank came to it until the last has finished, in us; of several layers the mean."""
        steps = self.run.steps.filter(self.run.steps["operation"] == operation)
        return float((steps["finished"] - steps["joined"]).mean()) * 1e6

    def whole(self):
        """The exchange as a whole, us; if it did not finish, the length of the run, which is less than it takes."""
        took = float(self.run.jobs["completion"][0])
        return (seconds(self.run.scenario["measure"]["duration"]) if math.isnan(took) else took) * 1e6


class Study(common.Study):
    view = View

    def times(self, operation, control="off", ways="adaptive"):
        """{ranks: us} of an operation, in the network alone."""
        family = ("table", control, ways)
        axis = [key[-1] for key in sorted(self.table) if key[:3] == family]
        if not axis:
            raise common.Missing(family)
        return {n: float(self.sample((*family, n), lambda view: view.took(operation))) for n in axis}

    def fixed(self):
        """What a kernel takes besides the network, us: fitted to the dispatch of eight ranks."""
        from .scenario import PUBLISHED

        return PUBLISHED["dispatch"][8] - self.times("dispatch")[8]

    def whole(self, kind, control, ways, much):
        """The exchange of the study, us."""
        return float(self.sample(("study", kind, control, ways, much), lambda view: view.whole()))
