"""How to run it again: the scenario, the command, and the files that it needs."""

import os
import shlex

from .. import document
from ..runs import contents
from .page import Code, Paragraph

MOST_NAMED = 8
"""Files that are named; of more their number is given."""


def of_run(run):
    """The scenario of a run as it was resolved, and the command."""
    version = run.manifest.get("congestree", "")
    scenario, names, folder = contents.gathered(run._scenario)
    if driven := run.manifest.get("driven"):
        return [Paragraph(_of_driven(driven)), Code(document.to_toml(scenario))]
    said = f"Save the scenario below as scenario.toml and run it with congestree {version}"
    if run.stopped or run.interrupted:
        said += ". This run ended before its time, so it has no fingerprint to compare with."
    else:
        said += (
            ": the same version, scenario and seed give the same bits. The fingerprint of the results is "
            f"{run.fingerprint['results']}."
        )
    return [
        Paragraph(said),
        *needed(names, f"{folder}, as seen from where it ran" if folder else "the folder where it ran"),
        Code("congestree run scenario.toml --out runs/again"),
        Code(document.to_toml(scenario)),
    ]


def _of_driven(driven):
    """Why a run that another program drove cannot be run again."""
    done = f"messages injected: {driven['messages']:,}"
    if driven["changes"]:
        done += f", changes of the marking: {len(driven['changes']):,}"
    return (
        "This run cannot be repeated from its scenario, which is below: another program drove it, and what that did "
        f"({done}) is not in the scenario."
    )


def of_study(study, scenarios):
    """The scenario of a study with its sweep, and the command; `scenarios`: those of its finished runs."""
    said = "Save the scenario below as scenario.toml; the same version, scenario and seeds give the same bits."
    if study.written:
        text, names = as_written(study)
        files = needed(names, study.written["folder"])
    else:
        text, names, folder = without_what_differs(study, scenarios)
        files = needed(names, folder or "the folder where the study ran")
        said += (
            " The folder of this study does not hold the scenario as it was written: below are the settings that all "
            "finished runs have in common, and what varies."
        )
    skip = ["--skip-refused"] if study.refused else []
    asked = [word for name in study.measures for word in ("--measure", name)]
    command = ["congestree", "sweep", "scenario.toml", "--out", "runs/again", *skip, *asked]
    return [Paragraph(said), *files, Code(shlex.join(command)), Code(text)]


def needed(names, folder):
    """What to put beside the scenario, if it names files."""
    if not names:
        return []
    some = ", ".join(names[:MOST_NAMED]) + (f", … ({len(names):,} in all)" if len(names) > MOST_NAMED else "")
    said = f"The scenario only names these files, and needs them as they were: {some}. "
    if any(os.path.isabs(name) or name.startswith(os.pardir) for name in names):
        said += "Put them into the folder of scenario.toml, and write their names there relative to it."
    else:
        said += f"They were in {folder}; put them, under these names, into the folder of scenario.toml."
    return [Paragraph(said)]


def as_written(study):
    """The text of the scenario of a study, and the files that it names, with those of swept values."""
    written = study.written
    tree = document.parse(written["text"], written["format"])
    names = sorted(set(contents.written(tree)))
    return written["text"] if written["format"] == "toml" else document.to_toml(tree), names


def without_what_differs(study, scenarios):
    """A scenario from the resolved ones: what differs between them follows from what is swept, and would overrule it.

    Answers its text, the files that it names, and the folder in which they were.
    """
    scenario, names, folder = contents.gathered(scenarios[0])
    scenario.pop("sweep", None)
    for way in differing(scenarios):
        _drop(scenario, way)
    axes = {}
    for path in study.axes:
        values = [point["values"][path] for point in study.points]
        axes[path] = [value for i, value in enumerate(values) if value not in values[:i]]
    return document.to_toml({**scenario, "sweep": axes}), names, folder


def differing(scenarios):
    """The ways (keys, and numbers of entries of lists) to what is not the same in all these scenarios."""
    found = []

    def walk(values, way):
        first = values[0]
        if all(value == first for value in values):
            return
        if all(isinstance(value, dict) for value in values):
            for key in dict.fromkeys(key for value in values for key in value):
                walk([value.get(key) for value in values], (*way, key))
        elif all(_entries(value) and len(value) == len(first) for value in values):
            for i in range(len(first)):
                walk([value[i] for value in values], (*way, i))
        else:
            found.append(way)

    walk(scenarios, ())
    return found


def _entries(value):
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _drop(table, way):
    """Take out what is at the end of a way, and the tables on the way that have nothing else."""
    key, *rest = way
    if not rest:
        table.pop(key, None)
    elif (inner := table[key] if isinstance(table, list) else table.get(key)) is not None:
        _drop(inner, rest)
        if not inner and isinstance(table, dict):
            del table[key]
