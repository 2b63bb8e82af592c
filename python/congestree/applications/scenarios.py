"""Programs of the applications in scenarios, and programs that the engine makes: GOAL text and exact lengths."""

import json

from .. import _engine
from ..errors import AskedError, CongestreeError, ScenarioError, there_are
from ..runs import arguments, running
from . import lengths, rounds

MOST_RANKS = 65_535
"""A program is made on one switch, which has no more ports."""


def program(scenario, job=None, values=None):
    """The program of an application in a scenario: GOAL text, and the lengths of its operations (see `lengths`).

    Parameters and errors are those of `jobs.of_scenario`.
    """
    found = running.check(scenario, values=values)["scenario"]
    entries = {entry["name"]: entry for entry in found["traffic"] if "program" in entry}
    names = list(entries)
    if not names:
        raise CongestreeError("This scenario has no application: no entry of its traffic has a program.")
    if job is None and len(names) > 1:
        raise CongestreeError(f"This scenario has several applications; name one of {', '.join(names)}.")
    if job is not None and job not in names:
        raise CongestreeError(f'There is no application "{job}"; this scenario has {", ".join(names)}.')
    job = job or names[0]
    rules = entries[job].get("job", {})
    source = running.as_text(scenario, values)
    if rules.pop("stragglers", None):
        source = running.as_text(found)  # the engine slows a program down as it makes it
    once, columns = _engine.goal_of(*source, job)
    repeat = rules.get("repeat", 1)
    return rounds.in_rounds(once, repeat, job), lengths.in_rounds(columns, repeat)


def made(name, ranks, seed, parameters):
    """A generated program, as from `program`. Parameters and errors are those of `jobs.make`."""
    known = [part["name"] for part in json.loads(_engine.catalogue()) if part["kind"] == "program"]
    known = [one for one in known if one not in ("goal", "text")]  # those are programs already
    if name not in known:
        raise AskedError(f'There is no program "{name}" that is made; {there_are(name, known)}')
    ranks = arguments.count("ranks", ranks, 1, MOST_RANKS)
    scenario = {
        "seed": seed,
        "topology": {"single-switch": {"hosts": max(ranks, 2)}},
        "links": {"rate": "1 Gbit/s"},
        "traffic": [{"name": name, "from": "all", "program": {name: parameters}, "job": {"ranks": ranks}}],
        "measure": {"duration": "1 s"},
    }
    try:
        return program(scenario)
    except ScenarioError as error:
        # No user wrote this scenario, so the places in it mean nothing to them, except what follows the program's name.
        told = [(c["path"].partition(".program.")[2] or name, c["fact"], c["remedy"]) for c in error.complaints]
        raise AskedError("\n\n".join("\n  ".join(complaint) for complaint in told)) from None
