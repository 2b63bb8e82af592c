"""Measures of runs by name, as goals of a search have them ("slowdown-p99:storage"), as columns of a study."""

import math

from ..errors import AskedError


def is_one(name):
    """Whether a text begins with the name of a measure."""
    from ..tune.measured import MEASURES

    return isinstance(name, str) and name.partition(":")[0].strip() in MEASURES


def read(text, scenario):
    """A measure as people write it, MEASURE or MEASURE:OF, as a goal without a direction.

    Raises AskedError if there is none, or if a run of the resolved scenario would not have recorded it.
    """
    from ..runs import running
    from ..tune import goals
    from ..tune.measured import MEASURES

    goal = named(text)
    measure = MEASURES[goal.measure]
    goals.check(
        goal,
        scenario,
        running.network(scenario, routes=False) if measure.of == "host" else {"hosts": [], "switches": []},
    )
    if lacking := sorted(set(measure.probes) - set(scenario["measure"]["probes"])):
        probes = ", ".join([*scenario["measure"]["probes"], *lacking])
        raise AskedError(
            f"{text} needs the probe {', '.join(lacking)}: --set measure.probes=[{probes}], or in the scenario"
        )
    return goal


def named(text):
    """A measure as people write it, as a goal without a direction; whether runs have recorded it is not checked."""
    from ..tune.goals import Goal
    from ..tune.measured import MEASURES

    return Goal.read(text if is_one(text) and MEASURES[text.partition(":")[0].strip()].best else f"max {text}")


def beside(names):
    """What to tell beside measures that know only of flows or messages that have finished: the share that did."""
    from ..tune.goals import told_beside

    return [goal.label for goal in told_beside([named(name) for name in names])]


def value(goal, run):
    """The measure of a run in its base unit; nan if there was nothing to measure, or no end to it."""
    from ..tune.measured import MEASURES

    found = MEASURES[goal.measure].take(run, goal.of)
    return math.nan if found is None or math.isinf(found) else float(found)
