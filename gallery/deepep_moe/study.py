"""One run: how long an exchange took, operation by operation, and rank by rank."""

import math
from functools import cached_property

import numpy as np

from congestree.quantities import seconds

from ..common import study as common


class View:
    """One run."""

    def __init__(self, run):
        self.run = run

    @cached_property
    def ranks(self):
        """By operation: the time of each rank in each exchange but the first, in us, from its start of the operation
        until it had received everything, as DeepEP's test program measures it."""
        return {operation: self._ranks(tag)[1:] for tag, operation in enumerate(("dispatch", "combine"))}

    def _ranks(self, tag):
        """The times of an operation by exchange and rank."""
        messages = self.run.table("messages")
        messages = messages.filter(messages["tag"] == tag).sort("from", "to", "sent")
        sender, receiver = (messages[end].to_numpy().astype(int) for end in ("from", "to"))
        # The n-th message from a rank to another is of the n-th exchange.
        pair = sender * (max(receiver) + 1) + receiver
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        turn = np.arange(len(pair)) - np.repeat(first, np.diff(first, append=len(pair)))
        came = np.full((max(turn) + 1, max(sender) + 1), np.inf)
        done = np.full(came.shape, -np.inf)
        np.minimum.at(came, (turn, sender), messages["sent"].to_numpy())
        np.maximum.at(done, (turn, receiver), messages["delivered"].to_numpy())
        return (done - came) * 1e6

    def took(self, operation):
        """The mean over ranks and exchanges, us."""
        return float(self.ranks[operation].mean())

    def whole(self):
        """The exchange as a whole, us; if it did not finish, the length of the run, which is a lower bound."""
        took = float(self.run.jobs["completion"][0])
        return (seconds(self.run.scenario["measure"]["duration"]) if math.isnan(took) else took) * 1e6


class Study(common.Study):
    view = View

    def times(self, operation, control="off", ways="adaptive"):
        """{ranks: us} of an operation, in the network alone; samples over draws of experts."""
        family = ("table", control, ways)
        axis = [key[-1] for key in sorted(self.table) if key[:3] == family]
        if not axis:
            raise common.Missing(family)
        return {n: self.sample((*family, n), lambda view: view.took(operation)) for n in axis}

    def fixed(self):
        """The time of a kernel outside the network, us: fitted to the dispatch of eight ranks, draw by draw."""
        from .scenario import PUBLISHED

        return PUBLISHED["dispatch"][8] - self.times("dispatch")[8]

    def whole(self, kind, control, ways, much):
        """The exchange of the study, us."""
        return float(self.sample(("study", kind, control, ways, much), lambda view: view.whole()))
