"""Measures of runs by name, as goals of a search have them ("slowdown-p99:storage"), as columns of a study."""

import math
from functools import partial

from .. import renames
from ..errors import AskedError
from ..evaluation import goals, links
from ..evaluation.goals.measured import MEASURES
from ..runs import running
from ..runs.results import scenario_hash
from ..runs.shorter import rows_of_summary
from .points import label


def is_one(name):
    """Whether a text begins with the name of a measure."""
    return isinstance(name, str) and name.partition(":")[0].strip() in MEASURES


def of_points(names, points):
    """Measures by name, as goals without a direction, of the points of a sweep that has not run yet.

    Raises AskedError if there is none of that name, if no point can answer, or if points do not record what it needs.
    """
    found = {}
    for name in names:
        found[name] = read(name, _asked(points))
        for probe in MEASURES[found[name].measure].probes:
            without = [point for point in points if probe not in point["scenario"]["measure"]["probes"]]
            if without:
                raise AskedError(
                    f"{name} needs the probe {probe}, which {len(without)} of {len(points)} points of the sweep do not "
                    f"have ({label(without[0]['values'])}{', and others' * (len(without) > 1)}): add it to their "
                    "measure.probes, or leave the measure out."
                )
    return found


def _asked(points):
    """What `read` asks of points, of those that differ in their seed one."""
    seen = set()
    for point in points:
        alike = scenario_hash({**point["scenario"], "seed": 0})
        if alike not in seen:
            scenario = point["scenario"]
            yield scenario, partial(rows_of_summary, scenario), partial(_places, scenario)
        seen.add(alike)


def _places(scenario):
    return links.places(running.network(scenario, routes=False))


def read(text, asked):
    """A measure as people write it, MEASURE or MEASURE:OF, as a goal without a direction.

    asked: of every run, its resolved scenario, and functions that answer the names in its summary and its places
    (`links.places`). Raises AskedError if there is no such measure, or if none of these runs has it: of the first the
    reason, of the summary all names.
    """
    goal, why, rows = named(text), None, set()
    for scenario, names, places in asked:
        try:
            _refuse(goal, text, scenario, places)
            if goal.measure == "summary":
                rows |= set(names())
                goals.check_row(goal, rows)
            return goal
        except AskedError as error:
            why = error if rows else why or error
    raise why


def _refuse(goal, text, scenario, places):
    """Raise AskedError if a run of the scenario cannot have the measure."""
    measure = MEASURES[goal.measure]
    goals.check(goal, scenario, places() if measure.of == "host" else NOWHERE)
    if lacking := _lacking(measure, scenario):
        probes = ", ".join([*scenario["measure"]["probes"], *lacking])
        raise AskedError(
            f"{text} needs the probe {', '.join(lacking)}: --set measure.probes=[{probes}], or in the scenario"
        )


def _lacking(measure, scenario):
    """The probes that a measure needs and a resolved scenario has not."""
    return sorted(set(measure.probes) - set(scenario["measure"]["probes"]))


NOWHERE = [], []
"""For measures that are about no host."""


def named(text):
    """A measure as people write it, as a goal without a direction; whether runs have recorded it is not checked."""
    return goals.Goal.read(text if is_one(text) and MEASURES[text.partition(":")[0].strip()].best else f"max {text}")


def beside(names):
    """What to tell beside measures for what they leave out: what has finished, latencies with waits at sources."""
    return [goal.label for goal in goals.told_beside([named(name) for name in names])]


def left_out(names, frame):
    """Sentences on how many runs have much longer latencies with the wait at the source, where measures leave it out.

    names: of the measures that were asked for; frame: of the runs, with the columns that `beside` adds.
    """
    told, said = beside(names), []
    for name in dict.fromkeys(names):
        whole = goals.with_the_wait(named(name))
        if whole and whole.label in told:
            pairs = zip(frame[name], frame[whole.label], strict=True)
            if much := sum(goals.waits(*pair) for pair in pairs):
                said.append(
                    f"{name} leaves out the wait at the source: with it ({whole.label}) the latency of {much} of "
                    f"{len(frame)} runs is more than twice as long."
                )
    return said


def value(goal, run):
    """The measure of a run in its base unit; nan if there was nothing to measure, no end to it, or if the run has no
    such class, host, job or number, or has not recorded what it needs."""
    if not _has(run, goal, MEASURES[goal.measure]):
        return math.nan
    found = MEASURES[goal.measure].take(run, goal.of)
    return math.nan if found is None or math.isinf(found) else float(found)


def _has(run, goal, measure):
    """Whether a run has what a measure is about; a host that it has not is nothing to measure anyway."""
    if goal.measure == "summary":
        return renames.row(goal.of) in run.arrow("summary")["name"].to_pylist()
    try:
        if measure.of != "host":
            goals.check(goal, run._scenario, NOWHERE)
    except AskedError:
        return False
    return not _lacking(measure, run._scenario)
