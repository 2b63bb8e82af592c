"""How to run it again: the scenario, the command, and the files that it needs."""

import os
import shlex

from .. import document
from ..runs import contents
from .page import Code, Paragraph

MOST_NAMED = 8
"""Files that are named; of more their number is given."""
MOST_ROWS = 1_000
"""The longest list that is written out: one of a million messages made a page of 119 MB, which no browser shows."""
FIRST_ROWS = 10
"""Entries of a longer list that are written out."""
TOO_LONG = f"Lists of more than {MOST_ROWS:,} entries have only their first {FIRST_ROWS}"


def of_run(run):
    """The scenario of a run as it was resolved, and the command."""
    shown, lengths = beginning(run._scenario)
    scenario, names, folder = contents.gathered(shown)
    code = Code(_headed(document.to_toml(scenario), lengths))
    if driven := run.manifest.get("driven"):
        return [Paragraph(_of_driven(driven)), *_not_whole(lengths), code]
    if lengths:
        return [*_not_whole(lengths), *_from_manifest(run), code]
    version = run.manifest.get("congestree", "")
    return [
        Paragraph(f"Save the scenario below as scenario.toml and run it with congestree {version}{_promised(run)}"),
        *needed(names, f"{folder}, as seen from where it ran" if folder else "the folder where it ran"),
        Code("congestree run scenario.toml --out runs/again"),
        code,
    ]


def _from_manifest(run):
    """How to run a scenario again that is too long for a page."""
    there = str(run.folder or "FOLDER")
    has = f"in {there} has" if run.folder else "has, once Run.save has written it to a FOLDER,"
    names = contents.named(run._scenario)
    files = f" It names files, as seen from the folder where it ran: {_some(names)}. Run the command there."
    load = f"congestree.Run.load({document.quoted(there)}).scenario"
    return [
        Paragraph(
            f"The manifest.json of the run {has} the whole one. The command below runs that again with congestree "
            f"{run.manifest.get('congestree', '')}{_promised(run)}{files if names else ''}"
        ),
        Code(_in_python(f'congestree.run({load}, out="runs/again")')),
    ]


def _in_python(call):
    """A command that makes a call of the package."""
    return shlex.join(["python", "-c", f"import congestree; {call}"])


def beginning(scenario):
    """A copy of a scenario (a dict) with only the beginnings of its longest lists, and {path: length} of these.

    What a sweep varies is whole.
    """
    lengths = {}

    def begun(value, path):
        if path == "sweep":
            return value
        if isinstance(value, dict):
            return {key: begun(below, f"{path}.{key}" if path else key) for key, below in value.items()}
        if not isinstance(value, list):
            return value
        if len(value) > MOST_ROWS:
            lengths[path] = len(value)
            value = value[:FIRST_ROWS]
        return [begun(below, f"{path}.{i}") for i, below in enumerate(value)]

    return begun(scenario, ""), lengths


def _not_whole(lengths):
    """What a page leaves out of a scenario, if anything; lengths: as `beginning` answers them."""
    told = _some([f"{path} ({length:,})" for path, length in lengths.items()])
    said = f"The scenario below is not whole, and would give other results. {TOO_LONG}: {told}."
    return [Paragraph(said)] if lengths else []


def _headed(text, lengths):
    """The text of a scenario that says itself, wherever it is copied to, that it is not whole."""
    return f"# Not whole. {TOO_LONG}.\n{text}" if lengths else text


def _promised(run):
    """What is the same if a run is run again: the end of a sentence."""
    if run.stopped or run.interrupted:
        return ". This run ended before its time, so it has no fingerprint to compare with."
    return (
        ": the same version, scenario and seed give the same bits. The fingerprint of the results is "
        f"{run.fingerprint['results']}."
    )


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
    if study.written:
        text, names, lengths = as_written(study)
        folder, more = study.written["folder"], ""
    else:
        text, names, folder, lengths = without_what_differs(study, scenarios)
        more = (
            " The folder of this study does not hold the scenario as it was written: below are the settings that all "
            "finished runs have in common, and what varies."
        )
    file, first = "scenario.toml", []
    save = f"Save the scenario below as {file}"
    if lengths and study.written:
        file = f"scenario.{study.written['format']}"
        save = f"The study.json in {study.folder} has the whole one. The first command below saves it as {file}"
        first = [_saving(study, file)]
    elif lengths:
        save += f", with the whole lists, which are in each manifest.json of {study.folder / 'runs'}"
    skip = ["--skip-refused"] if study.refused else []
    asked = [word for name in study.measures for word in ("--measure", name)]
    command = shlex.join(["congestree", "sweep", file, "--out", "runs/again", *skip, *asked])
    return [
        *_not_whole(lengths),
        Paragraph(f"{save}; the same version, scenario and seeds give the same bits.{more}"),
        *needed(names, folder or "the folder where the study ran", file),
        Code("\n".join([*first, command])),
        Code(_headed(text, lengths)),
    ]


def _saving(study, file):
    """The command that saves the scenario of a study as it was written."""
    text = f'congestree.Study.load({document.quoted(str(study.folder))}).written["text"]'
    return _in_python(f'open("{file}", "w", encoding="utf-8").write({text})')


def needed(names, folder, file="scenario.toml"):
    """What to put beside the file of the scenario, if it names others."""
    if not names:
        return []
    said = f"The scenario only names these files, and needs them as they were: {_some(names)}. "
    if any(os.path.isabs(name) or name.startswith(os.pardir) for name in names):
        said += f"Put them into the folder of {file}, and write their names there relative to it."
    else:
        said += f"They were in {folder}; put them, under these names, into the folder of {file}."
    return [Paragraph(said)]


def _some(names):
    """Names in a row, of which only the first are told if they are many."""
    return ", ".join(names[:MOST_NAMED]) + (f", … ({len(names):,} in all)" if len(names) > MOST_NAMED else "")


def as_written(study):
    """The text of the scenario of a study, the files that it names, with those of swept values, and the lengths of
    lists of which it has only the beginning."""
    written = study.written
    tree = document.parse(written["text"], written["format"])
    names = sorted(set(contents.written(tree)))
    shown, lengths = beginning(tree)
    return written["text"] if written["format"] == "toml" and not lengths else document.to_toml(shown), names, lengths


def without_what_differs(study, scenarios):
    """A scenario from the resolved ones: what differs between them follows from what is swept, and would overrule it.

    Answers its text, the files that it names, the folder in which they were, and the lengths of lists of which it has
    only the beginning.
    """
    scenario, names, folder = contents.gathered(scenarios[0])
    scenario.pop("sweep", None)
    for way in differing(scenarios):
        _drop(scenario, way)
    axes = {}
    for path in study.axes:
        values = [point["values"][path] for point in study.points]
        axes[path] = [value for i, value in enumerate(values) if value not in values[:i]]
    shown, lengths = beginning({**scenario, "sweep": axes})
    return document.to_toml(shown), names, folder, lengths


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
