"""Runs that are only begun: the first part of a run as a scenario, and what its first instant tells."""

from .. import quantities
from ..quantities import exactly
from . import running

INSTANT = 1e-12
"""A share of a run in which nothing happens."""


def beginning(scenario, share):
    """The first part of a run as a scenario: the same packets at the same times, over this share of the duration.

    The warm-up is shortened in proportion if it would take more than half of what is left.
    """
    measure = scenario["measure"]
    end, warm = (round(quantities.seconds(measure[key]) * 1e12) for key in ("duration", "warm_up"))
    short = max(1, round(end * share))
    if 2 * warm > short:
        warm = round(warm * share)
    kept = {"duration": exactly(short, "ps"), "warm_up": exactly(warm, "ps")}
    width = round(quantities.seconds(measure["bin"]) * 1e12)
    kept["bin"] = exactly(min(width, short), "ps")
    return {**scenario, "measure": {**measure, **kept}}


def rows_of_summary(scenario):
    """The names of the numbers in the summary of a run, which depend on the scenario; its first instant has them."""
    run = running.run(running.resolved(beginning(scenario, INSTANT)))
    return run.arrow("summary")["name"].to_pylist()
