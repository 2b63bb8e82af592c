"""Runs that are only begun: the first part of a run as a scenario, and what its first instant tells."""

from .. import quantities
from ..quantities import exactly
from . import running

INSTANT = 1e-12
"""A share of a run in which nothing happens."""


def beginning(scenario, share):
    """The first part of a run as a scenario: the same packets at the same times, over this share of the duration.

    scenario: resolved, or as it is written, as a dict. The warm-up is shortened in proportion if it would take more
    than half of what is left.
    """
    measure = scenario["measure"]
    spans = {key: _picoseconds(measure[key]) for key in ("duration", "warm_up", "bin") if measure.get(key) is not None}
    spans["duration"] = max(1, round(spans["duration"] * share))
    if 2 * spans.get("warm_up", 0) > spans["duration"]:
        spans["warm_up"] = round(spans["warm_up"] * share)
    if "bin" in spans:
        spans["bin"] = min(spans["bin"], spans["duration"])
    return {**scenario, "measure": {**measure, **{key: exactly(span, "ps") for key, span in spans.items()}}}


def _picoseconds(span):
    return round(quantities.seconds(span) * 1e12)


def rows_of_summary(scenario):
    """The names of the numbers in the summary of a run, which depend on the scenario; its first instant has them."""
    run = running.run(running.resolved(beginning(scenario, INSTANT)))
    return run.arrow("summary")["name"].to_pylist()
