"""Runs that are only begun: the first part of a run as a scenario, and what its first instant tells."""

from .. import quantities
from ..quantities import exactly
from . import running

INSTANT = 1e-12
"""A share of a run in which nothing happens."""


def beginning(scenario, share):
    """The first part of a run as a scenario: the same packets at the same times, over this share of the duration.

    scenario: resolved, or as it is written, as a dict. The warm-up is shortened in proportion if it would take more
    than half of what is left. A scenario may not have failures of links after its end, nor times of hosts that are as
    long as it: what would come later comes in the last picoseconds. Times at which links fail and come back keep their
    order, and failures their number, by which links are drawn.
    """
    measure = scenario["measure"]
    faults = (scenario.get("links") or {}).get("faults")
    changes = _changes(faults) if faults else []
    spans = {key: _picoseconds(measure[key]) for key in ("duration", "warm_up", "bin") if measure.get(key) is not None}
    # Time enough for each change to come after the one before.
    spans["duration"] = end = max(1 + len(changes), round(spans["duration"] * share))
    if 2 * spans.get("warm_up", 0) > end:
        spans["warm_up"] = round(spans["warm_up"] * share)
    if "bin" in spans:
        spans["bin"] = min(spans["bin"], end)
    part = {**scenario, "measure": {**measure, **{key: exactly(span, "ps") for key, span in spans.items()}}}
    if scenario.get("adapters"):
        part["adapters"] = _within(scenario["adapters"], ("ack_turnaround", "message_cost"), end - 1)
    if changes:
        part["links"] = {**scenario["links"], "faults": _begun(faults, changes, end)}
    return part


def _changes(faults):
    """The times (ps) at which links fail or come back, in order."""
    failures = faults.get("failures") or ()
    times = [time for failure in failures for time in (failure.get("at", 0), failure.get("until"))]
    return sorted({_picoseconds(time) for time in times if time is not None})


def _begun(faults, changes, end):
    """Failures of which each change comes before the end (ps), as do the new tables for the first."""
    late = [time for time in changes if time >= end - len(changes)]
    moved = {time: end - len(late) + place for place, time in enumerate(late)}
    failures = []
    for failure in faults["failures"]:
        times = {key: _picoseconds(failure[key]) for key in ("at", "until") if failure.get(key) is not None}
        times = {key: exactly(moved[time], "ps") for key, time in times.items() if time in moved}
        failures.append({**failure, **times})
    begun = {**faults, "failures": failures}
    reroute = faults.get("reroute")
    if isinstance(reroute, dict) and "subnet-manager" in reroute:
        # Where the share is zero no link fails, and no new tables come.
        down = [f for f in failures if f.get("rate") is None and f.get("keeps") is None and f.get("share") != 0]
        first = min((_picoseconds(f.get("at", 0)) for f in down), default=0)
        manager = _within(reroute["subnet-manager"], ("delay",), end - 1 - first)
        begun["reroute"] = {"subnet-manager": manager}
    return begun


def _within(table, keys, most):
    """A table in which none of these times is longer than `most` (ps)."""
    longer = [key for key in keys if table.get(key) is not None and _picoseconds(table[key]) > most]
    return {**table, **dict.fromkeys(longer, exactly(most, "ps"))}


def _picoseconds(span):
    return round(quantities.seconds(span) * 1e12)


def rows_of_summary(scenario):
    """The names of the numbers in the summary of a run, which depend on the scenario; its first instant has them."""
    run = running.run(running.resolved(beginning(scenario, INSTANT)))
    return run.arrow("summary")["name"].to_pylist()
